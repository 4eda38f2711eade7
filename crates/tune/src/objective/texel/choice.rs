//! By which labels and which prior to learn, where the configuration leaves the choice to the run.
//!
//! What searches say is worth much where the evaluation is sensible and nothing where it is not; results are always true, but few.
//! And the more games there are, the farther from the start may be gone. So every combination is fitted from the start to rest, in a
//! sketch where scores are linear in all parameters, and that is taken whose vector predicts best (by its real scores) how the
//! games ended that were kept out of the fit. They are results whatever the labels were, so labels can be compared.

use serde::{Deserialize, Serialize};
use vidmar_engine::Control;
use vidmar_optim::{Answer, Ask, Budget, Evidence, Method, Optimizer, Setup, SetupError, Vector};

use super::gradient::Sketch;
use super::loss::Loss;
use crate::parallel;
use crate::parameters::Tunables;

/// Newton's steps until Texel's method is at rest, and some to spare.
pub(crate) const STEPS: u64 = 30;

/// Labels and a prior that were tried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// How much results count; see [`Settings::lambda`](super::Settings::lambda).
    pub lambda: f64,
    /// How far from the start a parameter is expected; see [`Settings::prior`](super::Settings::prior).
    pub prior: f64,
    /// The mean log-loss of results kept out, after the fit; none where no game is kept out.
    pub kept_out_results: Option<f64>,
}

impl Tried {
    /// The best of several, the first where nothing can be told.
    pub fn best(tried: &[Tried]) -> Option<Tried> {
        let loss = |one: &Tried| one.kept_out_results.unwrap_or(f64::INFINITY);
        tried
            .iter()
            .copied()
            .reduce(|best, one| if loss(&one) < loss(&best) { one } else { best })
    }
}

/// Fits every combination of labels and prior, in order; none if it was stopped. One alone needs no trial.
pub(super) fn tried(
    loss: &mut Loss,
    combinations: &[(f64, f64)],
    setup: &Setup,
    tunables: &Tunables,
    (threads, control): (usize, &Control),
    observe: &mut dyn FnMut(&Tried),
) -> Result<Option<Vec<Tried>>, SetupError> {
    let mut all = Vec::new();
    for &(lambda, prior) in combinations {
        let mut one = Tried {
            lambda,
            prior,
            kept_out_results: None,
        };
        if combinations.len() > 1 {
            loss.learn_by(tunables, lambda, prior);
            let Some(sketch) = loss.sketch(tunables, threads, control) else {
                return Ok(None);
            };
            let Some(vector) = fitted(&sketch, setup, threads, control)? else {
                return Ok(None);
            };
            one.kept_out_results = loss.kept_out_results(&tunables.candidate(&vector));
            observe(&one);
        }
        all.push(one);
    }
    Ok(Some(all))
}

/// Where Newton's method comes to rest; none if it was stopped.
fn fitted(
    sketch: &Sketch<'_>,
    setup: &Setup,
    threads: usize,
    control: &Control,
) -> Result<Option<Vector>, SetupError> {
    let setup = Setup {
        evidence: Evidence::Gradients,
        budget: Budget::Generations(STEPS),
        ..setup.clone()
    };
    let mut newton = Optimizer::new(setup, Method::Newton.settings())?;
    while !newton.is_finished() {
        let batch = newton.propose().clone();
        let answers: Option<Vec<Answer>> = match &batch.ask {
            Ask::Gradients(players) => players
                .iter()
                .map(|&player| sketch.derivatives(&batch.players[player], threads, control))
                .map(|derivatives| derivatives.map(Answer::Derivatives))
                .collect(),
            Ask::Values(players) => {
                let value = |index: usize| Some(sketch.value(&batch.players[players[index]]));
                let values = parallel::map(players.len(), threads, control, value, || ());
                values.map(|values| values.into_iter().map(Answer::Value).collect())
            }
            Ask::Games(_) | Ask::Rate { .. } => None,
        };
        let Some(answers) = answers else {
            return Ok(None);
        };
        for (job, answer) in answers.into_iter().enumerate() {
            // The answers are those that were asked for.
            let _ = newton.tell(batch.round, job, answer);
        }
    }
    let report = newton.report();
    Ok(Some(report.by_value.map_or(report.centroid, |best| best.vector)))
}

#[cfg(test)]
mod tests {
    use vidmar_eval::{FullEvaluation, Vector as Weights};
    use vidmar_optim::Repair;

    use super::super::loss::chance;
    use super::super::samples::{Samples, Searched};
    use super::*;
    use crate::config::Config;

    /// Positions whose results are drawn by what one evaluation thinks of them, with searches that tell so many times its
    /// score.
    fn told(times: f64) -> Samples {
        let truth = FullEvaluation::new(&Weights::guess());
        let mut samples = Samples::default();
        for (number, opening) in (0..).zip(
            vidmar_formats::openings::BuiltIn::Random
                .openings()
                .iter()
                .take(900),
        ) {
            let mut position = opening.start.clone();
            opening.moves.iter().for_each(|&m| position.play(m));
            let mut rng = vidmar_rng::Rng::new(5, b"choosing", number, 0);
            for _ in 0..20 {
                if let Some(&m) = rng.pick(&position.legal_moves()) {
                    position.play(m);
                }
            }
            let score = truth.unrounded(&position);
            let points = f64::from(u8::from(
                (rng.below(1_000) as f64) < 1_000.0 * chance(score, 200.0),
            ));
            samples.add(number, position, points);
            samples.add_searches(Searched {
                number,
                points,
                plies: vec![(Some(times * score), true)],
            });
        }
        samples
    }

    /// Searches that know are learned from rather than a few hundred results, searches that lie are not.
    #[test]
    fn labels_are_taken_that_foretell_results() {
        let config = Config::of_preset("no-knowledge").unwrap();
        let tunables = Tunables::new(&config.parameters, &[]).unwrap();
        let setup = Setup {
            space: tunables.space().clone(),
            evidence: Evidence::Gradients,
            budget: Budget::Generations(1),
            seed: 1,
            repair: Repair::Clamp,
        };
        for (times, best) in [(1.0, 0.0), (-1.0, 1.0)] {
            let mut loss = Loss::new(told(times), &tunables, 0.0);
            let all = tried(
                &mut loss,
                &[(1.0, 0.0), (0.0, 0.0)],
                &setup,
                &tunables,
                (2, &Control::new()),
                &mut |_| {},
            );
            let all = all.unwrap().unwrap();
            assert_eq!(all.iter().map(|one| one.lambda).collect::<Vec<_>>(), [1.0, 0.0]);
            assert_eq!(Tried::best(&all).unwrap().lambda, best, "{all:?}");
        }
    }

    #[test]
    fn the_least_loss_is_best_and_the_first_of_equals() {
        let one = |lambda, kept_out_results| Tried {
            lambda,
            prior: 0.1,
            kept_out_results,
        };
        let best = |all: &[Tried]| Tried::best(all).map(|best| best.lambda);
        assert_eq!(best(&[]), None);
        assert_eq!(best(&[one(1.0, None), one(0.5, None)]), Some(1.0));
        assert_eq!(
            best(&[one(1.0, Some(0.7)), one(0.5, Some(0.6)), one(0.2, Some(0.6))]),
            Some(0.5)
        );
    }
}
