//! How much of an experiment is run. A folder keeps its plan: what was begun goes on as it was begun, with more seeds if asked.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::ReproduceError;
use crate::files;

/// The file that keeps it, in the folder of the experiment.
const FILE: &str = "plan.json";

/// How much of an experiment is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Independent runs of everything that chance has a part in.
    pub seeds: u64,
    /// Multiplies generations, games, rounds and positions, and nothing else.
    pub scale: f64,
    /// Changes of every tuning run, `KEY=VALUE` each: other readings, other opponents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<String>,
}

/// What somebody asks for; what is not said is as the folder has it, or as published.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Seeds.
    pub seeds: Option<u64>,
    /// Scale.
    pub scale: Option<f64>,
    /// Changes of tuning runs.
    pub sets: Vec<String>,
}

/// Below this scale everything is small.
const SMOKE: f64 = 0.05;

impl Plan {
    /// Whether it only shows that everything works: below a scale of 0.05 players, depths and times are small too, and opponents are
    /// built in. Nothing can be compared with what was published then.
    pub fn is_smoke(&self) -> bool {
        self.scale < SMOKE
    }

    /// A number of the published experiment at this scale.
    pub fn scaled(&self, full: u64, least: u64) -> u64 {
        ((full as f64 * self.scale).round() as u64).max(least)
    }

    /// The same for games that come in pairs.
    pub fn pairs(&self, games: u64) -> u64 {
        self.scaled(games.div_ceil(2), 1)
    }

    /// The plan that a folder keeps.
    pub fn read(folder: &Path) -> Result<Option<Plan>, ReproduceError> {
        files::read_json(&folder.join(FILE))
    }

    /// Keeps it.
    pub fn write(&self, folder: &Path) -> Result<(), ReproduceError> {
        files::make_folder(folder)?;
        files::write_json(&folder.join(FILE), self)
    }

    /// The plan of a folder with what is asked for. More seeds go on with it; anything else would make other results of what is
    /// there.
    pub fn of(folder: &Path, asked: &Asked, usual_seeds: u64) -> Result<Plan, ReproduceError> {
        let Some(begun) = Plan::read(folder)? else {
            return Ok(Plan {
                seeds: asked.seeds.unwrap_or(usual_seeds),
                scale: asked.scale.unwrap_or(1.0),
                sets: asked.sets.clone(),
            });
        };
        let is_same_scale = asked
            .scale
            .is_none_or(|scale| (scale - begun.scale).abs() < 1e-12);
        if !is_same_scale || !asked.sets.is_empty() && asked.sets != begun.sets {
            return Err(ReproduceError::OtherPlan {
                folder: folder.to_owned(),
                begun: begun.to_string(),
            });
        }
        Ok(Plan {
            seeds: asked.seeds.unwrap_or(begun.seeds),
            ..begun
        })
    }
}

/// As arguments.
impl std::fmt::Display for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "--seeds {} --scale {}", self.seeds, self.scale)?;
        self.sets.iter().try_for_each(|set| write!(f, " --set '{set}'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_on_as_it_was_begun() {
        let folder = tempfile::tempdir().expect("a folder");
        let asked = Asked {
            scale: Some(0.5),
            ..Asked::default()
        };
        let plan = Plan::of(folder.path(), &asked, 10).expect("a new one");
        assert_eq!((plan.seeds, plan.scaled(100, 1), plan.pairs(10)), (10, 50, 3));
        plan.write(folder.path()).expect("written");
        let again = Plan::of(folder.path(), &Asked::default(), 3).expect("the same");
        assert_eq!(again, plan);
        let more = Asked {
            seeds: Some(12),
            ..Asked::default()
        };
        assert_eq!(Plan::of(folder.path(), &more, 3).expect("more seeds").seeds, 12);
        let other = Asked {
            scale: Some(1.0),
            ..Asked::default()
        };
        let error = Plan::of(folder.path(), &other, 3).expect_err("another scale");
        assert!(error.to_string().contains("--scale 0.5"), "{error}");
    }
}
