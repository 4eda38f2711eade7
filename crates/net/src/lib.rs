//! Neural evaluations of chess positions.
//!
//! A net sees the board twice, once from each side: 768 inputs (own or enemy's piece, role, square) lead to a hidden layer, the same
//! weights for both views. The two hidden layers, that of the side to move first, are clipped to 0..1, squared and summed up to one
//! number. A net may also know the region of a side's own king, with a set of inputs for each. This is the efficiently updatable network of Yu Nasu (2018) in the form that is usual for small ones.
//!
//! | to | use |
//! | --- | --- |
//! | number a piece on a square | [`Kings`], [`View`] |
//! | hold weights, read and write them | [`Network`], [`Parts`] |
//! | score a position | [`Network::evaluate`] |
//! | score one after another, as a search does | [`Accumulators`] |
//! | have the net that comes with the program | [`embedded`] |
//! | see what each piece gives | [`Network::shares`] |
//!
//! Everything is computed in whole numbers, so that every machine gives the same score. Inputs are worth [`QA`] at 1.0, output weights
//! [`QB`]. With *v* a hidden value, limited to 0..=[`QA`], and *w* its output weight,
//!
//! ```text
//! score = (Σ v²·w / QA + bias) · scale / (QA · QB)
//! ```
//!
//! in hundredths of a pawn for the side to move, each division rounding toward 0.

mod accumulators;
mod block;
mod embedded;
mod error;
mod features;
mod format;
mod kernel;
mod network;
mod overflow;
mod shares;

pub use accumulators::Accumulators;
pub use embedded::embedded;
pub use error::NetworkError;
pub use features::{FEATURES, Kings, MAX_KING_BUCKETS, View, bucket};
pub use format::{MAGIC, MAX_BYTES, VERSION, is_network};
pub use kernel::Kernel;
pub use network::{MAX_BUCKETS, MAX_HIDDEN, MAX_SCALE, Network, Parts, QA, QB, SCALE, SCORE_LIMIT};
pub use shares::PieceShare;
