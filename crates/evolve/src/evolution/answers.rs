//! Answers found so far: what either side plays after a beginning of the line, and what it leads to.
//!
//! The author's cure lets the sides evolve by turns, and has a flaw of its own: a changed gene is judged by the old genes
//! behind it, which answer another move. A capture looks good because the line does not take back; then it does, the
//! capture goes, and so on without end. Here every line that was tried is remembered in a tree. A changed gene is
//! followed by the best answers known, each side's for itself, and a move's worth is that of its best answer.

use vidmar_chess::{Move, MoveList};
use vidmar_rng::Rng;

use crate::chromosome::{Choice, Chromosome, random};
use crate::evaluator::Worth;

/// A move that was tried at a locus, and what came of it.
#[derive(Clone, Debug)]
struct Tried {
    gene: Move,
    /// After the gene, for the side that began the line.
    here: Worth,
    /// Of the best line through it, likewise.
    worth: Worth,
    /// Its own answers; none at the end of a line.
    node: Option<u32>,
}

/// The tree. The answers to the first gene are node 0; the loci of its levels are 1, 2, ...
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    nodes: Vec<Vec<Tried>>,
    /// After the first gene.
    first: Worth,
    size: usize,
}

/// The most answers that a first move may remember, some megabytes.
const MOST: usize = 100_000;

/// Whether the gene at a locus is the opponent's.
fn is_opponents(locus: usize) -> bool {
    locus % 2 == 1
}

/// The best of the answers at a locus for the side that gives it; the earliest of equals.
fn best(answers: &[Tried], locus: usize) -> Option<&Tried> {
    let sign = if is_opponents(locus) { -1 } else { 1 };
    answers.iter().reduce(|best, next| {
        if sign * next.worth > sign * best.worth {
            next
        } else {
            best
        }
    })
}

impl Answers {
    /// Whether there is no room for more.
    pub(super) fn are_full(&self) -> bool {
        self.size >= MOST
    }

    /// Remembers a line and its worth.
    pub(super) fn learn(&mut self, line: &Chromosome, worth: Worth) {
        self.first = line.worths[0];
        if self.nodes.is_empty() {
            self.nodes.push(Vec::new());
        }
        // Down: where each gene stands.
        let mut path: Vec<(usize, usize)> = Vec::with_capacity(line.genes.len());
        let mut node = 0;
        for (locus, (&gene, &here)) in line.genes.iter().zip(&line.worths).enumerate().skip(1) {
            let known = self.nodes[node].iter().position(|tried| tried.gene == gene);
            let index = known.unwrap_or_else(|| {
                self.nodes[node].push(Tried {
                    gene,
                    here,
                    worth,
                    node: None,
                });
                self.size += 1;
                self.nodes[node].len() - 1
            });
            path.push((node, index));
            if locus + 1 < line.genes.len() {
                node = self.node_behind(node, index);
            }
        }
        // Up: the side to move takes the best it knows.
        let mut worth = worth;
        for (locus, &(node, index)) in path.iter().enumerate().rev() {
            self.nodes[node][index].worth = worth;
            worth = best(&self.nodes[node], locus + 1).map_or(worth, |best| best.worth);
        }
    }

    /// The answers to an answer; there are none yet if it has ended every line so far.
    fn node_behind(&mut self, node: usize, index: usize) -> usize {
        let next = self.nodes.len();
        let behind = *self.nodes[node][index].node.get_or_insert(next as u32) as usize;
        if behind == next {
            self.nodes.push(Vec::new());
        }
        behind
    }

    /// The line in which both sides play the best they know.
    pub(super) fn best_line(&self, first: Move) -> Chromosome {
        let mut line = Chromosome {
            genes: vec![first],
            worths: vec![self.first],
        };
        let mut node = Some(0);
        while let Some(answer) = node
            .and_then(|node: u32| self.nodes.get(node as usize))
            .and_then(|answers| best(answers, line.genes.len()))
        {
            line.genes.push(answer.gene);
            line.worths.push(answer.here);
            node = answer.node;
        }
        line
    }

    /// The answers after a beginning of a line.
    fn after(&self, genes: &[Move]) -> Option<u32> {
        let mut node = 0;
        for gene in &genes[1..] {
            let answers = self.nodes.get(node as usize)?;
            node = answers.iter().find(|tried| tried.gene == *gene)?.node?;
        }
        Some(node)
    }
}

/// The choice of a mutation that asks the tree: something new at its locus, then the best answers known.
pub(super) struct Inquiry<'a> {
    answers: &'a Answers,
    old: &'a [Move],
    node: Option<u32>,
    /// Whether something new is still wanted.
    is_curious: bool,
    rng: &'a mut Rng,
}

impl<'a> Inquiry<'a> {
    pub(super) fn new(
        answers: &'a Answers,
        line: &'a Chromosome,
        locus: usize,
        rng: &'a mut Rng,
    ) -> Inquiry<'a> {
        Inquiry {
            answers,
            old: &line.genes,
            node: answers.after(&line.genes[..locus]),
            is_curious: true,
            rng,
        }
    }
}

impl Choice for Inquiry<'_> {
    fn gene(&mut self, locus: usize, legal: &MoveList) -> Move {
        let tried: &[Tried] = self
            .node
            .and_then(|node| self.answers.nodes.get(node as usize))
            .map_or(&[], Vec::as_slice);
        let gene = if self.is_curious {
            let new: MoveList = legal
                .iter()
                .copied()
                .filter(|m| tried.iter().all(|tried| tried.gene != *m))
                .collect();
            // Where all was tried, the novelty must come behind one of them.
            self.is_curious = new.is_empty();
            random(if new.is_empty() { legal } else { &new }, self.rng)
        } else {
            match (best(tried, locus), self.old.get(locus)) {
                (Some(answer), _) => answer.gene,
                (None, Some(old)) if legal.contains(old) => *old,
                _ => random(legal, self.rng),
            }
        };
        self.node = tried
            .iter()
            .find(|tried| tried.gene == gene)
            .and_then(|tried| tried.node);
        gene
    }
}
