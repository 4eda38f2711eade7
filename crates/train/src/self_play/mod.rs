//! Games of a player against itself, packed.
//!
//! They go through the [`Runner`] of the arena as all games do, so that threads here and workers elsewhere play them alike. They are written in the
//! order of their numbers: what was finished out of turn waits. So the file is its own journal: as many games as it holds are
//! played, and a run that was killed goes on with the next one and ends with the same bytes.

mod openings;

use std::collections::BTreeMap;

use serde::Serialize;
use thiserror::Error;
use vidmar_arena::{
    Completion, DrawRule, Executor, FaultPolicy, GameRecord, GameSetup, GameTask, MissingPlayers, Opening,
    PlayedGame, ResignRule, Rules, Runner, RunnerError, Sink, TaskPlayer, TimeControl,
};
use vidmar_chess::ByColor;
use vidmar_engine::Control;
use vidmar_players::{Identity, PlayerSpec};
use vidmar_rng::Rng;

use crate::filter::Filter;
use crate::packed::{PackedError, PackedGame, PackedMove, PackedWriter};

pub use openings::DistinctOpenings;

/// What is played.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// Who plays both sides.
    pub player: PlayerSpec,
    /// The bits that it is made of: games of two players under one name are not mixed.
    pub identity: Identity,
    /// Positions that it may visit for a move.
    pub nodes: u64,
    /// Random plies before it takes over; every second game has one more.
    pub plies: u16,
    /// The seed of the openings and of everything else random.
    pub seed: u64,
    /// When games end early.
    pub rules: Rules,
}

/// Lost and level games are ended soon, but not before they have shown what a lead is worth.
pub fn usual_rules() -> Rules {
    Rules {
        resign: Some(ResignRule {
            score: 1_000,
            moves: 3,
            two_sided: true,
        }),
        draw: Some(DrawRule {
            from_move: 40,
            moves: 6,
            score: 10,
        }),
        max_moves: Some(200),
        ..Rules::default()
    }
}

/// What is written before the games: everything that they depend on.
#[derive(Serialize)]
struct Description<'a> {
    program: &'static str,
    player: String,
    identity: &'a Identity,
    nodes: u64,
    plies: u16,
    seed: u64,
    rules: &'a Rules,
}

/// What came of a run.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Games in the file.
    pub games: u64,
    /// Games of this run.
    pub played: u64,
    /// Positions with a score of this run.
    pub positions: u64,
    /// Those that training would learn from, without options.
    pub usable: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Why games could not be played.
#[derive(Debug, Error)]
pub enum SelfPlayError {
    /// They could not be written.
    #[error(transparent)]
    Packed(#[from] PackedError),
    /// They could not be played.
    #[error("{0}")]
    Games(String),
    /// They end by faults: what was seen last.
    #[error("the player cannot play: {0}")]
    Fault(String),
    /// There are no more openings.
    #[error("openings of {plies} random plies lead to only {games} different games")]
    Openings {
        /// Their length.
        plies: u16,
        /// Games in the file.
        games: u64,
    },
}

impl SelfPlay {
    /// What the file says of its games: JSON.
    pub fn description(&self) -> String {
        let description = Description {
            program: env!("CARGO_PKG_VERSION"),
            player: self.player.to_string(),
            identity: &self.identity,
            nodes: self.nodes,
            plies: self.plies,
            seed: self.seed,
            rules: &self.rules,
        };
        serde_json::to_string(&description).expect("plain data")
    }

    /// Plays until the file has so many games, or `control` says stop.
    pub fn play(
        &self,
        games: u64,
        mut writer: PackedWriter,
        executor: &dyn Executor,
        control: &Control,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<(Progress, Completion), SelfPlayError> {
        let first = writer.games();
        let openings = DistinctOpenings::new(self.plies, self.seed).skip(first as usize);
        let tasks = (first..games)
            .zip(openings)
            .map(|(number, opening)| self.task(number, opening));
        let mut sink = PackedSink {
            progress: Progress {
                games: first,
                bytes: writer.bytes(),
                ..Progress::default()
            },
            writer: &mut writer,
            waiting: BTreeMap::new(),
            observe,
        };
        let runner = Runner {
            executor,
            faults: FaultPolicy::Replay,
            missing: MissingPlayers::EndTheRun,
        };
        let completion = runner
            .run(tasks, &mut sink, control)
            .map_err(|error| match error {
                RunnerError::Sink(error) => error,
                RunnerError::Start { fault, .. } => SelfPlayError::Fault(fault.to_string()),
                RunnerError::Executor(error) => SelfPlayError::Games(error.to_string()),
            })?;
        let progress = sink.progress;
        writer.finish()?;
        if completion == Completion::Complete && progress.games < games {
            return Err(SelfPlayError::Openings {
                plies: self.plies,
                games: progress.games,
            });
        }
        Ok((progress, completion))
    }

    /// The game of a number.
    fn task(&self, number: u64, opening: Opening) -> GameTask {
        let limits = TimeControl {
            nodes: Some(self.nodes),
            ..TimeControl::default()
        };
        GameTask {
            number,
            round: number,
            players: ByColor::from_fn(|side| TaskPlayer::new(side as usize, self.player.clone())),
            setup: GameSetup {
                opening,
                limits: ByColor::new(limits, limits),
                rules: self.rules.clone(),
                seed: Rng::new(self.seed, b"selfplay", number, 0).bits(),
                keeps_pvs: false,
            },
        }
    }
}

/// Where games go: into the file in the order of their numbers.
struct PackedSink<'a> {
    writer: &'a mut PackedWriter,
    /// Games that are finished before others with lower numbers.
    waiting: BTreeMap<u64, PlayedGame>,
    progress: Progress,
    observe: &'a mut dyn FnMut(&Progress),
}

impl Sink for PackedSink<'_> {
    type Error = SelfPlayError;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), SelfPlayError> {
        self.waiting
            .extend(games.into_iter().map(|game| (game.task.number, game)));
        while let Some(game) = self.waiting.remove(&self.writer.games()) {
            if let Some(fault) = game
                .record
                .faults
                .last()
                .filter(|_| game.record.outcome.is_none())
            {
                return Err(SelfPlayError::Fault(fault.fault.to_string()));
            }
            let packed = packed(&game.task.setup.opening, &game.record);
            self.progress.positions += packed.moves.len() as u64;
            self.progress.usable += usable(&packed);
            self.progress.played += 1;
            self.writer.add(&packed)?;
        }
        self.writer.commit()?;
        self.progress.games = self.writer.games();
        self.progress.bytes = self.writer.bytes();
        (self.observe)(&self.progress);
        Ok(())
    }
}

fn packed(opening: &Opening, record: &GameRecord) -> PackedGame {
    let moves = record.moves.iter().map(|played| PackedMove {
        m: played.m,
        score: played.info.score.into(),
    });
    PackedGame {
        start: opening.start.clone(),
        opening: opening.moves.clone(),
        moves: moves.collect(),
        outcome: record.outcome,
    }
}

/// How many positions of a game the usual filter keeps.
fn usable(game: &PackedGame) -> u64 {
    let filter = Filter::default();
    let mut now = game.start.clone();
    for &m in &game.opening {
        now.play(m);
    }
    let mut kept = 0;
    for (ply, &played) in game.moves.iter().enumerate() {
        kept += u64::from(filter.keeps(&now, (game.opening.len() + ply) as u32, played));
        now.play(played.m);
    }
    kept
}
