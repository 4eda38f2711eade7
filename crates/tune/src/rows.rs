//! Vectors of a run as the rows that files and page show.

use vidmar_optim::Champion;
use vidmar_rows::{ResultVectorRow, VectorRow, finite};

use crate::ratings::RatedPlayer;
use crate::run::ResultVectors;
use crate::time_series::TimeSeries;

/// A vector of the population or the history, with the ratings of all players of the run.
pub fn vector_row(champion: &Champion, series: &TimeSeries, ratings: &[RatedPlayer]) -> VectorRow {
    let player = series.index_of(champion);
    let rated = player.and_then(|index| ratings.get(index as usize)).copied();
    let played = rated.filter(|rated| rated.games > 0);
    VectorRow {
        player,
        score: finite(champion.score).filter(|_| champion.games > 0),
        score_games: champion.games,
        elo: played.map(|rated| rated.elo),
        error: played.and_then(|rated| rated.interval?.error()),
        low: played.and_then(|rated| finite(rated.interval?.low)),
        high: played.and_then(|rated| finite(rated.interval?.high)),
        games: played.map_or(0, |rated| rated.games),
        points: played.map_or(0.0, |rated| rated.points),
        values: champion.vector.clone(),
    }
}

impl ResultVectors {
    /// What the run came to, then what that is compared with.
    pub fn rows(&self) -> impl Iterator<Item = ResultVectorRow> + '_ {
        self.vectors
            .iter()
            .chain(&self.references)
            .map(|one| ResultVectorRow {
                vector: one.name.to_owned(),
                recommended: one.name == self.recommended,
                games: one.games,
                score: one.score.and_then(finite),
                values: one.vector.clone(),
            })
    }
}
