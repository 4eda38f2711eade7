//! The trait that every player implements.

use std::time::Duration;

use vidmar_chess::{Bound, Game, Move, Position, Score};
use vidmar_eval::AnyBreakdown;

use crate::bench::BenchSettings;
use crate::control::Control;
use crate::explanation::{ExplainedEvaluation, Explanation, Lines};
use crate::limits::Limits;
use crate::settings::{Setting, SettingError, Value};

/// What a player tells while it thinks.
#[derive(Clone, Debug)]
pub struct Info {
    /// Plies of the iteration.
    pub depth: u32,
    /// The longest line looked at.
    pub seldepth: u32,
    /// The number of the line, from 1.
    pub multipv: usize,
    /// For the side to move; none of a player that has no score.
    pub score: Option<Score>,
    /// Whether the score is only a bound.
    pub bound: Bound,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// Thousandths of the table in use.
    pub hashfull: u32,
    /// Positions read from tablebases.
    pub tbhits: u64,
    /// The line.
    pub pv: Vec<Move>,
}

impl Info {
    /// An answer as the one line that is told of it.
    pub fn of_answer(thought: &Thought, pv: Vec<Move>) -> Info {
        Info {
            depth: thought.depth,
            seldepth: thought.depth,
            multipv: 1,
            score: thought.told_score(),
            bound: Bound::Exact,
            nodes: thought.nodes,
            elapsed: thought.elapsed,
            hashfull: 0,
            tbhits: 0,
            pv,
        }
    }
}

/// What a player decided, and on what.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move to play; none only without legal moves.
    pub best: Option<Move>,
    /// The expected answer.
    pub ponder: Option<Move>,
    /// For the side to move; a level one, which means nothing, where [`is_scored`](Thought::is_scored) is false.
    pub score: Score,
    /// Whether it has a score: a move of a book has none, nor has one by chance, by a case or by a fitness.
    pub is_scored: bool,
    /// The deepest finished iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

impl Thought {
    /// The score for others to hear, if it has one.
    pub fn told_score(&self) -> Option<Score> {
        self.is_scored.then_some(self.score)
    }

    /// There is nothing to think about: mate or stalemate.
    pub fn game_over(position: &Position) -> Thought {
        let score = if position.in_check() {
            Score::Mate(0)
        } else {
            Score::Centipawns(0)
        };
        Thought {
            score,
            is_scored: true,
            ..Thought::unsearched(None)
        }
    }

    /// A move that cost no search: no nodes, no time, no score.
    pub fn unsearched(best: Option<Move>) -> Thought {
        Thought {
            best,
            ponder: None,
            score: Score::Centipawns(0),
            is_scored: false,
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
        }
    }
}

/// A player: whatever finds a move in a game under limits.
///
/// A player's answers depend on its settings, the games since the last [`new_game`](Thinker::new_game), the
/// limits and nothing else; under limits that are not of time, one thread gives the same answer every time.
pub trait Thinker: Send {
    /// What it calls itself.
    fn name(&self) -> String;

    /// What can be chosen about it; the rows do not change.
    fn settings(&self) -> &[Setting];

    /// Sets what the row with this key stands for.
    fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingError>;

    /// Whether it can play with its settings: nothing is missing, and they go together. If not, why.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// The next position belongs to another game.
    fn new_game(&mut self);

    /// Does now what it would otherwise do before its next thought: large tables are made. If there is no memory for one,
    /// why not; it can think all the same, with less.
    fn prepare(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Finds a move for the side to move. It returns as soon as a limit is reached or [`Control::stop`] is called; to
    /// withhold the answer while [`Limits::infinite`] or [`Limits::ponder`] says so is the caller's affair.
    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Thought;

    /// What a bench of it measures: the flagship as it is set, where it is one. Depth, threads and table are the bench's own.
    fn bench(&self) -> BenchSettings {
        BenchSettings::default()
    }

    /// What was set and has no effect as things stand, a sentence each: an interface sets options in any order, so that is
    /// known when it asks for a move.
    fn without_effect(&self) -> Vec<String> {
        Vec::new()
    }

    /// Why it chose its last move, if it reasons in a way of its own; what it told while it thought says the rest.
    fn explanation(&self) -> Option<Explanation> {
        None
    }

    /// The evaluation of a position term by term or piece by piece, if it goes by ours.
    fn breakdown(&self, _position: &Position) -> Option<AnyBreakdown> {
        None
    }

    /// What it makes of a position without thinking, if anything.
    fn explain(&self, position: &Position) -> Option<Explanation> {
        let evaluation = ExplainedEvaluation::new(position, self.breakdown(position)?);
        Some(Explanation::Search(
            Lines::default().explain(position, Some(evaluation)),
        ))
    }
}
