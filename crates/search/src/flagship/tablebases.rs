//! Tablebases in the search.
//!
//! At the root, only moves that keep the result are searched; with Syzygy's distances also by the 50-move rule. Below
//! it, a position just reached by a capture or pawn move is looked up, since there the 50-move rule starts anew and the
//! value holds whatever came before. A win is worth less than any mate and more than any evaluation, the nearer the
//! more; since it may yet be a nearer mate, it is a bound and no more.
//!
//! When the root itself is decided, what is below is not looked up any more: there the search has to find a way to win,
//! not one more proof that it can. A won root without distances still asks where the win would be thrown away.

use std::sync::atomic::{AtomicU64, Ordering};

use vidmar_chess::{BitboardBoard, Bound, Move};
use vidmar_eval::Evaluation;
use vidmar_tablebases::{Keeping, Tablebases, Wdl, has_repeated};

use super::node::Node;
use super::table::{Entry, NO_STATIC};
use super::techniques::Technique;
use super::worker::Worker;
use crate::settings::Probes;
use crate::value::{DRAW, EVALUATION_BOUND, INFINITE, TABLEBASE_WIN, Value, is_mate};

/// What a known win adds to the static value: more than a piece, so that it is sought, and less than a queen, so that
/// making progress in it still pays.
const KNOWN_WIN: Value = 600;
/// The most pieces of positions that the static value is asked for: the base built in, or as small a one.
const STATIC_PIECES: u32 = 3;
/// A table entry that every search may believe.
const PROVEN_DEPTH: i32 = 100;

/// The tablebases as one search uses them.
pub(crate) struct Probing<'a> {
    tablebases: &'a Tablebases,
    /// The result at the root, if known.
    root: Option<Keeping>,
    /// The most pieces of positions below the root that are looked up.
    pieces: u32,
    /// The least depth for a look-up with that many pieces.
    least_depth: i32,
    hits: AtomicU64,
}

impl<'a> Probing<'a> {
    /// Looks the root up.
    pub(crate) fn new(probes: &'a Probes, board: &BitboardBoard, moves: &[Move]) -> Probing<'a> {
        let tablebases = probes.tablebases.as_ref();
        let root = tablebases.keeping(board.current(), moves, has_repeated(board));
        let is_open = root
            .as_ref()
            .is_none_or(|kept| kept.value == Wdl::Win && !kept.by_distance);
        Probing {
            tablebases,
            hits: AtomicU64::new(root.as_ref().map_or(0, |kept| kept.moves.len() as u64)),
            pieces: if is_open {
                tablebases.max_pieces() as u32
            } else {
                0
            },
            root,
            least_depth: probes.least_depth as i32,
        }
    }

    /// The moves that keep the result, if it is known.
    pub(crate) fn kept(&self) -> Option<&[Move]> {
        self.root.as_ref().map(|kept| kept.moves.as_slice())
    }

    /// Positions found in the tablebases.
    pub(crate) fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// A value of the root as it is reported: a known result, unless there is a mate.
    pub(crate) fn reported(&self, value: Value, bound: Bound) -> (Value, Bound) {
        match self.root.as_ref().map(|kept| kept.value) {
            Some(known) if !is_mate(value) => (tablebase_value(known, 0), Bound::Exact),
            _ => (value, bound),
        }
    }
}

/// What a known result is worth at a ply.
fn tablebase_value(known: Wdl, ply: usize) -> Value {
    match known {
        Wdl::Win => TABLEBASE_WIN - ply as Value,
        Wdl::Draw => DRAW,
        Wdl::Loss => ply as Value - TABLEBASE_WIN,
    }
}

impl<E: Evaluation> Worker<'_, E> {
    /// What the tablebases say of a node: the least and the most that it can be worth.
    pub(super) fn known_bounds(&self, node: &Node) -> (Value, Value) {
        const UNKNOWN: (Value, Value) = (-INFINITE, INFINITE);
        let probing = &self.shared.tablebases;
        let position = self.board.current();
        let pieces = position.occupied().len();
        if pieces > probing.pieces
            || position.halfmoves() != 0
            || pieces == probing.pieces && node.depth < probing.least_depth
            || !self.uses(Technique::Tablebases)
        {
            return UNKNOWN;
        }
        let Some(known) = probing.tablebases.wdl_by_rule(position) else {
            return UNKNOWN;
        };
        probing.hits.fetch_add(1, Ordering::Relaxed);
        let value = tablebase_value(known, node.ply);
        let is_won_root = probing.root.is_some();
        let wins = if node.ply.is_multiple_of(2) {
            Wdl::Win
        } else {
            Wdl::Loss
        };
        match known {
            _ if is_won_root && known == wins => UNKNOWN,
            Wdl::Win => (value, INFINITE),
            Wdl::Draw => (value, value),
            Wdl::Loss => (-INFINITE, value),
        }
    }

    /// The bounds from the tablebases settle the node.
    pub(super) fn tablebase_cutoff(&self, node: &Node, (least, most): (Value, Value)) -> Option<Value> {
        let (value, bound) = if least == most {
            (least, Bound::Exact)
        } else if least >= node.beta {
            (least, Bound::Lower)
        } else if most <= node.alpha {
            (most, Bound::Upper)
        } else {
            return None;
        };
        let proven = Entry {
            best: None,
            value,
            static_value: NO_STATIC,
            depth: PROVEN_DEPTH,
            bound,
            pv: false,
        };
        self.shared.table.put(node.key, node.ply, proven);
        Some(value)
    }

    /// The static value, corrected where a base of very few pieces knows the result.
    pub(super) fn known_static(&self, value: Value) -> Value {
        let value = value.clamp(-EVALUATION_BOUND, EVALUATION_BOUND);
        let position = self.board.current();
        if position.occupied().len() > STATIC_PIECES || !self.uses(Technique::Tablebases) {
            return value;
        }
        match self.shared.tablebases.tablebases.wdl(position) {
            Some(Wdl::Win) => value.max(0) + KNOWN_WIN,
            Some(Wdl::Draw) => DRAW,
            Some(Wdl::Loss) => value.min(0) - KNOWN_WIN,
            None => value,
        }
    }
}
