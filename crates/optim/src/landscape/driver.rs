//! Plays a method against a landscape for a budget of games and weighs what it hands over.

use super::Landscape;
use crate::method::Settings;
use crate::optimizer::{Budget, Optimizer, Setup, SetupError};
use crate::protocol::{Answer, Ask, Batch, CrossEntry, Evidence, Pairing};
use crate::purpose::Purpose;
use crate::space::Repair;

/// Ratings of so many players from their games.
pub type Rater<'a> = dyn FnMut(usize, &[CrossEntry]) -> Vec<f64> + 'a;

/// True Elo above the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// Of the vector with the most points per game, where the method keeps such.
    pub by_efficiency: Option<f64>,
    /// Of the vector with the best rating, where the method rates.
    pub by_rating: Option<f64>,
    /// Of the centroid.
    pub centroid: f64,
    /// Games played: the last whole batch inside the budget.
    pub games: u64,
}

/// Tunes on a landscape. The result is a function of the arguments alone.
pub fn tune(
    landscape: &Landscape,
    settings: Settings,
    evidence: Evidence,
    games: u64,
    seed: u64,
    rate: &mut Rater<'_>,
) -> Result<Gain, SetupError> {
    let mut gains = follow(landscape, settings, evidence, &[games], seed, rate)?;
    Ok(gains.pop().expect("one budget, one gain"))
}

/// What [`tune`] gives for each of these budgets, smallest first. Methods that
/// [plan ahead](Settings::plans_ahead) are run for each, others once.
pub fn tune_budgets(
    landscape: &Landscape,
    settings: &Settings,
    evidence: Evidence,
    budgets: &[u64],
    seed: u64,
    rate: &mut Rater<'_>,
) -> Result<Vec<Gain>, SetupError> {
    let mut run = |budgets: &[u64]| follow(landscape, settings.clone(), evidence, budgets, seed, rate);
    if settings.plans_ahead() {
        let runs: Result<Vec<Vec<Gain>>, SetupError> = budgets.iter().map(|&b| run(&[b])).collect();
        return Ok(runs?.into_iter().flatten().collect());
    }
    run(budgets)
}

/// One run for the largest budget, weighed at each.
fn follow(
    landscape: &Landscape,
    settings: Settings,
    evidence: Evidence,
    budgets: &[u64],
    seed: u64,
    rate: &mut Rater<'_>,
) -> Result<Vec<Gain>, SetupError> {
    let space = landscape.space().clone();
    let setup = Setup {
        space,
        evidence,
        budget: Budget::Jobs(budgets.last().copied().unwrap_or(0)),
        seed,
        repair: Repair::Mirror,
    };
    let mut optimizer = Optimizer::new(setup, settings)?;
    let mut gains = Vec::with_capacity(budgets.len());
    while gains.len() < budgets.len() {
        let batch = optimizer.propose();
        let costs = if matches!(batch.ask, Ask::Rate { .. }) {
            0
        } else {
            batch.ask.jobs() as u64
        };
        let round = batch.round;
        let told = answers(landscape, batch, seed, rate);
        let jobs = optimizer.jobs();
        let ended = budgets[gains.len()..]
            .iter()
            .take_while(|&&budget| costs > 0 && jobs + costs > budget)
            .count();
        if ended > 0 {
            let gain = weigh(landscape, &optimizer);
            gains.extend(std::iter::repeat_n(gain, ended));
        }
        for (job, answer) in told.into_iter().enumerate() {
            optimizer
                .tell(round, job, answer)
                .expect("answers that fit the batch are taken");
        }
    }
    Ok(gains)
}

fn weigh(landscape: &Landscape, optimizer: &Optimizer) -> Gain {
    let report = optimizer.report();
    let start = landscape.elo(landscape.space().start());
    let gain = |vector: &[f64]| landscape.elo(vector) - start;
    Gain {
        by_efficiency: report.by_efficiency.map(|champion| gain(&champion.vector)),
        by_rating: report.by_rating.map(|champion| gain(&champion.vector)),
        centroid: gain(&report.centroid),
        games: optimizer.jobs(),
    }
}

fn answers(landscape: &Landscape, batch: &Batch, seed: u64, rate: &mut Rater<'_>) -> Vec<Answer> {
    let Batch { round, players, ask } = batch;
    match ask {
        Ask::Rate { players, games } => vec![Answer::Ratings(rate(*players, games))],
        // Only methods that can be told games are played here, so gradients are never asked for.
        Ask::Values(asked) | Ask::Gradients(asked) => asked
            .iter()
            .map(|&player| Answer::Value(landscape.elo(&players[player])))
            .collect(),
        Ask::Games(pairings) => {
            let strength: Vec<f64> = players.iter().map(|player| landscape.elo(player)).collect();
            let game = |(job, pairing): (usize, &Pairing)| {
                let (white, black) = (pairing.white, pairing.black);
                let circumstance = landscape.circumstance(&players[white], &players[black]);
                let mut rng = Purpose::Result.rng(seed, *round, job as u32, 0);
                Answer::Game(Landscape::result(
                    strength[white] - strength[black] + circumstance,
                    &mut rng,
                ))
            };
            pairings.iter().enumerate().map(game).collect()
        }
    }
}
