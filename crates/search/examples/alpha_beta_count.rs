//! One alpha-beta search on one board, for counting instructions.
//!
//! `alpha_beta_count --board bitboard` searches a few positions to depth 5 without quiescence and prints the
//! node count, which is the same on every board; run it under `valgrind --tool=callgrind` (built with
//! `-C target-cpu=x86-64-v3`) to compare boards, and revisions, on a machine whose clock cannot be trusted.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

use vidmar_chess::{Board, BoardKind, Position, with_board};
use vidmar_eval::SimpleEvaluation;
use vidmar_search::{Algorithm, Limits, Scheme, Settings, search_once};

const DEPTH: u32 = 5;
/// A middlegame, an opening and an ending.
const FENS: [&str; 3] = [
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "rnbqkb1r/ppp1pppp/5n2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR b KQkq - 0 3",
    "8/5pk1/1p2p1p1/p1r4p/P1R2P1P/1P2PKP1/8/8 w - - 0 40",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let board: BoardKind = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => BoardKind::Bitboard,
        ["--names"] => {
            for board in BoardKind::ALL {
                println!("{board}");
            }
            return ExitCode::SUCCESS;
        }
        ["--board", name] => match name.parse() {
            Ok(board) => board,
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::from(2);
            }
        },
        _ => {
            eprintln!("error: expected --board NAME or --names");
            return ExitCode::from(2);
        }
    };
    let settings = Settings {
        table_mib: 1,
        ..Settings::exact(Algorithm::AlphaBeta, Scheme::TwoLevel)
    };
    let mut nodes = 0;
    for fen in FENS {
        let position: Position = fen.parse().expect("a legal position");
        let report = with_board!(board, B => search_once(
            &B::new(&position), &SimpleEvaluation::default(), &settings, &Limits::depth(DEPTH)
        ))
        .expect("settings that fit together");
        nodes += report.counts.nodes;
    }
    println!("{nodes} nodes");
    ExitCode::SUCCESS
}
