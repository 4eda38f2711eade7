//! The table of experiments: one row each.

use vidmar_text::did_you_mean;

use crate::error::ReproduceError;
use crate::experiments;
use crate::plan::Plan;
use crate::report::Section;
use crate::results::Results;
use crate::step::Step;

/// A published experiment.
pub struct Experiment {
    /// Its name on the command line.
    pub name: &'static str,
    /// The work that it is from, by its key in `docs/sources.md`.
    pub source: &'static str,
    /// What it is, in a few words.
    pub what: &'static str,
    /// What the work claims, in one sentence.
    pub claim: &'static str,
    /// Independent runs, as published where that is known.
    pub seeds: u64,
    /// Passages that can be read in more than one way, and how they are read here.
    pub readings: &'static [Reading],
    /// What is done.
    pub steps: fn(&Plan) -> Vec<Step>,
    /// What came of it beside what was published.
    pub report: fn(&Results<'_>, &mut Section) -> Result<(), ReproduceError>,
}

/// A passage that can be read in more than one way.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The passage.
    pub open: &'static str,
    /// How it is read here.
    pub ours: &'static str,
    /// How the other reading is asked for; empty where there is none.
    pub other: &'static str,
}

/// Every experiment; the small ones first.
pub const EXPERIMENTS: &[Experiment] = &[
    experiments::evolved::EXPERIMENT,
    experiments::algorithms::EXPERIMENT,
    experiments::experts::EXPERIMENT,
    experiments::suites::EXPERIMENT,
    experiments::depth::EXPERIMENT,
    experiments::no_knowledge::EXPERIMENT,
    experiments::tuning_family::EXPERIMENT,
    experiments::rated::EXPERIMENT,
    experiments::dynamic_bounds::EXPERIMENT,
    experiments::tournament::EXPERIMENT,
];

/// The experiments of these names, in the order of the table; `all` names every one.
pub fn named(names: &[String]) -> Result<Vec<&'static Experiment>, ReproduceError> {
    for name in names.iter().filter(|name| *name != "all") {
        let known = || EXPERIMENTS.iter().map(|experiment| experiment.name);
        if !known().any(|known| known == name) {
            return Err(ReproduceError::Unknown {
                name: name.clone(),
                hint: did_you_mean(name, known()),
            });
        }
    }
    let is_named =
        |experiment: &&Experiment| names.iter().any(|name| name == "all" || name == experiment.name);
    Ok(EXPERIMENTS.iter().filter(is_named).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_has_steps_with_names_of_their_own() {
        let plan = Plan {
            seeds: 2,
            scale: 0.01,
            sets: Vec::new(),
        };
        for experiment in EXPERIMENTS {
            let steps = (experiment.steps)(&plan);
            let mut names: Vec<&str> = steps.iter().map(|step| step.id.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), steps.len(), "{}", experiment.name);
            for step in &steps {
                assert!(step.work.units() > 0, "{} {}", experiment.name, step.id);
                assert!(step.seconds_each > 0.0, "{} {}", experiment.name, step.id);
            }
        }
    }

    /// A reading that names a setting names one that there is.
    #[test]
    fn other_readings_can_be_selected() {
        let tuning = vidmar_tune::config::keys().expect("keys");
        let is_of_tuning = |key: &str| {
            tuning
                .iter()
                .any(|row| row.path == key || row.path.ends_with(&format!(".{key}")))
        };
        let is_of_cases = |key: &str| {
            vidmar_cases::CaseThinker::all_settings()
                .iter()
                .any(|setting| setting.key == key)
        };
        let mut seen = 0;
        for experiment in EXPERIMENTS {
            for reading in experiment.readings {
                let of_cases = reading.other.contains("vidmar cases");
                for set in reading.other.split("--set ").skip(1) {
                    let key = set.trim_start_matches('\'').split('=').next().unwrap_or_default();
                    let is_known = if of_cases {
                        is_of_cases(key)
                    } else {
                        is_of_tuning(key)
                    };
                    assert!(is_known, "{}: '{key}' of {:?}", experiment.name, reading.other);
                    seen += 1;
                }
            }
        }
        assert!(seen > 10, "{seen}");
    }

    #[test]
    fn a_misspelt_name_is_answered_with_the_nearest() {
        let Err(error) = named(&["evolve".to_owned()]) else {
            panic!("it is none");
        };
        assert!(error.to_string().contains("evolved"), "{error}");
        assert_eq!(named(&["all".to_owned()]).expect("all").len(), EXPERIMENTS.len());
    }
}
