//! The result vectors of a run as parameter files.

use std::path::{Path, PathBuf};

use crate::parameter_list::{ListFormat, written};
use crate::parameters::Tunables;
use crate::run::{RunError, write_whole};
use crate::status::View;

/// Writes every result vector and what it is compared with as a parameter file; the recommended one twice, also under that
/// name. Names and files.
pub fn write_vectors(view: &View, directory: &Path) -> Result<Vec<(String, PathBuf)>, RunError> {
    let Some(results) = view.results()? else {
        return Ok(Vec::new());
    };
    let tunables = tunables(view)?;
    let mut files = Vec::new();
    let recommended = results.recommended();
    let all = results.vectors.iter().chain(&results.references);
    for (name, vector) in all
        .map(|h| (h.name, &h.vector))
        .chain([("recommended", &recommended.vector)])
    {
        let path = directory.join(format!("{name}.txt"));
        write_whole(&path, &tunables.file(vector))?;
        files.push((name.to_owned(), path));
    }
    Ok(files)
}

/// The recommended vector of a run as a list in that form; none before it has one.
pub fn recommended_list(view: &View, format: ListFormat) -> Result<Option<String>, RunError> {
    let Some(results) = view.results()? else {
        return Ok(None);
    };
    let tunables = tunables(view)?;
    Ok(Some(written(
        format,
        tunables.space(),
        &results.recommended().vector,
    )))
}

/// What the dimensions of a run mean.
fn tunables(view: &View) -> Result<Tunables, RunError> {
    let tunables = match Tunables::new(&view.config.parameters, &[]) {
        Ok(tunables) => tunables,
        // An engine's own options are in the saved space.
        Err(error) => match view.space() {
            Some(space) => Tunables::of_options(space),
            None => return Err(error.into()),
        },
    };
    Ok(match &view.optimizer {
        Some(optimizer) => tunables.with_space(optimizer.setup().space.clone()),
        None => tunables,
    })
}
