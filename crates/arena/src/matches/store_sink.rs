//! Games of a match on their way into its store and its scoreboard.

use std::sync::{Mutex, PoisonError};

use vidmar_chess::Color;
use vidmar_store::{Batch, Outline, RunId, Store, StoreError};

use super::{MatchEvent, Scoreboard};
use crate::archive::{stored_faults, stored_game};
use crate::runner::{PlayedGame, Sink};
use crate::task::GameTask;

/// A game that somebody has begun to play: its number, who has White, who has Black.
type Started = (u64, usize, usize);

/// Notes that a game is being given out; it is told when the sink has its turn, always before the game's end.
pub(super) fn note(started: &Mutex<Vec<Started>>, task: &GameTask) {
    let index = |side| task.players[side].index;
    let game = (task.number, index(Color::White), index(Color::Black));
    started.lock().unwrap_or_else(PoisonError::into_inner).push(game);
}

/// Commits games and counts them; a decision of the match's test stops it.
pub(super) struct StoreSink<'a> {
    /// Games that were begun and not yet told of.
    pub(super) started: &'a Mutex<Vec<Started>>,
    pub(super) store: &'a mut Store,
    pub(super) run: RunId,
    pub(super) scoreboard: &'a mut Scoreboard,
    pub(super) watch: &'a mut dyn FnMut(&MatchEvent<'_>),
}

impl StoreSink<'_> {
    fn tell_started(&mut self) {
        let games = std::mem::take(&mut *self.started.lock().unwrap_or_else(PoisonError::into_inner));
        for (game, white, black) in games {
            (self.watch)(&MatchEvent::Started { game, white, black });
        }
    }
}

impl Sink for StoreSink<'_> {
    type Error = StoreError;

    fn idle(&mut self) -> Result<(), StoreError> {
        self.tell_started();
        Ok(())
    }

    fn commit(&mut self, played: Vec<PlayedGame>) -> Result<(), StoreError> {
        self.tell_started();
        let batch = Batch {
            games: played
                .iter()
                .map(|game| stored_game(&game.task, &game.record))
                .collect(),
            faults: played
                .iter()
                .flat_map(|game| stored_faults(&game.task, &game.record))
                .collect(),
            ..Batch::new(self.run)
        };
        self.store.commit(&batch)?;
        for (played, game) in played.iter().zip(&batch.games) {
            for fault in &played.record.faults {
                let player = played.task.players[fault.side].index;
                self.scoreboard
                    .add_fault(game.number, player, fault.fault.kind.name());
                (self.watch)(&MatchEvent::Fault {
                    game: game.number,
                    player,
                    fault: &fault.fault,
                });
            }
            self.scoreboard.add(Outline {
                number: game.number,
                round: game.round,
                white: game.white,
                black: game.black,
                result: game.result,
            });
            (self.watch)(&MatchEvent::Game {
                game,
                scoreboard: &*self.scoreboard,
            });
        }
        Ok(())
    }

    fn is_satisfied(&self) -> bool {
        self.scoreboard.decision().is_some()
    }
}
