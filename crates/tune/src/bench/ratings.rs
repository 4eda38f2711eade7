//! Ratings for the benchmark's rated methods, warm from one generation to the next.
//!
//! A synthetic run of 40,000 games asks for ratings five hundred times, of up to ten thousand players. Between two
//! questions little changes, so a few sweeps of minorisation-maximisation (Hunter 2004) from the last answer are as
//! good as a fresh fit. Real runs rate afresh with [`vidmar_rating`]: there an answer must be a function of its
//! question alone, for a run may be resumed in between.

use vidmar_optim::protocol::CrossEntry;

/// Sweeps for each question.
const SWEEPS: usize = 6;

/// Strengths on the scale where odds are their ratio; new players begin at 1.
#[derive(Clone, Debug, Default)]
pub struct WarmRatings {
    strengths: Vec<f64>,
}

impl WarmRatings {
    /// Elo of all players: Bradley-Terry, a draw is half a win for both, two virtual draws against a player of 0.
    pub fn rate(&mut self, players: usize, games: &[CrossEntry]) -> Vec<f64> {
        self.strengths.resize(players, 1.0);
        let mut points = vec![1.0; players];
        for entry in games {
            points[entry.white] += f64::from(entry.wins) + 0.5 * f64::from(entry.draws);
            points[entry.black] += f64::from(entry.losses) + 0.5 * f64::from(entry.draws);
        }
        let mut expected = vec![0.0; players];
        for _ in 0..SWEEPS {
            for (share, strength) in expected.iter_mut().zip(&self.strengths) {
                *share = 2.0 / (strength + 1.0);
            }
            for entry in games {
                let count = f64::from(entry.wins + entry.draws + entry.losses);
                let share = count / (self.strengths[entry.white] + self.strengths[entry.black]);
                expected[entry.white] += share;
                expected[entry.black] += share;
            }
            for ((strength, points), expected) in self.strengths.iter_mut().zip(&points).zip(&expected) {
                *strength = points / expected;
            }
        }
        self.strengths.iter().map(|s| 400.0 * s.log10()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_rating::{Games, Options, Parameter, Scale, Tally, rate};

    /// The same maximum as the rating crate's, where there are no draws to be seen differently.
    #[test]
    fn agrees_with_the_rating_crate_on_decided_games() {
        let games: Vec<CrossEntry> = [
            (0, 1, 6, 2),
            (1, 2, 5, 3),
            (2, 0, 1, 7),
            (3, 0, 2, 6),
            (1, 3, 4, 4),
        ]
        .map(|(white, black, wins, losses)| CrossEntry {
            white,
            black,
            wins,
            draws: 0,
            losses,
        })
        .to_vec();
        let mut warm = WarmRatings::default();
        let mut found = Vec::new();
        for _ in 0..40 {
            found = warm.rate(4, &games);
        }
        let mut table = Games::default();
        let names: Vec<_> = (0..5).map(|k| table.player(&k.to_string())).collect();
        for g in &games {
            table.add_tally(
                names[g.white],
                names[g.black],
                Tally {
                    wins: f64::from(g.wins),
                    draws: 0.0,
                    losses: f64::from(g.losses),
                },
            );
        }
        // The virtual draws, as a win and a loss that count half each.
        for &name in &names[..4] {
            table.add_tally(
                name,
                names[4],
                Tally {
                    wins: 1.0,
                    draws: 0.0,
                    losses: 1.0,
                },
            );
        }
        let options = Options {
            advantage: Parameter::Fixed(0.0),
            draw_elo: Parameter::Fixed(0.0),
            prior: 0.0,
            scale: Scale::None,
            anchors: vec![("4".into(), 0.0)],
            intervals: false,
            ..Options::default()
        };
        for player in rate(&table, &options).unwrap().players {
            let index: usize = player.name.parse().unwrap();
            if index < 4 {
                assert!((player.elo - found[index]).abs() < 0.01, "{player:?} {found:?}");
            }
        }
    }
}
