//! From names to a searched space, and from a vector of it to somebody who can play.
//!
//! The optimiser sees dimensions; an engine sees an evaluation, search numbers or UCI options. [`Tunables`] knows which
//! dimension is what. Nothing about a parameter is written here: intervals, defaults and names come from the
//! evaluation's table, the search's table, the configuration's list or the engine's own options.

use std::path::Path;

use thiserror::Error;
use vidmar_engine::NET;
use vidmar_eval::parameters::{PARAMETERS, Parameter, ParameterSet, SETS, find};
use vidmar_eval::{SimpleWeights, UnknownVector, Vector, VectorError};
use vidmar_optim::constraint::{Constraint, ConstraintTextError};
use vidmar_optim::{Dimension, Kind, Space, SpaceError};
use vidmar_search::SearchParameters;
use vidmar_text::{NumberRow, did_you_mean};

use crate::config::{Intervals, Listed, Parameters, Source};

/// Why parameters do not make a space.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParametersError {
    /// No such set.
    #[error("unknown set '{name}'{hint}")]
    UnknownSet {
        /// What was asked for.
        name: String,
        /// ` (did you mean '…'?)` where a known name is near.
        hint: String,
    },
    /// No such parameter.
    #[error("{key}: unknown parameter '{name}'{hint}")]
    Unknown {
        /// Where it is named.
        key: &'static str,
        /// What was asked for.
        name: String,
        /// ` (did you mean '…'?)` where a known name is near.
        hint: String,
    },
    /// A listed parameter without an interval of its own or of a table.
    #[error("parameter '{name}' has no {what}")]
    Incomplete {
        /// The parameter.
        name: String,
        /// What is missing.
        what: &'static str,
    },
    /// Neither a named vector nor a file.
    #[error("'{name}' is no named vector and cannot be read as a file: {reason}; {unknown}")]
    NoVector {
        /// What was asked for.
        name: String,
        /// What the system says.
        reason: String,
        /// What the names say.
        unknown: UnknownVector,
    },
    /// A parameter file with a mistake.
    #[error("{file}: {fault}")]
    File {
        /// The file.
        file: String,
        /// The mistake.
        fault: VectorError,
    },
    /// A net has no parameters of the hand-crafted evaluation.
    #[error(
        "parameters.base = {NET}: '{name}' drives the hand-crafted evaluation (expected a vector, such as tuned)"
    )]
    NetHasNone {
        /// The parameter.
        name: String,
    },
    /// A constraint that cannot be read.
    #[error(transparent)]
    Constraint(#[from] ConstraintTextError),
    /// Intervals, names or constraints that make no space.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// What a dimension moves.
#[derive(Clone, Debug, PartialEq)]
enum Target {
    /// Evaluation parameters, all at once.
    Evaluation { indices: Vec<usize>, scale: f64 },
    /// Weights of the simple evaluation, all at once.
    Simple { names: Vec<&'static str>, scale: f64 },
    /// A number of the search.
    Search(&'static str),
    /// An option of an external engine.
    Option(String),
}

/// Somebody to play: what the engine must be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The hand-crafted evaluation.
    pub vector: Vector,
    /// Whether the program's net evaluates in its place.
    pub by_net: bool,
    /// The weights of the simple evaluation.
    pub weights: SimpleWeights,
    /// The numbers of the search.
    pub search: SearchParameters,
    /// Options of an external engine, name and value.
    pub options: Vec<(String, String)>,
}

/// The searched space and what its dimensions mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Tunables {
    space: Space,
    targets: Vec<Target>,
    base: Vector,
    by_net: bool,
}

/// Where the chain of runs began that this one belongs to, in its space.
pub(crate) fn origin(
    parameters: &Parameters,
    spins: &[SpinOption],
) -> Result<Option<Vec<f64>>, ParametersError> {
    let Some(origin) = &parameters.origin else {
        return Ok(None);
    };
    let there = Parameters {
        start: origin.clone(),
        ..parameters.clone()
    };
    Ok(Some(Tunables::new(&there, spins)?.space().start().to_vec()))
}

/// An option that an engine offers for tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct SpinOption {
    /// Its name.
    pub name: String,
    /// The smallest value.
    pub min: i64,
    /// The largest.
    pub max: i64,
    /// What it is set to.
    pub default: i64,
}

