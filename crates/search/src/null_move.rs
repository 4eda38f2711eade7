//! The null move: a side that stands too well even after passing need not be searched.
//!
//! The bet is that some move is better than none. It loses in zugzwang, where every move harms, and
//! at the horizon, where the reply to the pass is never looked at. The rules in
//! [`NullMoveRules`] keep it away from there; verification (Tabibi and Netanyahu 2002)
//! searches the node one ply shallower before it believes the cut-off, and again in full if that
//! does not fail high. Source: [maribor-2004], null-move pruning.

use vidmar_chess::{Board, Color, Role};
use vidmar_text::{UnknownName, named_enum};

use crate::settings::Settings;

named_enum! {
    /// The null move: whether a side that would stand well even after passing is searched at all.
    pub enum NullMove: "null move";
    Off, "off", "every node is searched";
    R2, "r2", "a pass is searched 2 plies shallower";
    R3, "r3", "a pass is searched 3 plies shallower";
    Adaptive, "adaptive", "2 or 3 plies by depth and material";
    Verified, "verified", "3 plies; a cut-off is verified one ply shallower";
}

named_enum! {
    /// A rule of the null move that can be left out, to show what it is good for.
    pub enum NullMoveRule: "null-move rule";
    NotTwice, "not-twice", "not straight after another one";
    NotInPawnEndings, "not-in-pawn-endings", "not by a side that has only its king and pawns, where zugzwang is common";
    NotAtTheHorizon, "not-at-the-horizon", "not where the pass would be evaluated without searching a single reply";
    NotAtTheRoot, "not-at-the-root", "not at the root, which has to find a move";
}

/// Where the null move may be tried. Each rule can be switched off, to show what it is good for; that
/// a side in check may not pass is no rule of ours but of chess, and stays.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)]
pub struct NullMoveRules {
    /// Not straight after another one.
    pub not_twice: bool,
    /// Not by a side that has only its king and pawns, where zugzwang is common.
    pub not_in_pawn_endings: bool,
    /// Not where the pass would be evaluated without searching a single reply.
    pub not_at_the_horizon: bool,
    /// Not at the root, which has to find a move.
    pub not_at_the_root: bool,
}

impl NullMoveRules {
    /// All but those with these names, with commas between; all if there are none.
    pub fn without(names: &str) -> Result<NullMoveRules, UnknownName> {
        let mut rules = NullMoveRules::default();
        for name in names.split(',').filter(|name| !name.is_empty()) {
            *rules.of(name.parse()?) = false;
        }
        Ok(rules)
    }

    /// The names of those that are left out, with commas between.
    pub fn left_out(mut self) -> String {
        let names: Vec<&str> = NullMoveRule::ALL
            .iter()
            .filter(|&&rule| !*self.of(rule))
            .map(|rule| rule.name())
            .collect();
        names.join(",")
    }

    fn of(&mut self, rule: NullMoveRule) -> &mut bool {
        match rule {
            NullMoveRule::NotTwice => &mut self.not_twice,
            NullMoveRule::NotInPawnEndings => &mut self.not_in_pawn_endings,
            NullMoveRule::NotAtTheHorizon => &mut self.not_at_the_horizon,
            NullMoveRule::NotAtTheRoot => &mut self.not_at_the_root,
        }
    }
}

impl Default for NullMoveRules {
    /// All of them.
    fn default() -> NullMoveRules {
        NullMoveRules {
            not_twice: true,
            not_in_pawn_endings: true,
            not_at_the_horizon: true,
            not_at_the_root: true,
        }
    }
}

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
