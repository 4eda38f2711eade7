//! [urminsky-2007]: the player that evolves lines of moves.

use vidmar_evolve::Strategy;

use super::{counts, elo, first_of, score};
use crate::error::ReproduceError;
use crate::experiment::{Experiment, Reading};
use crate::figure::Figure;
use crate::plan::Plan;
use crate::published::{self, number};
use crate::report::{Comparison, List, Section, Table};
use crate::results::Results;
use crate::step::Step;
use crate::work::{LateChanges, MatchStep, Population, PrintedGame, Replay, Seat, matches::up_to_moves};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "evolved",
    source: "urminsky-2007",
    what: "The player that evolves lines of moves: its printed games, its ten games against a minimax program, and the proposed cures",
    claim: "evolved lines play legal chess and score half a point in ten games against a minimax program, because the opponent is assumed to help",
    seeds: 5,
    readings: &[
        Reading {
            open: "how deep the minimax program looks",
            ours: "two plies, where the player loses as published; one and three beside it",
            other: "",
        },
        Reading {
            open: "15. g1e3 of the first printed game is not legal",
            ours: "g1e2, which the rest of the game fits",
            other: "",
        },
        Reading {
            open: "whether a line is worth the sum over its genes or its end",
            ours: "the sum, as printed",
            other: "`evolve:fitness=leaf`",
        },
        Reading {
            open: "in which positions alternating evolution was seen to turn in circles (our own earlier figures name none)",
            ours: "three middlegames, named in the table",
            other: "",
        },
    ],
    steps,
    report,
};

/// How deep the minimax program of the ten games is taken to look.
const READ_PLIES: u32 = 2;

/// Where lines evolve to see whether they settle.
const MIDDLEGAMES: [&str; 3] = [
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 0 13",
    "2rq1rk1/pb1n1ppp/1p2pn2/8/1bBP4/2N2N2/PP2QPPP/R1BR2K1 w - - 0 13",
];

/// Evolutions with the share of late changes that our pages stated before.
const POPULATIONS: [(Population, f64); 4] = [
    (population("alternating, 6 genes", Strategy::Alternating, 6), 17.0),
    (population("alternating, 3 genes", Strategy::Alternating, 3), 5.0),
    (population("alternating, 2 genes", Strategy::Alternating, 2), 0.04),
    (population("answering, 3 genes", Strategy::Answering, 3), 0.04),
];

const fn population(name: &'static str, strategy: Strategy, genes: usize) -> Population {
    Population {
        name,
        strategy,
        genes,
    }
}

/// A row of the matches: folder, what it is, player, plies of the minimax program, games, processor seconds a game.
struct Match {
    id: &'static str,
    what: &'static str,
    player: &'static str,
    plies: u32,
    games: u64,
    seconds: f64,
}

const MATCHES: [Match; 11] = [
    row("published-1", "as published", "evolve:seed=1", 1, 40, 0.17),
    row("published-2", "as published", "evolve:seed=1", 2, 40, 0.07),
    row("published-3", "as published", "evolve:seed=1", 3, 20, 0.12),
    row(
        "published-large",
        "as published, 300 generations, 5 chromosomes",
        "evolve:chromosomes=5,seed=1,generations=300",
        2,
        20,
        0.16,
    ),
    row(
        "leaf-1",
        "the end of the line counts",
        "evolve:fitness=leaf,seed=1",
        1,
        40,
        0.08,
    ),
    row(
        "full-1",
        "a richer evaluation",
        "evolve:eval=full,seed=1",
        1,
        40,
        0.25,
    ),
    row(
        "alternating-1",
        "alternating, the proposed cure",
        "evolve:strategy=alternating,seed=1",
        1,
        40,
        0.18,
    ),
    row(
        "alternating-2",
        "alternating, the proposed cure",
        "evolve:strategy=alternating,seed=1",
        2,
        40,
        0.11,
    ),
    row(
        "structure-2",
        "alternating, leaf, 2 genes, doubled pawns and mobility",
        "evolve:strategy=alternating,fitness=leaf,genes=2,eval=structure,seed=1",
        2,
        40,
        0.065,
    ),
    row(
        "improved-2",
        "answering, leaf, 3 genes, exchanges; 30,000 nodes",
        "evolve:preset=improved,nodes=30000,seed=1",
        2,
        40,
        0.5,
    ),
    row(
        "improved-3",
        "answering, leaf, 3 genes, exchanges; 30,000 nodes",
        "evolve:preset=improved,nodes=30000,seed=1",
        3,
        20,
        0.75,
    ),
];

const fn row(
    id: &'static str,
    what: &'static str,
    player: &'static str,
    plies: u32,
    games: u64,
    seconds: f64,
) -> Match {
    Match {
        id,
        what,
        player,
        plies,
        games,
        seconds,
    }
}

/// What a smoke test cuts the evolution to, and the minimax program.
const SMOKE_GENERATIONS: u32 = 4;
const SMOKE_NODES: u32 = 300;

impl Match {
    /// The player as it plays under this plan.
    fn player(&self, plan: &Plan) -> String {
        if !plan.is_smoke() {
            return self.player.to_owned();
        }
        let nodes = format!("nodes={SMOKE_NODES}");
        let weak = self.player.replace("nodes=30000", &nodes);
        let weak = weak.replace(",generations=300", "");
        format!("{weak},generations={SMOKE_GENERATIONS}")
    }

    /// Plies of the minimax program under this plan.
    fn plies(&self, plan: &Plan) -> u32 {
        if plan.is_smoke() { 1 } else { self.plies }
    }