impl Tunables {
    /// Reads the configuration; `spins` are the options of the external engine, where there is one.
    pub fn new(parameters: &Parameters, spins: &[SpinOption]) -> Result<Tunables, ParametersError> {
        let by_net = parameters.source == Source::Search && parameters.base == NET;
        let base = match parameters.source {
            Source::Simple => Vector::default(),
            _ if by_net => Vector::default(),
            _ => vector_of(&parameters.base)?,
        };
        let start = match (parameters.source, parameters.start.as_str()) {
            (Source::Evaluation, name) if name != "middle" => Some(vector_of(name)?),
            _ => None,
        };
        let mut rows = match parameters.source {
            Source::Evaluation => evaluation(parameters, start.as_ref())?,
            Source::Search => numbers(SearchParameters::TABLE, Target::Search),
            Source::Simple if parameters.set == "none" => Vec::new(),
            Source::Simple => numbers(SimpleWeights::TABLE, |name| Target::Simple {
                names: vec![name],
                scale: 1.0,
            }),
            Source::List => Vec::new(),
            Source::Options => spins.iter().map(of_spin).collect(),
        };
        keep_named(&mut rows, &parameters.names)?;
        for listed in &parameters.list {
            place_listed(&mut rows, listed, parameters, start.as_ref())?;
        }
        for name in &parameters.frozen {
            let row = row_of(&mut rows, name, "frozen")?;
            let start = row
                .0
                .start
                .unwrap_or_else(|| (row.0.min + row.0.width() / 2.0).floor());
            row.0 = row.0.clone().frozen_at(start);
        }
        let (mut constraints, mut typed) = (Vec::new(), Vec::new());
        for text in &parameters.constraints {
            for constraint in of_phases(&text.parse()?, &rows)? {
                typed.push((constraint.to_string(), as_typed(text, &constraint)));
                constraints.push(constraint);
            }
        }
        let of_evaluation = |(_, target): &&Row| matches!(target, Target::Evaluation { .. });
        if let Some((dimension, _)) = rows.iter().find(of_evaluation).filter(|_| by_net) {
            return Err(ParametersError::NetHasNone {
                name: dimension.name.clone(),
            });
        }
        let (dimensions, targets) = rows.into_iter().unzip();
        Ok(Tunables {
            space: Space::constrained(dimensions, constraints).map_err(|error| {
                error.with_constraints(|text| {
                    typed
                        .iter()
                        .find(|(own, _)| own == text)
                        .map(|(_, typed)| &typed[..])
                })
            })?,
            targets,
            base,
            by_net,
        })
    }

    /// Dimensions that are options of an external engine, all of them.
    pub fn of_options(space: &Space) -> Tunables {
        let names = space.dimensions().iter().map(|dimension| dimension.name.clone());
        Tunables {
            targets: names.map(Target::Option).collect(),
            space: space.clone(),
            base: Vector::default(),
            by_net: false,
        }
    }

    /// What is searched.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The same meanings over a space with other intervals.
    pub fn with_space(mut self, space: Space) -> Tunables {
        self.space = space;
        self
    }

