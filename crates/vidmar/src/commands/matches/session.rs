//! A match in its store: begun, or gone on with.
//!
//! The store keeps the command line, and the folder it was given in. Going on with a match reads it again, so nothing can
//! be forgotten; arguments that change no game may be added. What the command line does not hold, the openings, is
//! compared with what it was.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use vidmar_arena::{CountingSettings, Match, Rules, Schedule, SprtModel};
use vidmar_store::{Batch, Player, RunId, Store, StoreError};

use super::settings::{FileOut, Settings};
use super::time_control::Shown;
use super::words::{Argument, split};
use super::{beginnings, players};
use crate::output;

/// Where games are kept if nothing is said.
const STORE: &str = "vidmar-games.db";

/// The word for matches among the runs of a store.
pub(super) const KIND: &str = "match";

/// What a store keeps of a match besides its games.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Config {
    /// The program that began it.
    pub(super) version: String,
    /// Its command line.
    pub(super) arguments: Vec<String>,
    /// Where that was given.
    pub(super) directory: PathBuf,
    /// How it is counted, for those who look at the store without playing on.
    #[serde(default)]
    pub(super) counting: CountingSettings,
    /// A number that changes with the openings.
    pub(super) openings: u64,
    /// The limits of every player, as PGN shows them.
    pub(super) controls: Vec<String>,
    pub(super) event: String,
    pub(super) site: String,
    /// How long the files were before the match, for those that are appended to.
    pub(super) pgn_before: Option<(PathBuf, u64)>,
    pub(super) epd_before: Option<(PathBuf, u64)>,
}

/// A match, ready to be played.
pub(super) struct Session {
    pub(super) settings: Settings,
    pub(super) contest: Match,
    pub(super) store: Store,
    pub(super) run: RunId,
    pub(super) config: Config,
}

impl Session {
    /// A new match. Everything is read and checked before the store is touched.
    pub(super) fn begun(settings: Settings, words: &[String]) -> anyhow::Result<Session> {
        let (contest, openings) = contest(&settings)?;
        let config = Config {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: words.to_vec(),
            directory: std::env::current_dir().context("the current folder is gone")?,
            counting: contest.counting(),
            openings,
            controls: contest
                .players
                .iter()
                .map(|player| Shown(&player.limits).to_string())
                .collect(),
            event: settings.event.clone(),
            site: settings.site.clone(),
            pgn_before: before(settings.pgn.as_ref())?,
            epd_before: before(settings.epd.as_ref())?,
        };
        let path = settings.store.clone().unwrap_or_else(|| PathBuf::from(STORE));
        let mut store = open(&std::path::absolute(&path)?)?;
        let run = store.begin_run(KIND, &serde_json::to_string(&config)?)?;
        store.commit(&Batch {
            players: contest
                .players
                .iter()
                .enumerate()
                .map(|(index, player)| Player {
                    place: index as u32,
                    name: player.name.clone(),
                    description: player.spec.to_string(),
                })
                .collect(),
            ..Batch::new(run)
        })?;
        Ok(Session {
            settings,
            contest,
            store,
            run,
            config,
        })
    }