    /// Who plays whom, as they are.
    fn label(&self, plan: &Plan) -> String {
        let cut = if plan.is_smoke() {
            format!(", cut to {SMOKE_GENERATIONS} generations,")
        } else {
            String::new()
        };
        format!("{}{cut} against minimax {}", self.what, self.plies(plan))
    }
}

fn minimax(plies: u32) -> String {
    format!("search:algorithm=minimax,quiescence=off,eval=simple,depth={plies}")
}

fn printed_games() -> Vec<PrintedGame> {
    let table = published::evolved_games();
    let moves = |game: u32| {
        let rows = table.rows().filter(move |row| number(row, "game") as u32 == game);
        rows.flat_map(|row| [row["white"].to_owned(), row["black"].to_owned()])
            .collect()
    };
    [1, 2]
        .map(|number| PrintedGame {
            number,
            moves: moves(number),
            instead: &[("g1e3", "g1e2")],
        })
        .into()
}

fn steps(plan: &Plan) -> Vec<Step> {
    let late = LateChanges {
        positions: MIDDLEGAMES.to_vec(),
        populations: POPULATIONS.iter().map(|(population, _)| *population).collect(),
        generations: plan.scaled(200, 4),
        seeds: plan.seeds,
    };
    let mut steps = vec![
        Step::new(
            "printed-games",
            "the printed games, move by move",
            Replay {
                games: printed_games(),
            },
            0.001,
        ),
        Step::new("late-changes", "whether lines settle", late, 0.03),
    ];
    steps.extend(MATCHES.iter().map(|row| {
        let plies = row.plies(plan);
        let name = if plan.is_smoke() {
            format!("evolved, {SMOKE_GENERATIONS} generations")
        } else {
            "evolved".to_owned()
        };
        let work = MatchStep {
            players: vec![
                Seat::new(name, row.player(plan)),
                Seat::new(format!("minimax {plies}"), minimax(plies)),
            ],
            pairs: plan.pairs(row.games),
            rules: up_to_moves(if plan.is_smoke() { 10 } else { 200 }),
            clock: None,
            seed: 1,
        };
        Step::new(row.id, row.label(plan), work, row.seconds)
    }));
    steps
}

fn report(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    printed(results, section)?;
    games(results, section)?;
    late_changes(results, section)
}

fn printed(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    let replayed = Replay::read(&results.of("printed-games"))?.unwrap_or_default();
    let rows = replayed.iter().map(|game| {
        let illegal: Vec<String> = game
            .illegal
            .iter()
            .map(|(ply, word)| format!("{}. {word}", ply.div_ceil(2)))
            .collect();
        let claimed = if game.number == 1 {
            "lost by mate"
        } else {
            "drawn by stalemate"
        };
        vec![
            format!("game {}", game.number),
            claimed.to_owned(),
            game.end.clone(),
            game.plies.to_string(),
            illegal.join(", "),
        ]
    });
    section.lists.push(List {
        title: "The printed games, replayed".to_owned(),
        columns: ["", "published", "here", "plies", "not legal as printed"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
    });
    Ok(())
}

fn games(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    let table = published::evolved_moves();
    let ten = table.rows().next().map_or(Figure::exact(0.0), |row| {
        let points = number(&row, "wins") + number(&row, "draws") / 2.0;
        Figure::of_share(points, number(&row, "games") as u64).unwrap_or(Figure::exact(0.0))
    });
    let mut comparisons = Vec::new();
    let mut list = Vec::new();
    for row in &MATCHES {
        let standing = first_of(&results.of(row.id))?;
        let planned = 2 * results.plan.pairs(row.games);
        let done = standing.as_ref().map_or(0, |standing| standing.tally.games());
        let ours = standing.as_ref().and_then(score);
        let label = row.label(results.plan);
        if row.id.starts_with("published") && row.plies == READ_PLIES {
            let comparison = Comparison::new(&label, ten, ours, (done, planned), None);
            comparisons.push(comparison);
        }
        list.push(vec![
            label,
            standing.as_ref().map_or("not run yet".to_owned(), counts),
            standing.as_ref().map_or(String::new(), elo),
        ]);
    }
    section.tables.push(Table {
        title: "Score, of ten games with a minimax program of unknown depth (0 wins, 1 draw, 9 losses), read as two plies"
            .to_owned(),
        unit: "%",
        digits: 1,
        over: "games",
        rows: comparisons,
    });
    section.lists.push(List {
        title: "All matches; the cures were proposed and not measured".to_owned(),
        columns: ["player, opponent", "wins, draws, losses", "Elo, 95 %"]
            .map(str::to_owned)
            .to_vec(),
        rows: list,
    });
    Ok(())
}

fn late_changes(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    let found = LateChanges::read(&results.of("late-changes"))?;
    let rows = POPULATIONS.iter().map(|(population, stated)| {
        let of_it = found.iter().filter(|change| change.name == population.name);
        let shares: Vec<f64> = of_it.map(crate::work::LateChange::percent).collect();
        let runs = (shares.len() as u64, results.plan.seeds);
        let why =
            format!("not in the work; our pages said {stated} % before, of positions that they do not name");
        Comparison::alone(population.name, Figure::of(&shares), runs, &why)
    });
    section.tables.push(Table {
        title: "Generations of the second half in which the best line still changes".to_owned(),
        unit: "%",
        digits: 2,
        over: "seeds",
        rows: rows.collect(),
    });
    section.notes.push(format!(
        "Lines evolved in {}.",
        MIDDLEGAMES.map(|fen| format!("`{fen}`")).join(", ")
    ));
    Ok(())
}