    /// What a vector of the space stands for.
    pub fn candidate(&self, values: &[f64]) -> Candidate {
        let mut candidate = Candidate {
            vector: self.base.clone(),
            by_net: self.by_net,
            weights: SimpleWeights::default(),
            search: SearchParameters::default(),
            options: Vec::new(),
        };
        for ((target, &value), dimension) in self.targets.iter().zip(values).zip(self.space.dimensions()) {
            match target {
                Target::Evaluation { indices, scale } => {
                    for &index in indices {
                        // A value beyond the evaluation's limit was refused when the space was made.
                        let _ = candidate
                            .vector
                            .set_at(index, (value * scale + 0.5).floor() as i32);
                    }
                }
                Target::Simple { names, scale } => {
                    for name in names {
                        candidate.weights.set(name, (value * scale + 0.5).floor() as i32);
                    }
                }
                Target::Search(name) => {
                    candidate.search.set(name, value as i32);
                }
                Target::Option(name) => {
                    let text = match dimension.kind {
                        Kind::Integer => format!("{value:.0}"),
                        Kind::Real => format!("{value}"),
                    };
                    candidate.options.push((name.clone(), text));
                }
            }
        }
        candidate
    }

    /// How far every dimension moves where a dimension of others moves by so much: both drive the same parameters of the evaluation.
    pub(crate) fn moved_by(&self, others: &Tunables, j: usize, by: f64) -> Vec<f64> {
        let moved = |own: &Target| match (own, &others.targets[j]) {
            (
                Target::Evaluation { indices, scale },
                Target::Evaluation {
                    indices: driven,
                    scale: of_driver,
                },
            ) if indices.iter().any(|index| driven.contains(index)) => by * of_driver / scale,
            _ => 0.0,
        };
        self.targets.iter().map(moved).collect()
    }

    /// The options of the engine that a vector of the space sets: those that a dimension drives, where it is none itself.
    pub fn options(&self, values: &[f64]) -> Vec<(String, String)> {
        let whole = |name: &str, value: f64| (name.to_owned(), format!("{:.0}", (value + 0.5).floor()));
        let mut options = Vec::new();
        for (target, &value) in self.targets.iter().zip(values) {
            match target {
                Target::Evaluation { indices, scale } => {
                    let names = indices.iter().map(|&index| PARAMETERS[index].name);
                    options.extend(names.map(|name| whole(name, value * scale)));
                }
                Target::Simple { names, scale } => {
                    options.extend(names.iter().map(|name| whole(name, value * scale)));
                }
                Target::Search(name) => options.push(((*name).to_owned(), value.to_string())),
                Target::Option(name) => options.push((name.clone(), value.to_string())),
            }
        }
        options
    }

    /// Whether the dimensions are the evaluation's, so that a vector can be written as a parameter file.
    pub fn is_evaluation(&self) -> bool {
        self.targets
            .iter()
            .all(|target| matches!(target, Target::Evaluation { .. }))
    }

    /// A vector as a file that the engine reads: the whole evaluation, or the tuned values by name.
    pub fn file(&self, values: &[f64]) -> String {
        if self.is_evaluation() {
            return self.candidate(values).vector.to_string();
        }
        let rows = self.space.dimensions().iter().zip(values);
        let lines: Vec<String> = rows
            .map(|(dimension, value)| format!("\"{}\" = {value}\n", dimension.name))
            .collect();
        lines.concat()
    }
}

type Row = (Dimension, Target);

/// A named vector, or the file of that name over the default.
pub(crate) fn vector_of(name: &str) -> Result<Vector, ParametersError> {
    let unknown = match Vector::named(name) {
        Ok(vector) => return Ok(vector),
        Err(unknown) => unknown,
    };
    let text = std::fs::read_to_string(Path::new(name)).map_err(|error| ParametersError::NoVector {
        name: name.to_owned(),
        reason: error.to_string(),
        unknown,
    })?;
    text.parse().map_err(|fault| ParametersError::File {
        file: name.to_owned(),
        fault,
    })
}

