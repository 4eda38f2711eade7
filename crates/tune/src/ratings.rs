//! Ratings of a run's players from its games, by the rating crate (spec 3).

use vidmar_optim::protocol::CrossEntry;
use vidmar_rating::{Games, Options, Tally, rate};

/// Elo of so many players; those without a game have the mean. A function of its arguments alone.
pub fn ratings_of(players: usize, games: &[CrossEntry]) -> Vec<f64> {
    let mut table = Games::default();
    let ids: Vec<_> = (0..players)
        .map(|place| table.player(&place.to_string()))
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
        intervals: false,
        ..Options::default()
    };
    let mut elos = vec![0.0; players];
    // Without a game between two different players nobody is better than anybody.
    if let Ok(ratings) = rate(&table, &options) {
        for player in ratings.players {
            if let Ok(place) = player.name.parse::<usize>() {
                elos[place] = player.elo;
            }
        }
    }
    elos
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
}