    /// The last match of a store that is not finished, or else the last one.
    pub(super) fn resumed(path: &Path, arguments: &[Argument]) -> anyhow::Result<Session> {
        if let Some(argument) = arguments.iter().find(|argument| !argument.row.on_resume) {
            bail!(
                "{} cannot be given with -resume: the match goes on as it began",
                argument.row.name
            );
        }
        ensure!(
            path.exists(),
            "{} is not there: expected the store of a match",
            path.display()
        );
        let path = std::path::absolute(path)?;
        let store = open(&path)?;
        store.check()?;
        let runs = store.runs()?;
        let matches = || runs.iter().rev().filter(|run| run.kind == KIND);
        let run = matches()
            .find(|run| run.state != "finished")
            .or_else(|| matches().next())
            .ok_or_else(|| anyhow!("{} holds no match", path.display()))?;
        let mut config: Config = serde_json::from_str(&run.config).with_context(|| {
            format!(
                "{}: the description of match {} cannot be read",
                path.display(),
                run.id
            )
        })?;
        // Paths of the command line are meant from where it was given.
        std::env::set_current_dir(&config.directory)
            .with_context(|| format!("the match began in {}", config.directory.display()))?;
        let mut all = split(&config.arguments)?;
        all.extend(
            arguments
                .iter()
                .filter(|argument| argument.row.name != "-resume")
                .cloned(),
        );
        let settings = Settings::read(&all)?;
        let (contest, openings) = contest(&settings)?;
        ensure!(
            openings == config.openings,
            "the openings are not those that the match began with"
        );
        let known: Vec<String> = store
            .players(run.id)?
            .into_iter()
            .map(|player| player.name)
            .collect();
        let names: Vec<String> = contest.players.iter().map(|player| player.name.clone()).collect();
        ensure!(
            known == names,
            "the players are not those that the match began with"
        );
        for (out, known) in [
            (&settings.pgn, &mut config.pgn_before),
            (&settings.epd, &mut config.epd_before),
        ] {
            let same = out.as_ref().map(|out| &out.file) == known.as_ref().map(|known| &known.0);
            if !same {
                *known = before(out.as_ref())?;
            }
        }
        config.event.clone_from(&settings.event);
        config.site.clone_from(&settings.site);
        let run = run.id;
        Ok(Session {
            settings,
            contest,
            store,
            run,
            config,
        })
    }
}

fn open(path: &Path) -> anyhow::Result<Store> {
    Store::open(path).map_err(|error| match error {
        StoreError::InUse { .. } => {
            anyhow!("{error}: wait for it, or give this match another file (--store FILE)")
        }
        other => other.into(),
    })
}

/// The length of a file that is to be appended to.
fn before(out: Option<&FileOut>) -> anyhow::Result<Option<(PathBuf, u64)>> {
    let Some(out) = out else { return Ok(None) };
    let length = match std::fs::metadata(&out.file) {
        _ if out.replace => 0,
        Ok(metadata) => {
            ensure!(metadata.is_file(), "{} is not a file", out.file.display());
            metadata.len()
        }
        Err(_) => {
            // Better to know now than after the last game.
            let folder = out.file.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                bail!("{}: there is no folder {}", out.file.display(), folder.display());
            }
            0
        }
    };
    Ok(Some((out.file.clone(), length)))
}

/// Everything that is needed to play, and the openings' number.
fn contest(settings: &Settings) -> anyhow::Result<(Match, u64)> {
    let players = players::players(settings)?;
    let schedule = Schedule::new(settings.plan, players.len())?;
    let (openings, digest) = beginnings::openings(settings, &schedule)?;
    let paired = settings.paired && schedule.has_pairs();
    if let Some(sprt) = &settings.sprt {
        ensure!(
            players.len() == 2,
            "-sprt is for two players, not {}",
            players.len()
        );
        if sprt.model() == SprtModel::Bayesian {
            ensure!(
                !paired,
                "-sprt model=bayesian counts games: expected -report penta=false with it"
            );
        }
    }
    if settings.plan.games > 1 && !paired && settings.paired {
        output::warn("games do not come in pairs (two colours, one opening): single games are counted");
    }
    if let Some(rule) = &settings.bases {
        rule.open().context("-tb")?;
    }
    let contest = Match {
        players,
        schedule,
        openings,
        rules: Rules {
            resign: settings.resign,
            draw: settings.draw,
            max_moves: settings.max_moves,
            tablebases: settings.bases.clone(),
            ..Rules::default()
        },
        faults: settings.faults,
        sprt: settings.sprt,
        paired,
        seed: settings.seed,
    };
    Ok((contest, digest))
}
