//! All thirty-five endings: made anew, then held to the rules and, with `VIDMAR_DATA`, to the Syzygy tables.
//!
//! One test, because making the tablebases is most of its time. `cargo xtask tablebases` compares every position.

use crate::positions::{by_recursion, data_folder, every};
use rayon::prelude::*;
use vidmar_chess::{Move, Position, Role};
use vidmar_tablebases::{Library, Syzygy, Wdl, endings, make_in_memory};

#[test]
fn values_follow_from_each_other_and_equal_syzygy() {
    let library = make_in_memory(4);
    assert_eq!(library.tablebases().count(), 35);
    let all: Vec<_> = endings(4).collect();
    // A number prime to all strides of the numbering, so that every square and every pair of kings comes up.
    all.par_iter().for_each(|&ending| {
        for position in every(ending, 1009) {
            let value = library.wdl(&position);
            assert_eq!(value, Some(by_recursion(&position, &library)), "{position}");
        }
    });
    let steps = double_steps();
    assert!(steps.len() > 300, "{} double steps", steps.len());
    for position in &steps {
        let value = library.wdl(position);
        assert_eq!(value, Some(by_recursion(position, &library)), "{position}");
    }
    known_curiosities(&library);
    if let Some(folder) = data_folder("one position in a hundred compared with Syzygy") {
        let folder = folder.join("syzygy");
        let syzygy = Syzygy::open(folder.to_str().expect("a path in Unicode")).expect("tables");
        let equal = |position: &Position| {
            let theirs = syzygy
                .wdl(position)
                .map(|value| (value.without_rule(), value.by_rule()));
            // No win of four pieces needs more than 50 moves without progress.
            let ours = library.wdl(position).map(|value| (value, value));
            assert_eq!(ours, theirs, "{position}");
        };
        all.par_iter()
            .for_each(|&ending| every(ending, 101).for_each(|position| equal(&position)));
        steps.iter().for_each(equal);
    }
}

/// Positions of pawn against pawn in which a double step can be answered en passant.
fn double_steps() -> Vec<Position> {
    let ending = "KPvKP".parse().expect("an ending");
    let after_step = |position: &Position, m: Move| {
        let mut after = position.clone();
        after.play(m);
        after.legal_en_passant().map(|_| after)
    };
    every(ending, 97)
        .flat_map(|position| {
            let moves = position.legal_moves();
            let pawn = |m: &Move| position.role_at(m.from()) == Some(Role::Pawn);
            moves
                .into_iter()
                .filter(pawn)
                .filter_map(|m| after_step(&position, m))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Rare things that a wrong rule would miss.
fn known_curiosities(library: &Library) {
    for (fen, value) in [
        // Two knights mate only where the defender has walked into it.
        ("k7/8/1K6/1N6/2N5/8/8/8 w - - 0 1", Wdl::Draw),
        ("7k/8/5NK1/8/8/8/8/6N1 b - - 0 1", Wdl::Draw),
        // Knight against rook pawn: mate in the corner.
        ("8/8/8/8/8/p1n5/2k5/K7 b - - 0 1", Wdl::Win),
        // The queen against a pawn on the seventh: bishop's pawn draws, knight's pawn does not.
        ("8/8/8/4Q3/8/7K/2p5/1k6 w - - 0 1", Wdl::Draw),
        ("8/8/8/4Q3/8/7K/1p6/k7 w - - 0 1", Wdl::Win),
    ] {
        let position: Position = fen.parse().expect("legal");
        assert_eq!(library.wdl(&position), Some(value), "{fen}");
    }
}
