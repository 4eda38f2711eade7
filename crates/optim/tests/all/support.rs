//! What several tests share.

use vidmar_optim::protocol::CrossEntry;

/// Plain Bradley-Terry ratings in Elo by minorisation-maximisation, draws as half a win for both, two virtual draws
/// against a player of rating 0. Enough to rank players where the real rating crate is not at hand.
pub(crate) fn bradley_terry(players: usize, games: &[CrossEntry]) -> Vec<f64> {
    let mut points = vec![1.0; players];
    for entry in games {
        points[entry.white] += f64::from(entry.wins) + 0.5 * f64::from(entry.draws);
        points[entry.black] += f64::from(entry.losses) + 0.5 * f64::from(entry.draws);
    }
    let mut strength = vec![1.0_f64; players];
    for _ in 0..25 {
        let mut expected: Vec<f64> = strength.iter().map(|s| 2.0 / (s + 1.0)).collect();
        for entry in games {
            let share = f64::from(entry.wins + entry.draws + entry.losses)
                / (strength[entry.white] + strength[entry.black]);
            expected[entry.white] += share;
            expected[entry.black] += share;
        }
        strength = points.iter().zip(&expected).map(|(p, e)| p / e).collect();
    }
    strength.iter().map(|s| 400.0 * s.log10()).collect()
}
