//! `vidmar net verify`: whether a net plays better than another one and than the hand-crafted evaluation.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use vidmar_arena::{
    Clock, Decision, DrawRule, Ended, FaultPolicy, Finished, MatchFiles, MatchPlayer, MatchSettings, Plan,
    ResignRule, Rules, Session, Sprt, SprtModel, StoredMatch, ThreadExecutor, TimeControl,
};
use vidmar_engine::Control;
use vidmar_players::PlayerSpec;
use vidmar_rows::{MatchTable, elo_text};

use crate::interrupt::{self, INTERRUPTED};
use crate::{arguments, home, output, progress};

/// Test a net against its predecessor and against the hand-crafted evaluation
///
/// Each test is a match of its own that ends as soon as it is decided (SPRT), and is kept in a store of the directory: the same command goes on
/// where it was stopped, and shows again what is decided. The exit code is 1 unless every test shows a gain.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar net verify first.net                           # against tuned, at 8000 nodes, 2+0.02 and 8+0.08
  vidmar net verify second.net first.net --nodes 8000   # against first.net and tuned, at fixed nodes alone
  vidmar net verify second.net first.net --tc 2+0.02 --elo1 5 --games 20000")]
pub(crate) struct Verify {
    /// The net
    #[arg(value_name = "NET")]
    net: String,
    /// The net before it; the hand-crafted evaluation is always an opponent
    #[arg(value_name = "AGAINST")]
    against: Option<String>,
    /// Positions that are visited for a move; several are several tests
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Vec<u64>,
    /// Clocks; several are several tests
    #[arg(long, value_delimiter = ',', value_name = "TIME+INCREMENT")]
    tc: Vec<Clock>,
    /// The most games of a test
    #[arg(long, default_value_t = 2_000, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    games: u64,
    /// A gain of less than this is none, in Elo
    #[arg(
        long,
        default_value_t = 0.0,
        value_name = "ELO",
        allow_negative_numbers = true
    )]
    elo0: f64,
    /// A gain of this much is to be seen, in Elo
    #[arg(
        long,
        default_value_t = 10.0,
        value_name = "ELO",
        allow_negative_numbers = true
    )]
    elo1: f64,
    /// The directory for the stores of the games
    #[arg(long, default_value = home::RUNS, value_name = "DIR")]
    out: PathBuf,
    /// Another seed, other openings
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// Games at a time (default: one for each core)
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: Option<u16>,
    /// Print a JSON object for each test
    #[arg(long)]
    json: bool,
}

/// The evaluation that every net must beat.
const HAND_CRAFTED: &str = "tuned";
/// What is tested if nothing is said.
const NODES: u64 = 8_000;
const CLOCKS: [&str; 2] = ["2+0.02", "8+0.08"];
/// Of both sides.
const HASH: u32 = 16;

/// One test: an opponent and limits.
struct Test {
    against: String,
    limits: TimeControl,
    name: String,
}

#[derive(Serialize)]
struct Answer<'a> {
    net: &'a str,
    opponent: &'a str,
    limits: &'a str,
    #[serde(flatten)]
    table: MatchTable,
    /// `gain`, `no gain`, `undecided` or `stopped`.
    result: &'static str,
}

