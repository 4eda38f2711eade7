//! What each algorithm, table, ordering, board and more costs, side by side over a list of positions.
//!
//! A [`Sample`] is one search of one position; [`rows`] adds them up. Samples can be kept and added up later, so that a long
//! comparison can be gone on with. Exact searches (see the search library's `draws`) that prune nothing must agree on every value:
//! a row counts where it differs from the first one that completed the position.

mod measure;
mod variant;

pub use measure::{NODE_LIMIT, Row, Sample, Search, measure, rows};
pub use variant::{BASE, Change, Variant, one_at_a_time};
