//! [qvarford-2015]: does a behaviour made from a better expert's games play better?

use vidmar_cases::study::PUBLISHED_WEIGHTS;

use crate::data::Needed;
use crate::error::ReproduceError;
use crate::experiment::{Experiment, Reading};
use crate::figure::Figure;
use crate::plan::Plan;
use crate::published::{self, number};
use crate::report::{Comparison, List, Section, Table, number as shown};
use crate::results::Results;
use crate::step::Step;
use crate::work::{Cut, Study, StudyRow};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "experts",
    source: "qvarford-2015",
    what: "The study of seven experts: 630 games between behaviours made from their games, with full case bases and with bases of the published sizes, and what the work left to try",
    claim: "6 to 14 % of the games are decided, and no setting of the weights orders the behaviours as the ratings of their experts",
    seeds: 1,
    readings: &[
        Reading {
            open: "the seven experts",
            ours: "seven others of like ratings: whoever is in the folder experts/",
            other: "another folder with --data",
        },
        Reading {
            open: "the sizes of the case bases (50 to 100 games at the bottom, over 1,000 at the top)",
            ours: "both: all games there are, and cut from all at the top to 75 at the bottom by the same factor from expert to expert",
            other: "`vidmar cases study --games N`: as many for everybody",
        },
        Reading {
            open: "the distance of every square to the nearest like piece, an idea without a formula",
            ours: "both: as written, every square of the position at hand, empty ones too, its inverse distance 1 / (1 + d) summed (`metric=like-squares`); and of the pieces of either board alone (`metric=like-pieces`)",
            other: "`vidmar cases study --set metric=…`",
        },
        Reading {
            open: "how many cases are retrieved and how much their unlikeness costs, where the most similar one does not decide",
            ours: "ten and 0.5",
            other: "`vidmar cases study --set k=N --set penalty=X`",
        },
        Reading {
            open: "which of several orderings of the same length is printed",
            ours: "the first in lexical order",
            other: "",
        },
        Reading {
            open: "the draws of .NET's random numbers",
            ours: "draws of our own, from the same seeds (round − 1)",
            other: "",
        },
    ],
    steps,
    report,
};

const EXPERTS: Needed = Needed {
    path: "experts",
    what: "games of seven experts, one PGN file each with ratings in the tags",
    origin: "any collection of games, e.g. The Week in Chess; experts near 1994, 2101, 2211, 2320, 2430, 2535, 2645 Elo",
};

/// Rounds of the published study.
const ROUNDS: u64 = 3;
/// Rounds of the variants, which ask for a score and its interval.
const VARIANT_ROUNDS: u64 = 20;

/// What the work left to try: folder, settings, processor seconds a game; the dear one last.
const VARIANTS: [(&str, &str, f64); 12] = [
    ("as-published", "", 0.0011),
    ("cycles", "cycles=avoid", 0.004),
    ("unwanted-cycles", "cycles=unwanted", 0.003),
    ("mirror", "mirror=on", 0.002),
    ("shift", "shift=on", 0.018),
    ("nearest-10", "k=10 penalty=0.5", 0.002),
    ("solution", "solution=0.3", 0.0045),
    ("captures", "captures=4", 0.0015),
    ("learn", "learn=game", 0.003),
    ("filter", "cycles=avoid k=3 filter=root filter-depth=2", 0.1),
    ("like-pieces", "metric=like-pieces", 0.5),
    ("like-squares", "metric=like-squares", 2.0),
];

fn study(weights: &[vidmar_cases::Weights], settings: &'static str, rounds: u64, cut: Cut) -> Study {
    Study {
        experts: EXPERTS,
        weights: weights.to_vec(),
        settings,
        rounds,
        cut,
    }
}

