//! Perft on bitboards: the same generator as everywhere, with a sink that walks into each position.

use crate::bitboard::Bitboard;
use crate::bitboards::Bitboards;
use crate::color::Side;
use crate::generator::{Count, Sink};
use crate::moves::Generate;
use crate::piece::{Promotion, Role};
use crate::square::Square;

/// The number of move sequences of `depth` plies, counting the last ply without making its moves.
pub(crate) fn perft<S: Side>(board: &Bitboards, depth: u32) -> u64 {
    let checks = board.checks::<S>();
    if depth <= 1 {
        if depth == 0 {
            return 1;
        }
        let mut count = Count(0);
        board.generate::<S>(&checks, Generate::All, &mut count);
        return u64::from(count.0);
    }
    let mut walk = Walk::<S> {
        board,
        depth: depth - 1,
        nodes: 0,
        side: std::marker::PhantomData,
    };
    board.generate::<S>(&checks, Generate::All, &mut walk);
    walk.nodes
}

struct Walk<'a, S> {
    board: &'a Bitboards,
    depth: u32,
    nodes: u64,
    side: std::marker::PhantomData<S>,
}

impl<S: Side> Walk<'_, S> {
    #[inline(always)]
    fn into(&mut self, next: &Bitboards) {
        self.nodes += perft::<S::Opponent>(next, self.depth);
    }
}

impl<S: Side> Sink for Walk<'_, S> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        for to in to {
            self.into(&self.board.after_move::<S>(role, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, delta: i32) {
        for to in to {
            self.into(&self.board.after_move::<S>(Role::Pawn, to.step(-delta), to));
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, to: Bitboard, delta: i32) {
        for to in to {
            self.into(&self.board.after_double_push::<S>(to.step(-delta), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, delta: i32) {
        for to in to {
            for promotion in Promotion::ALL {
                self.into(&self.board.after_promotion::<S>(to.step(-delta), to, promotion));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.into(&self.board.after_en_passant::<S>(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.into(&self.board.after_castling::<S>(king, rook));
    }
}
