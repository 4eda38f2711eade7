//! A player at a test suite, a line for every position that it has answered.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use vidmar_arena::suite::{Record, Solver, read};
use vidmar_engine::Limits;
use vidmar_players::PlayerSpec;

use super::{Resources, Unit, Work};
use crate::data::{Data, Missing, Needed};
use crate::error::{ReproduceError, StepError};
use crate::files::Lines;

const FILE: &str = "positions.jsonl";

/// A player at a suite.
pub struct SuiteStep {
    /// The suite.
    pub file: Needed,
    /// Its positions.
    pub positions: u64,
    /// Every so many-th of them.
    pub every: u64,
    /// Who solves it.
    pub player: &'static str,
    /// Time for a position.
    pub time: Duration,
}

/// What came of a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    /// Its index in the file.
    index: usize,
    id: String,
    solved: bool,
    r#move: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
}

/// What came of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SuiteResult {
    /// Positions answered.
    pub positions: usize,
    /// Of which right.
    pub solved: usize,
}

impl SuiteStep {
    /// What a folder has of it.
    pub fn read(folder: &Path) -> Result<SuiteResult, ReproduceError> {
        let lines: Vec<Line> = Lines::read(&folder.join(FILE))?;
        Ok(SuiteResult {
            positions: lines.len(),
            solved: lines.iter().filter(|line| line.solved).count(),
        })
    }
}

impl Work for SuiteStep {
    fn unit(&self) -> Unit {
        Unit::Searches
    }

    fn units(&self) -> u64 {
        self.positions.div_ceil(self.every)
    }

    fn command(&self, _folder: &Path) -> String {
        format!(
            "vidmar suite {} --seconds {} --player '{}'",
            self.file.path,
            self.time.as_secs_f64(),
            self.player
        )
    }

    fn missing(&self, data: &Data) -> Vec<Missing> {
        data.find(&self.file).err().into_iter().collect()
    }

    fn done(&self, folder: &Path) -> Result<u64, ReproduceError> {
        Ok(SuiteStep::read(folder)?.positions as u64)
    }

    fn carry_out(
        &self,
        folder: &Path,
        with: &Resources<'_>,
        tell: &mut (dyn FnMut(u64) + Send),
    ) -> Result<bool, StepError> {
        let file = with.find("the suite", &self.file)?;
        let records = read(&file)?.records;
        let path = folder.join(FILE);
        let known: Vec<Line> = Lines::read(&path)?;
        let known: HashSet<usize> = known.into_iter().map(|line| line.index).collect();
        let wanted: Vec<(usize, &Record)> = records
            .iter()
            .enumerate()
            .step_by(self.every as usize)
            .filter(|(index, _)| !known.contains(index))
            .collect();
        if wanted.is_empty() {
            return Ok(true);
        }
        let player: PlayerSpec = self.player.parse()?;
        let solver = Solver {
            player: &player,
            limits: Limits {
                move_time: Some(self.time),
                ..Limits::none()
            },
            marks: &[],
        };
        let lines = Lines::open(&path)?;
        let kept = Mutex::new((lines, known.len() as u64, Ok(()), tell));
        let left: Vec<&Record> = wanted.iter().map(|(_, record)| *record).collect();
        solver.solve_all(&left, with.threads, with.control, &|at, solution| {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let (lines, done, result, tell) = &mut *kept;
            let line = Line {
                index: wanted[at].0,
                id: solution.id,
                solved: solution.solved,
                r#move: solution.r#move,
                depth: solution.depth,
                nodes: solution.nodes,
                seconds: solution.seconds,
            };
            match lines.add(&path, &line) {
                Ok(()) => {
                    *done += 1;
                    tell(*done);
                }
                Err(error) => {
                    *result = Err(error);
                    with.control.stop();
                }
            }
        })?;
        let (_, _, result, _) = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        result?;
        Ok(!with.control.is_stopped())
    }
}
