//! A match in its store: started, resumed, played, its files written.
//!
//! [`MatchSettings`] say what is played, [`MatchFiles`] what is written besides the store. A session checks all of it
//! before it touches the store; a match that was stopped or killed is resumed with the settings that it was started
//! with, and whoever keeps a command line instead of settings finds it in the store ([`StoredMatch::config`]). What
//! settings do not hold, the contents of a file of openings, is compared with what it was.

mod files;
mod identities;
mod live_pgn;
mod opening_file;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use vidmar_engine::Control;
use vidmar_players::{Fault, Identity};
use vidmar_store::{Batch, Player, RunId, Store, StoreError};

use crate::executor::Executor;
use crate::fault_policy::FaultPolicy;
use crate::matches::{CountingSettings, Finished, Match, MatchError, MatchEvent, MatchPlayer};
use crate::openings::OpeningsError;
use crate::rules::Rules;
use crate::schedule::{Plan, Schedule, ScheduleError};
use crate::sprt::{Sprt, SprtModel};
use crate::tablebases::TablebaseError;

use live_pgn::LivePgn;

pub use files::{FileError, MatchFiles, OutputFile, WriteError, pgn_date, pgn_style};
pub use opening_file::{OpeningFile, OpeningFileError, OpeningFormat};

/// What is played.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// Who takes part; no two have the same name.
    pub players: Vec<MatchPlayer>,
    /// Who meets whom, how often.
    pub plan: Plan,
    /// Where games begin; the built-in openings in an order of the seed if there is no file.
    pub openings: Option<OpeningFile>,
    /// When games end early.
    pub rules: Rules,
    /// What becomes of faults.
    pub faults: FaultPolicy,
    /// A test that may end the match; of the first player against the second.
    pub sprt: Option<Sprt>,
    /// Whether pairs of games are what is counted, where games come in pairs.
    pub paired: bool,
    /// The seed of everything random.
    pub seed: u64,
    /// Whether the principal variations of its moves are kept, and what else is said of them.
    pub keeps_pvs: bool,
}

/// What a store keeps of a match besides its games.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MatchConfig {
    /// The program that began it.
    pub version: String,
    /// Its command line, if it has one.
    pub arguments: Vec<String>,
    /// Where that was given.
    pub directory: PathBuf,
    /// How it is counted, for those who look at the store without playing on.
    #[serde(default, rename = "terms")]
    pub counting: CountingSettings,
    /// A number that changes with the openings.
    pub openings: u64,
    /// The limits of every player, as PGN shows them.
    pub controls: Vec<String>,
    /// The tag `Event`.
    pub event: String,
    /// The tag `Site`.
    pub site: String,
    /// How long the files were before the match, for those that are appended to.
    pub pgn_before: Option<(PathBuf, u64)>,
    /// The same of the file of last positions.
    pub epd_before: Option<(PathBuf, u64)>,
    /// What every player is.
    #[serde(default)]
    pub players: Vec<Identity>,
}

