//! Vidmar's own boards, all of the table of boards.

use vidmar_chess::{Board, BoardKind, Position, with_board};

use super::Generator;

/// One generator for each board. The mailboxes count a ply less, to end before the tea is cold.
pub(super) fn boards() -> impl Iterator<Item = Generator> {
    BoardKind::ALL.iter().map(|&kind| Generator {
        name: format!("vidmar {kind}"),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        plies_less: u32::from(kind != BoardKind::Bitboard),
        perft: Box::new(move |fen, depth| {
            let position: Position = fen.parse()?;
            Ok(with_board!(kind, B => B::new(&position).perft(depth)))
        }),
    })
}
