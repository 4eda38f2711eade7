//! [maribor-2004]: what each algorithm, table, ordering and pruning costs, beside what the literature expects.

use vidmar_engine::comparison::{Row, Sample};
use vidmar_search::Algorithm;

use crate::error::ReproduceError;
use crate::experiment::{Experiment, Reading};
use crate::figure::Figure;
use crate::plan::Plan;
use crate::report::{Comparison, List, Section, Table, number};
use crate::results::Results;
use crate::step::Step;
use crate::work::{Algorithms, Variants};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "algorithms",
    source: "maribor-2004",
    what: "Nodes of every algorithm, table, ordering, null move, futility and parallel search over the positions of Bratko and Kopec",
    claim: "NegaScout needs about a tenth fewer nodes than alpha-beta, good ordering comes within 20 to 30 % of the minimal tree, and the branching factor falls from 35 to about 6",
    seeds: 1,
    readings: &[
        Reading {
            open: "whether nodes of the quiescence search count",
            ours: "they do where it is on; the tables without it show the trees of the theory",
            other: "`vidmar compare --quiescence off`",
        },
        Reading {
            open: "what alpha-beta returns when it fails low",
            ours: "the best value found (fail-soft)",
            other: "`vidmar compare --fail hard`",
        },
    ],
    steps,
    report,
};

/// Plies at full scale.
const DEPTH: u32 = 6;
/// The positions of Bratko and Kopec.
const POSITIONS: u64 = 24;

/// At a small scale fewer positions, and in a smoke test fewer plies.
fn work(variants: Variants, plan: &Plan) -> Algorithms {
    let depth = if plan.is_smoke() { 2 } else { DEPTH };
    Algorithms::new(variants, depth, plan.scaled(POSITIONS, 2))
}

const STEPS: [(&str, &str, Variants, f64); 3] = [
    (
        "quiescence",
        "one thing at a time, with quiescence",
        Variants::OneAtATime,
        0.19,
    ),
    (
        "full-width",
        "every algorithm without quiescence",
        Variants::WithoutQuiescence,
        0.035,
    ),
    (
        "no-table",
        "every algorithm without quiescence and table",
        Variants::WithoutTable,
        0.12,
    ),
];

fn steps(plan: &Plan) -> Vec<Step> {
    let step = |&(id, what, variants, seconds): &(&str, &str, Variants, f64)| {
        Step::new(id, what, work(variants, plan), seconds)
    };
    STEPS.iter().map(step).collect()
}

/// What is compared over the positions.
type Measure = fn(&Sample) -> f64;

/// Percent that one algorithm has over another, position by position.
fn over(
    samples: &[Vec<Sample>],
    work: &Algorithms,
    one: Algorithm,
    other: Algorithm,
    measure: Measure,
) -> Option<Figure> {
    more(samples, work.index_of(one)?, work.index_of(other)?, measure)
}

/// Percent that one search has over another, of the positions that both completed.
fn more(samples: &[Vec<Sample>], one: usize, other: usize, measure: Measure) -> Option<Figure> {
    let ratios: Vec<f64> = samples
        .iter()
        .filter(|position| position[one].completed && position[other].completed)
        .map(|position| 100.0 * (measure(&position[one]) / measure(&position[other]).max(1.0) - 1.0))
        .collect();
    Figure::of(&ratios)
}

fn nodes(sample: &Sample) -> f64 {
    sample.counts.nodes as f64
}

fn leaves(sample: &Sample) -> f64 {
    sample.last.leaves as f64
}

fn report(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    let [quiescence, full_width, no_table] =
        STEPS.map(|(id, _, variants, _)| (results.of(id), work(variants, results.plan)));
    let samples = [
        quiescence.1.samples(&quiescence.0)?,
        full_width.1.samples(&full_width.0)?,
        no_table.1.samples(&no_table.0)?,
    ];
    let planned = quiescence.1.positions as u64;
    let done = |samples: &[Vec<Sample>]| (samples.len() as u64, planned);
    let mut rows = Vec::new();
    let works = [
        ("with quiescence", &quiescence.1),
        ("without quiescence", &full_width.1),
        ("without quiescence and table", &no_table.1),
    ];
    for ((what, work), samples) in works.iter().zip(&samples) {
        let figure = over(samples, work, Algorithm::NegaScout, Algorithm::AlphaBeta, nodes);
        rows.push(Comparison::new(
            *what,
            Figure::exact(-10.0),
            figure,
            done(samples),
            Some(0.0),
        ));
    }
    section
        .tables
        .push(over_positions("Nodes of NegaScout over alpha-beta", rows));
    let mut rows = Vec::new();
    for ((what, work), samples) in works.iter().zip(&samples).take(2) {
        let figure = over(
            samples,
            work,
            Algorithm::Mtdf,
            Algorithm::AspirationNegaScout,
            leaves,
        );
        rows.push(Comparison::new(
            *what,
            Figure::between(-10.0, -5.0),
            figure,
            done(samples),
            Some(0.0),
        ));
    }
    let title = "Leaves of MTD(f) over aspiration NegaScout";
    section.tables.push(over_positions(title, rows));
    let mut rows = Vec::new();
    let distance = |algorithm: Algorithm| {
        let index = no_table.1.index_of(algorithm)?;
        let distances: Vec<f64> = samples[2]
            .iter()
            .filter_map(|position| {
                let sample = &position[index];
                let minimal = position.iter().find(|sample| sample.completed)?.minimal_leaves?;
                sample.completed.then(|| 100.0 * (leaves(sample) / minimal - 1.0))
            })
            .collect();
        Figure::of(&distances)
    };
    for (name, algorithm) in [
        ("alpha-beta", Algorithm::AlphaBeta),
        ("NegaScout", Algorithm::NegaScout),
    ] {
        rows.push(Comparison::new(
            name,
            Figure::between(20.0, 30.0),
            distance(algorithm),
            done(&samples[2]),
            Some(0.0),
        ));
    }
    let title = "Leaves over the minimal tree, all orderings, no table";
    section.tables.push(over_positions(title, rows));
    branching(section, &samples[1], &full_width.1);
    orderings(section, &quiescence.1.rows(&quiescence.0)?, &samples[0], planned);
    for ((id, what, ..), (folder, work)) in STEPS.iter().zip([&quiescence, &full_width, &no_table]) {
        let rows = work.rows(folder)?;
        if rows.iter().any(|row| row.completed > 0) {
            section
                .lists
                .push(all_rows(&format!("{what} ({id}), depth {}", work.depth), &rows));
        }
    }
    Ok(())
}

