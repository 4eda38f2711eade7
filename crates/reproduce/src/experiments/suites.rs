//! [maribor-2004]: test suites at five seconds a position.

use std::time::Duration;

use crate::data::Needed;
use crate::error::ReproduceError;
use crate::experiment::{Experiment, Reading};
use crate::figure::Figure;
use crate::plan::Plan;
use crate::published::{self, number};
use crate::report::{Comparison, Section, Table};
use crate::results::Results;
use crate::step::Step;
use crate::work::SuiteStep;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "suites",
    source: "maribor-2004",
    what: "The configuration of the 2004 program (alpha-beta with aspiration, null move, quiescence, table, killers, bitboards) on three test suites at 5 s a position, and the flagship beside it",
    claim: "222 of 300, 273 of 879 and 666 of 1001 positions solved in 5 s each, in Java on a Pentium 4 at 2.8 GHz",
    seeds: 1,
    readings: &[
        Reading {
            open: "the evaluation of the 2004 program",
            ours: "the teaching one that the work prints: material and 10 a legal move",
            other: "`vidmar suite FILE --player search:…,eval=full`",
        },
        Reading {
            open: "the reduction of its null move, its replacement scheme, its other orderings",
            ours: "R = 2, two-level, the table's move and captures by MVV/LVA before killers",
            other: "`vidmar suite FILE --player search:null-move=…,table=…,ordering=…`",
        },
        Reading {
            open: "the machine",
            ours: "this one, five seconds by its clock: some ten times as fast, in a language that is compiled",
            other: "`vidmar suite FILE --player search:… --nodes N`: as many nodes as such a machine looks at",
        },
    ],
    steps,
    report,
};

/// Time for a position in a smoke test.
const SMOKE_TIME: Duration = Duration::from_millis(5);

/// The techniques of the 2004 program.
const PUBLISHED: &str = "search:algorithm=aspiration,board=bitboard,eval=simple,null-move=r2,quiescence=on,table=two-level,table-mib=64,\
     ordering=table\\,mvv-lva\\,killers";
const FLAGSHIP: &str = "engine:hash=64";

/// The suites: folder, name in the published table, positions, file.
const SUITES: [(&str, &str, u64, Needed); 3] = [
    (
        "wac",
        "Win at Chess",
        300,
        Needed {
            path: "epd/wac.epd",
            what: "Win at Chess, 300 positions",
            origin: "tests/files/win_at_chess_test.epd of github.com/thomasahle/sunfish",
        },
    ),
    (
        "ecm",
        "Encyclopedia of Chess Middlegames",
        879,
        Needed {
            path: "epd/ecm.epd",
            what: "Encyclopedia of Chess Middlegames, 879 positions",
            origin: "ECM.epd of github.com/stannous/shatranj",
        },
    ),
    (
        "wcsac",
        "1001 Winning Chess Sacrifices",
        1001,
        Needed {
            path: "epd/wcsac.epd",
            what: "1001 Winning Chess Sacrifices, 1001 positions",
            origin: "wcsac.epd of github.com/jwiegley/emacs-chess",
        },
    ),
];

const PLAYERS: [(&str, &str, &str); 2] = [
    ("2004", "configuration of 2004", PUBLISHED),
    ("flagship", "flagship", FLAGSHIP),
];

fn steps(plan: &Plan) -> Vec<Step> {
    let mut steps = Vec::new();
    for (player, name, spec) in PLAYERS {
        for (suite, title, positions, file) in SUITES {
            let work = SuiteStep {
                file,
                positions,
                every: ((1.0 / plan.scale).round() as u64).clamp(1, positions),
                player: spec,
                time: if plan.is_smoke() {
                    SMOKE_TIME
                } else {
                    Duration::from_secs(5)
                },
            };
            steps.push(Step::new(
                format!("{suite}-{player}"),
                format!("{title}, {name}"),
                work,
                5.0,
            ));
        }
    }
    steps
}

fn report(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    let table = published::suites();
    let mut rows = Vec::new();
    for (player, name, _) in PLAYERS {
        for (suite, title, ..) in SUITES {
            let id = format!("{suite}-{player}");
            let result = SuiteStep::read(&results.of(&id))?;
            let planned = results
                .steps
                .iter()
                .find(|step| step.id == id)
                .map_or(0, |step| step.work.units());
            let published = table.rows().find(|row| row["suite"] == title);
            let published = published
                .and_then(|row| Figure::of_share(number(&row, "solved"), number(&row, "positions") as u64));
            let ours = Figure::of_share(result.solved as f64, result.positions as u64);
            let runs = (result.positions as u64, planned);
            rows.push(Comparison::new(
                format!("{title}, {name}"),
                published.unwrap_or(Figure::exact(0.0)),
                ours,
                runs,
                None,
            ));
        }
    }
    section.tables.push(Table {
        title: "Positions solved at 5 s".to_owned(),
        unit: "%",
        digits: 1,
        over: "positions",
        rows,
    });
    Ok(())
}
