//! The games of the study of case-based players: a list of tasks, and what came of them, also as PGN.
//!
//! Every ordered pair of behaviours plays a game a round, for every setting of the behaviours; counting and correlating is
//! the business of [`vidmar_cases::study`].

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use thiserror::Error;
use vidmar_cases::CaseSettings;
use vidmar_cases::study::{Expert, StudyGame};
use vidmar_chess::{ByColor, Color, Outcome, Position, Termination};
use vidmar_engine::Control;
use vidmar_formats::pgn::{Game, Ply, WriteError, Writer};
use vidmar_players::{PlayerSpec, SpecError};

use crate::ending::Ending;
use crate::executor::ThreadExecutor;
use crate::fault_policy::FaultPolicy;
use crate::record::GameRecord;
use crate::rules::Rules;
use crate::runner::{MissingPlayers, PlayedGame, Runner, RunnerError};
use crate::task::{GameSetup, GameTask, TaskPlayer};

/// Moves of each side that must be made within the time limit, and the limit.
const TIMED_MOVES: u32 = 40;
const TIME_LIMIT: Duration = Duration::from_mins(90);

/// Why a study cannot be played.
#[derive(Debug, Error)]
pub enum CaseStudyError {
    /// The bases cannot be written for the players.
    #[error("cannot write {}: {reason}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// The settings make no player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The games could not be played.
    #[error(transparent)]
    Run(#[from] RunnerError<Infallible>),
    /// A game cannot be written.
    #[error("writing the games: {0}")]
    Pgn(#[from] WriteError),
}

/// One game to be played; behaviours by their indices among the experts.
#[derive(Copy, Clone)]
struct Pairing {
    number: u64,
    setting: usize,
    round: u32,
    players: ByColor<usize>,
}

/// Setting by setting, round by round, every ordered pair.
fn schedule(settings: usize, rounds: u32, players: usize) -> Vec<Pairing> {
    let mut schedule = Vec::new();
    for setting in 0..settings {
        for round in 1..=rounds {
            for white in 0..players {
                for black in (0..players).filter(|&black| black != white) {
                    schedule.push(Pairing {
                        number: schedule.len() as u64,
                        setting,
                        round,
                        players: ByColor::new(white, black),
                    });
                }
            }
        }
    }
    schedule
}

/// A study: the behaviours of all experts as players, setting by setting.
pub struct CaseStudy {
    /// The bases, in files: a player is its description, and that names a file.
    _folder: TempDir,
    settings: Vec<(CaseSettings, Vec<PlayerSpec>)>,
    schedule: Vec<Pairing>,
    ending: Ending,
}

impl CaseStudy {
    /// So many rounds of games between the behaviours of these experts, for each of the settings.
    pub fn new(
        experts: &[Expert],
        settings: Vec<CaseSettings>,
        rounds: u32,
        ending: Ending,
    ) -> Result<CaseStudy, CaseStudyError> {
        let unwritten = |file: &Path, reason| CaseStudyError::Write {
            file: file.to_owned(),
            reason,
        };
        let folder = TempDir::new().map_err(|reason| unwritten(&std::env::temp_dir(), reason))?;
        let mut files = Vec::new();
        for (index, expert) in experts.iter().enumerate() {
            let file = folder.path().join(format!("{index}.cases"));
            std::fs::write(&file, expert.base.to_bytes()).map_err(|reason| unwritten(&file, reason))?;
            files.push(file);
        }
        let players = |settings: CaseSettings| {
            let specs = files.iter().map(|file| spec(file, &settings));
            let specs = specs.collect::<Result<Vec<_>, SpecError>>()?;
            Ok((settings, specs))
        };
        Ok(CaseStudy {
            _folder: folder,
            schedule: schedule(settings.len(), rounds, experts.len()),
            settings: settings
                .into_iter()
                .map(players)
                .collect::<Result<_, SpecError>>()?,
            ending,
        })
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.schedule.len()
    }

    fn task(&self, pairing: &Pairing) -> GameTask {
        let (_, specs) = &self.settings[pairing.setting];
        let player = |side: Color| {
            let index = pairing.players[side];
            TaskPlayer::new(index, specs[index].clone())
        };
        GameTask {
            number: pairing.number,
            round: u64::from(pairing.round),
            players: ByColor::from_fn(player),
            // No clock: a behaviour would think the same with one, and what it used is looked at afterwards.
            setup: GameSetup {
                rules: Rules {
                    ending: self.ending,
                    ..Rules::default()
                },
                seed: u64::from(pairing.round - 1),
                ..GameSetup::default()
            },
        }
    }

    /// Plays all games in so many threads, and gives them in the order of the schedule; none if `control` said stop.
    pub fn play(
        &self,
        threads: NonZeroUsize,
        control: &Control,
        progress: &mut dyn FnMut(),
    ) -> Result<Option<Vec<CaseStudyGame>>, CaseStudyError> {
        let players: usize = self.settings.iter().map(|(_, specs)| specs.len()).sum();
        let executor = ThreadExecutor::new(threads).keeping(players);
        let runner = Runner {
            executor: &executor,
            faults: FaultPolicy::Drop,
            missing: MissingPlayers::EndTheRun,
        };
        let tasks = self.schedule.iter().map(|pairing| self.task(pairing));
        let games = runner.collect(tasks, control, &mut |_| progress())?;
        let played = |(pairing, game): (&Pairing, PlayedGame)| CaseStudyGame {
            pairing: *pairing,
            record: game.record,
            settings: self.settings[pairing.setting].0.clone(),
        };
        Ok(games.map(|games| self.schedule.iter().zip(games).map(played).collect()))
    }
}

fn spec(file: &Path, settings: &CaseSettings) -> Result<PlayerSpec, SpecError> {
    let file = file
        .display()
        .to_string()
        .replace('\\', "\\\\")
        .replace(',', "\\,");
    let settings = match settings.to_string() {
        none if none.is_empty() => none,
        some => format!(",{some}"),
    };
    format!("cbr:cases={file}{settings}").parse()
}

/// A game that was played.
pub struct CaseStudyGame {
    pairing: Pairing,
    record: GameRecord,
    settings: CaseSettings,
}

impl CaseStudyGame {
    /// The index of its setting.
    pub fn setting(&self) -> usize {
        self.pairing.setting
    }

    /// What is counted of it.
    pub fn counted(&self) -> StudyGame {
        StudyGame {
            white: self.pairing.players[Color::White],
            black: self.pairing.players[Color::Black],
            round: self.pairing.round,
            result: self.record.outcome,
            time_kept: self.is_time_kept(),
        }
    }

    /// Whether each side made its first moves in time.
    fn is_time_kept(&self) -> bool {
        let plies = self.record.moves.iter();
        [0, 1].into_iter().all(|first| {
            let own = plies.clone().skip(first).step_by(2).take(TIMED_MOVES as usize);
            own.map(|ply| ply.info.time).sum::<Duration>() <= TIME_LIMIT
        })
    }

    fn ending(&self) -> &'static str {
        match self.record.termination {
            Termination::Checkmate { .. } => "checkmate",
            other => other.as_str(),
        }
    }

    fn pgn(&self, experts: &[Expert]) -> Game {
        let mut game = Game::new(Position::default());
        let name = |side: Color| experts[self.pairing.players[side]].name.as_str();
        let settings = self.settings.to_string();
        for (tag, value) in [
            ("Event", "case-based study"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", &self.pairing.round.to_string()),
            ("White", name(Color::White)),
            ("Black", name(Color::Black)),
            ("Result", Outcome::text(self.record.outcome)),
            ("Weights", &self.settings.weights.to_string()),
            ("Settings", &settings),
            ("Seed", &(self.pairing.round - 1).to_string()),
            ("TimeControl", &format!("{TIMED_MOVES}/{}", TIME_LIMIT.as_secs())),
            ("TimeLimitKept", if self.is_time_kept() { "yes" } else { "no" }),
            ("Termination", self.ending()),
        ] {
            if !value.is_empty() {
                game.tags.set(tag, value);
            }
        }
        game.result = self.record.outcome;
        game.main.plies = self
            .record
            .moves
            .iter()
            .map(|ply| Ply::new(Some(ply.m)))
            .collect();
        game
    }
}

/// All games as PGN.
pub fn study_pgn(games: &[CaseStudyGame], experts: &[Expert]) -> Result<Vec<u8>, CaseStudyError> {
    let mut writer = Writer::new(Vec::new());
    for game in games {
        writer.write(&game.pgn(experts))?;
    }
    Ok(writer.into_inner())
}

/// How the games of a setting ended, and how often.
pub fn study_endings(games: &[CaseStudyGame], setting: usize) -> BTreeMap<String, usize> {
    let mut endings = BTreeMap::new();
    for game in games.iter().filter(|game| game.setting() == setting) {
        *endings.entry(game.ending().to_owned()).or_default() += 1;
    }
    endings
}

/// The mean length of the games of a setting, in plies.
pub fn study_mean_plies(games: &[CaseStudyGame], setting: usize) -> f64 {
    let lengths: Vec<usize> = games
        .iter()
        .filter(|game| game.setting() == setting)
        .map(|game| game.record.moves.len())
        .collect();
    lengths.iter().sum::<usize>() as f64 / lengths.len().max(1) as f64
}
