//! Whether a match goes on with the players that it began with.

use vidmar_players::{Identity, MoveLimits};

use super::SessionError;
use crate::matches::MatchPlayer;

/// What every player is. Each is started once and ended again: what cannot begin, or not keep to its limits, shall leave nothing
/// behind, no store and no run that others take for one that was interrupted.
pub(super) fn of(players: &[MatchPlayer]) -> Result<Vec<Identity>, SessionError> {
    let identity = |player: &MatchPlayer| {
        let limits = MoveLimits {
            depth: player.limits.depth,
            nodes: player.limits.nodes,
            move_time: player.limits.move_time,
        };
        let is_possible = player.spec.check_game(&limits);
        let identity = is_possible.and_then(|()| player.spec.identity());
        identity.map_err(|fault| SessionError::Player {
            name: player.name.clone(),
            fault,
        })
    };
    players.iter().map(identity).collect()
}

/// An error if a player is not what it was. Stores of older versions know nothing of their players.
pub(super) fn compare(
    players: &[MatchPlayer],
    before: &[Identity],
    now: &[Identity],
) -> Result<(), SessionError> {
    let changes: Vec<String> = players
        .iter()
        .zip(before.iter().zip(now))
        .flat_map(|(player, (before, now))| {
            let changes = before.changes(now).into_iter();
            changes.map(|change| format!("{}: {change}", player.name))
        })
        .collect();
    if changes.is_empty() {
        return Ok(());
    }
    Err(SessionError::ChangedPlayers(changes))
}