fn evaluation(parameters: &Parameters, start: Option<&Vector>) -> Result<Vec<Row>, ParametersError> {
    if parameters.set == "none" {
        return Ok(Vec::new());
    }
    let set = ParameterSet::named(&parameters.set).ok_or_else(|| ParametersError::UnknownSet {
        name: parameters.set.clone(),
        hint: did_you_mean(&parameters.set, SETS.iter().map(|set| set.name).chain(["none"])),
    })?;
    let row = |index: usize| {
        let parameter = &PARAMETERS[index];
        let (min, max) = parameters
            .interval
            .unwrap_or_else(|| interval(parameter, parameters.intervals, start.map(|s| s.at(index))));
        let mut dimension = Dimension::integer(parameter.name, min as i64, max as i64);
        // A start outside of the interval is the nearest inside; a reversed interval is the space's to refuse.
        dimension.start = start
            .filter(|_| min <= max)
            .map(|start| f64::from(start.at(index)).max(min).min(max));
        let target = Target::Evaluation {
            indices: vec![index],
            scale: 1.0,
        };
        (dimension, target)
    };
    Ok(set.indices().map(row).collect())
}

/// Where a parameter of the evaluation is looked for.
fn interval(parameter: &Parameter, intervals: Intervals, start: Option<i32>) -> (f64, f64) {
    let Parameter { narrow, wide, .. } = parameter;
    let (least, most) = (narrow.min.min(wide.min), narrow.max.max(wide.max));
    let (min, max) = match intervals {
        Intervals::Narrow => (narrow.min, narrow.max),
        Intervals::Wide => (wide.min, wide.max),
        Intervals::Hull => (least, most),
        Intervals::Around => {
            let start = start.unwrap_or(parameter.guess()).clamp(least, most);
            let reach = narrow.max - narrow.min;
            ((start - reach).max(least), (start + reach).min(most))
        }
    };
    (min.into(), max.into())
}

