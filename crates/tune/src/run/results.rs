//! What a run comes to: three vectors, which of them is recommended, and what it began with.

use vidmar_optim::{Champion, Optimizer, Vector};
use vidmar_store::{RunId, Store};

use super::{RunError, origin};
use crate::ratings::{Crosstable, ratings_of};

/// The name of the point where tuning starts.
pub(crate) const START: &str = "start";
/// The name of the point where the first run of a chain started.
pub(crate) const ORIGIN: &str = "origin";

/// A vector that a run came to, with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultVector {
    /// `efficiency`, `rating`, `value` or `centroid`; `initial`, `start` or `origin` for what it is compared with.
    pub name: &'static str,
    /// The vector.
    pub vector: Vector,
    /// Points per game, rating or value; none for a mean.
    pub score: Option<f64>,
    /// The games that it rests on.
    pub games: u32,
}

impl ResultVector {
    fn of(name: &'static str, champion: &Champion) -> ResultVector {
        ResultVector {
            name,
            vector: champion.vector.clone(),
            score: Some(champion.score),
            games: champion.games,
        }
    }

    fn plain(name: &'static str, vector: &[f64]) -> ResultVector {
        ResultVector {
            name,
            vector: vector.to_vec(),
            score: None,
            games: 0,
        }
    }
}

/// All that a run comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultVectors {
    /// Best by efficiency, by rating, by value where there is one, and the centroid.
    pub vectors: Vec<ResultVector>,
    /// The name of the recommended one.
    pub recommended: &'static str,
    /// What they are compared with: the best individual of the first populations where there was one
    /// ([`Optimizer::initial`]), the start, and the origin of a chain.
    pub references: Vec<ResultVector>,
}

impl ResultVectors {
    /// From the store of a run and its optimiser's last state.
    pub fn of(store: &Store, run: RunId, optimizer: &Optimizer) -> Result<ResultVectors, RunError> {
        let report = optimizer.report();
        let space = &optimizer.setup().space;
        let mut vectors = Vec::new();
        vectors.extend(
            report
                .by_efficiency
                .iter()
                .map(|c| ResultVector::of("efficiency", c)),
        );
        let by_rating = match &report.by_rating {
            Some(champion) => Some(champion.clone()),
            None => best_rated(store, run, |vector| space.contains(vector))?,
        };
        vectors.extend(by_rating.iter().map(|c| ResultVector::of("rating", c)));
        vectors.extend(report.by_value.iter().map(|c| ResultVector::of("value", c)));
        vectors.push(ResultVector::plain("centroid", &report.centroid));
        let mut references = Vec::new();
        references.extend(optimizer.initial().map(|c| ResultVector::of("initial", c)));
        references.push(ResultVector::plain(START, space.start()));
        let origin = origin(store, run)?.filter(|vector| vector.len() == space.start().len());
        references.extend(origin.map(|vector| ResultVector::plain(ORIGIN, &vector)));
        Ok(ResultVectors {
            recommended: if report.by_value.is_some() {
                "value"
            } else {
                "centroid"
            },
            vectors,
            references,
        })
    }

    /// Where everything began: the origin of a chain, or the start.
    pub fn beginning(&self) -> &ResultVector {
        let named = |name: &str| self.references.iter().find(|one| one.name == name);
        named(ORIGIN)
            .or_else(|| named(START))
            .expect("the start is among the references")
    }

    /// The recommended vector.
    pub fn recommended(&self) -> &ResultVector {
        let found = self.vectors.iter().find(|one| one.name == self.recommended);
        found.expect("the recommended one is among the vectors")
    }
}

/// The best rated of all vectors that played, from all games of the run ([erk-2008]), whatever the method.
fn best_rated(
    store: &Store,
    run: RunId,
    allowed: impl Fn(&[f64]) -> bool,
) -> Result<Option<Champion>, RunError> {
    let players = store.players(run)?;
    let vectors: Vec<Option<Vector>> = players
        .iter()
        .map(|player| serde_json::from_str(&player.description).ok())
        .collect();
    let rows = rated(store, run)?;
    let mut best: Option<Champion> = None;
    for (vector, (elo, games)) in vectors.into_iter().zip(rows) {
        let Some(vector) = vector.filter(|v| games > 0 && allowed(v)) else {
            continue;
        };
        if best.as_ref().is_none_or(|best| elo > best.score) {
            best = Some(Champion {
                vector,
                score: elo,
                games,
            });
        }
    }
    Ok(best)
}

/// Elo and games of every player of a run, by index.
pub(crate) fn rated(store: &Store, run: RunId) -> Result<Vec<(f64, u32)>, RunError> {
    let Crosstable { games, entries } = Crosstable::of(store, run)?;
    Ok(ratings_of(games.len(), &entries).into_iter().zip(games).collect())
}
