//! What a run hands over: three vectors, which of them is recommended, and what it began with.

use vidmar_optim::{Champion, Optimizer, Vector};
use vidmar_store::{RunId, Store};

use super::{Generation, RunError, generations, origin};
use crate::ratings::{Crosstable, ratings_of};

/// The name of the point where tuning starts.
pub(crate) const START: &str = "start";
/// The name of the point where the first run of a chain started.
pub(crate) const ORIGIN: &str = "origin";

/// A vector with the name under which it is handed over.
#[derive(Clone, Debug, PartialEq)]
pub struct Handed {
    /// `efficiency`, `rating`, `value` or `centroid`; `initial`, `start` or `origin` for what it is compared with.
    pub name: &'static str,
    /// The vector.
    pub vector: Vector,
    /// Points per game, rating or value; none for a mean.
    pub score: Option<f64>,
    /// The games that it rests on.
    pub games: u32,
}

impl Handed {
    fn of(name: &'static str, champion: &Champion) -> Handed {
        Handed {
            name,
            vector: champion.vector.clone(),
            score: Some(champion.score),
            games: champion.games,
        }
    }

    fn plain(name: &'static str, vector: &[f64]) -> Handed {
        Handed {
            name,
            vector: vector.to_vec(),
            score: None,
            games: 0,
        }
    }
}

/// All that a run hands over.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Best by efficiency, by rating, by value where there is one, and the centroid.
    pub handed: Vec<Handed>,
    /// The name of the recommended one.
    pub recommended: &'static str,
    /// What they are compared with: the best individual of the first population where there was one, the start, and the
    /// origin of a chain.
    pub references: Vec<Handed>,
}

impl Outcome {
    /// From the store of a run and its optimiser's last state.
    pub fn of(store: &Store, run: RunId, optimizer: &Optimizer) -> Result<Outcome, RunError> {
        let report = optimizer.report();
        let space = &optimizer.setup().space;
        let mut handed = Vec::new();
        handed.extend(report.by_efficiency.iter().map(|c| Handed::of("efficiency", c)));
        let by_rating = match &report.by_rating {
            Some(champion) => Some(champion.clone()),
            None => best_rated(store, run, |vector| space.contains(vector))?,
        };
        handed.extend(by_rating.iter().map(|c| Handed::of("rating", c)));
        handed.extend(report.by_value.iter().map(|c| Handed::of("value", c)));
        handed.push(Handed::plain("centroid", &report.centroid));
        let mut references = Vec::new();
        let first = generations(store, run)?.into_iter().next();
        references.extend(
            first
                .as_ref()
                .and_then(Generation::initial)
                .map(|c| Handed::of("initial", c)),
        );
        references.push(Handed::plain(START, space.start()));
        let origin = origin(store, run)?.filter(|vector| vector.len() == space.start().len());
        references.extend(origin.map(|vector| Handed::plain(ORIGIN, &vector)));
        Ok(Outcome {
            recommended: if report.by_value.is_some() {
                "value"
            } else {
                "centroid"
            },
            handed,
            references,
        })
    }

    /// Where everything began: the origin of a chain, or the start.
    pub fn beginning(&self) -> &Handed {
        let named = |name: &str| self.references.iter().find(|handed| handed.name == name);
        named(ORIGIN)
            .or_else(|| named(START))
            .expect("the start is among the references")
    }

    /// The recommended vector.
    pub fn recommended(&self) -> &Handed {
        let found = self.handed.iter().find(|handed| handed.name == self.recommended);
        found.expect("the recommended one is among those handed over")
    }
}

impl Generation {
    /// The best individual of a first population.
    fn initial(&self) -> Option<&Champion> {
        (self.population.len() > 1)
            .then_some(self.by_efficiency.as_ref())
            .flatten()
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

/// Elo and games of every player of a run, by place.
pub(crate) fn rated(store: &Store, run: RunId) -> Result<Vec<(f64, u32)>, RunError> {
    let Crosstable { games, entries } = Crosstable::of(store, run)?;
    Ok(ratings_of(games.len(), &entries).into_iter().zip(games).collect())
}