fn branching(section: &mut Section, samples: &[Vec<Sample>], work: &Algorithms) {
    let factor = |algorithm: Algorithm| {
        let index = work.index_of(algorithm)?;
        let factors: Vec<f64> = samples
            .iter()
            .filter(|position| position[index].completed)
            .map(|position| (position[index].last.nodes as f64).powf(1.0 / f64::from(work.depth)))
            .collect();
        Figure::of(&factors)
    };
    let runs = (samples.len() as u64, work.positions as u64);
    let row = |(name, algorithm): (&str, Algorithm)| {
        Comparison::new(
            format!("{name}, without quiescence"),
            Figure::exact(6.0),
            factor(algorithm),
            runs,
            Some(35.0),
        )
    };
    section.tables.push(Table {
        title: "Branching factor (35 without pruning)".to_owned(),
        unit: "",
        digits: 2,
        over: "positions",
        rows: [
            ("alpha-beta", Algorithm::AlphaBeta),
            ("NegaScout", Algorithm::NegaScout),
            ("a zero-window test", Algorithm::ZeroWindow),
        ]
        .map(row)
        .into(),
    });
}

/// A table of percentages over positions.
fn over_positions(title: &str, rows: Vec<Comparison>) -> Table {
    Table {
        title: title.to_owned(),
        unit: "%",
        digits: 1,
        over: "positions",
        rows,
    }
}

/// What leaving an ordering out costs, position by position.
fn orderings(section: &mut Section, rows: &[Row], samples: &[Vec<Sample>], planned: u64) {
    let mut ordering = (0..rows.len()).filter(|&index| rows[index].variant().group == "ordering");
    let Some(base) = ordering.next() else {
        return;
    };
    let runs = (samples.len() as u64, planned);
    let compared = ordering.map(|index| {
        let row = &rows[index];
        let label = format!("ordered by {}", row.variant().ordering);
        let figure = more(samples, index, base, nodes);
        if row.is_complete() && rows[base].is_complete() {
            return Comparison::new(label, Figure::between(50.0, 100.0), figure, runs, Some(0.0));
        }
        let why = format!(
            "only {} of {} positions are within the limit of nodes, the easier ones",
            row.completed, row.positions
        );
        Comparison::alone(label, figure, runs, &why)
    });
    let title = "Nodes more than with all orderings (alpha-beta, quiescence)";
    section.tables.push(over_positions(title, compared.collect()));
}

fn all_rows(title: &str, rows: &[Row]) -> List {
    let cells = |row: &Row| {
        let variant = row.variant();
        let name = match variant.group {
            "algorithm" => variant.algorithm.to_string(),
            "table" => variant.table.to_string(),
            "ordering" => variant.ordering.to_string(),
            "board" => variant.board.to_string(),
            _ => variant
                .change
                .map_or(String::new(), |change| change.name().to_owned()),
        };
        let complete = |text: String| if row.is_complete() { text } else { "–".to_owned() };
        vec![
            format!("{} {name}", variant.group),
            complete(row.counts.nodes.to_string()),
            complete(row.counts.quiescence_nodes.to_string()),
            complete(row.leaves.to_string()),
            complete(number(row.branching(), 2)),
            complete(
                row.distance()
                    .map_or("–".to_owned(), |distance| number(distance, 2)),
            ),
            format!("{} of {}", row.completed, row.positions),
            row.disagreements.to_string(),
        ]
    };
    List {
        title: title.to_owned(),
        columns: [
            "",
            "nodes",
            "quiescence",
            "leaves",
            "branching",
            "minimal",
            "completed",
            "other values",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: rows.iter().map(cells).collect(),
    }
}
