//! What people do in a game, and when they may.

use std::time::Instant;

use vidmar_chess::{Color, Outcome};

use super::play::Play;
use super::types::DrawAction;
use crate::error::{ApiError, ApiResult};

fn conflict(code: &'static str, message: &str) -> ApiError {
    ApiError::conflict(code, message)
}

fn must_be_playing(play: &Play) -> ApiResult<()> {
    if play.is_playing() {
        return Ok(());
    }
    Err(if play.is_over() {
        conflict("game-over", "the game is over")
    } else {
        conflict("paused", "the game is paused; continue first")
    })
}

/// Whose action it is: the only person's, or the side that is named, or the one to move.
fn actor(play: &Play, side: Option<Color>) -> ApiResult<Color> {
    let persons = play.persons;
    match side {
        Some(side) if persons[side] => Ok(side),
        Some(_) => Err(conflict("not-a-person", "no person sits on that side").field("side")),
        None if persons[play.turn()] && persons[!play.turn()] => Ok(play.turn()),
        None if persons[Color::White] => Ok(Color::White),
        None if persons[Color::Black] => Ok(Color::Black),
        None => Err(conflict("not-a-person", "no person plays in this game")),
    }
}

/// A move of the person to move.
pub(super) fn make_move(play: &mut Play, uci: &str, now: Instant) -> ApiResult<()> {
    must_be_playing(play)?;
    if !play.awaits_person() {
        return Err(conflict("not-your-turn", "the player is to move"));
    }
    let m = play
        .game
        .position()
        .parse_uci(uci)
        .map_err(|error| ApiError::bad_request("bad-move", error.to_string()).field("uci"))?;
    play.make(m, None, now);
    Ok(())
}

/// The last move of a person, and what was answered, did not happen.
pub(super) fn take_back(play: &mut Play, now: Instant) -> ApiResult<()> {
    if play.take_back(now) {
        Ok(())
    } else {
        Err(conflict(
            "nothing-to-take-back",
            "there is no move of a person to take back",
        ))
    }
}

/// A person gives up.
pub(super) fn resign(play: &mut Play, side: Option<Color>) -> ApiResult<()> {
    if play.is_over() {
        return Err(conflict("game-over", "the game is over"));
    }
    let side = actor(play, side)?;
    play.end(Outcome::win(!side), format!("{side} resigns"));
    Ok(())
}

/// Offers, answers and claims.
pub(super) fn draw(play: &mut Play, action: DrawAction, side: Option<Color>) -> ApiResult<()> {
    must_be_playing(play)?;
    match action {
        DrawAction::Claim => claim(play, actor(play, side)?),
        DrawAction::Offer => {
            let side = actor(play, side)?;
            offer(play, side);
            Ok(())
        }
        DrawAction::Accept | DrawAction::Decline => {
            let offered = play.draw_offer.filter(|&by| play.persons[!by]);
            let by = offered.ok_or_else(|| conflict("no-offer", "no draw is offered to a person"))?;
            if side.is_some_and(|side| side == by) {
                return Err(conflict("own-offer", "an offer is answered by the other side").field("side"));
            }
            if action == DrawAction::Accept {
                play.end(Outcome::Draw, "draw agreed".to_owned());
            } else {
                play.draw_offer = None;
                play.note = Some(format!("{} declines the draw", !by));
            }
            Ok(())
        }
    }
}

fn claim(play: &mut Play, side: Color) -> ApiResult<()> {
    if side != play.turn() {
        return Err(conflict("not-your-turn", "a draw is claimed by the side to move"));
    }
    let reason = play.claimable();
    let reason = reason.ok_or_else(|| {
        conflict(
            "nothing-to-claim",
            "the position has not occurred three times, nor have 50 moves passed without progress",
        )
    })?;
    play.end(Outcome::Draw, reason);
    Ok(())
}

/// A person answers when it likes, a player at once.
fn offer(play: &mut Play, side: Color) {
    if play.persons[!side] {
        if play.draw_offer == Some(!side) {
            play.end(Outcome::Draw, "draw agreed".to_owned());
        } else {
            play.draw_offer = Some(side);
            play.note = Some(format!("{side} offers a draw"));
        }
    } else if play.player_agrees(!side) {
        play.end(Outcome::Draw, "draw agreed".to_owned());
    } else {
        play.note = Some(format!("{} declines the draw", !side));
    }
}

/// The clocks stop.
pub(super) fn pause(play: &mut Play, now: Instant) -> ApiResult<()> {
    must_be_playing(play)?;
    play.pause(None, now);
    Ok(())
}

/// The game goes on.
pub(super) fn go_on(play: &mut Play, now: Instant) -> ApiResult<()> {
    if play.is_over() {
        return Err(conflict("game-over", "the game is over"));
    }
    if play.is_playing() {
        return Err(conflict("not-paused", "the game is not paused"));
    }
    play.go_on(now);
    Ok(())
}
