//! The case-based player by specification: `cbr:cases=FILE,weights=0.5/0.5/0.5,seed=0`.

use std::path::Path;
use std::sync::Arc;

use vidmar_cases::{CaseSettings, CaseThinker, SETTINGS, read as read_cases};

use super::kinds::seated;
use super::settings::{Settings, bad};
use super::{Recipe, SpecError};

/// The file is read once; every player made from the specification shares its cases.
pub(super) fn read(settings: &mut Settings) -> Result<Recipe, SpecError> {
    let file = settings.need("cases", "FILE")?;
    let seed = settings.number("seed", 0..=u64::MAX)?.unwrap_or_default();
    let mut wanted = CaseSettings::default();
    for row in SETTINGS.iter().filter(|row| row.key != "seed") {
        if let Some(text) = settings.take(row.key) {
            wanted
                .set(row.key, &text)
                .map_err(|error| bad(row.key, reason(&error.to_string(), row.key)))?;
        }
    }
    let base = read_cases(Path::new(&file)).map_err(|error| bad("cases", error))?;
    let behaviour = CaseThinker::new(Arc::new(base), wanted).behaviour().clone();
    Ok(seated(seed, move || CaseThinker::from(behaviour.clone())))
}

/// The error names its setting, and so does the specification's: once is enough.
fn reason(error: &str, key: &str) -> String {
    let name = format!("{key}: ");
    error.strip_prefix(&name).unwrap_or(error).to_owned()
}
