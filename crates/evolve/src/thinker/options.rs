//! The options of the player: their rows, and what setting them does.

use vidmar_engine::options::OptionError;
use vidmar_engine::{OptionKind, OptionRow, OptionValue};

use crate::settings::{Fitness, PositionEvaluation, Settings, Strategy};

const GENES: &str = "Genes";
const GENERATIONS: &str = "Generations";
const CHROMOSOMES: &str = "Chromosomes";
const STRATEGY: &str = "Strategy";
const FITNESS: &str = "Fitness";
const EVALUATION: &str = "Evaluation";
const SEED: &str = "Seed";
const THREADS: &str = "Threads";

const MOST_THREADS: i64 = 512;

pub(super) fn rows() -> Vec<OptionRow> {
    let published = Settings::default();
    let combo =
        |name, values: Vec<&'static str>| OptionRow::new(name, OptionKind::Combo { default: 0, values });
    vec![
        OptionRow::spin(GENES, published.genes as i64, 1, Settings::MOST_GENES as i64),
        OptionRow::spin(GENERATIONS, published.generations.into(), 0, u32::MAX.into()),
        OptionRow::spin(
            CHROMOSOMES,
            published.chromosomes as i64,
            1,
            Settings::MOST_CHROMOSOMES as i64,
        ),
        combo(
            STRATEGY,
            Strategy::ALL.iter().map(|choice| choice.name()).collect(),
        ),
        combo(FITNESS, Fitness::ALL.iter().map(|choice| choice.name()).collect()),
        combo(
            EVALUATION,
            PositionEvaluation::ALL
                .iter()
                .map(|choice| choice.name())
                .collect(),
        ),
        OptionRow::spin(SEED, 0, 0, i64::MAX),
        OptionRow::spin(THREADS, 1, 1, MOST_THREADS),
    ]
}

pub(super) fn set(settings: &mut Settings, name: &str, value: &OptionValue) -> Result<(), OptionError> {
    let unknown = || OptionError::Unknown(name.into());
    match (name, value) {
        (GENES, &OptionValue::Spin(number)) => settings.genes = number as usize,
        (GENERATIONS, &OptionValue::Spin(number)) => settings.generations = number as u32,
        (CHROMOSOMES, &OptionValue::Spin(number)) => settings.chromosomes = number as usize,
        (SEED, &OptionValue::Spin(number)) => settings.seed = number.unsigned_abs(),
        (THREADS, &OptionValue::Spin(number)) => settings.threads = number as usize,
        (STRATEGY, &OptionValue::Combo(place)) => {
            settings.strategy = *Strategy::ALL.get(place).ok_or_else(unknown)?;
        }
        (FITNESS, &OptionValue::Combo(place)) => {
            settings.fitness = *Fitness::ALL.get(place).ok_or_else(unknown)?;
        }
        (EVALUATION, &OptionValue::Combo(place)) => {
            settings.evaluation = *PositionEvaluation::ALL.get(place).ok_or_else(unknown)?;
        }
        _ => return Err(unknown()),
    }
    Ok(())
}
