//! [urminsky-2007], after [nasreddine-2006]: a knock-out with bounds that move.

use vidmar_tune::export::plot;

use super::tuning_family::id;
use crate::error::ReproduceError;
use crate::experiment::{Experiment, Reading};
use crate::figure::Figure;
use crate::plan::Plan;
use crate::report::{Comparison, List, Section, Table, number};
use crate::results::Results;
use crate::step::Step;
use crate::work::Tuning;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "dynamic-bounds",
    source: "urminsky-2007",
    what: "Six reals (queen, rook, bishop, knight, doubled pawns, mobility) of the simple evaluation in alpha-beta of three plies and three of captures, by a knock-out of five with bounds that move, 100 generations",
    claim: "values tuned within bounds that move with them beat the ones that tuning began with",
    seeds: 5,
    readings: &[
        Reading {
            open: "how a look at the board at every capture gives three more plies",
            ours: "three plies of captures beyond the third ply; in check all answers, once on a line",
            other: "`--set 'engine.player=search:algorithm=alpha-beta,eval=simple'`: until the position is quiet; `…,quiescence=off`: none",
        },
        Reading {
            open: "mobility, the number of legal moves, of the side that is not to move",
            ours: "its legal moves after a pass; in check, where nobody can pass, neither side's count",
            other: "",
        },
        Reading {
            open: "pairs of pawns on a file, where there are three",
            ours: "two pairs; the weight is subtracted for each",
            other: "",
        },
        Reading {
            open: "a king worth 1000",
            ours: "nothing: moves are legal ones, so that both sides always have their king, and mate is mate",
            other: "",
        },
        Reading {
            open: "reals in a search of whole numbers",
            ours: "rounded to a hundredth of a pawn to play, and only there",
            other: "",
        },
        Reading {
            open: "the bounds of the first population",
            ours: "pieces 0 to 20 pawns, doubled pawns 0 to 1, the whole of them",
            other: "`--set optimizer.spread=X`: a share of them around the textbook's values",
        },
        Reading {
            open: "what the tuned values are compared with",
            ours: "both: the best of the first population, and the textbook's (9, 5, 3, 3 pawns, 0.1 a move, nothing for doubled pawns)",
            other: "",
        },
        Reading {
            open: "the printed mutation has no \"− 1\" below one half",
            ours: "the operator as its authors have it, with it",
            other: "",
        },
        Reading {
            open: "two games won and lost alike",
            ours: "both stay as they are",
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
                    "the textbook's values"
                }
            ),
            Figure::of(&elos),
            runs,
            "no figure is published",
        ));
    }
    section.lists.push(values(results)?);
    section.tables.push(Table {
        title: format!(
            "Gain of the recommended vector, {} games a seed",
            2 * results.plan.scaled(200, 1)
        ),
        unit: "Elo",
        digits: 1,
        over: "seeds",
        rows,
    });
    Ok(())
}

/// What every seed recommends, in pawns.
fn values(results: &Results<'_>) -> Result<List, ReproduceError> {
    let (mut columns, mut rows) = (vec!["seed".to_owned()], Vec::new());
    for seed in 1..=results.plan.seeds {
        let name = id(NAME, seed);
        if !results.is_finished(&name)? {
            continue;
        }
        let Some(view) = Tuning::read(&results.of(&name))? else {
            continue;
        };
        let found = view.results().map_err(|error| ReproduceError::Step {
            step: results.of(&name).display().to_string(),
            reason: error.into(),
        })?;
        let (Some(found), Some(space)) = (found, view.space()) else {
            continue;
        };
        let names = space.dimensions().iter().map(|dimension| dimension.name.clone());
        columns = std::iter::once("seed".to_owned()).chain(names).collect();
        let values = found.recommended().vector.iter().map(|&value| number(value, 2));
        rows.push(std::iter::once(seed.to_string()).chain(values).collect());
    }
    Ok(List {
        title: "The recommended vectors, in pawns".to_owned(),
        columns,
        rows,
    })
}
