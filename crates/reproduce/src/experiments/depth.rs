//! [maribor-2004], after Thompson: playing strength against search depth.

use vidmar_arena::Rules;

use super::{counts, elo, first_of};
use crate::error::ReproduceError;
use crate::experiment::{Experiment, Reading};
use crate::figure::Figure;
use crate::plan::Plan;
use crate::report::{Comparison, List, Section, Table, number};
use crate::results::Results;
use crate::step::Step;
use crate::work::{MatchStep, Seat, matches::agreed_lead};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "depth",
    source: "maribor-2004",
    what: "Strength against depth, Thompson's curve: every depth plays its neighbour, plain alpha-beta to 9 plies and the flagship to 14",
    claim: "a machine that looks 1, 4 and 9 plies ahead plays like 200, 1230 and 2328 Elo, and one of 14 plies like 2800, by extrapolation",
    seeds: 1,
    readings: &[
        Reading {
            open: "what a ply is in a search that reduces, prunes and extends",
            ours: "two curves: alpha-beta with full plies, and the flagship's own count",
            other: "",
        },
        Reading {
            open: "the anchor of the curve",
            ours: "depth 1 is 200; only differences are compared",
            other: "",
        },
    ],
    steps,
    report,
};

/// Games of a step of the curve.
const GAMES: u64 = 200;

/// A curve: name, player of a depth, deepest, processor seconds of a game at the lower of two depths, by depth from 1.
struct Curve {
    name: &'static str,
    title: &'static str,
    player: &'static str,
    seconds: &'static [f64],
}

const CURVES: [Curve; 2] = [
    Curve {
        name: "plain",
        title: "alpha-beta with quiescence, table, all orderings, simple evaluation",
        player: "search:algorithm=alpha-beta,quiescence=on,table=two-level,ordering=all,depth=",
        seconds: &[0.03, 0.08, 0.3, 1.0, 4.0, 15.0, 60.0, 240.0],
    },
    Curve {
        name: "flagship",
        title: "flagship",
        player: "engine:depth=",
        seconds: &[
            0.02, 0.02, 0.03, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.5, 0.8, 1.3, 2.2,
        ],
    },
];

/// One rule for every step of both curves.
fn rules() -> Rules {
    Rules {
        resign: Some(agreed_lead(900, 3)),
        max_moves: Some(200),
        ..Rules::default()
    }
}

fn id(curve: &Curve, depth: usize) -> String {
    format!("{}-{depth}", curve.name)
}

fn steps(plan: &Plan) -> Vec<Step> {
    let mut steps = Vec::new();
    for curve in &CURVES {
        let steps_of_it = if plan.is_smoke() { 2 } else { curve.seconds.len() };
        for (lower, &seconds) in (1..).zip(&curve.seconds[..steps_of_it]) {
            let deeper = lower + 1;
            let player = |depth: usize| Seat::new(format!("d{depth}"), format!("{}{depth}", curve.player));
            let work = MatchStep {
                players: vec![player(deeper), player(lower)],
                pairs: plan.pairs(GAMES),
                rules: rules(),
                clock: None,
                seed: lower as u64,
            };
            steps.push(Step::new(
                id(curve, deeper),
                format!("{}: {deeper} plies against {lower}", curve.name),
                work,
                seconds,
            ));
        }
    }
    // Cheap ones first: what is there early says most.
    steps.sort_by(|one, other| one.seconds_each.total_cmp(&other.seconds_each));
    steps
}

/// Thompson's points: plies, Elo.
const THOMPSON: [(usize, f64); 4] = [(1, 200.0), (4, 1230.0), (9, 2328.0), (14, 2800.0)];

fn report(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    for curve in &CURVES {
        let mut differences: Vec<Option<(f64, f64)>> = vec![None, None];
        let mut list = Vec::new();
        let mut sum = THOMPSON[0].1;
        let mut is_whole = true;
        for deeper in 2..=curve.seconds.len() + 1 {
            let folder = results.of(&id(curve, deeper));
            let standing =
                first_of(&folder)?.filter(|_| results.is_finished(&id(curve, deeper)).unwrap_or(false));
            let estimate = standing.as_ref().and_then(vidmar_arena::Standing::estimate);
            let difference = estimate.map(|estimate| {
                let interval = estimate.interval;
                (interval.elo, (interval.high - interval.low) / 2.0)
            });
            differences.push(difference.filter(|(elo, error)| elo.is_finite() && error.is_finite()));
            let Some(standing) = standing else {
                is_whole = false;
                continue;
            };
            sum += difference.map_or(0.0, |(elo, _)| elo);
            list.push(vec![
                deeper.to_string(),
                standing.tally.games().to_string(),
                counts(&standing),
                elo(&standing),
                if is_whole {
                    number(sum, 0)
                } else {
                    "–".to_owned()
                },
            ]);
        }
        let segments = THOMPSON
            .windows(2)
            .filter(|pair| pair[1].0 <= curve.seconds.len() + 1);
        let rows = segments.map(|pair| segment(pair[0], pair[1], &differences));
        section.tables.push(Table {
            title: format!("Elo a ply, {}", curve.title),
            unit: "",
            digits: 0,
            over: "steps",
            rows: rows.collect(),
        });
        section.lists.push(List {
            title: format!(
                "{}: every depth against a ply less, depth 1 set to 200",
                curve.title
            ),
            columns: [
                "plies",
                "games",
                "wins, draws, losses",
                "Elo over a ply less, 95 %",
                "sum",
            ]
            .map(str::to_owned)
            .to_vec(),
            rows: list,
        });
    }
    Ok(())
}

/// The mean gain of a ply between two points of the published curve. Steps are independent: their errors add up in squares.
fn segment(
    (from, low): (usize, f64),
    (to, high): (usize, f64),
    differences: &[Option<(f64, f64)>],
) -> Comparison {
    let plies = (to - from) as f64;
    let published = Figure::exact((high - low) / plies);
    let known: Vec<(f64, f64)> = (from + 1..=to)
        .filter_map(|depth| differences.get(depth).copied().flatten())
        .collect();
    let runs = (known.len() as u64, (to - from) as u64);
    let ours = (known.len() == to - from).then(|| {
        let sum: f64 = known.iter().map(|(elo, _)| elo).sum();
        let error = known.iter().map(|(_, error)| error * error).sum::<f64>().sqrt();
        Figure {
            count: known.len(),
            ..Figure::plus_minus(sum / plies, error / plies)
        }
    });
    Comparison::new(
        format!("from {from} to {to} plies"),
        published,
        ours,
        runs,
        Some(0.0),
    )
}
