//! The evaluation that the engine goes by: the hand-crafted one with a vector of parameters, or a net.
//!
//! Both are chosen by the same setting: a name, a file (a net is known by its first bytes), or the numbers of a vector. Unless another is
//! chosen it is the net that comes with the program.

use std::fs::File;
use std::io::Read as _;
use std::sync::Arc;

use vidmar_chess::{Board, Position};
use vidmar_eval::{
    AnyBreakdown, Evaluation, Evaluator, FullEvaluation, NetBreakdown, NetEvaluator, VECTORS, Vector,
};
use vidmar_net::{MAX_BYTES, Network, embedded, is_network};

use crate::settings::{Kind, Value, evaluation_vector};

/// The name of the net that comes with the program.
pub const NET: &str = "net";

/// What the engine evaluates positions by.
#[derive(Clone, Debug)]
pub enum ChosenEvaluation {
    /// The hand-crafted evaluation with these parameters.
    HandCrafted(Box<Vector>),
    /// A net.
    Net {
        /// Its name, or the path of its file.
        name: String,
        /// The net.
        network: Arc<Network>,
    },
}

impl Default for ChosenEvaluation {
    fn default() -> ChosenEvaluation {
        ChosenEvaluation::Net {
            name: NET.to_owned(),
            network: embedded(),
        }
    }
}

impl From<Vector> for ChosenEvaluation {
    fn from(vector: Vector) -> ChosenEvaluation {
        ChosenEvaluation::HandCrafted(Box::new(vector))
    }
}

impl ChosenEvaluation {
    /// Any evaluation as the value of a setting; the name of the default comes first.
    pub fn kind() -> Kind {
        let mut kind = Kind::evaluation();
        if let Kind::Vector { names, .. } = &mut kind {
            names.insert(0, NET);
        }
        kind
    }

    /// What a value stands for; the empty text for the default.
    pub fn read(value: &Value) -> Result<ChosenEvaluation, String> {
        match value {
            Value::Text(text) if text.is_empty() || text == NET => Ok(ChosenEvaluation::default()),
            Value::Text(path) if VECTORS.iter().all(|vector| vector.name != path) => {
                ChosenEvaluation::open(path).map_err(|reason| format!("{path}: {reason}"))
            }
            _ => evaluation_vector(value).map(ChosenEvaluation::from),
        }
    }

    /// Reads a file of either kind. A file of parameters names some of them; the others are those of the default vector.
    pub fn open(path: &str) -> Result<ChosenEvaluation, String> {
        let bytes = read_file(path)?;
        if is_network(&bytes) {
            let network = Network::from_bytes(&bytes).map_err(|error| error.to_string())?;
            return Ok(ChosenEvaluation::Net {
                name: path.to_owned(),
                network: Arc::new(network),
            });
        }
        let text = String::from_utf8(bytes).map_err(|_| "neither a net nor NAME = VALUE lines".to_owned())?;
        let vector: Vector = text
            .parse()
            .map_err(|error: vidmar_eval::VectorError| error.to_string())?;
        Ok(vector.into())
    }

    /// The value that stands for it.
    pub fn value(&self) -> Value {
        match self {
            ChosenEvaluation::HandCrafted(vector) => vector.values().as_slice().into(),
            ChosenEvaluation::Net { name, .. } => name.as_str().into(),
        }
    }

    /// The parameters of the hand-crafted evaluation, to be changed; none if a net evaluates.
    pub fn vector_mut(&mut self) -> Option<&mut Vector> {
        match self {
            ChosenEvaluation::HandCrafted(vector) => Some(vector),
            ChosenEvaluation::Net { .. } => None,
        }
    }

    /// A position's score and where it comes from.
    pub fn explain(&self, position: &Position) -> AnyBreakdown {
        match self {
            ChosenEvaluation::HandCrafted(vector) => FullEvaluation::new(vector).explain(position).into(),
            ChosenEvaluation::Net { network, .. } => NetBreakdown::new(network, position).into(),
        }
    }

    /// A thread's access to it.
    pub fn evaluator(&self) -> AnyEvaluator {
        match self {
            ChosenEvaluation::HandCrafted(vector) => {
                AnyEvaluator::HandCrafted(Evaluator::new(Arc::new(FullEvaluation::new(vector))))
            }
            ChosenEvaluation::Net { network, .. } => {
                AnyEvaluator::Net(Box::new(NetEvaluator::new(Arc::clone(network))))
            }
        }
    }
}

/// No more is read of any file than the largest net has.
fn read_file(path: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    if bytes.len() > MAX_BYTES && !is_network(&bytes) {
        return Err(format!(
            "more than {MAX_BYTES} bytes, too many for parameters or a net"
        ));
    }
    Ok(bytes)
}

/// The evaluation of one thread.
#[derive(Clone)]
pub enum AnyEvaluator {
    /// The hand-crafted one.
    HandCrafted(Evaluator),
    /// A net.
    Net(Box<NetEvaluator>),
}

impl Evaluation for AnyEvaluator {
    #[inline]
    fn evaluate<B: Board>(&mut self, board: &mut B, legal_moves: Option<usize>) -> i32 {
        match self {
            AnyEvaluator::HandCrafted(evaluator) => Evaluation::evaluate(evaluator, board, legal_moves),
            AnyEvaluator::Net(evaluator) => Evaluation::evaluate(evaluator.as_mut(), board, legal_moves),
        }
    }
}
