//! The bench: a fixed list of positions searched to a fixed depth.
//!
//! With one thread the number of visited positions is a pure function of the program. It is the *signature* that
//! commits state: a change that should not alter the play keeps it.

use std::time::{Duration, Instant};

use serde::Serialize;
use vidmar_chess::{Game, Position};
use vidmar_search::{Parallel, SearchParameters};

use crate::control::Control;
use crate::evaluation::ChosenEvaluation;
use crate::flagship::{FlagshipSettings, FlagshipThinker};
use crate::limits::Limits;
use crate::thinker::Thinker;

/// The signature of this program, by which runs know whether built-in players are those that they began with. A test compares
/// it with the bench; a change of play changes it.
pub const SIGNATURE: u64 = 2_172_541;
/// The depth of the signature.
pub const DEPTH: u32 = 13;
/// The depth of the games that a tuner plays.
pub const TUNING_DEPTH: u32 = 6;
/// The table of the tuner's games in MiB: small, because it is cleared for every game.
const TUNING_HASH: usize = 1;

/// The positions: 24 of Bratko and Kopec's test (1982), then openings, sharp middlegames and endings that are
/// widely used to test programs, so that every part of the search has work.
pub const POSITIONS: [&str; 34] = [
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    "r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - - 0 1",
    "rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1",
    "2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - - 0 1",
    "r1bqkb1r/4npp1/p1p4p/1p1pP1B1/8/1B6/PPPN1PPP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - - 0 1",
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",
    "3rr3/2pq2pk/p2p1pnp/8/2QBPP2/1P6/P5PP/4RRK1 b - - 0 1",
    "r4k2/pb2bp1r/1p1qp2p/3pNp2/3P1P2/2N3P1/PPP1Q2P/2KRR3 w - - 0 1",
    "3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - - 0 1",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1",
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1",
    "r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1",
    // Openings: the start, a Spanish game, a King's Indian.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    // Full of captures, checks and pins: two of the positions by which move generators are tested.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    // Endings: Lasker and Reichhelm, Réti, rook and pawns, a lone queen to win, bishops of opposite colours.
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
    "8/5pk1/6p1/7p/r6P/5PP1/R4K2/8 w - - 0 1",
    "8/8/4k3/3q4/8/8/1Q3K2/8 b - - 0 1",
    "2k5/5p2/2b3p1/P6p/1P3B1P/5PP1/5K2/8 w - - 0 1",
];

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct BenchSettings {
    /// What positions are evaluated by; the signature is that of the default.
    pub evaluation: ChosenEvaluation,
    /// The parameters of the search; the same holds of them.
    pub parameters: SearchParameters,
    /// Plies.
    pub depth: u32,
    /// Threads; the signature is that of one.
    pub threads: usize,
    /// How they share the work.
    pub parallel: Parallel,
    /// Size of the table in MiB.
    pub hash: usize,
}

impl Default for BenchSettings {
    fn default() -> BenchSettings {
        BenchSettings {
            evaluation: ChosenEvaluation::default(),
            parameters: SearchParameters::default(),
            depth: DEPTH,
            threads: 1,
            parallel: Parallel::Lazy,
            hash: 16,
        }
    }
}

/// One position's share.
#[derive(Clone, Debug, Serialize)]
pub struct BenchPosition {
    /// Which.
    pub fen: &'static str,
    /// Positions visited.
    pub nodes: u64,
    /// Time of the search alone.
    pub seconds: f64,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct BenchReport {
    /// Plies.
    pub depth: u32,
    /// Threads.
    pub threads: usize,
    /// The signature: positions visited altogether.
    pub nodes: u64,
    /// Positions visited in a second.
    pub nps: u64,
    /// Time of the searches.
    pub seconds: f64,
    /// Position by position.
    pub positions: Vec<BenchPosition>,
    /// The same positions as a tuner's games search them.
    pub tuning: TuningSpeed,
}

/// The cost of a move in a tuner's game: one thread, [`TUNING_DEPTH`] plies, a small table.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct TuningSpeed {
    /// Plies.
    pub depth: u32,
    /// Positions visited for a move, on average.
    pub nodes_per_move: f64,
    /// Time for a move, on average.
    pub microseconds_per_move: f64,
}

