//! The positions to compare on.

use std::fs;
use std::path::Path;

use anyhow::Context;
use vidmar_chess::Position;
use vidmar_formats::epd;

/// Our own few: openings, middlegames and endings, quiet and sharp.
const BUILT_IN: [&str; 8] = [
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 0 13",
    "2rq1rk1/pb1n1ppp/1p2pn2/8/1bBP4/2N2N2/PP2QPPP/R1BR2K1 w - - 0 13",
    "3r2k1/p4ppp/1p2pn2/2r5/8/1P3NP1/P3PPKP/2R1R3 w - - 0 22",
    "8/5pk1/1p2p1p1/p1r4p/P1R2P1P/1P2PKP1/8/8 w - - 0 40",
    "8/2k2p2/p1n1p1p1/1p2P2p/3K1P1P/1P2B1P1/P7/8 w - - 0 38",
];

/// The file's positions, or the built-in ones.
pub(super) fn read(file: Option<&Path>) -> anyhow::Result<Vec<Position>> {
    let Some(file) = file else {
        return BUILT_IN
            .iter()
            .map(|fen| fen.parse().context("a built-in position"))
            .collect();
    };
    let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let positions = positions(&text).with_context(|| file.display().to_string())?;
    anyhow::ensure!(!positions.is_empty(), "{}: no position", file.display());
    Ok(positions)
}

fn positions(text: &[u8]) -> anyhow::Result<Vec<Position>> {
    epd::Reader::new(text)
        .map(|(line, record)| {
            let (record, _) = record.with_context(|| format!("line {line}"))?;
            Ok(record.position)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_positions_are_legal() {
        assert_eq!(read(None).expect("legal positions").len(), BUILT_IN.len());
    }

    #[test]
    fn a_bad_line_is_named() {
        let error =
            positions(b"8/8/8/4k3/8/8/8/K7 w - - bm Ka2;\n\nnonsense w - -\n").expect_err("no position");
        assert!(format!("{error:#}").contains("line 3"), "{error:#}");
    }
}
