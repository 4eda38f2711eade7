//! The rules of chess and Chess960, five boards that play by them, and the text of positions and moves.
//!
//! | to | use |
//! | --- | --- |
//! | name things | [`Square`], [`File`], [`Rank`], [`Color`], [`Role`], [`Piece`], [`Promotion`], [`Bitboard`], [`Move`], [`Key`] |
//! | read and check a position | [`Setup`] (anything) → [`Position`] (playable), with every [`SetupFault`] |
//! | ask about a position | [`Position::legal_moves`], [`Position::is_legal`], [`Position::gives_check`], [`Position::see`] |
//! | read and write moves | [`Position::parse_san`], [`Position::san`], [`Position::parse_uci`], [`Move::uci`] |
//! | play a game | [`Game`]: start, moves, board with its history |
//! | play on a board of choice | the trait [`Board`], the table [`BoardKind`], the macro [`with_board!`] |
//! | find moves legally, pseudo-legally or in stages | the table [`Generation`] |
//! | know how it ended | [`Board::termination`], [`Termination`], [`Outcome`] |
//! | say what a player thinks of it | [`Score`], [`WhiteScore`], [`Bound`], [`MoveInfo`], [`MoveRecord`] |
//!
//! ```
//! use vidmar_chess::{BitboardBoard, Board, Outcome, Position, Termination};
//!
//! let mut board = BitboardBoard::new(&Position::default());
//! for san in ["f3", "e5", "g4", "Qh4#"] {
//!     let m = board.position().parse_san(san)?;
//!     board.make(m);
//! }
//! assert_eq!(board.termination().and_then(Termination::outcome), Some(Outcome::BLACK_WINS));
//! # Ok::<(), vidmar_chess::SanError>(())
//! ```
#![allow(
    long_running_const_eval,
    reason = "the compiler fills the slider tables, in about two seconds"
)]

pub mod attacks;
mod bitboard;
mod bitboard_board;
mod bitboards;
mod board;
mod color;
mod fen;
mod game;
mod generation;
mod generator;
mod key;
mod mailbox;
mod move_record;
mod moves;
mod outcome;
mod perft;
mod piece;
mod polyglot_numbers;
mod position;
mod san;
mod score;
mod see;
mod setup;
mod sliders;
mod square;
mod termination;
mod uci;
mod walk;

pub use bitboard::{Bitboard, Squares};
pub use bitboard_board::BitboardBoard;
pub use board::{Board, BoardKind, History};
pub use color::{ByColor, Color};
pub use fen::FenError;
pub use game::Game;
pub use generation::Generation;
pub use key::Key;
pub use mailbox::{
    Board0x88, Board8x8, Board10x10, Board10x12, Geometry, Geometry0x88, Geometry8x8, Geometry10x10,
    Geometry10x12, GeometryOfTens, Mailbox, Step,
};
pub use move_record::{MoveDetail, MoveInfo, MoveRecord};
pub use moves::{Generate, Move, MoveKind, MoveList};
pub use outcome::{Outcome, UnknownOutcome};
pub use perft::{PerftTable, openings, perft_with_table};
pub use piece::{Piece, Promotion, Role};
pub use position::{CheckingSquares, Position};
pub use san::{San, SanError};
pub use score::{Bound, Score, WhiteScore};
pub use see::{SIMPLE_VALUES, SeeValues};
pub use setup::{Setup, SetupError, SetupFault};
pub use sliders::uses_pext;
pub use square::{File, Rank, Square, SquareError};
pub use termination::{Termination, UnknownTermination};
pub use uci::{CastlingNotation, UciMove, UciMoveError};
