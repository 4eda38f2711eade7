//! `vidmar store`: what a store of games holds; games out of it and into it.

mod export;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use clap::{Args, Subcommand};
use serde::Serialize;
use vidmar_arena::archive;
use vidmar_formats::pgn::{PgnError, Reader};
use vidmar_store::{Batch, Player, Run, Store};

use crate::output;

/// Look into a store of games; write its games as PGN, CSV or JSON; read games into it
#[derive(Args)]
pub(crate) struct StoreCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// The runs of a store, with their players and games
    List {
        /// The store
        #[arg(value_name = "FILE")]
        store: PathBuf,
        /// Print one JSON object for each run
        #[arg(long)]
        json: bool,
    },
    /// Write the games of a run
    Export(export::Export),
    /// Read games from PGN files into a store, as a run of their own
    Import {
        /// The store; made if it is not there
        #[arg(value_name = "FILE")]
        store: PathBuf,
        /// The games
        #[arg(value_name = "GAMES.pgn", required = true)]
        games: Vec<PathBuf>,
        /// Leave out games that cannot be read instead of stopping at the first
        #[arg(long)]
        skip_errors: bool,
    },
    /// Read the whole file and compare its parts with one another
    Check {
        /// The store
        #[arg(value_name = "FILE")]
        store: PathBuf,
    },
}

impl StoreCommand {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.action {
            Action::List { store, json } => list(&store, json)?,
            Action::Export(export) => export.run()?,
            Action::Import {
                store,
                games,
                skip_errors,
            } => import(&store, &games, skip_errors)?,
            Action::Check { store } => {
                let store = Store::open_read_only(&store)?;
                store.check()?;
                for run in store.runs()? {
                    store.for_each_game(run.id, |game| {
                        archive::moves(&game).map(drop).map_err(anyhow::Error::from)
                    })?;
                }
                output::print("every part agrees with every other, and every move is legal\n")?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Serialize)]
struct Summary<'a> {
    run: i64,
    kind: &'a str,
    state: &'a str,
    date: String,
    players: Vec<String>,
    games: u64,
    unscored: u64,
    faults: usize,
}

fn list(path: &Path, json: bool) -> anyhow::Result<()> {
    let store = Store::open_read_only(path)?;
    let mut text = String::new();
    for run in store.runs()? {
        let results = store.results(run.id)?;
        let unscored = results.iter().filter(|game| game.result.is_none()).count() as u64;
        let summary = Summary {
            run: run.id,
            kind: &run.kind,
            state: &run.state,
            date: vidmar_arena::pgn_date(run.begun),
            players: store
                .players(run.id)?
                .into_iter()
                .map(|player| player.name)
                .collect(),
            games: results.len() as u64 - unscored,
            unscored,
            faults: store.faults(run.id)?.len(),
        };
        if json {
            writeln!(text, "{}", serde_json::to_string(&summary)?)?;
        } else {
            let names = match summary.players.as_slice() {
                names if names.len() <= 6 => names.join(", "),
                names => format!("{} players", names.len()),
            };
            writeln!(
                text,
                "{}: {} of {}, {}: {names}; {} games, {} without a result, {} faults",
                summary.run,
                summary.kind,
                summary.date,
                summary.state,
                summary.games,
                summary.unscored,
                summary.faults
            )?;
        }
    }
    if text.is_empty() && !json {
        text.push_str("no runs\n");
    }
    output::print(&text)
}

/// The run that is meant: the one of that number, or else the last.
fn pick(store: &Store, number: Option<i64>) -> anyhow::Result<Run> {
    match number {
        Some(number) => Ok(store.run(number)?),
        None => store
            .runs()?
            .pop()
            .with_context(|| format!("{} holds no run", store.path().display())),
    }
}

/// Games in one transaction.
const BATCH: usize = 1000;

fn import(path: &Path, files: &[PathBuf], skip_errors: bool) -> anyhow::Result<()> {
    // Everything is read before anything is written: a broken file leaves the store as it was.
    let mut indices: HashMap<String, u32> = HashMap::new();
    let mut batches = vec![Batch::default()];
    let (mut number, mut skipped) = (0, 0_u64);
    for file in files {
        let name = file.display();
        let input = File::open(file).with_context(|| format!("cannot open {name}"))?;
        for game in Reader::new(input).games() {
            let game = match game {
                Ok(game) => game,
                Err(error @ PgnError::Io(_)) => {
                    return Err(error).with_context(|| format!("cannot read {name}"));
                }
                Err(_) if skip_errors => {
                    skipped += 1;
                    continue;
                }
                Err(error) => anyhow::bail!("{name}: {error} (--skip-errors leaves such games out)"),
            };
            let mut stored = match archive::game_of_pgn(&game, number) {
                Ok(stored) => stored,
                Err(_) if skip_errors => {
                    skipped += 1;
                    continue;
                }
                Err(error) => anyhow::bail!("{name}: {error} (--skip-errors leaves such games out)"),
            };
            let mut index = |tag: &str| {
                let player = game.tags.get(tag).unwrap_or("?").to_owned();
                let next = indices.len() as u32;
                *indices.entry(player).or_insert(next)
            };
            (stored.white, stored.black) = (index("White"), index("Black"));
            number += 1;
            if batches.last().is_none_or(|batch| batch.games.len() >= BATCH) {
                batches.push(Batch::default());
            }
            if let Some(batch) = batches.last_mut() {
                batch.games.push(stored);
            }
        }
    }
    ensure!(number > 0, "there is no game to read");
    let mut store = Store::open(path)?;
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let run = store.begin_run("import", &serde_json::json!({ "files": names }).to_string())?;
    let mut players: Vec<Player> = indices
        .into_iter()
        .map(|(name, index)| Player::new(index, name))
        .collect();
    players.sort_by_key(|player| player.number);
    batches[0].players = players;
    if let Some(last) = batches.last_mut() {
        last.state = Some("finished".to_owned());
    }
    for mut batch in batches {
        batch.run = run;
        store.commit(&batch)?;
    }
    if skipped > 0 {
        output::warn(&format!("{skipped} unreadable games left out"));
    }
    output::print(&format!("{number} games are run {run} of {}\n", path.display()))
}
