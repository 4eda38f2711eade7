//! The games of a study: their schedule, how one is played, and all of them as PGN.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use tempfile::TempDir;
use vidmar_arena::{
    Ending, FaultPolicy, GameRecord, GameSetup, GameTask, PlayedGame, Rules, Runner, TaskPlayer,
    ThreadExecutor,
};
use vidmar_cases::CaseSettings;
use vidmar_cases::study::StudyGame;
use vidmar_chess::{ByColor, Color, Outcome, Position, Termination};
use vidmar_engine::Control;
use vidmar_formats::pgn::{Game, Ply, Writer};
use vidmar_players::PlayerSpec;

use super::experts::Expert;

/// Moves of each side that must be made within the time limit, and the limit.
const TIMED_MOVES: u32 = 40;
const TIME_LIMIT: Duration = Duration::from_mins(90);

/// One game to be played; behaviours by their places among the experts.
#[derive(Copy, Clone)]
pub(super) struct Pairing {
    number: u64,
    pub(super) setting: usize,
    round: u32,
    players: ByColor<usize>,
}

/// Setting by setting, round by round, every ordered pair.
pub(super) fn schedule(settings: usize, rounds: u32, players: usize) -> Vec<Pairing> {
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

/// The behaviours of all experts as players, setting by setting.
pub(super) struct Field {
    /// The bases, in files: a player is its description, and that names a file.
    _folder: TempDir,
    settings: Vec<(CaseSettings, Vec<PlayerSpec>)>,
}

impl Field {
    pub(super) fn new(experts: &[Expert], settings: Vec<CaseSettings>) -> anyhow::Result<Field> {
        let folder = TempDir::new().context("a folder for the bases")?;
        let mut files = Vec::new();
        for (index, expert) in experts.iter().enumerate() {
            let file = folder.path().join(format!("{index}.cases"));
            std::fs::write(&file, expert.base.to_bytes())
                .with_context(|| format!("cannot write {}", file.display()))?;
            files.push(file);
        }
        let players = |settings: CaseSettings| -> anyhow::Result<_> {
            let specs = files.iter().map(|file| spec(file, &settings));
            let specs = specs.collect::<anyhow::Result<_>>()?;
            Ok((settings, specs))
        };
        Ok(Field {
            settings: settings.into_iter().map(players).collect::<anyhow::Result<_>>()?,
            _folder: folder,
        })
    }

    fn task(&self, pairing: &Pairing, ending: Ending) -> GameTask {
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
                    ending,
                    ..Rules::default()
                },
                seed: u64::from(pairing.round - 1),
                ..GameSetup::default()
            },
        }
    }

    /// Plays a schedule in so many threads; the games in its order.
    pub(super) fn play(
        &self,
        schedule: &[Pairing],
        ending: Ending,
        threads: NonZeroUsize,
        progress: &mut dyn FnMut(),
    ) -> anyhow::Result<Vec<Played>> {
        let players: usize = self.settings.iter().map(|(_, specs)| specs.len()).sum();
        let executor = ThreadExecutor::new(threads).keeping(players);
        let runner = Runner {
            executor: &executor,
            faults: FaultPolicy::Drop,
            needs_players: true,
        };
        let tasks = schedule.iter().map(|pairing| self.task(pairing, ending));
        let games = runner.collect(tasks, &Control::new(), &mut |_| progress())?;
        let played = |(pairing, game): (&Pairing, PlayedGame)| Played {
            pairing: *pairing,
            record: game.record,
            settings: self.settings[pairing.setting].0.clone(),
        };
        Ok(schedule
            .iter()
            .zip(games.unwrap_or_default())
            .map(played)
            .collect())
    }
}

fn spec(file: &Path, settings: &CaseSettings) -> anyhow::Result<PlayerSpec> {
    let file = file
        .display()
        .to_string()
        .replace('\\', "\\\\")
        .replace(',', "\\,");
    let settings = match settings.to_string() {
        none if none.is_empty() => none,
        some => format!(",{some}"),
    };
    Ok(format!("cbr:cases={file}{settings}").parse()?)
}

/// A game that was played.
pub(super) struct Played {
    pub(super) pairing: Pairing,
    record: GameRecord,
    settings: CaseSettings,
}

impl Played {
    pub(super) fn counted(&self) -> StudyGame {
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

/// All games, in the order of the schedule.
pub(super) fn pgn(played: &[Played], experts: &[Expert]) -> anyhow::Result<String> {
    let mut writer = Writer::new(Vec::new());
    for played in played {
        writer.write(&played.pgn(experts)).context("writing the games")?;
    }
    String::from_utf8(writer.into_inner()).context("writing the games")
}

/// How the games of a setting ended, and how often.
pub(super) fn endings(played: &[Played], setting: usize) -> BTreeMap<String, usize> {
    let mut endings = BTreeMap::new();
    for played in played.iter().filter(|played| played.pairing.setting == setting) {
        *endings.entry(played.ending().to_owned()).or_default() += 1;
    }
    endings
}

/// The mean length of the games of a setting, in plies.
pub(super) fn mean_plies(played: &[Played], setting: usize) -> f64 {
    let lengths: Vec<usize> = played
        .iter()
        .filter(|played| played.pairing.setting == setting)
        .map(|played| played.record.moves.len())
        .collect();
    lengths.iter().sum::<usize>() as f64 / lengths.len().max(1) as f64
}
