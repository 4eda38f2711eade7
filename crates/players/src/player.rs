//! What a game sees of a player.

use vidmar_chess::{Bound, Game, Move, MoveInfo, Position};
use vidmar_engine::explanation::{ExplainedEvaluation, Lines};
use vidmar_engine::{Control, Explanation, Info, Limits};
use vidmar_eval::AnyBreakdown;

use crate::fault::Fault;
use crate::spec::PlayerSpec;

/// What a player answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The move; legal, whoever answered. None is the answer of a player that gives the game up.
    pub best: Option<Move>,
    /// What it said of it; the time is the one that the game's clock saw.
    pub info: MoveInfo,
}

/// What a player says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Introduction {
    /// Its own name, whatever it is called here.
    pub name: String,
    /// The options that a program offers, in its own words.
    pub options: Vec<String>,
}

/// One side of a game.
pub trait Player: Send {
    /// What it calls itself.
    fn name(&self) -> &str;

    /// What it says of itself before it plays.
    fn introduction(&self) -> Introduction {
        Introduction {
            name: self.name().to_owned(),
            options: Vec::new(),
        }
    }

    /// Another game begins. `chess960` says how castling moves are to be written; `seed` is the game's, for players with
    /// random parts. A player that is out of order after a fault comes back into order here if it can.
    fn new_game(&mut self, chess960: bool, seed: u64) -> Result<(), Fault>;

    /// Finds a move for the side to move of a game that is not over. [`Control::stop`] asks for an answer at once, whatever
    /// the limits.
    fn choose(&mut self, game: &Game, limits: &Limits, control: &Control) -> Result<Reply, Fault>;

    /// The same, telling on the way what it thinks, if it is a player that does.
    fn think_aloud(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        _info: &mut dyn FnMut(&Info),
    ) -> Result<Reply, Fault> {
        self.choose(game, limits, control)
    }

    /// Why it chose its last move, if it reasons in a way of its own.
    fn explanation(&self) -> Option<Explanation> {
        None
    }

    /// The evaluation of a position term by term or piece by piece, if it goes by ours.
    fn breakdown(&self, _position: &Position) -> Option<AnyBreakdown> {
        None
    }

    /// Becomes the player of another specification without being started again, if the two differ in nothing but what
    /// can be set between games; false if it cannot.
    fn adapt(&mut self, _spec: &PlayerSpec) -> Result<bool, Fault> {
        Ok(false)
    }

    /// Puts it back into working order after a fault: a process is ended and started again.
    fn restart(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

impl Reply {
    /// The position after its move; the same one if it gives up.
    pub fn leads_from(&self, position: &Position) -> Position {
        let mut after = position.clone();
        if let Some(m) = self.best {
            after.play(m);
        }
        after
    }
}

/// Why a player gave its last answer: its own reasons, or else the lines that it told on the way; if it told none, its move and the
/// score that came with it. `evaluated` is the position whose evaluation goes with them: the one to which a move leads that was
/// played ([`Reply::leads_from`]), or the one that is analysed.
pub fn explain(
    player: &dyn Player,
    position: &Position,
    evaluated: &Position,
    lines: &Lines,
    reply: &Reply,
) -> Explanation {
    if let Some(reasons) = player.explanation() {
        return reasons;
    }
    let breakdown = player.breakdown(evaluated);
    let evaluation = breakdown.map(|breakdown| ExplainedEvaluation::new(evaluated, breakdown));
    let mut lines = lines.clone();
    if let (None, Some(score), Some(best)) = (lines.best(), reply.info.score, reply.best) {
        lines.note(&Info {
            depth: reply.info.depth,
            seldepth: reply.info.depth,
            multipv: 1,
            score: Some(score),
            bound: Bound::Exact,
            nodes: reply.info.nodes,
            elapsed: reply.info.time,
            hashfull: 0,
            tbhits: 0,
            pv: vec![best],
        });
    }
    if lines.best().is_none() && evaluation.is_none() {
        return Explanation::Untold;
    }
    Explanation::Search(lines.explain(position, evaluation))
}