impl Verify {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let sprt = Sprt::new(self.elo0, self.elo1, 0.05, 0.05, SprtModel::Logistic)?;
        let folder = &self.out;
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let control = interrupt::control()?;
        let mut table = plain_table();
        let mut is_gain = true;
        for test in self.tests()? {
            let names = [short(&self.net), short(&test.against)];
            let finished = self.play(&test, &names, sprt, folder, &control)?;
            let result = result(finished.ended);
            is_gain &= result == GAIN;
            let answer = Answer {
                net: &self.net,
                opponent: &test.against,
                limits: &test.name,
                table: finished.scoreboard.table(&names),
                result,
            };
            if self.json {
                output::print(&(serde_json::to_string(&answer)? + "\n"))?;
            } else {
                table.add_row(row(&answer));
            }
            if finished.ended == Ended::Stopped {
                output::hint("stopped; the same command goes on");
                return Ok(ExitCode::from(INTERRUPTED));
            }
        }
        if !self.json {
            output::print(&format!("{table}\n"))?;
        }
        Ok(ExitCode::from(u8::from(!is_gain)))
    }

    /// Every opponent with all limits.
    fn tests(&self) -> anyhow::Result<Vec<Test>> {
        let is_usual = self.nodes.is_empty() && self.tc.is_empty();
        let (mut nodes, mut clocks) = (self.nodes.clone(), self.tc.clone());
        if is_usual {
            nodes = vec![NODES];
            clocks = CLOCKS
                .iter()
                .map(|clock| clock.parse())
                .collect::<Result<_, _>>()?;
        }
        let of_nodes = nodes.iter().map(|&nodes| {
            let limits = TimeControl {
                nodes: Some(nodes),
                ..TimeControl::default()
            };
            (limits, format!("{nodes} nodes"))
        });
        let of_clocks = clocks.iter().map(|clock| {
            let limits = TimeControl {
                base: clock.base,
                increment: clock.increment,
                moves: clock.moves,
                ..TimeControl::default()
            };
            (limits, clock.to_string())
        });
        let limits: Vec<(TimeControl, String)> = of_nodes.chain(of_clocks).collect();
        let opponents = self.against.iter().map(String::as_str).chain([HAND_CRAFTED]);
        let tests = opponents.flat_map(|against| {
            limits.iter().map(move |(limits, name)| Test {
                against: against.to_owned(),
                limits: *limits,
                name: name.clone(),
            })
        });
        Ok(tests.collect())
    }

    fn play(
        &self,
        test: &Test,
        names: &[String; 2],
        sprt: Sprt,
        folder: &Path,
        control: &Control,
    ) -> anyhow::Result<Finished> {
        let [net, against] = names;
        let player = |name: &String, eval: &str| -> anyhow::Result<MatchPlayer> {
            let spec: PlayerSpec = format!("engine:hash={HASH},eval={eval}").parse()?;
            Ok(MatchPlayer {
                name: name.clone(),
                spec,
                limits: test.limits,
                restart: false,
            })
        };
        let settings = MatchSettings {
            players: vec![player(net, &self.net)?, player(against, &test.against)?],
            plan: Plan {
                rounds: self.games.div_ceil(2),
                ..Plan::default()
            },
            openings: None,
            rules: rules(),
            faults: FaultPolicy::Loss,
            sprt: Some(sprt),
            paired: true,
            seed: self.seed,
            keeps_pvs: false,
        };
        let limits = test.name.replace(['/', ' '], "-");
        let store = folder.join(format!("verify-{net}-{against}-{limits}.db"));
        let session = if store.exists() {
            Session::resume(
                StoredMatch::open(&store)?,
                &settings,
                MatchFiles::default(),
                false,
            )
        } else {
            Session::start(&settings, MatchFiles::default(), &store, &[])
        };
        let session = session.with_context(|| store.display().to_string())?;
        let known = session.store().finished(session.run())?.len();
        let bar = progress::bar(session.contest().schedule.games() as usize, "games");
        bar.set_position(known as u64);
        let asked = self.threads.and_then(|threads| NonZeroUsize::new(threads.into()));
        let available = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let executor = ThreadExecutor::new(asked.unwrap_or_else(available));
        let played = session.play(&executor, control, &mut |_| bar.inc(1));
        bar.finish_and_clear();
        played.map_err(|error| anyhow!(error))
    }
}

/// Games that are decided end.
fn rules() -> Rules {
    Rules {
        resign: Some(ResignRule {
            score: 600,
            moves: 4,
            two_sided: true,
        }),
        draw: Some(DrawRule {
            from_move: 34,
            moves: 8,
            score: 20,
        }),
        ..Rules::default()
    }
}

/// The name of a net in tables: its file without folder and ending.
fn short(eval: &str) -> String {
    let stem = Path::new(eval).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or(eval).to_owned()
}

const GAIN: &str = "gain";

fn result(ended: Ended) -> &'static str {
    match ended {
        Ended::Decided(Decision::H1) => GAIN,
        Ended::Decided(Decision::H0) => "no gain",
        Ended::Complete => "undecided",
        Ended::Stopped => "stopped",
    }
}

fn plain_table() -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header([
        "against",
        "limits",
        "Elo (95 %)",
        "games",
        "won",
        "drawn",
        "lost",
        "SPRT",
    ]);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn row(answer: &Answer<'_>) -> Vec<String> {
    let player = answer.table.players.first();
    let number = |of: fn(&vidmar_rows::PlayerRow) -> u64| player.map_or(0, of).to_string();
    vec![
        answer.opponent.to_owned(),
        answer.limits.to_owned(),
        elo_text(player.and_then(vidmar_rows::PlayerRow::interval)),
        answer.table.games.to_string(),
        number(|row| row.wins),
        number(|row| row.draws),
        number(|row| row.losses),
        answer.result.to_owned(),
    ]
}
