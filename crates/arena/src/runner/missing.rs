//! What becomes of a run one of whose players cannot be started, or not again after a fault.

use std::collections::HashMap;

use vidmar_chess::Color;
use vidmar_players::FaultKind;

use super::PlayedGame;

/// When a player that is not to be had ends a run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum MissingPlayers {
    /// At once.
    EndTheRun,
    /// Never: it is a fault of the game, as a crash is.
    AreFaults,
    /// It is a fault of the game. One that has not played at all ends the run at once, and so does one that could not be
    /// started in so many games in a row: it is gone for good, and the rest of the games would say nothing of it.
    EndAfter(u32),
}

/// Who has played, by index, and in how many games in a row each could not be started since.
#[derive(Default)]
pub(super) struct Attendance(HashMap<usize, u32>);

impl Attendance {
    /// Takes note of a game; the side whose player ends the run, if one does.
    pub(super) fn note(&mut self, game: &PlayedGame, missing: MissingPlayers) -> Option<Color> {
        let absent = game.record.unavailable;
        for side in Color::ALL.into_iter().filter(|&side| Some(side) != absent) {
            self.0.insert(game.task.players[side].index, 0);
        }
        let side = absent?;
        let index = game.task.players[side].index;
        let faults = game.record.faults.iter();
        let was_there = self.0.contains_key(&index)
            || faults
                .into_iter()
                .any(|fault| fault.side == side && fault.fault.kind != FaultKind::Start);
        let failures = self.0.entry(index).or_default();
        *failures += 1;
        let ends = match missing {
            MissingPlayers::EndTheRun => true,
            MissingPlayers::AreFaults => false,
            MissingPlayers::EndAfter(most) => !was_there || *failures >= most,
        };
        ends.then_some(side)
    }
}
