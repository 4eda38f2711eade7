//! Positions for the tests: seeded random games, and made ones for what random games do not reach.
#![allow(dead_code, reason = "each test file uses a part")]

use vidmar_chess::{Bitboard, Color, Piece, Position, Role, Setup, Square, attacks};
use vidmar_rng::Rng;

pub(crate) fn rng(seed: u64) -> Rng {
    Rng::from_seed(seed)
}

/// A number below `bound`; the small bias does not matter here.
pub(crate) fn below(rng: &mut Rng, bound: usize) -> usize {
    rng.bits32() as usize % bound
}

/// Positions of random games. Every other game prefers captures, so that endings come up as well.
pub(crate) fn random_walks(seed: u64, count: usize) -> Vec<Position> {
    let mut rng = rng(seed);
    let mut positions = Vec::with_capacity(count);
    for game in 0.. {
        let mut position = Position::default();
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmoves() > 60 {
                break;
            }
            let captures: Vec<_> = moves.iter().filter(|&&m| position.is_capture(m)).collect();
            let m = if game % 2 == 1 && !captures.is_empty() && below(&mut rng, 2) == 0 {
                *captures[below(&mut rng, captures.len())]
            } else {
                moves[below(&mut rng, moves.len())]
            };
            position.play(m);
            positions.push(position.clone());
            if positions.len() == count {
                return positions;
            }
        }
    }
    unreachable!("the games never end")
}

/// The same position with the colours exchanged.
pub(crate) fn flipped(position: &Position) -> Position {
    let setup = position.setup();
    let mut other = Setup {
        turn: !setup.turn,
        castling: setup.castling.flip_vertical(),
        en_passant: setup.en_passant.map(Square::flip_vertical),
        ..setup.clone()
    };
    for square in Square::ALL {
        let piece = setup.board[square.flip_vertical().index()];
        other.board[square.index()] = piece.map(|Piece { color, role }| role.of(!color));
    }
    other.position().expect("legal as the other")
}

/// A position in which exactly `count` pieces of `us` attack the zone of the enemy king, found by trying.
pub(crate) fn with_attackers(us: Color, count: usize) -> Position {
    let mut rng = rng(count as u64);
    let army = [
        [Role::Knight; 2].as_slice(),
        &[Role::Bishop; 2],
        &[Role::Rook; 2],
        &[Role::Queen; 9],
    ]
    .concat();
    for _ in 0..1_000_000 {
        let mut setup = Setup {
            turn: !us,
            ..Setup::default()
        };
        let king = [Square::D5, Square::E4, Square::G8, Square::B2][below(&mut rng, 4)];
        let zone = attacks::king(king).with(king);
        setup.board[king.index()] = Some(Role::King.of(!us));
        place(&mut setup, &mut rng, Role::King.of(us), !zone);
        for &role in &army[15 - count..] {
            let occupied = occupied(&setup);
            let good = Square::ALL
                .into_iter()
                .filter(|&square| {
                    let attacked = attacks::of(role, us, square, occupied);
                    (attacked & zone).any() && !attacked.contains(king)
                })
                .collect();
            place(&mut setup, &mut rng, role.of(us), good);
        }
        let occupied = occupied(&setup);
        let attackers = Square::ALL.into_iter().filter(|square| {
            setup.board[square.index()].is_some_and(|piece| {
                let attacked = attacks::of(piece.role, us, *square, occupied);
                piece.color == us && piece.role != Role::King && (attacked & zone).any()
            })
        });
        if attackers.count() == count
            && let Ok(position) = setup.position()
        {
            return position;
        }
    }
    panic!("no position with {count} attackers found")
}

fn occupied(setup: &Setup) -> Bitboard {
    Square::ALL
        .into_iter()
        .filter(|square| setup.board[square.index()].is_some())
        .collect()
}

/// Puts a piece on a random free square of the set, if there is one.
fn place(setup: &mut Setup, rng: &mut Rng, piece: Piece, among: Bitboard) {
    let free: Vec<_> = (among & !occupied(setup)).into_iter().collect();
    if !free.is_empty() {
        setup.board[free[below(rng, free.len())].index()] = Some(piece);
    }
}

/// Positions for what random games seldom show.
pub(crate) fn made() -> Vec<Position> {
    let fens = [
        // Bishops caught on a7, h7, a6, h6; bishops and rooks shut in at home.
        "4k3/B6B/1p4p1/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/B6B/1p4p1/8/8/8/4K3 w - - 0 1",
        "r1bk1b1r/3pp3/3np3/8/8/3PP3/3PP3/R1BK1B1R w - - 0 1",
        "1kr5/r7/8/8/8/8/8/RK3R1R w - - 0 1",
        // Runners, caught and not.
        "7k/8/8/P7/8/8/8/K7 w - - 0 1",
        "8/8/8/P5k1/8/8/8/K7 b - - 0 1",
        "8/1P6/8/8/8/5k2/8/K7 w - - 0 1",
        // Rooks and queens on the seventh.
        "6k1/R4ppp/8/8/8/8/5PPP/6K1 w - - 0 1",
        "6k1/Q4ppp/8/8/8/8/5PPP/q5K1 w - - 0 1",
        // Candidates and passers of every rank, in an opening and in an ending.
        "r2qkb1r/1p6/8/P1P5/8/6PP/7p/R2QKB1R w - - 0 1",
        "4k3/1p4p1/8/PP4PP/8/8/8/4K3 w - - 0 1",
        "4k3/2P5/1P4p1/8/8/6PP/8/R3K2r w - - 0 1",
        "4k3/1p4p1/PP4PP/8/8/8/8/4K3 w - - 0 1",
        "r3k2r/1p3pp1/8/2PP4/2pP4/8/PP3PPP/R3K2R w KQkq - 0 1",
        // Passers with rooks behind, blocked, supported, free.
        "4k3/8/3P4/8/8/8/3R4/4K3 w - - 0 1",
        "4k3/3n4/3P4/2P5/8/8/3r4/4K3 w - - 0 1",
        // Bishops of opposite colours, rook endings, pawns on one flank, knights that nobody chases away.
        "2r3k1/4bppp/8/8/8/5P2/4B1PP/2R3K1 w - - 0 1",
        "4k1r1/5ppp/8/8/8/8/4PPPP/4K1R1 w - - 0 1",
        "4k3/3p3p/8/8/1N3N2/8/PP3PPP/4K3 w - - 0 1",
        // Kings far from the pawns.
        "k7/8/8/8/8/8/5PPP/4K3 w - - 0 1",
        "k2q4/8/8/8/8/8/5PPP/3QK3 w - - 0 1",
    ];
    let by_hand = fens.into_iter().map(|fen| fen.parse().expect(fen));
    let attacks = (1..=15).flat_map(|count| Color::ALL.map(|us| with_attackers(us, count)));
    by_hand.chain(attacks).collect()
}