/// Searches every position, each as a new game; `each` hears of every one. `None` if `control` stopped it.
pub fn run(
    settings: &BenchSettings,
    control: &Control,
    mut each: impl FnMut(usize, &BenchPosition),
) -> Option<BenchReport> {
    let mut thinker = thinker(settings);
    let mut positions = Vec::with_capacity(POSITIONS.len());
    for (index, fen) in POSITIONS.into_iter().enumerate() {
        let measured = measure(&mut thinker, fen, settings.depth, control)?;
        each(index, &measured);
        positions.push(measured);
    }
    let nodes = positions.iter().map(|position| position.nodes).sum();
    let seconds: f64 = positions.iter().map(|position| position.seconds).sum();
    Some(BenchReport {
        depth: settings.depth,
        threads: settings.threads,
        nodes,
        nps: (nodes as f64 / seconds.max(1e-9)) as u64,
        seconds,
        positions,
        tuning: tuning_speed(settings, control)?,
    })
}

fn tuning_speed(settings: &BenchSettings, control: &Control) -> Option<TuningSpeed> {
    let mut thinker = thinker(&BenchSettings {
        depth: TUNING_DEPTH,
        threads: 1,
        parallel: Parallel::None,
        hash: TUNING_HASH,
        ..settings.clone()
    });
    let (mut nodes, mut seconds) = (0, 0.0);
    for fen in POSITIONS {
        let measured = measure(&mut thinker, fen, TUNING_DEPTH, control)?;
        nodes += measured.nodes;
        seconds += measured.seconds;
    }
    let moves = POSITIONS.len() as f64;
    Some(TuningSpeed {
        depth: TUNING_DEPTH,
        nodes_per_move: nodes as f64 / moves,
        microseconds_per_move: seconds * 1e6 / moves,
    })
}

fn thinker(settings: &BenchSettings) -> FlagshipThinker {
    let mut thinker = FlagshipThinker::new(FlagshipSettings {
        evaluation: settings.evaluation.clone(),
        parameters: settings.parameters.clone(),
        hash: settings.hash,
        threads: settings.threads,
        parallel: settings.parallel,
        ..FlagshipSettings::default()
    });
    // Whoever lets others choose the size asks first whether there is room for it.
    let _ = thinker.prepare();
    thinker
}

fn measure(
    thinker: &mut FlagshipThinker,
    fen: &'static str,
    depth: u32,
    control: &Control,
) -> Option<BenchPosition> {
    let position: Position = fen
        .parse()
        .expect("the positions of the bench are legal: a test reads them");
    thinker.new_game();
    let begun = Instant::now();
    let thought = thinker.think(&Game::new(position), &Limits::depth(depth), control, &mut |_| {});
    let seconds = begun.elapsed().max(Duration::from_nanos(1)).as_secs_f64();
    (!control.is_stopped()).then_some(BenchPosition {
        fen,
        nodes: thought.nodes,
        seconds,
    })
}

/// The last lines: what a tuner's move costs, then the signature and the speed, where scripts look for them.
pub fn summary(report: &BenchReport) -> String {
    let tuning = &report.tuning;
    format!(
        "depth {}: {:.0} nodes and {:.0} microseconds per move\n{} nodes\n{} nps\n",
        tuning.depth, tuning.nodes_per_move, tuning.microseconds_per_move, report.nodes, report.nps
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_different_legal_and_not_over() {
        let mut seen = std::collections::HashSet::new();
        for fen in POSITIONS {
            let position: Position = fen.parse().expect("legal");
            assert!(position.count_legal_moves() > 0, "{fen}");
            assert_eq!(position.to_string(), fen);
            assert!(seen.insert(fen), "{fen}");
        }
    }

    #[test]
    fn the_signature_repeats_itself() {
        let settings = BenchSettings {
            depth: 5,
            ..BenchSettings::default()
        };
        let count = || run(&settings, &Control::new(), |_, _| {}).expect("not stopped");
        let (one, two) = (count(), count());
        assert_eq!(one.nodes, two.nodes);
        assert_eq!(
            one.nodes,
            one.positions.iter().map(|position| position.nodes).sum::<u64>()
        );
        assert!(summary(&one).ends_with(&format!("{} nodes\n{} nps\n", one.nodes, one.nps)));
    }

    #[test]
    fn it_can_be_stopped() {
        let control = Control::new();
        let mut positions = 0;
        let report = run(&BenchSettings::default(), &control, |_, _| {
            positions += 1;
            control.stop();
        });
        assert!(report.is_none());
        assert_eq!(positions, 1);
    }
}
