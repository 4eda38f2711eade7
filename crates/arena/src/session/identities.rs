//! Whether a match goes on with the players that it began with.

use vidmar_players::Identity;

use super::SessionError;
use crate::matches::MatchPlayer;

/// What every player is. Each is started once and ended again: what cannot begin shall leave nothing behind, no store and no
/// run that others take for one that was interrupted.
pub(super) fn of(players: &[MatchPlayer]) -> Result<Vec<Identity>, SessionError> {
    let identity = |player: &MatchPlayer| {
        player.spec.identity().map_err(|fault| SessionError::Player {
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
