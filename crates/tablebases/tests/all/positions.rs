//! What the tests of tablebases share: the recursion that every value obeys, and the data folder.
#![allow(dead_code, clippy::print_stdout, reason = "not every test uses all of it")]

use std::path::PathBuf;

use vidmar_chess::{Color, Position};
use vidmar_tablebases::{Ending, Library, Wdl};

/// The folder named by `VIDMAR_DATA`, or `None` after a line that says what is skipped.
pub(crate) fn data_folder(skipped: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("VIDMAR_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: {skipped} (VIDMAR_DATA is not set)");
    }
    folder
}

/// What a position is worth by the rules and the values of the positions after it.
pub(crate) fn by_recursion(position: &Position, library: &Library) -> Wdl {
    let value_of = |m| {
        let mut after = position.clone();
        after.play(m);
        -library
            .wdl(&after)
            .unwrap_or_else(|| panic!("no value for {after}"))
    };
    let best = position.legal_moves().into_iter().map(value_of).max();
    best.unwrap_or(if position.in_check() { Wdl::Loss } else { Wdl::Draw })
}

/// The positions of every `step`th number of an ending, either side to move.
pub(crate) fn every(ending: Ending, step: usize) -> impl Iterator<Item = Position> {
    (0..ending.numbers())
        .step_by(step)
        .flat_map(move |number| Color::ALL.map(|turn| ending.position(number, turn)))
        .flatten()
}
