//! Games out of a store: PGN, CSV, JSON lines.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use serde::Serialize;
use vidmar_arena::archive::{self, PgnStyle};
use vidmar_arena::game_row;
use vidmar_chess::Score;
use vidmar_formats::pgn::Writer;
use vidmar_rows::GameRow;
use vidmar_store::{Game, Player, Store};

use super::pick;
use crate::output;

/// Write the games of a run
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(super) struct Export {
    /// The store
    #[arg(value_name = "FILE")]
    store: PathBuf,
    /// The run; the last one by default
    #[arg(long, value_name = "N")]
    run: Option<i64>,
    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,
    /// Where to; standard output by default
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// PGN: no comments
    #[arg(long)]
    plain: bool,
    /// Leave out times and dates, which differ from one playing of the same game to the next
    #[arg(long)]
    no_times: bool,
    /// PGN: also the positions visited
    #[arg(long)]
    nodes: bool,
    /// PGN: also the positions a second
    #[arg(long)]
    nps: bool,
    /// Principal variations in the comments of PGN, where the match kept them (-pgnout … pv=true)
    #[arg(long)]
    pv: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Games with scores, depths and times in comments
    Pgn,
    /// One line a game: number, round, players, result, termination, plies
    Csv,
    /// One JSON object a game, with moves, scores, depths, nodes and times
    Jsonl,
}

#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    row: GameRow,
    start: &'a str,
    moves: Vec<&'a str>,
    thoughts: Vec<Thought>,
}

/// What a player thought of its move, for itself.
#[derive(Serialize)]
struct Thought {
    #[serde(flatten)]
    score: Option<Score>,
    depth: u32,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

impl Export {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let store = Store::open_read_only(&self.store)?;
        let Some(path) = &self.out else {
            return self.write(&store, BufWriter::new(output::stdout()));
        };
        vidmar_files::write_with(path, |file| self.write(&store, file))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    fn write(&self, store: &Store, mut out: impl Write) -> anyhow::Result<()> {
        let run = pick(store, self.run)?;
        let players = store.players(run.id)?;
        match self.format {
            Format::Pgn => {
                let style = PgnStyle {
                    plain: self.plain,
                    no_times: self.no_times,
                    nodes: self.nodes,
                    nps: self.nps,
                    pv: self.pv,
                    ..vidmar_arena::pgn_style(&run)
                };
                let mut writer = Writer::new(&mut out);
                store.for_each_game(run.id, |game| -> anyhow::Result<()> {
                    writer.write(&archive::pgn_of(&game, &players, &style)?)?;
                    Ok(())
                })?;
            }
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(&mut out);
                store.for_each_game(run.id, |game| -> anyhow::Result<()> {
                    writer.serialize(row(&game, &players)?)?;
                    Ok(())
                })?;
                writer.flush()?;
            }
            Format::Jsonl => store.for_each_game(run.id, |game| -> anyhow::Result<()> {
                serde_json::to_writer(&mut out, &self.object(&game, &players)?)?;
                writeln!(out)?;
                Ok(())
            })?,
        }
        out.flush()?;
        Ok(())
    }

    fn object<'a>(&self, game: &'a Game, players: &[Player]) -> anyhow::Result<Object<'a>> {
        let thoughts = game.thoughts.iter().map(|thought| Thought {
            score: thought.score,
            depth: thought.depth,
            nodes: thought.nodes,
            seconds: (!self.no_times).then_some(thought.time.as_secs_f64()),
        });
        Ok(Object {
            row: row(game, players)?,
            start: &game.start,
            moves: game.moves.split_ascii_whitespace().collect(),
            thoughts: thoughts.collect(),
        })
    }
}

fn row(game: &Game, players: &[Player]) -> anyhow::Result<GameRow> {
    let named = |index: u32| players.iter().find(|player| player.number == index);
    for index in [game.white, game.black] {
        named(index).with_context(|| format!("game {}: there is no player {index}", game.number))?;
    }
    Ok(game_row(game, |index| {
        named(index).map_or_else(String::new, |player| player.name.clone())
    }))
}
