//! What searches cost: variants of the laboratory over the positions of Bratko and Kopec, one line a search.

use std::path::Path;

use serde::{Deserialize, Serialize};
use vidmar_chess::Position;
use vidmar_engine::bench::POSITIONS;
use vidmar_engine::comparison::{self, NODE_LIMIT, Row, Sample, Search};
use vidmar_engine::laboratory::{LeafEvaluation, LeafKind};
use vidmar_eval::{SimpleWeights, Vector};
use vidmar_search::{Algorithm, Limits, Scheme, Settings};

use super::{Resources, Unit, Work};
use crate::data::{Data, Missing};
use crate::error::{ReproduceError, StepError};
use crate::files::Lines;

const FILE: &str = "searches.jsonl";

/// How many of the bench's positions are Bratko's and Kopec's.
const BRATKO_KOPEC: usize = 24;

/// Which searches are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variants {
    /// One thing at a time varied around alpha-beta, quiescence on.
    OneAtATime,
    /// Every algorithm without quiescence, where nodes and leaves are those of the theory.
    WithoutQuiescence,
    /// The same without a table.
    WithoutTable,
}

/// The comparison.
pub struct Algorithms {
    /// What is compared.
    pub variants: Variants,
    /// Plies.
    pub depth: u32,
    /// How many positions.
    pub positions: usize,
    /// Where a search ends.
    pub nodes: u64,
}

#[derive(Serialize, Deserialize)]
struct Line {
    position: usize,
    search: usize,
    sample: Sample,
}

impl Algorithms {
    /// The published comparison at a depth, over so many positions.
    pub fn new(variants: Variants, depth: u32, positions: u64) -> Algorithms {
        Algorithms {
            variants,
            depth,
            positions: (positions as usize).min(BRATKO_KOPEC),
            nodes: NODE_LIMIT,
        }
    }

    fn searches(&self) -> Vec<Search> {
        let evaluation =
            || LeafEvaluation::new(LeafKind::Simple, &Vector::default(), SimpleWeights::default());
        let settings = Settings {
            exact: true,
            quiescence: self.variants == Variants::OneAtATime,
            ..Settings::default()
        };
        let wanted = |variant: &comparison::Variant| match self.variants {
            Variants::OneAtATime => true,
            Variants::WithoutQuiescence | Variants::WithoutTable => variant.group == "algorithm",
        };
        let variants = comparison::one_at_a_time().into_iter().filter(wanted);
        let table = |variant: comparison::Variant| match self.variants {
            Variants::WithoutTable => comparison::Variant {
                table: Scheme::None,
                ..variant
            },
            Variants::OneAtATime | Variants::WithoutQuiescence => variant,
        };
        // What an algorithm cannot honour is left out: the flagship has no exact values, MTD(f) needs a table.
        variants
            .map(table)
            .filter_map(|variant| Search::new(variant, settings.clone(), evaluation()).ok())
            .collect()
    }

    fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: Some(self.nodes),
            ..Limits::default()
        }
    }

    /// The samples of a folder, `[position][search]`, of the positions that are whole.
    pub fn samples(&self, folder: &Path) -> Result<Vec<Vec<Sample>>, ReproduceError> {
        let searches = self.searches().len();
        let mut positions: Vec<Vec<Sample>> = Vec::new();
        for line in Lines::read::<Line>(&folder.join(FILE))? {
            if line.search == 0 {
                positions.push(Vec::new());
            }
            if let Some(position) = positions.last_mut() {
                position.push(line.sample);
            }
        }
        positions.retain(|position| position.len() == searches);
        Ok(positions)
    }

    /// What they add up to.
    pub fn rows(&self, folder: &Path) -> Result<Vec<Row>, ReproduceError> {
        Ok(comparison::rows(
            self.searches(),
            &self.samples(folder)?,
            self.depth,
        ))
    }

    /// The index of an algorithm's row among those of a position.
    pub fn index_of(&self, algorithm: Algorithm) -> Option<usize> {
        let searches = self.searches();
        let is_it =
            |search: &Search| search.variant.group == "algorithm" && search.variant.algorithm == algorithm;
        searches.iter().position(is_it)
    }
}

impl Work for Algorithms {
    fn unit(&self) -> Unit {
        Unit::Searches
    }

    fn units(&self) -> u64 {
        (self.searches().len() * self.positions) as u64
    }

    fn command(&self, _folder: &Path) -> String {
        let more = match self.variants {
            Variants::OneAtATime => "",
            Variants::WithoutQuiescence => " --quiescence off",
            Variants::WithoutTable => " --quiescence off --tables none",
        };
        format!(
            "vidmar compare --depth {} --suite bratko-kopec.epd{more}",
            self.depth
        )
    }

    fn missing(&self, _data: &Data) -> Vec<Missing> {
        Vec::new()
    }

    fn done(&self, folder: &Path) -> Result<u64, ReproduceError> {
        Ok(Lines::read::<Line>(&folder.join(FILE))?.len() as u64)
    }

    fn carry_out(
        &self,
        folder: &Path,
        with: &Resources<'_>,
        tell: &mut (dyn FnMut(u64) + Send),
    ) -> Result<bool, StepError> {
        let path = folder.join(FILE);
        let mut done = self.done(folder)?;
        let mut lines = Lines::open(&path)?;
        let searches = self.searches();
        for (position, fen) in POSITIONS.iter().take(self.positions).enumerate() {
            let board: Position = fen.parse().expect("a position of the bench is legal");
            for (index, search) in searches.iter().enumerate() {
                if ((position * searches.len() + index) as u64) < done {
                    continue;
                }
                if with.control.is_stopped() {
                    return Ok(false);
                }
                let sample = comparison::measure(search, &board, &self.limits())?;
                lines.add(
                    &path,
                    &Line {
                        position,
                        search: index,
                        sample,
                    },
                )?;
                done += 1;
                tell(done);
            }
        }
        Ok(true)
    }
}
