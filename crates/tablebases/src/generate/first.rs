//! The first state of a position: its moves, and what those that leave the ending are worth.

use arrayvec::ArrayVec;
use vidmar_chess::{Bitboard, Color, Piece, Promotion, Rank, Role, Square, attacks};

use super::{LOSS, Retrograde, STALEMATE, UNUSED, WIN};
use crate::ending::{MAX_NON_KINGS, Placement};
use crate::layout::side_index;
use crate::wdl::Wdl;

/// Room for the moves of a side with two queens.
type Numbers = ArrayVec<u32, 128>;

/// What is found out about the moves of a position.
#[derive(Default)]
struct Tally {
    has_move: bool,
    /// A capture or promotion wins.
    wins: bool,
    /// Successors that may turn out to be won for the mover or drawn.
    open: u32,
}

impl Tally {
    fn count(&mut self, moves: u32) {
        self.has_move |= moves > 0;
        self.open += moves;
    }

    /// A move out of the ending, with its value for the mover. A drawn one stays open for ever.
    fn convert(&mut self, value: Wdl) {
        self.has_move = true;
        match value {
            Wdl::Win => self.wins = true,
            Wdl::Draw => self.open += 1,
            Wdl::Loss => {}
        }
    }
}

/// A position with what its moves must heed.
struct Mover {
    placement: Placement,
    turn: Color,
    king: Square,
    occupied: Bitboard,
    own: Bitboard,
    in_check: bool,
}

