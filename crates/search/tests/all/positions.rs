//! Positions with their games, for holding algorithms equal: hand-picked ones for every rule that
//! ends or twists a game, and seeded random walks, half of them in Chess960, some of which end in a shuffle, so
//! that a repetition is at hand.
#![allow(dead_code)]

use vidmar_chess::{Board, Move, Position, Role};
use vidmar_rng::Rng;

/// A position with the game that led to it.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) start: Position,
    pub(crate) moves: Vec<Move>,
}

impl Case {
    /// The position on a board with the game so far.
    pub(crate) fn board<B: Board>(&self) -> B {
        let mut board = B::new(&self.start);
        for &m in &self.moves {
            board.make(m);
        }
        board
    }

    pub(crate) fn position(&self) -> Position {
        self.board::<vidmar_chess::BitboardBoard>().position()
    }
}

/// Mates given and suffered, stalemates, promotions, en passant, castling, dead material, the clock.
const HAND_PICKED: &[&str] = &[
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3r2K1 w - - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "8/8/8/8/8/1k6/1p6/1K6 w - - 0 1",
    "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "5k2/5P2/4K3/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/3k4/2p5/2K5 w - - 0 1",
    "8/8/8/8/8/3k4/2p5/2K5 b - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "1n6/P6k/8/8/8/8/p6K/1N6 b - - 0 1",
    "3k4/8/8/K1Pp3r/8/8/8/8 w - d6 0 2",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
    "8/8/4k3/8/8/3NK3/8/8 b - - 0 1",
    "8/8/4k3/3p4/8/3NK3/8/8 w - - 0 1",
    "8/5b2/4k3/8/8/3BK3/7p/8 b - - 0 1",
    "8/8/4k3/8/8/R3K3/8/8 w - - 97 80",
    "7k/8/5K2/8/8/8/8/6R1 w - - 98 90",
    "7k/8/6K1/8/8/8/8/R7 w - - 99 90",
    "7k/8/5KP1/8/8/8/8/8 w - - 98 90",
    "4k3/8/8/8/8/8/r7/4K2R w K - 97 70",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
];

/// A number below `n`: the upper half of the product, whose bias is below one in a hundred million here.
fn below(rng: &mut Rng, n: usize) -> usize {
    rng.below32(n as u32) as usize
}

/// So many positions in which the side to move has a move, the same for the same seed.
pub(crate) fn cases(count: usize, seed: u64) -> Vec<Case> {
    let mut rng = Rng::from_seed(seed);
    let mut cases: Vec<Case> = HAND_PICKED.iter().map(|fen| hand_picked(fen)).collect();
    while cases.len() < count {
        let number = cases.len();
        let start = if number.is_multiple_of(2) {
            Position::default()
        } else {
            chess960(&mut rng)
        };
        let mut case = walk(&mut rng, start, number);
        if number.is_multiple_of(5) {
            shuffle(&mut case);
        }
        if !case.position().legal_moves().is_empty() {
            cases.push(case);
        }
    }
    cases.truncate(count);
    cases
}

pub(crate) fn hand_picked(fen: &str) -> Case {
    Case {
        name: fen.to_owned(),
        start: fen.parse().expect("a legal position"),
        moves: Vec::new(),
    }
}

/// A random game of up to 160 plies. Most prefer captures, so that few pieces are common, or pawn moves, so
/// that promotions are near.
fn walk(rng: &mut Rng, start: Position, number: usize) -> Case {
    let plies = 4 + below(rng, 157);
    let style = below(rng, 3);
    let mut position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            // Step back, so that the mate or stalemate is one ply away.
            moves.pop();
            break;
        }
        let preferred: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|&m| match style {
                0 => false,
                1 => position.is_capture(m),
                _ => position.role_at(m.from()) == Some(Role::Pawn) && m.promotion().is_none(),
            })
            .collect();
        let m = if !preferred.is_empty() && below(rng, 2) == 0 {
            preferred[below(rng, preferred.len())]
        } else {
            legal[below(rng, legal.len())]
        };
        moves.push(m);
        position.play(m);
    }
    Case {
        name: format!("walk {number}: {position}"),
        start,
        moves,
    }
}

/// Both sides go somewhere and one comes back: the other can now repeat the position.
fn shuffle(case: &mut Case) {
    let mut position = case.position();
    let mut added = Vec::new();
    for step in 0..3 {
        let wanted: Vec<Move> = match step {
            0 | 1 => reversible(&position),
            _ => position
                .legal_moves()
                .into_iter()
                .filter(|m| (m.from(), m.to()) == (Move::to(added[0]), Move::from(added[0])))
                .collect(),
        };
        let Some(&m) = wanted.first() else { return };
        added.push(m);
        position.play(m);
    }
    case.moves.extend(added);
    case.name = format!("{}, shuffled", case.name);
}

/// Quiet moves of pieces that leave castling rights alone.
fn reversible(position: &Position) -> Vec<Move> {
    position
        .legal_moves()
        .into_iter()
        .filter(|&m| {
            let mut after = position.clone();
            after.play(m);
            after.halfmoves() > 0 && after.castling() == position.castling()
        })
        .collect()
}

/// A random start position of Chess960.
fn chess960(rng: &mut Rng) -> Position {
    loop {
        let mut pieces: Vec<char> = "rnbqkbnr".chars().collect();
        for i in (1..pieces.len()).rev() {
            pieces.swap(i, below(rng, i + 1));
        }
        let at = |piece| {
            pieces
                .iter()
                .enumerate()
                .filter(move |p| *p.1 == piece)
                .map(|p| p.0)
        };
        let rooks: Vec<usize> = at('r').collect();
        let king_between = at('k').all(|king| rooks[0] < king && king < rooks[1]);
        if at('b').sum::<usize>() % 2 == 1 && king_between {
            let black: String = pieces.iter().collect();
            let white = black.to_uppercase();
            return format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
                .parse()
                .expect("a start position");
        }
    }
}
