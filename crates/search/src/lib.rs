//! Game-tree search: every published algorithm, on every board, with every table ([maribor-2004]).
//!
//! This is the laboratory in which one algorithm, board, table or ordering can be exchanged and its
//! price seen, and the oracle that keeps stronger searches honest: with nothing that prunes, every algorithm
//! marked exact returns the value of minimax ([`draws`] says why even with tables).
//!
//! ```
//! use vidmar_chess::{BitboardBoard, Board, Position, Score};
//! use vidmar_eval::SimpleEvaluation;
//! use vidmar_search::{Limits, Settings};
//! // Back-rank mate.
//! let position: Position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".parse()?;
//! let board = BitboardBoard::new(&position);
//! let report = vidmar_search::search_once(&board, &SimpleEvaluation::default(), &Settings::default(), &Limits::depth(3))?;
//! assert_eq!(report.score, Score::Mate(1));
//! assert_eq!(report.best, Some(position.parse_uci("a1a8")?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algorithms;
mod deepening;
pub mod draws;
mod flagship;
mod futility;
mod limits;
mod lines;
mod node;
mod node_moves;
mod null_move;
mod ordering;
mod ordering_rules;
mod parallel;
mod principal_variation;
mod quiescence;
mod report;
mod root;
mod searcher;
mod settings;
mod table;
mod value;
mod worker;

pub use algorithms::Algorithm;
pub use flagship::{SearchParameters, Technique, Techniques};
pub use limits::{Limits, Stopped};
pub use null_move::{NullMove, NullMoveRule, NullMoveRules};
pub use ordering_rules::{OrderingRule, OrderingRules};
pub use parallel::Parallel;
pub use report::{Counts, Iteration, Report};
pub use searcher::{Searcher, search_once};
pub use settings::{Fail, Probes, Settings, SettingsError, Switch};
pub use table::Scheme;
pub use value::{DRAW, INFINITE, MATE, MAX_DEPTH, TABLEBASE_WIN, Value, score_of};
