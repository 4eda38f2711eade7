//! [urminsky-2007], after [nasreddine-2006]: a knock-out with bounds that move.

use vidmar_tune::export::plot;

use super::tuning_family::id;
use crate::error::ReproduceError;
use crate::experiment::{Experiment, Reading};
use crate::figure::Figure;
use crate::plan::Plan;
use crate::report::{Comparison, Section, Table};
use crate::results::Results;
use crate::step::Step;
use crate::work::Tuning;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "dynamic-bounds",
    source: "urminsky-2007",
    what: "Six reals (queen, rook, bishop, knight, doubled pawns, mobility) by a knock-out of five with bounds that move, 100 generations",
    claim: "values tuned within bounds that move with them beat the ones that tuning began with",
    seeds: 5,
    readings: &[
        Reading {
            open: "the search: alpha-beta of three plies and three more on captures",
            ours: "the flagship to three plies, captures until the position is quiet: the tuner does not tune players of the laboratory",
            other: "",
        },
        Reading {
            open: "mobility of all pieces",
            ours: "squares that knights, bishops and rooks reach, one weight",
            other: "",
        },
        Reading {
            open: "the bounds of the first population",
            ours: "pieces 0 to 20 pawns, doubled pawns 0 to 1",
            other: "",
        },
    ],
    steps,
    report,
};

const NAME: &str = "bounds";

fn steps(plan: &Plan) -> Vec<Step> {
    let sets = ["verify.only_recommended=true", "verify.deeper=[0]"].map(str::to_owned);
    let step = |seed| {
        let work = Tuning {
            later_games: 2 * 2 * plan.scaled(200, 1),
            ..Tuning::new("dynamic-bounds", &sets, seed, plan, 8)
        };
        Step::new(id(NAME, seed), format!("dynamic bounds, seed {seed}"), work, 0.02)
    };
    (1..=plan.seeds).map(step).collect()
}

fn report(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    let mut rows = Vec::new();
    for against in ["initial", "start"] {
        let mut elos = Vec::new();
        for seed in 1..=results.plan.seeds {
            let folder = results.of(&id(NAME, seed));
            if !results.is_finished(&id(NAME, seed))? {
                continue;
            }
            let Some(view) = Tuning::read(&folder)? else {
                continue;
            };
            let status = view.status().map_err(|error| ReproduceError::Step {
                step: folder.display().to_string(),
                reason: error.into(),
            })?;
            let row = status
                .verify
                .iter()
                .find(|row| row.recommended && row.against == against);
            elos.extend(row.and_then(|row| row.elo));
            if against == "start"
                && seed == 1
                && let Some(svg) = plot(&view, "trajectories")
            {
                section.pictures.push((
                    "trajectories".to_owned(),
                    "Seed 1: means and standard deviations".to_owned(),
                    svg,
                ));
            }
        }
        let runs = (elos.len() as u64, results.plan.seeds);
        rows.push(Comparison::alone(
            format!(
                "Elo over {}",
                if against == "initial" {
                    "the best of the first population"
                } else {
                    "the middle of the first bounds"
                }
            ),
            Figure::of(&elos),
            runs,
            "no figure is published",
        ));
    }
    section.tables.push(Table {
        title: "Gain of the recommended vector, 400 games a seed".to_owned(),
        unit: "Elo",
        digits: 1,
        over: "seeds",
        rows,
    });
    Ok(())
}