/// Why there is no such match.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The players do not make a schedule.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// There are no openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The file has none.
    #[error(transparent)]
    OpeningFile(#[from] OpeningFileError),
    /// There are no tablebases.
    #[error("tablebases: {0}")]
    Tablebases(#[from] TablebaseError),
    /// A test of other than two players.
    #[error("a sequential test is for two players, not {0}")]
    SprtPlayers(usize),
    /// A test of games where pairs are counted.
    #[error("the bayesian model counts games, not pairs of games")]
    BayesianPairs,
    /// A player is not to be had.
    #[error("{name} cannot be started: {fault}")]
    Player {
        /// Whose name.
        name: String,
        /// What was seen.
        fault: Fault,
    },
    /// Players are not what they were when the match began: what is different, one after the other.
    #[error("the players are not those that the match began with:\n  {}", .0.join("\n  "))]
    ChangedPlayers(Vec<String>),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no store.
    #[error("{} is not there: expected the store of a match", .0.display())]
    NoStore(PathBuf),
    /// There is no match in it.
    #[error("{} holds no match", .0.display())]
    NoMatch(PathBuf),
    /// The match is of another program.
    #[error("{}: the description of match {run} cannot be read: {reason}", store.display())]
    Config {
        /// The store.
        store: PathBuf,
        /// The match.
        run: RunId,
        /// What is wrong with it.
        reason: String,
    },
    /// The file has been changed.
    #[error("the openings are not those that the match began with")]
    OtherOpenings,
    /// Other names.
    #[error("the players are not those that the match began with")]
    OtherPlayers,
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A store keeps text, and a path is none.
    #[error("the match cannot be described: {0}")]
    Description(serde_json::Error),
    /// There is no folder for the store.
    #[error("cannot make the folder {}: {error}", folder.display())]
    StoreFolder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The folder of the store or of this program is gone.
    #[error("the current folder is gone: {0}")]
    Folder(std::io::Error),
}

/// The kind of matches among the runs of a store.
pub const MATCH_KIND: &str = "match";

impl MatchSettings {
    /// The match, a number that changes with its openings, and what should be said about it.
    fn contest(&self) -> Result<(Match, u64, Vec<String>), SessionError> {
        let players = self.players.len();
        let schedule = Schedule::new(self.plan, players)?;
        let needed = schedule.openings();
        let (openings, digest) = match &self.openings {
            Some(file) => file.read(needed, self.seed)?,
            None => opening_file::built_in(self.seed)?,
        };
        let paired = self.paired && schedule.has_pairs();
        if let Some(sprt) = &self.sprt {
            if players != 2 {
                return Err(SessionError::SprtPlayers(players));
            }
            if paired && sprt.model() == SprtModel::Bayesian {
                return Err(SessionError::BayesianPairs);
            }
        }
        if let Some(rule) = &self.rules.tablebases {
            rule.open()?;
        }
        let mut notes = Vec::new();
        for MatchPlayer { name, spec, .. } in &self.players {
            // Of clocks and of other people's programs nobody expects it.
            let why = (spec.player_type().unrepeatable)(spec);
            if let Some(why) = why.filter(|_| !spec.player_type().is_program()) {
                notes.push(format!(
                    "the same command will play other games another time: {name}: {why}"
                ));
            }
        }
        if let Some(count) = openings.count().filter(|&count| (count as u64) < needed) {
            notes.push(format!(
                "there are {count} openings for {needed}: they are used again, and games of players without chance repeat"
            ));
        }
        if self.plan.games > 1 && self.paired && !paired {
            notes.push(
                "games do not come in pairs (two colours, one opening): single games are counted".to_owned(),
            );
        }
        let contest = Match {
            players: self.players.clone(),
            schedule,
            openings,
            rules: self.rules.clone(),
            faults: self.faults,
            sprt: self.sprt,
            paired,
            seed: self.seed,
            keeps_pvs: self.keeps_pvs,
        };
        Ok((contest, digest, notes))
    }
}

/// A match that a store holds, opened to go on with it.
pub struct StoredMatch {
    store: Store,
    run: RunId,
    /// What the store keeps of it.
    pub config: MatchConfig,
}

impl StoredMatch {
    /// The last match of a store that is not finished, or else the last one.
    pub fn open(path: &Path) -> Result<StoredMatch, SessionError> {
        if !path.exists() {
            return Err(SessionError::NoStore(path.to_owned()));
        }
        let path = std::path::absolute(path).map_err(SessionError::Folder)?;
        let store = Store::open(&path)?;
        store.check()?;
        let runs = store.runs()?;
        let matches = || runs.iter().rev().filter(|run| run.kind == MATCH_KIND);
        let run = matches()
            .find(|run| run.state != "finished")
            .or_else(|| matches().next())
            .ok_or_else(|| SessionError::NoMatch(path.clone()))?;
        let config = serde_json::from_str(&run.config).map_err(|error| SessionError::Config {
            store: path.clone(),
            run: run.id,
            reason: error.to_string(),
        })?;
        Ok(StoredMatch {
            run: run.id,
            config,
            store,
        })
    }
}

/// A match, ready to be played.
pub struct Session {
    contest: Match,
    files: MatchFiles,
    store: Store,
    run: RunId,
    config: MatchConfig,
    /// What should be said about it.
    pub notes: Vec<String>,
}

impl Session {
    /// A new match. Everything is read and checked, and every player started once, before the store is touched.
    /// `arguments` are the command line that asked for it, if there is one.
    pub fn start(
        settings: &MatchSettings,
        files: MatchFiles,
        store: &Path,
        arguments: &[String],
    ) -> Result<Session, SessionError> {
        let (contest, openings, notes) = settings.contest()?;
        let config = MatchConfig {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: arguments.to_vec(),
            directory: std::env::current_dir().map_err(SessionError::Folder)?,
            counting: contest.counting(),
            openings,
            controls: contest
                .players
                .iter()
                .map(|player| player.limits.to_string())
                .collect(),
            event: files.event.clone(),
            site: files.site.clone(),
            pgn_before: files::length_before(files.pgn.as_ref())?,
            epd_before: files::length_before(files.epd.as_ref())?,
            players: identities::of(&contest.players)?,
        };
        let path = std::path::absolute(store).map_err(SessionError::Folder)?;
        let text = serde_json::to_string(&config).map_err(SessionError::Description)?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| SessionError::StoreFolder {
                folder: folder.to_owned(),
                error,
            })?;
        }
        let mut store = Store::open(&path)?;
        let run = store.begin_run(MATCH_KIND, &text)?;
        store.commit(&seated(&contest, run))?;
        Ok(Session {
            contest,
            files,
            store,
            run,
            config,
            notes,
        })
    }

    /// Goes on with a match, which must be the same; its files may be others. Players that have changed since it began are
    /// an error, unless the caller accepts them.
    pub fn resume(
        stored: StoredMatch,
        settings: &MatchSettings,
        files: MatchFiles,
        accepts_changed_players: bool,
    ) -> Result<Session, SessionError> {
        let StoredMatch {
            mut store,
            run,
            mut config,
        } = stored;
        let (contest, openings, notes) = settings.contest()?;
        if openings != config.openings {
            return Err(SessionError::OtherOpenings);
        }
        let mut known = store.players(run)?;
        if known.is_empty() {
            // It was killed between its first two commits.
            store.commit(&seated(&contest, run))?;
            known = store.players(run)?;
        }
        let names = contest.players.iter().map(|player| &player.name);
        if !known.iter().map(|player| &player.name).eq(names) {
            return Err(SessionError::OtherPlayers);
        }
        let players = identities::of(&contest.players)?;
        if !accepts_changed_players {
            identities::compare(&contest.players, &config.players, &players)?;
        } else if config.players != players {
            config.players = players;
            store.commit(&Batch {
                config: Some(serde_json::to_string(&config).map_err(SessionError::Description)?),
                ..Batch::new(run)
            })?;
        }
        let mut has_other_files = false;
        for (out, known) in [
            (&files.pgn, &mut config.pgn_before),
            (&files.epd, &mut config.epd_before),
        ] {
            let is_same = out.as_ref().map(|out| &out.file) == known.as_ref().map(|known| &known.0);
            if !is_same {
                *known = files::length_before(out.as_ref())?;
                has_other_files = true;
            }
        }
        config.event.clone_from(&files.event);
        config.site.clone_from(&files.site);
        if has_other_files {
            // Games are written as they end: what was there before them must be known after a kill, too.
            store.commit(&Batch {
                config: Some(serde_json::to_string(&config).map_err(SessionError::Description)?),
                ..Batch::new(run)
            })?;
        }
        Ok(Session {
            contest,
            files,
            store,
            run,
            config,
            notes,
        })
    }

    /// What is played.
    pub fn contest(&self) -> &Match {
        &self.contest
    }

    /// Where it is kept.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Its number in the store.
    pub fn run(&self) -> RunId {
        self.run
    }

    /// Plays what is missing, until all is played, the test decides, or `control` says stop; then writes the files.
    pub fn play(
        self,
        executor: &dyn Executor,
        control: &Control,
        watch: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<Finished, PlayError> {
        let Session {
            contest,
            files,
            store,
            run,
            config,
            ..
        } = self;
        let mut live = LivePgn::new(&files, &config, &store, run)?;
        let mut watch_and_write = |event: &MatchEvent<'_>| {
            if let (Some(live), MatchEvent::Game { game, .. }) = (&mut live, event) {
                live.add(game);
            }
            watch(event);
        };
        let finished = contest.play(store, run, executor, control, &mut watch_and_write)?;
        files.write(&config, &finished, run)?;
        Ok(finished)
    }
}

/// The players of a match for its store.
fn seated(contest: &Match, run: RunId) -> Batch {
    let player = |(index, player): (usize, &MatchPlayer)| Player {
        number: index as u32,
        name: player.name.clone(),
        description: player.spec.to_string(),
    };
    Batch {
        players: contest.players.iter().enumerate().map(player).collect(),
        ..Batch::new(run)
    }
}

/// Why a match did not come to its end.
#[derive(Debug, Error)]
pub enum PlayError {
    /// It could not be played on.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// It was played; its files could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}
