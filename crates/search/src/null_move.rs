//! The null move: a side that stands too well even after passing need not be searched.
//!
//! The bet is that some move is better than none. It loses in zugzwang, where every move harms, and
//! at the horizon, where the reply to the pass is never looked at. The rules in
//! [`NullMoveRules`](crate::NullMoveRules) keep it away from there; verification (Tabibi and Netanyahu 2002)
//! searches the node one ply shallower before it believes the cut-off, and again in full if that
//! does not fail high. Source: [maribor-2004], null-move pruning.

use vidmar_chess::{Board, Color, Role};

use crate::settings::{NullMove, Settings};

/// From this depth on, adaptive reduction asks about material (Heinz 1999).
const ADAPTIVE_DEPTH: u32 = 6;
/// Beyond this depth fewer pieces allow the larger reduction.
const ADAPTIVE_DEEP: u32 = 8;

/// By how many plies the search after a pass is shortened, if a pass may be tried here at all.
#[inline]
pub(crate) fn reduction<B: Board>(
    settings: &Settings,
    board: &B,
    depth: u32,
    ply: usize,
    after_null_move: bool,
) -> Option<u32> {
    if settings.null_move == NullMove::Off || board.in_check() {
        return None;
    }
    let rules = settings.null_move_rules;
    if rules.not_twice && after_null_move || rules.not_at_the_root && ply == 0 {
        return None;
    }
    let us = board.turn();
    if rules.not_in_pawn_endings && pieces(board, us) == 0 {
        return None;
    }
    let reduction = match settings.null_move {
        NullMove::Off => return None,
        NullMove::R2 => 2,
        NullMove::R3 | NullMove::Verified => 3,
        NullMove::Adaptive => adaptive(board, depth),
    };
    // The pass itself takes a ply; at least one more is needed to see the reply.
    if rules.not_at_the_horizon && depth < reduction + 2 {
        return None;
    }
    Some(reduction)
}

fn adaptive<B: Board>(board: &B, depth: u32) -> u32 {
    let fewest = pieces(board, Color::White).min(pieces(board, Color::Black));
    if depth > ADAPTIVE_DEEP && fewest >= 2 || depth > ADAPTIVE_DEPTH && fewest >= 3 {
        3
    } else {
        2
    }
}

/// A side's pieces other than king and pawns.
#[inline]
fn pieces<B: Board>(board: &B, color: Color) -> u32 {
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| board.count(color, role))
        .sum()
}