fn steps(plan: &Plan) -> Vec<Step> {
    let rounds = plan.scaled(ROUNDS, 1);
    let mut steps = vec![
        Step::new(
            "published",
            "the published study",
            study(&PUBLISHED_WEIGHTS, "", rounds, Cut::Full),
            0.0015,
        ),
        Step::new(
            "published-sizes",
            "the same with bases of the published sizes",
            study(&PUBLISHED_WEIGHTS, "", rounds, Cut::Published),
            0.001,
        ),
    ];
    let rounds = plan.scaled(VARIANT_ROUNDS, 1);
    for (id, settings, seconds) in VARIANTS {
        let what = if settings.is_empty() {
            "as published, more rounds"
        } else {
            settings
        };
        steps.push(Step::new(
            id,
            what,
            study(&PUBLISHED_WEIGHTS[..1], settings, rounds, Cut::Full),
            seconds,
        ));
    }
    if plan.is_smoke() {
        // Games without repetitions are long, and a search takes longer.
        steps.retain(|step| !step.what.contains("cycles"));
        return steps;
    }
    steps.push(Step::new(
        "cycles-sizes",
        "cycles=avoid, bases of the published sizes",
        study(&PUBLISHED_WEIGHTS[..1], "cycles=avoid", rounds, Cut::Published),
        0.004,
    ));
    steps.push(Step::new(
        "cycles-equal",
        "cycles=avoid, 200 games for everybody",
        study(&PUBLISHED_WEIGHTS[..1], "cycles=avoid", rounds, Cut::Equal(200)),
        0.004,
    ));
    steps
}

fn report(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    let table = published::case_based();
    for (id, title) in [
        ("published", "Games not drawn, all games of every expert"),
        ("published-sizes", "Games not drawn, bases of the published sizes"),
    ] {
        let ours = Study::read(&results.of(id))?.unwrap_or_default();
        let planned = 42 * results.plan.scaled(ROUNDS, 1);
        let games_of_the_work: u32 = 126;
        let rows = table.rows().enumerate().map(|(index, row)| {
            let share = number(&row, "decided_games_percent") / 100.0 * f64::from(games_of_the_work);
            let published = Figure::of_share(share, u64::from(games_of_the_work));
            let found = ours.get(index);
            let figure = found.and_then(|found| Figure::of_share(found.decided as f64, found.games as u64));
            let runs = (found.map_or(0, |found| found.games as u64), planned);
            let label = format!("weights {}/{}/{}", row["weight1"], row["weight2"], row["weight3"]);
            let comparison =
                Comparison::new(label, published.unwrap_or(Figure::exact(0.0)), figure, runs, None);
            match found {
                Some(found) => comparison.remarked(format!(
                    "longest ordering {}, published {}; as the ratings: {}, published {}",
                    ordering(found),
                    row["longest_ordering"],
                    if found.same_as_elo { "yes" } else { "no" },
                    row["same_as_elo"]
                )),
                None => comparison,
            }
        });
        section.tables.push(Table {
            title: title.to_owned(),
            unit: "%",
            digits: 1,
            over: "games",
            rows: rows.collect(),
        });
    }
    if let Some(experts) = Study::read_experts(&results.of("published-sizes"))? {
        let list: Vec<String> = experts
            .iter()
            .map(|(name, elo, games)| format!("{name} ({elo:.0}, {games} games)"))
            .collect();
        section
            .notes
            .push(format!("Bases of the published sizes: {}.", list.join(", ")));
    }
    variants(results, section)
}

fn ordering(row: &StudyRow) -> String {
    let indices: Vec<String> = row.longest_ordering.iter().map(ToString::to_string).collect();
    indices.join(" ")
}

/// What a higher-rated expert's behaviour scores against a lower-rated one's: 50 % says that ratings mean nothing.
fn variants(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    let mut rows = Vec::new();
    let settings = VARIANTS.map(|(id, settings, _)| {
        (
            id,
            if settings.is_empty() {
                "as published"
            } else {
                settings
            },
        )
    });
    let more = [
        ("cycles-sizes", "cycles=avoid, bases of the published sizes"),
        ("cycles-equal", "cycles=avoid, 200 games for everybody"),
    ];
    for (id, settings) in settings.into_iter().chain(more) {
        let Some(found) = Study::read(&results.of(id))?.and_then(|rows| rows.into_iter().next()) else {
            continue;
        };
        let interval = found.higher_rated_interval.map_or(String::new(), |(low, high)| {
            format!("[{}, {}]", shown(low, 1), shown(high, 1))
        });
        rows.push(vec![
            settings.to_owned(),
            found.games.to_string(),
            shown(100.0 * found.decided as f64 / found.games.max(1) as f64, 1),
            shown(found.higher_rated_percent, 1),
            interval,
            found.kendall.map_or(String::new(), |tau| shown(tau, 2)),
            ordering(&found),
        ]);
    }
    section.lists.push(List {
        title: "What the work left to try, weights 0.5/0.5/0.5: does the higher-rated expert's behaviour score more than half?".to_owned(),
        columns: ["settings", "games", "decided %", "score %", "95 %", "Kendall's tau", "longest ordering"]
            .map(str::to_owned)
            .to_vec(),
        rows,
    });
    Ok(())
}
