//! The evaluation's parameters as a value: by name, from a file, or number by number.

use vidmar_eval::{DEFAULT_VECTOR, VECTORS, Vector};

use super::setting::Kind;
use super::value::Value;
use crate::evaluation::ChosenEvaluation;

impl Kind {
    /// Any vector of the evaluation's parameters.
    pub fn evaluation() -> Kind {
        let others = VECTORS
            .iter()
            .map(|vector| vector.name)
            .filter(|name| *name != DEFAULT_VECTOR);
        Kind::Vector {
            names: std::iter::once(DEFAULT_VECTOR).chain(others).collect(),
            count: Vector::default().values().len(),
        }
    }
}

/// The vector that a value stands for. A file names some parameters; the others are those of the default vector, which is
/// also what the empty text stands for.
pub fn evaluation_vector(value: &Value) -> Result<Vector, String> {
    match value {
        Value::Text(text) if text.is_empty() => Ok(Vector::default()),
        Value::Text(text) if VECTORS.iter().any(|vector| vector.name == text) => {
            Vector::named(text).map_err(|error| error.to_string())
        }
        Value::Text(path) => match ChosenEvaluation::open(path) {
            Ok(ChosenEvaluation::HandCrafted(vector)) => Ok(*vector),
            Ok(ChosenEvaluation::Net { .. }) => Err(format!("{path}: a net, which has no parameters")),
            Err(reason) => Err(format!("{path}: {reason}")),
        },
        Value::Numbers(numbers) => {
            let mut vector = Vector::zero();
            let count = vector.values().len();
            if numbers.len() != count {
                return Err(format!("{} numbers (expected {count})", numbers.len()));
            }
            for (index, &number) in numbers.iter().enumerate() {
                vector.set_at(index, number).map_err(|error| error.to_string())?;
            }
            Ok(vector)
        }
        Value::Switch(_) | Value::Integer(_) => Err(format!("'{value}' is not a vector")),
    }
}
