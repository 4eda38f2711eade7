//! The trait that every board representation implements, and the table of them.
//!
//! A board is made from a validated [`Position`], changes by `make` and `unmake`, and remembers its
//! game, so that repetitions can be seen. Everything that takes a board takes it as a type parameter:
//! one representation costs another nothing. [`BoardKind`] names them; [`with_board!`](crate::with_board) turns a name
//! into a type once, outside every loop.

use std::num::NonZeroU16;

use crate::bitboard::Bitboard;
use crate::bitboard_board::BitboardBoard;
use crate::color::Color;
use crate::game::Game;
use crate::key::Key;
use crate::moves::{Generate, Move, MoveList};
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::setup::Setup;
use crate::square::Square;
use crate::termination::{Termination, insufficient_material};

/// What every board can do.
pub trait Board: Clone + Send + Sync {
    /// Its row in the table of boards.
    const KIND: BoardKind;

    /// A board with this position and no past.
    fn new(position: &Position) -> Self;

    /// A board on which a game stands, with its history: the moves are made again.
    fn of_game(game: &Game) -> Self {
        let mut board = Self::new(game.start());
        for &m in game.moves() {
            board.make(m);
        }
        board
    }

    /// The side to move.
    fn turn(&self) -> Color;
    /// What stands on a square.
    fn piece_at(&self, square: Square) -> Option<Piece>;
    /// How many pieces of a role a side has.
    fn count(&self, color: Color, role: Role) -> u32;
    /// A side's king.
    fn king(&self, color: Color) -> Square;
    /// The rooks with which castling is still allowed.
    fn castling(&self) -> Bitboard;
    /// The square that a pawn has just passed, if an enemy pawn stands ready to take it there.
    fn en_passant(&self) -> Option<Square>;
    /// Plies since the last capture or pawn move.
    fn halfmoves(&self) -> u16;
    /// The number of the move to come.
    fn fullmoves(&self) -> NonZeroU16;
    /// The PolyGlot key, kept up to date by every move.
    fn key(&self) -> Key;
    /// The key of the pawns alone, likewise.
    fn pawn_key(&self) -> Key;
    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;

    /// Adds the legal moves of one sort to a list, in an order of the board's own.
    fn generate(&self, what: Generate, moves: &mut MoveList);
    /// Adds the pseudo-legal moves of one sort: the legal ones, and those that would leave the own king in check. Castling among
    /// them is legal, for a king that has arrived does not show what it crossed.
    fn generate_pseudo_legal(&self, what: Generate, moves: &mut MoveList);
    /// Whether the side that has just moved left its king in check, so that its pseudo-legal move was not legal.
    fn has_left_king_in_check(&self) -> bool;
    /// Every square that a side attacks: empty, the enemy's, or its own, which it so defends.
    fn attacked_by(&self, color: Color) -> Bitboard;
    /// Whether a move, whatever its origin, is legal here.
    fn is_legal(&self, m: Move) -> bool;
    /// Whether a legal move gives check.
    fn gives_check(&self, m: Move) -> bool;
    /// Makes a legal move, or a pseudo-legal one that is taken back if it turns out not to be legal.
    fn make(&mut self, m: Move);
    /// Takes the last move back; without one, does nothing.
    fn unmake(&mut self);
    /// Passes; the side must not be in check.
    fn make_null(&mut self);
    /// Takes a pass back.
    fn unmake_null(&mut self);
    /// The keys of the game so far.
    fn history(&self) -> &History;

