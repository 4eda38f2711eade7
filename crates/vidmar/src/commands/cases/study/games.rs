//! The games of a study: their schedule, how one is played, and all of them as PGN.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Context as _;
use vidmar_arena::{Ending, Job, Opening, Record, Rules, TimeControl, play};
use vidmar_cases::study::StudyGame;
use vidmar_cases::{Behaviour, CaseSettings, CaseThinker};
use vidmar_chess::{ByColor, Color, Outcome, Position, Termination};
use vidmar_engine::Control;
use vidmar_formats::pgn::{Game, Ply, Writer};
use vidmar_players::{MoveLimits, ThinkerPlayer};

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

/// The behaviours of all experts with the same settings.
pub(super) struct Setting {
    behaviours: Vec<Behaviour>,
    rules: Rules,
}

impl Setting {
    pub(super) fn new(experts: &[Expert], settings: &CaseSettings, ending: Ending) -> Setting {
        Setting {
            behaviours: experts
                .iter()
                .map(|expert| Behaviour::new(expert.base.clone(), settings.clone()))
                .collect(),
            rules: Rules {
                ending,
                ..Rules::default()
            },
        }
    }

    pub(super) fn play(&self, pairing: Pairing) -> Played {
        let seat = |side: Color| {
            let behaviour = self.behaviours[pairing.players[side]].clone();
            let seed = behaviour.settings().seed;
            ThinkerPlayer::new(
                Box::new(CaseThinker::from(behaviour)),
                MoveLimits::default(),
                seed,
            )
        };
        let (mut white, mut black) = (seat(Color::White), seat(Color::Black));
        let job = Job {
            number: pairing.number,
            players: pairing.players,
            opening: Opening::default(),
            // No clock: a behaviour would think the same with one, and what it used is looked at afterwards.
            control: ByColor::from_fn(|_| TimeControl::default()),
            seed: u64::from(pairing.round - 1),
        };
        let seats = ByColor::new(&mut white as _, &mut black as _);
        Played {
            pairing,
            record: play(&job, seats, &self.rules, &Control::new()),
            settings: self.behaviours[pairing.players[Color::White]].settings().clone(),
        }
    }
}

/// A game that was played.
pub(super) struct Played {
    pub(super) pairing: Pairing,
    record: Record,
    settings: CaseSettings,
}

impl Played {
    pub(super) fn counted(&self) -> StudyGame {
        StudyGame {
            white: self.pairing.players[Color::White],
            black: self.pairing.players[Color::Black],
            round: self.pairing.round,
            result: self.record.result,
            time_kept: self.is_time_kept(),
        }
    }

    /// Whether each side made its first moves in time.
    fn is_time_kept(&self) -> bool {
        let plies = self.record.plies.iter();
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
            ("Result", Outcome::text(self.record.result)),
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
        game.result = self.record.result;
        game.main.plies = self
            .record
            .plies
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
        .map(|played| played.record.plies.len())
        .collect();
    lengths.iter().sum::<usize>() as f64 / lengths.len().max(1) as f64
}
