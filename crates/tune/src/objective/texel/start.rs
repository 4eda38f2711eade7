//! How sure the start of a stage is: what it is expected near was fitted to games too, and has the errors of that fit.

use crate::config::Config;
use crate::parameters::{Tunables, vector_of};
use crate::run::RunError;
use crate::status::View;

/// Of every parameter of the fit before this stage: how far one standard deviation of it moves each dimension. Nothing where the
/// start does not come from there.
pub(super) fn errors(config: &Config, tunables: &Tunables) -> Result<Vec<Vec<f64>>, RunError> {
    let Some(directory) = config.earlier.last() else {
        return Ok(Vec::new());
    };
    View::look(directory, |view| of(&view, &config.parameters.start, tunables))
}

fn of(earlier: &View, start: &str, tunables: &Tunables) -> Result<Vec<Vec<f64>>, RunError> {
    let errors = earlier.generations.last().and_then(|last| last.errors.as_ref());
    let (Some(errors), Some(results)) = (errors, earlier.results()?) else {
        return Ok(Vec::new());
    };
    let theirs = earlier.tunables()?;
    let ended = theirs.candidate(&results.recommended().vector).vector;
    if vector_of(start).is_ok_and(|start| start == ended) {
        let moved = |(j, &error): (usize, &f64)| tunables.moved_by(&theirs, j, error);
        return Ok(errors.iter().enumerate().map(moved).collect());
    }
    Ok(Vec::new())
}
