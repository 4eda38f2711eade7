//! The experiments, one file each: what is done, and what came of it beside what was published.

pub mod algorithms;
pub mod depth;
pub mod dynamic_bounds;
pub mod evolved;
pub mod experts;
pub mod no_knowledge;
pub mod rated;
pub mod suites;
pub mod tournament;
pub mod tuning_family;

use std::path::Path;

use vidmar_arena::Standing;

use crate::error::ReproduceError;
use crate::figure::Figure;
use crate::work::MatchStep;

/// The first player's line of a match between two; none before the first game.
fn first_of(folder: &Path) -> Result<Option<Standing>, ReproduceError> {
    let result = MatchStep::read(folder)?;
    Ok(result
        .and_then(|result| result.standings.players.into_iter().next())
        .filter(|standing| standing.tally.games() > 0))
}

/// What a player scored, in percent.
fn score(standing: &Standing) -> Option<Figure> {
    Figure::of_share(standing.tally.points(), standing.tally.games())
}

/// Wins, draws, losses.
fn counts(standing: &Standing) -> String {
    let tally = standing.tally;
    format!("{}, {}, {}", tally.wins, tally.draws, tally.losses)
}

/// Elo over the opponent with its interval.
fn elo(standing: &Standing) -> String {
    vidmar_rows::elo_text(standing.estimate().map(|estimate| estimate.interval))
}