    /// All legal moves.
    fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(Generate::All, &mut moves);
        moves
    }

    /// How many legal moves there are.
    fn count_legal_moves(&self) -> usize {
        self.legal_moves().len()
    }

    /// How many legal moves the other side would have if this one passed; it must not be in check.
    fn count_replies_to_pass(&mut self) -> usize {
        self.make_null();
        let count = self.count_legal_moves();
        self.unmake_null();
        count
    }

    /// The number of move sequences of `depth` plies; the moves of the last ply are counted, not made.
    fn perft(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_legal_moves() as u64,
            _ => self
                .legal_moves()
                .into_iter()
                .map(|m| self.perft_after(m, depth - 1))
                .sum(),
        }
    }

    /// [`perft`](Board::perft) after a move.
    fn perft_after(&mut self, m: Move, depth: u32) -> u64 {
        self.make(m);
        let nodes = self.perft(depth);
        self.unmake();
        nodes
    }

    /// Whether the move takes something.
    fn is_capture(&self, m: Move) -> bool {
        m.is_en_passant() || (!m.is_castling() && self.piece_at(m.to()).is_some())
    }

    /// The position as an editable setup.
    fn setup(&self) -> Setup {
        let setup = Setup {
            board: Square::ALL.map(|square| self.piece_at(square)),
            turn: self.turn(),
            castling: self.castling(),
            en_passant: self.en_passant(),
            halfmoves: self.halfmoves(),
            fullmoves: self.fullmoves(),
        };
        let legal_en_passant = Position::from_valid(&setup).legal_en_passant();
        Setup {
            en_passant: legal_en_passant,
            ..setup
        }
    }

    /// Itself as the bitboard, if it is one: for what only bitboards offer.
    #[inline]
    fn as_bitboard(&self) -> Option<&BitboardBoard> {
        None
    }

    /// The position without its past.
    fn position(&self) -> Position {
        Position::from_valid(&self.setup())
    }

    /// How often the position has occurred in the game, now included.
    fn occurrences(&self) -> usize {
        self.history().occurrences()
    }

    /// Whether neither side can mate by any sequence of moves.
    fn has_insufficient_material(&self) -> bool {
        insufficient_material(self)
    }

    /// Why the game has ended by itself, if it has: mate, stalemate, dead material, the fifth
    /// occurrence or 75 moves without progress.
    fn termination(&self) -> Option<Termination> {
        if self.count_legal_moves() == 0 {
            return Some(if self.in_check() {
                Termination::Checkmate { winner: !self.turn() }
            } else {
                Termination::Stalemate
            });
        }
        if self.has_insufficient_material() {
            Some(Termination::InsufficientMaterial)
        } else if self.occurrences() >= 5 {
            Some(Termination::FivefoldRepetition)
        } else if self.halfmoves() >= 150 {
            Some(Termination::SeventyFiveMoves)
        } else {
            None
        }
    }

    /// The end of the game, a draw that a player may claim included: the third occurrence or 50
    /// moves without progress. This is how engines and match runners end games.
    fn termination_with_claims(&self) -> Option<Termination> {
        self.termination().or_else(|| {
            if self.occurrences() >= 3 {
                Some(Termination::ThreefoldRepetition)
            } else if self.halfmoves() >= 100 {
                Some(Termination::FiftyMoves)
            } else {
                None
            }
        })
    }
}

/// The keys of the positions of a game, with fences that no repetition crosses.
#[derive(Clone, Debug, Default)]
pub struct History {
    keys: Vec<Key>,
    /// For each position, the first one from which it can still be reached.
    fences: Vec<u32>,
}

impl History {
    /// A history of one position.
    pub(crate) fn starting_with(key: Key) -> History {
        History {
            keys: vec![key],
            fences: vec![0],
        }
    }

    /// Adds the position after a move; `progress` after a pawn move, a capture, a lost castling right or a pass.
    pub(crate) fn push(&mut self, key: Key, progress: bool) {
        let fence = if progress {
            self.keys.len() as u32
        } else {
            self.fences.last().copied().unwrap_or(0)
        };
        self.keys.push(key);
        self.fences.push(fence);
    }

    /// Forgets the last position, unless it is the first.
    pub(crate) fn pop(&mut self) {
        if self.keys.len() > 1 {
            self.keys.pop();
            self.fences.pop();
        }
    }

    /// Plies from the first position to the present one.
    pub fn plies(&self) -> usize {
        self.keys.len() - 1
    }

    /// How many plies ago each earlier occurrence of the present position was, the latest first.
    pub fn earlier(&self) -> impl Iterator<Item = usize> {
        let last = self.keys.len() - 1;
        let now = self.keys[last];
        let fence = self.fences[last] as usize;
        (4..=last - fence)
            .step_by(2)
            .filter(move |&back| self.keys[last - back] == now)
    }

    /// How often the present position has occurred, now included.
    pub fn occurrences(&self) -> usize {
        1 + self.earlier().count()
    }
}

/// Declares the boards: one row each, and everything that lists, names or chooses boards reads it.
macro_rules! boards {
    // `$dollar` is a `$` for the macro that this one writes.
    ($dollar:tt $($variant:ident, $type:ident, $name:literal, $help:literal;)*) => {
        vidmar_text::named_enum! {
            /// The board representations, the fastest first.
            pub enum BoardKind: "board";
            $($variant, $name, $help;)*
        }

        /// Runs an expression with a type alias standing for the board of a run-time [`BoardKind`]:
        /// `with_board!(kind, B => B::new(&position).perft(3))`.
        #[macro_export]
        macro_rules! with_board {
            ($dollar kind:expr, $dollar board:ident => $dollar body:expr) => {
                match $dollar kind {
                    $($dollar crate::BoardKind::$variant => {
                        type $dollar board = $dollar crate::$type;
                        $dollar body
                    })*
                }
            };
        }
    };
}

boards! { $
    Bitboard, BitboardBoard, "bitboard", "twelve sets of squares in 64-bit words; attacks by table";
    Mailbox0x88, Board0x88, "0x88", "128 cells in rows of sixteen; `index & 0x88` tells off-board";
    Mailbox10x12, Board10x12, "10x12", "120 cells with a border that even knights cannot leave; no tests";
    Mailbox10x10, Board10x10, "10x10", "100 cells with one ring of border; only knights are tested";
    Mailbox8x8, Board8x8, "8x8", "64 cells, one for each square; every step tests file and rank";
}
