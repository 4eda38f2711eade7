//! Labelled positions from games of our own: the vector that tuning starts from plays itself.
//!
//! Every game begins in another opening, for two equal players play the same game twice. Positions after the opening
//! count where they are quiet for the side to move: not in check, and no capture or promotion that wins anything, so
//! that the static score is what a quiescence search would say. Each is taken once, with the result of its game. The
//! positions of a game are kept out of the fit or not together.

use std::collections::HashSet;

use vidmar_arena::archive;
use vidmar_chess::{Position, SIMPLE_VALUES};
use vidmar_store::{GameResult, RunId, Store};

use super::texel::Samples;
use crate::run::RunError;

/// The quiet positions of a run's games, at most so many.
pub(crate) fn positions(store: &Store, run: RunId, most: usize) -> Result<Samples, RunError> {
    let (mut samples, mut seen) = (Samples::default(), HashSet::new());
    store.for_each_game(run, |game| {
        let points = match game.result {
            Some(GameResult::WhiteWins) => 1.0,
            Some(GameResult::Draw) => 0.5,
            Some(GameResult::BlackWins) => 0.0,
            None => return Ok(()),
        };
        let (mut position, moves) = archive::moves(&game).map_err(|error| RunError::State {
            what: "a game",
            reason: error.to_string(),
        })?;
        for (ply, &m) in moves.iter().enumerate() {
            let is_ours = ply >= game.given as usize;
            if is_ours && samples.len() < most && is_quiet(&position) && seen.insert(position.key().0) {
                samples.add(game.number, position.clone(), points);
            }
            position.play(m);
        }
        Ok::<(), RunError>(())
    })?;
    Ok(samples)
}

/// Whether the side to move wins nothing at once.
fn is_quiet(position: &Position) -> bool {
    let wins = |m: &vidmar_chess::Move| {
        let is_loud = position.is_capture(*m) || m.promotion().is_some();
        is_loud && position.exchange_at_least(*m, 1, &SIMPLE_VALUES)
    };
    !position.in_check() && !position.legal_moves().iter().any(wins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_is_what_wins_nothing() {
        let quiet = |fen: &str| is_quiet(&fen.parse().unwrap());
        assert!(quiet("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        // A queen that hangs, but only for the side to move.
        assert!(!quiet("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"));
        assert!(quiet("4k3/8/8/3q4/4P3/5P2/8/4K3 b - - 0 1"));
        // A guarded pawn is no prey for a rook; a check is not quiet, nor is a promotion.
        assert!(quiet("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1"));
        assert!(!quiet("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"));
        assert!(!quiet("7k/P7/8/8/8/8/8/4K3 w - - 0 1"));
    }
}
