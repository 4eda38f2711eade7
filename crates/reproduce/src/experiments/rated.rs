//! [erk-2008]: ratings inside the tuning loop.

use vidmar_tune::export::plot;
use vidmar_tune::gauntlet::standings;

use super::tuning_family::{GAME_SECONDS, gauntlet, id, ratings};
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
    name: "rated",
    source: "erk-2008",
    what: "190 parameters with ratings inside the loop, the twenty best on the reference gauntlet",
    claim: "the best of the twenty reaches 2068 ± 48 on the reference gauntlet, and the tuned program gains 164 Elo",
    seeds: 5,
    readings: &[
        Reading {
            open: "the size of the list that individuals return from (HS)",
            ours: "20",
            other: "`--set history.size=N`",
        },
        Reading {
            open: "selection proportional to rating",
            ours: "shifted so that the worst of the list has weight 1",
            other: "",
        },
    ],
    steps,
    report,
};

const NAME: &str = "rated";

fn steps(plan: &Plan) -> Vec<Step> {
    let (sets, later_games) = gauntlet(plan);
    let step = |seed| {
        let work = Tuning {
            later_games,
            ..Tuning::new("rated", &sets, seed, plan, 400)
        };
        Step::new(
            id(NAME, seed),
            format!("ratings in the loop, seed {seed}"),
            work,
            GAME_SECONDS,
        )
    };
    (1..=plan.seeds).map(step).collect()
}

fn report(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    let published = published::rated_20();
    let tuned: Vec<(f64, f64)> = published
        .rows()
        .filter(|row| row["name"].starts_with("Tuned"))
        .map(|row| (number(&row, "elo"), number(&row, "plus")))
        .collect();
    let (best, error) = tuned.first().copied().unwrap_or_default();
    let (mut bests, mut gains, mut means) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 1..=results.plan.seeds {
        if !results.is_finished(&id(NAME, seed))? {
            continue;
        }
        let Some(view) = Tuning::read(&results.of(&id(NAME, seed)))? else {
            continue;
        };
        let Some((best, initial)) = ratings(&view)? else {
            continue;
        };
        bests.push(best);
        gains.push(best - initial);
        let rows = standings(&view.store).unwrap_or_default();
        let finalists: Vec<f64> = rows
            .iter()
            .filter(|row| row.player.starts_with("finalist"))
            .map(|row| row.elo)
            .collect();
        means.extend(Figure::of(&finalists).map(|figure| figure.value));
        if seed == 1
            && let Some(svg) = plot(&view, "convergence")
        {
            section.pictures.push((
                "convergence".to_owned(),
                "Seed 1: score of the population and its spread".to_owned(),
                svg,
            ));
        }
    }
    let runs = (bests.len() as u64, results.plan.seeds);
    let all: Vec<f64> = tuned.iter().map(|(elo, _)| *elo).collect();
    section.tables.push(Table {
        title: "The twenty best on the gauntlet (published: one run)".to_owned(),
        unit: "Elo",
        digits: 1,
        over: "seeds",
        rows: vec![
            Comparison::new(
                "rating of the best",
                Figure::plus_minus(best, error),
                Figure::of(&bests),
                runs,
                None,
            ),
            Comparison::new(
                "mean of the twenty",
                Figure::of(&all).unwrap_or(Figure::exact(0.0)),
                Figure::of(&means),
                runs,
                None,
            ),
            Comparison::new(
                "gain over the best initial individual (published: in a tournament)",
                Figure::plus_minus(164.0, 59.4),
                Figure::of(&gains),
                runs,
                Some(0.0),
            ),
        ],
    });
    section.notes.push(
        "The ± of the published gain is that of the two ratings that it is the difference of (41 and 43)."
            .to_owned(),
    );
    Ok(())
}
