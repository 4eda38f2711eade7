//! The evolution of one first move.
//!
//! Its draws depend on the seed, the position, the length of the game and the first move alone, so that first moves can
//! evolve in any order and at the same time.

mod answers;
mod trace;

use vidmar_chess::{Move, MoveList};
use vidmar_rng::Rng;

use crate::chromosome::{Breeder, Choice, Chromosome, Mutation, random};
use crate::evaluator::Worth;
use crate::settings::{Settings, Strategy};
use answers::{Answers, Inquiry};
pub(crate) use trace::Trace;

/// The population of one first move: the best line, which is kept, and mutants that live for a generation.
pub(crate) struct Evolution {
    pub(crate) first: Move,
    pub(crate) best: Chromosome,
    pub(crate) generation: u32,
    pub(crate) trace: Trace,
    rng: Rng,
    /// Positions that may still be evaluated.
    allowance: u64,
    answers: Answers,
}

/// The first gene is given, the others are random.
struct Founder<'a> {
    first: Move,
    rng: &'a mut Rng,
}

impl Choice for Founder<'_> {
    fn gene(&mut self, locus: usize, legal: &MoveList) -> Move {
        if locus == 0 {
            self.first
        } else {
            random(legal, self.rng)
        }
    }
}

impl Evolution {
    /// A population without lines.
    pub(crate) fn new(first: Move, rng: Rng, allowance: u64) -> Evolution {
        Evolution {
            first,
            best: Chromosome::default(),
            generation: 0,
            trace: Trace::default(),
            rng,
            allowance,
            answers: Answers::default(),
        }
    }

    /// What the first move is worth so far; nothing is known without a line.
    pub(crate) fn fitness(&self, settings: &Settings) -> Option<Worth> {
        (!self.best.genes.is_empty()).then(|| self.best.fitness(settings.fitness))
    }

    /// Whether more generations would change nothing, or there are to be no more.
    pub(crate) fn is_over(&self, settings: &Settings, length: usize) -> bool {
        let is_settled = self.best.genes.len() == 1 || settings.chromosomes < 2;
        let has_had_all = settings.generations > 0 && self.generation >= settings.generations;
        let cannot_go_on = self.allowance < length as u64 || self.answers.are_full();
        self.allowance == 0 || (!self.best.genes.is_empty() && (is_settled || has_had_all || cannot_go_on))
    }

    /// The next generation; the first call makes the founders.
    pub(crate) fn step(&mut self, settings: &Settings, breeder: &mut Breeder) {
        if self.best.genes.is_empty() {
            self.found(settings, breeder);
        } else {
            self.breed(settings, breeder);
            self.generation += 1;
        }
    }

    /// The founders, of which the best is kept.
    fn found(&mut self, settings: &Settings, breeder: &mut Breeder) {
        // A small allowance makes shorter lines rather than none.
        let length = breeder.length;
        breeder.length = length.min(self.allowance as usize);
        let mut lines = Vec::new();
        while lines.len() < settings.chromosomes
            && self.allowance >= breeder.length as u64
            && self.allowance > 0
        {
            let mut founder = Founder {
                first: self.first,
                rng: &mut self.rng,
            };
            let line = grow(
                &mut self.allowance,
                breeder,
                &Chromosome::default(),
                0,
                &mut founder,
            );
            if settings.strategy == Strategy::Answering {
                self.answers.learn(&line, line.fitness(settings.fitness));
            }
            lines.push(line);
        }
        breeder.length = length;
        self.select(lines, settings, 1);
    }

    /// A generation of mutants of the best line.
    fn breed(&mut self, settings: &Settings, breeder: &mut Breeder) {
        // By turns the side that began and the other; one-sided evolution changes every gene for the first.
        let (offset, stride, sign) = match settings.strategy {
            Strategy::OneSided => (1, 1, 1),
            _ if self.generation.is_multiple_of(2) => (2, 2, 1),
            _ => (1, 2, -1),
        };
        let loci = self.best.genes.len().saturating_sub(offset).div_ceil(stride) as u64;
        if loci == 0 {
            // The side has no gene to change: a generation passes all the same.
            self.select(Vec::new(), settings, sign);
            return;
        }
        let mut mutants = Vec::with_capacity(settings.chromosomes - 1);
        for _ in 1..settings.chromosomes {
            if self.allowance < breeder.length as u64 {
                break;
            }
            let locus = offset + stride * self.rng.below(loci) as usize;
            let mutant = if settings.strategy == Strategy::Answering {
                let mut inquiry = Inquiry::new(&self.answers, &self.best, locus, &mut self.rng);
                let mutant = grow(&mut self.allowance, breeder, &self.best, locus, &mut inquiry);
                self.answers.learn(&mutant, mutant.fitness(settings.fitness));
                mutant
            } else {
                let mut mutation = Mutation {
                    old: &self.best.genes,
                    locus,
                    rng: &mut self.rng,
                };
                grow(&mut self.allowance, breeder, &self.best, locus, &mut mutation)
            };
            mutants.push(mutant);
        }
        self.select(mutants, settings, sign);
    }

    /// The best of the old best line and the new ones, for the side of that sign; the old one wins a tie.
    fn select(&mut self, lines: Vec<Chromosome>, settings: &Settings, sign: Worth) {
        let old = &self.best;
        let diversity = lines.iter().map(|line| line.distance(old)).sum::<u32>() / lines.len().max(1) as u32;
        if settings.strategy == Strategy::Answering {
            self.best = self.answers.best_line(self.first);
        } else {
            for line in lines {
                let is_better =
                    sign * line.fitness(settings.fitness) > sign * self.best.fitness(settings.fitness);
                if self.best.genes.is_empty() || is_better {
                    self.best = line;
                }
            }
        }
        self.trace.note(self.best.fitness(settings.fitness), diversity);
    }
}

/// Grows a line and pays for it.
fn grow(
    allowance: &mut u64,
    breeder: &mut Breeder,
    parent: &Chromosome,
    kept: usize,
    choice: &mut impl Choice,
) -> Chromosome {
    let before = breeder.nodes;
    let line = breeder.grow(parent, kept, choice);
    *allowance -= (breeder.nodes - before).min(*allowance);
    line
}
