//! The result vectors of a run as parameter files.

use std::path::{Path, PathBuf};

use crate::parameter_list::{ListFormat, written};
use crate::run::{RunError, write_whole};
use crate::status::View;

/// In the directory of a chain's first run: what the last complete stage recommends.
pub const RESULT: &str = "result";

/// Writes every result vector and what it is compared with as a parameter file; the recommended one twice, also under that
/// name, and in a chain once more as the [`RESULT`] of the whole. Names and files.
pub fn write_vectors(view: &View, directory: &Path) -> Result<Vec<(String, PathBuf)>, RunError> {
    let Some(results) = view.results()? else {
        return Ok(Vec::new());
    };
    let tunables = view.tunables()?;
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
    if let Some(first) = first_of_chain(view, directory) {
        let path = first.join(format!("{RESULT}.txt"));
        write_whole(&path, &tunables.file(&recommended.vector))?;
        files.push((RESULT.to_owned(), path));
    }
    Ok(files)
}

/// Where the chain began that this stage is the last complete one of; none for a run of one stage.
fn first_of_chain<'a>(view: &'a View, directory: &'a Path) -> Option<&'a Path> {
    let later = view.config.then.first();
    if later.is_some_and(|stage| directory.join(&stage.name).join("recommended.txt").exists()) {
        return None;
    }
    let Some(first) = view.config.earlier.first() else {
        return later.map(|_| directory);
    };
    // Stages are in each other: `run`, which a person reads more easily than `run/second/..`.
    let above = directory.ancestors().nth(view.config.earlier.len());
    let is_it =
        |above: &&Path| matches!((above.canonicalize(), first.canonicalize()), (Ok(a), Ok(b)) if a == b);
    Some(above.filter(is_it).unwrap_or(first))
}

/// The recommended vector of a run as a list in that form; none before it has one.
pub fn recommended_list(view: &View, format: ListFormat) -> Result<Option<String>, RunError> {
    let Some(results) = view.results()? else {
        return Ok(None);
    };
    let tunables = view.tunables()?;
    Ok(Some(written(format, &tunables, &results.recommended().vector)))
}
