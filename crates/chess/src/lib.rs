//! Chess rules, boards and text.
#![allow(long_running_const_eval)]

pub mod attacks;
mod bitboard;
mod bitboard_board;
mod bitboards;
mod board;
mod color;
mod excerpt;
mod exchange;
mod fen;
mod generator;
mod key;
mod mailbox;
mod moves;
mod outcome;
mod piece;
mod polyglot_numbers;
mod position;
mod san;
mod setup;
mod sliders;
mod square;
mod uci;
mod walk;

pub use bitboard::{Bitboard, Squares};
pub use bitboard_board::BitboardBoard;
pub use board::{Board, BoardKind, History, UnknownBoard};
pub use color::{ByColor, Color};
pub use excerpt::Excerpt;
pub use exchange::{ExchangeValues, SIMPLE_VALUES};
pub use fen::FenError;
pub use key::Key;
pub use mailbox::{
    Board0x88, Board8x8, Board10x10, Board10x12, Geometry, Geometry0x88, Geometry8x8, Geometry10x10,
    Geometry10x12, GeometryOfTens, Mailbox, Step,
};
pub use moves::{Generate, Move, MoveKind, MoveList};
pub use outcome::Outcome;
pub use piece::{Piece, Promotion, Role};
pub use position::Position;
pub use san::{San, SanError};
pub use setup::{Setup, SetupError, SetupFault};
pub use sliders::uses_pext;
pub use square::{File, Rank, Square, SquareError};
pub use uci::{CastlingNotation, UciMove, UciMoveError};