impl Retrograde<'_> {
    /// The state of a number before anything is known of its successors.
    pub(super) fn first_state(&self, number: u32, turn: Color) -> u8 {
        let placement = self.layout.placement(number);
        let occupied = self.occupied(placement);
        if occupied.len() as usize != self.ending.piece_count()
            || self.layout.number(placement) != Some(number)
        {
            return UNUSED;
        }
        if self
            .attacks(placement, turn, occupied, None)
            .contains(placement.kings[side_index(!turn)])
        {
            return UNUSED;
        }
        let mover = self.mover(placement, turn, occupied);
        let tally = self.tally(&mover);
        if tally.wins {
            WIN
        } else if tally.open > 0 {
            tally.open as u8
        } else if tally.has_move || mover.in_check {
            LOSS
        } else {
            STALEMATE
        }
    }

    fn mover(&self, placement: Placement, turn: Color, occupied: Bitboard) -> Mover {
        let king = placement.kings[side_index(turn)];
        let pieces = self.pieces_of(placement, turn);
        let own = pieces.fold(king.into(), |own: Bitboard, (_, _, square)| own.with(square));
        Mover {
            placement,
            turn,
            king,
            occupied,
            own,
            in_check: self.attacks(placement, !turn, occupied, None).contains(king),
        }
    }

    /// What a side's pieces, not its king, attack; the piece on `taken` is gone.
    fn attacks(
        &self,
        placement: Placement,
        side: Color,
        occupied: Bitboard,
        taken: Option<Square>,
    ) -> Bitboard {
        self.pieces_of(placement, side)
            .filter(|(_, _, square)| Some(*square) != taken)
            .fold(Bitboard::EMPTY, |all, (_, role, square)| {
                all | attacks::of(role, side, square, occupied)
            })
    }

    fn tally(&self, mover: &Mover) -> Tally {
        let mut tally = Tally::default();
        let still = mover.placement.kings[side_index(!mover.turn)];
        let mut numbers = self.may_coincide(still).then(Numbers::new);
        self.king_moves(mover, &mut tally, &mut numbers);
        for (index, role, square) in self.pieces_of(mover.placement, mover.turn) {
            if role == Role::Pawn {
                self.pawn_moves(mover, index, square, &mut tally);
            } else {
                let targets = attacks::of(role, mover.turn, square, mover.occupied) & !mover.own;
                let targets = self.safe(mover, square, targets);
                self.piece_moves(mover, index, targets, &mut tally, &mut numbers);
            }
        }
        if let Some(mut numbers) = numbers {
            numbers.sort_unstable();
            tally.count(numbers.chunk_by(|a, b| a == b).count() as u32);
        }
        tally
    }

    /// Counts moves that stay in the ending, or notes where they lead if that may coincide.
    fn quiet(
        &self,
        targets: Bitboard,
        tally: &mut Tally,
        numbers: &mut Option<Numbers>,
        after: impl Fn(Square) -> Placement,
    ) {
        match numbers {
            None => tally.count(targets.len()),
            Some(numbers) => numbers.extend(targets.into_iter().map(|to| {
                let number = self.layout.number(after(to));
                number.expect("a legal move leaves the kings apart")
            })),
        }
    }

    fn king_moves(&self, mover: &Mover, tally: &mut Tally, numbers: &mut Option<Numbers>) {
        let Mover {
            placement,
            turn,
            king,
            occupied,
            own,
            ..
        } = *mover;
        // The king does not hide what is behind it.
        let danger = self.attacks(placement, !turn, occupied.without(king), None)
            | attacks::king(placement.kings[side_index(!turn)]);
        let targets = attacks::king(king) & !own & !danger;
        let after = |to| {
            let mut after = placement;
            after.kings[side_index(turn)] = to;
            after
        };
        self.quiet(targets & !occupied, tally, numbers, after);
        for to in targets & occupied {
            tally.convert(self.converted(after(to), turn, to, None));
        }
    }

    fn piece_moves(
        &self,
        mover: &Mover,
        index: usize,
        targets: Bitboard,
        tally: &mut Tally,
        numbers: &mut Option<Numbers>,
    ) {
        let after = |to| moved(mover.placement, index, to);
        self.quiet(targets & !mover.occupied, tally, numbers, after);
        for to in targets & mover.occupied {
            tally.convert(self.converted(after(to), mover.turn, to, None));
        }
    }

    fn pawn_moves(&self, mover: &Mover, index: usize, from: Square, tally: &mut Tally) {
        let Mover {
            placement,
            turn,
            occupied,
            own,
            ..
        } = *mover;
        let step = if turn == Color::White { 1 } else { -1 };
        let free = |ranks: i32| from.offset(0, ranks).filter(|&to| !occupied.contains(to));
        let single = free(step);
        let double = single
            .filter(|_| from.rank() == Rank::Second.relative_to(turn))
            .and_then(|_| free(2 * step));
        let taken = attacks::pawn(turn, from) & occupied & !own;
        let targets = [single, double].into_iter().flatten().fold(taken, Bitboard::with);
        for to in self.safe(mover, from, targets) {
            let after = moved(placement, index, to);
            if to.rank() == Rank::Eighth.relative_to(turn) {
                for promotion in Promotion::ALL {
                    let became = Some((index, promotion.role()));
                    tally.convert(self.converted(after, turn, to, became));
                }
            } else if occupied.contains(to) {
                tally.convert(self.converted(after, turn, to, None));
            } else if double == Some(to)
                && let Some(reply) = self.en_passant(after, index, turn)
            {
                self.answered_double_step(after, turn, reply, tally);
            } else {
                tally.count(1);
            }
        }
    }

    /// A double step that can be taken en passant. The tablebase's value of the position after it does not know of that
    /// capture: a winning one makes the step a loss, whatever else; a losing one matters only where there is no other
    /// move.
    fn answered_double_step(&self, after: Placement, mover: Color, reply: Wdl, tally: &mut Tally) {
        let forced = || {
            let answer = self.mover(after, !mover, self.occupied(after));
            !self.tally(&answer).has_move
        };
        if reply == Wdl::Win || reply == Wdl::Loss && forced() {
            tally.convert(-reply);
        } else {
            tally.count(1);
        }
    }

    /// The targets that do not leave the mover's king attacked.
    fn safe(&self, mover: &Mover, from: Square, targets: Bitboard) -> Bitboard {
        let Mover {
            placement,
            turn,
            king,
            ..
        } = *mover;
        let may_be_pinned = self
            .pieces_of(placement, !turn)
            .any(|(_, _, square)| attacks::between(king, square).contains(from));
        if !mover.in_check && !may_be_pinned {
            return targets;
        }
        let is_safe = |&to: &Square| {
            let after = mover.occupied.without(from).with(to);
            !self.attacks(placement, !turn, after, Some(to)).contains(king)
        };
        targets.into_iter().filter(is_safe).collect()
    }

    /// The value for the mover of a move out of the ending: what stood on `to` is taken, if anything did, and a
    /// pawn may have become another piece. The pieces are those after the move.
    fn converted(&self, after: Placement, mover: Color, to: Square, became: Option<(usize, Role)>) -> Wdl {
        let left: ArrayVec<(Piece, Square), MAX_NON_KINGS> = self
            .ending
            .pieces()
            .zip(after.squares)
            .enumerate()
            .filter(|(_, (piece, square))| *square != to || piece.color == mover)
            .map(|(index, (piece, square))| match became {
                Some((pawn, role)) if pawn == index => (role.of(piece.color), square),
                _ => (piece, square),
            })
            .collect();
        let value = self.known.value(after.kings, &left, !mover);
        -value.expect("the endings that this one leads to are made before it")
    }
}

fn moved(placement: Placement, index: usize, to: Square) -> Placement {
    let mut after = placement;
    after.squares[index] = to;
    after
}
