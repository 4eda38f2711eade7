//! [boskovic-2010]: piece values from nothing.

use vidmar_tune::export::plot;
use vidmar_tune::run::Generation;

use super::tuning_family::id;
use crate::error::ReproduceError;
use crate::experiment::{Experiment, Reading};
use crate::figure::Figure;
use crate::plan::Plan;
use crate::published::{self, number};
use crate::report::{Comparison, Section, Table};
use crate::results::Results;
use crate::step::Step;
use crate::work::Tuning;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "no-knowledge",
    source: "boskovic-2010",
    what: "Five piece values and three mobilities in two phases from [0, 1000], 500 generations of games at depth 4, with both readings of the other parameters",
    claim: "tuning finds the order and the rough ratios of the piece values from nothing",
    seeds: 4,
    readings: &[
        Reading {
            open: "what the 174 other parameters were",
            ours: "both: as in `guess` (the preset), and all 0 (`base=zero`)",
            other: "`--set parameters.base=FILE`: any other vector",
        },
        Reading {
            open: "what \"the final values\" are",
            ours: "both: the last generation, and the mean over the last half of the generations",
            other: "",
        },
        Reading {
            open: "the printed standard deviations, up to 2027 on [0, 1000]",
            ours: "not divided by the size of the population: divided by √40 here",
            other: "",
        },
    ],
    steps,
    report,
};

/// The readings: folder, what it is, changes.
const BASES: [(&str, &str, &[&str]); 2] = [
    ("expert", "others as in guess", &[]),
    ("zero", "others 0", &["parameters.base=zero"]),
];

const POPULATION: usize = 40;
/// Processor seconds of a game of depth 4 that is played out.
const GAME_SECONDS: f64 = 0.03;

fn steps(plan: &Plan) -> Vec<Step> {
    let mut steps = Vec::new();
    for seed in 1..=plan.seeds {
        for (name, what, sets) in BASES {
            let sets: Vec<String> = [
                "verify.pairs=100",
                "verify.only_recommended=true",
                "verify.deeper=[0]",
            ]
            .iter()
            .chain(sets)
            .map(|&set| set.to_owned())
            .collect();
            let work = Tuning {
                later_games: 2 * 2 * plan.scaled(100, 1),
                ..Tuning::new("no-knowledge", &sets, seed, plan, 400)
            };
            steps.push(Step::new(
                id(name, seed),
                format!("{what}, seed {seed}"),
                work,
                GAME_SECONDS,
            ));
        }
    }
    steps
}

/// The means of a generation, by parameter.
fn means(generation: &Generation) -> Vec<f64> {
    generation.moments().into_iter().map(|(mean, _)| mean).collect()
}

fn report(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    for (name, what, _) in BASES {
        let (mut last, mut half): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        let mut names: Vec<String> = Vec::new();
        for seed in 1..=results.plan.seeds {
            if !results.is_finished(&id(name, seed))? {
                continue;
            }
            let Some(view) = Tuning::read(&results.of(&id(name, seed)))? else {
                continue;
            };
            if let Some(space) = view.space() {
                names = space
                    .dimensions()
                    .iter()
                    .map(|dimension| dimension.name.clone())
                    .collect();
            }
            let later = &view.generations[view.generations.len() / 2..];
            let all: Vec<Vec<f64>> = later.iter().map(means).collect();
            last.extend(all.last().cloned());
            let mean =
                |index: usize| all.iter().map(|means| means[index]).sum::<f64>() / all.len().max(1) as f64;
            half.push((0..names.len()).map(mean).collect());
            if seed == 1
                && let Some(svg) = plot(&view, "trajectories")
            {
                let title = format!("{what}, seed 1: means and standard deviations over the generations");
                section
                    .pictures
                    .push((format!("{name}-trajectories"), title, svg));
            }
        }
        for (when, runs) in [("last generation", &last), ("mean over the last half", &half)] {
            let counted = (runs.len() as u64, results.plan.seeds);
            let table = published::no_expert_knowledge();
            let rows = table.rows().map(|row| {
                let deviation = number(&row, "final_sd") / (POPULATION as f64).sqrt();
                let published = Figure::of_mean(number(&row, "final_mean"), deviation, POPULATION);
                let index = names.iter().position(|name| name == row["parameter"]);
                let values: Vec<f64> =
                    index.map_or(Vec::new(), |index| runs.iter().map(|run| run[index]).collect());
                Comparison::new(row["parameter"], published, Figure::of(&values), counted, None)
            });
            section.tables.push(Table {
                title: format!("{what}, {when}"),
                unit: "",
                digits: 1,
                over: "seeds",
                rows: rows.collect(),
            });
        }
    }
    section.notes.push(
        "The published interval is that of the mean of one population of 40; ours is over seeds, each of which is the mean of one population.".to_owned(),
    );
    Ok(())
}
