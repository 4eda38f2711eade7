//! The five endings of three pieces, every position.

use crate::positions::{by_recursion, every};
use vidmar_chess::{Color, Position, Setup};
use vidmar_tablebases::{Counts, Ending, Library, Tablebases, Wdl, endings, make_in_memory};

fn counts(library: &Library, name: &str) -> Vec<Counts> {
    let ending: Ending = name.parse().expect("an ending");
    let tablebase = library
        .tablebases()
        .find(|tablebase| tablebase.ending() == ending);
    tablebase.expect("made").counts().to_vec()
}

#[test]
fn every_value_follows_from_the_next_ones() {
    let library = make_in_memory(3);
    for ending in endings(3) {
        let mut found = [0_u32; 2];
        for position in every(ending, 1) {
            found[position.turn() as usize] += 1;
            assert_eq!(
                library.wdl(&position),
                Some(by_recursion(&position, &library)),
                "{position}"
            );
        }
        let counted = counts(&library, &ending.to_string());
        assert_eq!(
            found.to_vec(),
            counted
                .iter()
                .map(|side| side.wins + side.draws + side.losses)
                .collect::<Vec<_>>(),
            "{ending}: the positions that the tablebase counts and the legal ones"
        );
    }
    // A lone minor piece wins nothing; queen and rook lose nothing when they are to move.
    for name in ["KBvK", "KNvK"] {
        assert!(
            counts(&library, name)
                .iter()
                .all(|side| side.wins + side.losses == 0)
        );
    }
    for name in ["KQvK", "KRvK"] {
        let [strong, weak] = counts(&library, name)[..] else {
            panic!("two sides")
        };
        assert_eq!((strong.draws, strong.losses, weak.wins), (0, 0, 0));
    }
}

#[test]
fn the_built_in_base_is_what_would_be_made() {
    let made = make_in_memory(3);
    let pawn: Ending = "KPvK".parse().expect("an ending");
    let of = |library: &Library| {
        library
            .tablebases()
            .find(|tablebase| tablebase.ending() == pawn)
            .cloned()
    };
    assert!(of(&made).is_some());
    assert_eq!(of(&made), of(&Library::built_in()));
}

#[test]
fn known_pawn_endings_need_no_files() {
    let tablebases = Tablebases::built_in();
    for (fen, value) in [
        // The opposition: who has to move gives way.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Wdl::Win),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", Wdl::Loss),
        ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", Wdl::Draw),
        ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", Wdl::Loss),
        // A rook pawn is not enough, and the same for Black.
        ("k7/8/1K6/P7/8/8/8/8 w - - 0 1", Wdl::Draw),
        ("8/8/8/8/7p/6k1/8/7K b - - 0 1", Wdl::Draw),
        // Inside and outside the square.
        ("8/8/8/8/5k2/8/P7/7K w - - 0 1", Wdl::Draw),
        ("8/8/8/8/7k/8/P7/7K w - - 0 1", Wdl::Win),
        ("8/8/8/8/8/8/8/K1k5 w - - 0 1", Wdl::Draw),
    ] {
        let position: Position = fen.parse().expect("legal");
        assert_eq!(tablebases.wdl(&position), Some(value), "{fen}");
    }
    let queen: Position = "8/8/8/8/3k4/8/8/KQ6 w - - 0 1".parse().expect("legal");
    assert_eq!(tablebases.wdl(&queen), None, "no file, no answer");
}

#[test]
fn a_right_to_castle_is_not_in_the_bases() {
    let library = make_in_memory(3);
    let with = |castling: &str| -> Position {
        format!("4k3/8/8/8/8/8/8/4K2R w {castling} - 0 1")
            .parse()
            .expect("legal")
    };
    assert_eq!(library.wdl(&with("K")), None);
    assert_eq!(library.wdl(&with("-")), Some(Wdl::Win));
}

#[test]
fn images_of_a_position_have_its_value() {
    let library = make_in_memory(3);
    for name in ["KRvK", "KPvK"] {
        let ending: Ending = name.parse().expect("an ending");
        for position in every(ending, 7) {
            let setup = position.setup();
            for symmetry in 0..8 {
                if ending.pawns() > 0 && symmetry > 1 {
                    continue;
                }
                let image = image(&setup, symmetry).position().expect("as legal as the other");
                assert_eq!(
                    library.wdl(&image),
                    library.wdl(&position),
                    "{image} and {position}"
                );
            }
            let turned = turned(&setup).position().expect("as legal as the other");
            assert_eq!(
                library.wdl(&turned),
                library.wdl(&position),
                "{turned} and {position}"
            );
        }
    }
}

fn image(setup: &Setup, symmetry: usize) -> Setup {
    let mut image = setup.clone();
    for (from, &piece) in setup.board.iter().enumerate() {
        let (mut file, mut rank) = (from % 8, from / 8);
        if symmetry & 1 != 0 {
            file = 7 - file;
        }
        if symmetry & 2 != 0 {
            rank = 7 - rank;
        }
        if symmetry & 4 != 0 {
            (file, rank) = (rank, file);
        }
        image.board[rank * 8 + file] = piece;
    }
    image
}

fn turned(setup: &Setup) -> Setup {
    let mut turned = setup.clone();
    for (from, piece) in setup.board.iter().enumerate() {
        turned.board[from ^ 0x38] = piece.map(|piece| piece.role.of(!piece.color));
    }
    turned.turn = if setup.turn == Color::White {
        Color::Black
    } else {
        Color::White
    };
    turned
}