/// The numbers of a table, each of which moves itself.
fn numbers(table: &[NumberRow], target: impl Fn(&'static str) -> Target) -> Vec<Row> {
    let row = |row: &NumberRow| {
        let dimension =
            Dimension::integer(row.name, row.min.into(), row.max.into()).starting_at(row.default.into());
        (dimension, target(row.name))
    };
    table.iter().map(row).collect()
}

fn of_spin(spin: &SpinOption) -> Row {
    let dimension = Dimension::integer(&spin.name, spin.min, spin.max).starting_at(spin.default as f64);
    (dimension, Target::Option(spin.name.clone()))
}

fn keep_named(rows: &mut Vec<Row>, names: &[String]) -> Result<(), ParametersError> {
    for name in names {
        row_of(rows, name, "names")?;
    }
    if !names.is_empty() {
        rows.retain(|(dimension, _)| names.contains(&dimension.name));
    }
    Ok(())
}

fn row_of<'a>(rows: &'a mut [Row], name: &str, key: &'static str) -> Result<&'a mut Row, ParametersError> {
    match rows.iter().position(|(dimension, _)| dimension.name == name) {
        Some(at) => Ok(&mut rows[at]),
        None => Err(ParametersError::Unknown {
            key,
            name: name.to_owned(),
            hint: did_you_mean(name, rows.iter().map(|(dimension, _)| dimension.name.as_str())),
        }),
    }
}

/// A listed parameter changes the row of its name, or is a row of its own.
fn place_listed(
    rows: &mut Vec<Row>,
    listed: &Listed,
    parameters: &Parameters,
    start: Option<&Vector>,
) -> Result<(), ParametersError> {
    let is_own = !listed.drives.is_empty() || parameters.source == Source::List;
    if !is_own {
        let (dimension, _) = row_of(rows, &listed.name, "list")?;
        dimension.min = listed.min.unwrap_or(dimension.min);
        dimension.max = listed.max.unwrap_or(dimension.max);
        dimension.start = listed
            .start
            .or(dimension.start.map(|s| s.max(dimension.min).min(dimension.max)));
        dimension.c_end = listed.c_end;
        dimension.r_end = listed.r_end;
        return Ok(());
    }
    let missing = |what| ParametersError::Incomplete {
        name: listed.name.clone(),
        what,
    };
    let target = driven(listed, parameters.source)?;
    let (min, max) = (
        listed.min.ok_or_else(|| missing("min"))?,
        listed.max.ok_or_else(|| missing("max"))?,
    );
    // What drives several starts where the first of them does, or the nearest inside.
    let of_first = || {
        let value = match &target {
            Target::Evaluation { indices, .. } => start?.at(*indices.first()?),
            Target::Simple { .. } if parameters.start == "middle" => return None,
            Target::Simple { names, .. } => SimpleWeights::default().get(names.first()?)?,
            Target::Search(_) | Target::Option(_) => return None,
        };
        Some((f64::from(value) / listed.scale).max(min).min(max))
    };
    let dimension = Dimension {
        name: listed.name.clone(),
        kind: if listed.real { Kind::Real } else { Kind::Integer },
        min,
        max,
        start: listed.start.or_else(of_first),
        frozen: false,
        c_end: listed.c_end,
        r_end: listed.r_end,
    };
    rows.push((dimension, target));
    Ok(())
}

/// What a listed parameter of its own moves.
fn driven(listed: &Listed, source: Source) -> Result<Target, ParametersError> {
    let scale = listed.scale;
    if listed.drives.is_empty() {
        return Ok(Target::Option(listed.name.clone()));
    }
    let unknown = |name: &str, hint| ParametersError::Unknown {
        key: "drives",
        name: name.to_owned(),
        hint,
    };
    if source == Source::Simple {
        let weight = |name: &String| {
            let known = || SimpleWeights::TABLE.iter().map(|row| row.name);
            let found = known().find(|known| known == name);
            found.ok_or_else(|| unknown(name, did_you_mean(name, known())))
        };
        let names = listed.drives.iter().map(weight).collect::<Result<_, _>>()?;
        return Ok(Target::Simple { names, scale });
    }
    let index = |name: &String| find(name).map_err(|error| unknown(&error.name, error.hint));
    let indices = listed.drives.iter().map(index).collect::<Result<_, _>>()?;
    Ok(Target::Evaluation { indices, scale })
}

/// The phases of a game, as the names of parameters end.
pub const PHASES: [&str; 2] = ["Opening", "Endgame"];

/// The constraint; where a name stands for two parameters, one for each phase (`RookValue`), it is one for each of them.
fn of_phases(constraint: &Constraint, rows: &[Row]) -> Result<Vec<Constraint>, ParametersError> {
    let is_known = |name: &str| rows.iter().any(|(dimension, _)| dimension.name == name);
    let of_phase = |name: &str, phase: &str| {
        if is_known(name) {
            name.to_owned()
        } else {
            format!("{name}{phase}")
        }
    };
    let is_whole = constraint.names().all(is_known);
    let constraints: Vec<Constraint> = if is_whole {
        vec![constraint.clone()]
    } else {
        PHASES
            .map(|phase| constraint.renamed(|name| of_phase(name, phase)))
            .to_vec()
    };
    let stands_for_both = |name: &str| PHASES.iter().all(|phase| is_known(&of_phase(name, phase)));
    let Some(unknown) = constraint.names().find(|name| !stands_for_both(name)) else {
        return Ok(constraints);
    };
    let names = || rows.iter().map(|(dimension, _)| dimension.name.as_str());
    // Names without a phase first: of two that are as near, the one that was most likely meant.
    let of_both = names()
        .filter_map(|name| name.strip_suffix(PHASES[0]))
        .filter(|name| stands_for_both(name));
    Err(ParametersError::Unknown {
        key: "constraints",
        name: unknown.to_owned(),
        hint: did_you_mean(unknown, of_both.chain(names())),
    })
}

/// A constraint as it stands in the configuration; with what it is of a phase where it is one for each of them.
fn as_typed(text: &str, constraint: &Constraint) -> String {
    let is_whole = text.parse::<Constraint>().is_ok_and(|whole| whole == *constraint);
    if is_whole {
        text.to_owned()
    } else {
        format!("{text}, of which {constraint}")
    }
}

#[cfg(test)]
mod tests;
