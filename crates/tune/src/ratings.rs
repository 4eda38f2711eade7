//! Ratings of a run's players from its games, by the rating crate, as in [erk-2008].

use std::collections::BTreeMap;

use vidmar_arena::{Estimate, Tally as Results};
use vidmar_chess::Outcome;
use vidmar_optim::protocol::CrossEntry;
use vidmar_rating::{Games, Options, Rated, Tally, rate};
use vidmar_rows::EloInterval;
use vidmar_store::{RunId, Store, StoreError};

/// The covariance of more players than this takes seconds; see [`rated_players`].
const MOST_WITH_INTERVALS: usize = 1000;

/// Who met whom how often, and with what results.
pub(crate) struct Crosstable {
    /// Games of every player, by index.
    pub(crate) games: Vec<u32>,
    pub(crate) entries: Vec<CrossEntry>,
}

impl Crosstable {
    pub(crate) fn of(store: &Store, run: RunId) -> Result<Crosstable, StoreError> {
        let mut games = vec![0; store.players_count(run)? as usize];
        let mut table: BTreeMap<(usize, usize), CrossEntry> = BTreeMap::new();
        for game in store.results(run)? {
            let Some(result) = game.result else { continue };
            let (white, black) = (game.white as usize, game.black as usize);
            if white.max(black) >= games.len() {
                continue;
            }
            let entry = table.entry((white, black)).or_insert(CrossEntry {
                white,
                black,
                wins: 0,
                draws: 0,
                losses: 0,
            });
            match result {
                Outcome::WHITE_WINS => entry.wins += 1,
                Outcome::Draw => entry.draws += 1,
                Outcome::BLACK_WINS => entry.losses += 1,
            }
            games[white] += 1;
            games[black] += 1;
        }
        Ok(Crosstable {
            games,
            entries: table.into_values().collect(),
        })
    }
}

/// Elo of so many players; those without a game have the mean. A function of its arguments alone.
pub fn ratings_of(players: usize, games: &[CrossEntry]) -> Vec<f64> {
    let mut elos = vec![0.0; players];
    for (index, player) in list(players, games, false) {
        elos[index] = player.elo;
    }
    elos
}

/// The rating list, by index. Without a game between two different players nobody is better than anybody.
fn list(players: usize, games: &[CrossEntry], intervals: bool) -> Vec<(usize, Rated)> {
    let mut table = Games::default();
    let ids: Vec<_> = (0..players)
        .map(|index| table.player(&index.to_string()))
        .collect();
    for entry in games {
        let tally = Tally {
            wins: f64::from(entry.wins),
            draws: f64::from(entry.draws),
            losses: f64::from(entry.losses),
        };
        table.add_tally(ids[entry.white], ids[entry.black], tally);
    }
    let options = Options {
        intervals,
        ..Options::default()
    };
    let Ok(ratings) = rate(&table, &options) else {
        return Vec::new();
    };
    let placed = |player: Rated| Some((player.name.parse().ok()?, player));
    ratings.players.into_iter().filter_map(placed).collect()
}

/// A player of a run with what its games say of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RatedPlayer {
    /// Its rating.
    pub elo: f64,
    /// The same with its 95 % interval, where it has one.
    pub interval: Option<EloInterval>,
    /// Its games.
    pub games: u32,
    /// Its points.
    pub points: f64,
}

/// Every player of a run with rating and interval, by index.
///
/// With more than a thousand players the interval is that of the player's own score, its opponents taken as known: it is
/// somewhat too short, and needs no matrix of all with all.
pub fn rated_players(store: &Store, run: RunId) -> Result<Vec<RatedPlayer>, StoreError> {
    let Crosstable { games, entries } = Crosstable::of(store, run)?;
    let exact = games.len() <= MOST_WITH_INTERVALS;
    let mut players = vec![RatedPlayer::default(); games.len()];
    for (index, rated) in list(games.len(), &entries, exact) {
        let own = || {
            let [wins, draws, losses] = [rated.wins, rated.draws, rated.losses].map(|count| count as u64);
            let EloInterval { elo, low, high } =
                Estimate::of_games(&Results { wins, draws, losses })?.interval;
            elo.is_finite().then_some(EloInterval {
                elo: rated.elo,
                low: rated.elo + low - elo,
                high: rated.elo + high - elo,
            })
        };
        let from_all = || Some(EloInterval::symmetric(rated.elo, rated.interval?));
        players[index] = RatedPlayer {
            elo: rated.elo,
            interval: if exact { from_all() } else { own() },
            games: games[index],
            points: rated.points(),
        };
    }
    Ok(players)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_are_above_losers_and_strangers_in_the_middle() {
        let game = |white, black, wins, losses| CrossEntry {
            white,
            black,
            wins,
            draws: 1,
            losses,
        };
        let elos = ratings_of(4, &[game(0, 1, 5, 1), game(1, 2, 4, 2), game(2, 0, 1, 4)]);
        assert!(elos[0] > elos[1] && elos[1] > elos[2], "{elos:?}");
        assert_eq!(elos[3], 0.0);
        assert_eq!(ratings_of(2, &[]), [0.0, 0.0]);
    }

    #[test]
    fn players_have_ratings_points_and_intervals() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("games.db")).unwrap();
        let run = store.begin_run("tune", "").unwrap();
        let mut batch = vidmar_store::Batch::new(run);
        batch.players = (0..3).map(|index| vidmar_store::Player::new(index, "")).collect();
        let results = [
            Outcome::WHITE_WINS,
            Outcome::Draw,
            Outcome::WHITE_WINS,
            Outcome::BLACK_WINS,
        ];
        batch.games = (0..4)
            .map(|number| vidmar_store::Game {
                number: number as u64,
                white: 0,
                black: 1,
                result: Some(results[number]),
                ..vidmar_store::Game::default()
            })
            .collect();
        store.commit(&batch).unwrap();
        let players = rated_players(&store, run).unwrap();
        assert_eq!(
            players.iter().map(|p| (p.games, p.points)).collect::<Vec<_>>(),
            [(4, 2.5), (4, 1.5), (0, 0.0)]
        );
        assert!(players[0].elo > players[1].elo);
        assert!(
            players[0]
                .interval
                .and_then(|interval| interval.error())
                .is_some_and(|error| error > 50.0 && error < 500.0),
            "{players:?}"
        );
        assert_eq!(rated_players(&store, run + 1).unwrap(), []);
    }
}
