//! Whether a record can be what came of a task.
//!
//! Who plays elsewhere may be broken, out of date or a liar. A record says what was played and what the players said of their
//! moves; with the task that determines whether every move is legal, where the game was over, how, and who won. What cannot
//! be seen from here is whether the players really play so: for that a game is played twice
//! ([`GameRecord::is_same_game`]).

use std::sync::Arc;

use thiserror::Error;
use vidmar_chess::{CastlingNotation, Color, Outcome, Termination};
use vidmar_players::FaultKind;

use crate::game_state::{End, GameState};
use crate::record::{CLOCK_SCALES, GameRecord};
use crate::tablebases::{OpenTablebases, TablebaseError};
use crate::task::GameTask;

/// Why a record cannot be true.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AuditError {
    /// A move that the rules forbid.
    #[error("ply {ply}: {m} is illegal")]
    Illegal {
        /// How many moves of players stand before it.
        ply: usize,
        /// The move.
        m: String,
    },
    /// The game was over before its last move.
    #[error("ply {ply}: the game was over before it: {termination}")]
    PlayedOn {
        /// How many moves of players stand before it.
        ply: usize,
        /// How it had ended.
        termination: Termination,
    },
    /// It did not end so.
    #[error("the game ends with {found}, not with {told}")]
    OtherEnd {
        /// What the moves say.
        found: String,
        /// What the record says.
        told: String,
    },
    /// A fault ended it, and the record knows none of that side.
    #[error("{0}, without a fault of that side")]
    NoFault(Termination),
    /// Clocks that cannot have been scaled so.
    #[error("clocks scaled by {0} thousandths")]
    ClockScale(u32),
    /// The tablebases of the task are not here.
    #[error(transparent)]
    Tablebases(#[from] TablebaseError),
}

/// Checks records; keeps the tablebases that some of them need.
#[derive(Clone, Default)]
pub struct Auditor {
    tablebases: Arc<OpenTablebases>,
}

impl Auditor {
    /// Whether the record can be what came of the task. A stopped game is no record of anything.
    pub fn check(&self, task: &GameTask, record: &GameRecord) -> Result<(), AuditError> {
        if let Some(scale) = record.clock_scale
            && !(CLOCK_SCALES.contains(&scale) && Color::ALL.into_iter().any(|side| is_timed(task, side)))
        {
            return Err(AuditError::ClockScale(scale));
        }
        let tablebases = match &task.setup.rules.tablebases {
            Some(rule) => Some(self.tablebases.get(rule)?),
            None => None,
        };
        let mut state = GameState::new(&task.setup, tablebases.as_deref().map(|probe| probe as _));
        for (ply, played) in record.moves.iter().enumerate() {
            if let Some((_, termination)) = state.ended() {
                return Err(AuditError::PlayedOn { ply, termination });
            }
            if !state.position().is_legal(played.m) {
                let m = played.m.uci(CastlingNotation::Chess960).to_string();
                return Err(AuditError::Illegal { ply, m });
            }
            state.play(played);
        }
        check_end(task, record, &state)
    }
}

fn check_end(task: &GameTask, record: &GameRecord, state: &GameState<'_>) -> Result<(), AuditError> {
    let told: End = (record.outcome, record.termination);
    let turn = state.position().turn();
    let by_fault = |side, kind: Option<FaultKind>| {
        let is_blamed = record
            .faults
            .iter()
            .any(|fault| fault.side == side && kind.is_none_or(|kind| fault.fault.kind == kind));
        if is_blamed {
            Ok(())
        } else {
            Err(AuditError::NoFault(record.termination))
        }
    };
    match (state.ended(), record.termination) {
        // A player that is not to be had does not even begin.
        (_, Termination::Fault(side)) if record.moves.is_empty() && told.0.is_none() => by_fault(side, None),
        (Some(end), _) if end == told => Ok(()),
        (None, Termination::Fault(side)) if side == turn && told.0.is_none() => by_fault(side, None),
        (None, Termination::TimeForfeit(side))
            if side == turn && told.0.is_none() && is_timed(task, side) =>
        {
            by_fault(side, Some(FaultKind::TimeLoss))
        }
        (None, Termination::Resignation) if told.0 == Some(Outcome::win(!turn)) => Ok(()),
        (end, _) => Err(AuditError::OtherEnd {
            found: end.map_or_else(|| "nothing".to_owned(), in_words),
            told: in_words(told),
        }),
    }
}

fn is_timed(task: &GameTask, side: Color) -> bool {
    let limits = &task.setup.limits[side];
    limits.base.is_some() || limits.move_time.is_some()
}

fn in_words((outcome, termination): End) -> String {
    format!("{} ({termination})", Outcome::text(outcome))
}

#[cfg(test)]
mod tests;
