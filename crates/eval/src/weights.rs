//! A vector made ready for use: products of weights and shapes folded into tables.
//!
//! Built once per vector, in microseconds, and only read afterwards. Everything is seen from White's
//! side; Black's tables are the same turned over. Penalties keep the sign they have in the parameter
//! table and are subtracted where they are used.

use vidmar_chess::{ByColor, Color, File, Rank, Role, Square};

use crate::extended::Extended;
use crate::parameters::index;
use crate::tapered::{Tapered, fold};
use crate::vector::Vector;

/// A weight in both phases, or in one.
macro_rules! weight {
    ($vector:expr, $name:literal) => {
        Tapered::new(
            value!($vector, concat!($name, "Opening")),
            value!($vector, concat!($name, "Endgame")),
        )
    };
}

/// The value of a parameter; its name is looked up by the compiler.
macro_rules! value {
    ($vector:expr, $name:expr) => {
        $vector.at(const { index($name) })
    };
}

/// The values of a run of parameters `first` to `last`; the compiler checks that they are neighbours.
macro_rules! run {
    ($vector:expr, $first:literal, $last:literal, $count:literal) => {{
        const FIRST: usize = index($first);
        const { assert!(FIRST + $count - 1 == index($last)) };
        std::array::from_fn::<i32, $count, _>(|index| $vector.at(FIRST + index))
    }};
}

/// The fixed rank shape that `KnightRankOpening` weighs.
const KNIGHT_RANK: [i32; 8] = [-2, -1, 0, 1, 2, 3, 2, 1];

/// What the published terms weigh.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// Piece values alone, pawn to king.
    pub(crate) material: [Tapered; 6],
    /// Piece values and piece-square terms together.
    pub(crate) squares: ByColor<[[Tapered; 64]; 6]>,
    pub(crate) bishop_pair: Tapered,
    pub(crate) trapped_bishop: i32,
    pub(crate) blocked_bishop: i32,
    pub(crate) blocked_rook: i32,
    /// By reachable squares.
    pub(crate) knight_mobility: [Tapered; 9],
    pub(crate) bishop_mobility: [Tapered; 14],
    pub(crate) rook_mobility: [Tapered; 15],
    /// Nothing if the extended terms are off.
    pub(crate) queen_mobility: [Tapered; 28],
    /// By whether enemy pawns stand on the file as well: open file, half-open file.
    pub(crate) rook_files: [Tapered; 2],
    /// By the distance of the file from the enemy king's: on it, beside it.
    pub(crate) rook_king_files: [Tapered; 2],
    pub(crate) rook_seventh: Tapered,
    pub(crate) queen_seventh: Tapered,
    pub(crate) storm: i32,
    pub(crate) shelter: i32,
    /// `KingAttackWeight[n]` times `KingAttackOpening`.
    pub(crate) king_attack: [i64; 16],
    /// `KingAttackWeight[n]` alone.
    pub(crate) attacker_weight: [i32; 16],
    /// By side, knight to queen.
    pub(crate) attack_unit: ByColor<[i32; 4]>,
    pub(crate) doubled: Tapered,
    /// By whether no pawn stands before it: no, yes.
    pub(crate) isolated: [Tapered; 2],
    pub(crate) backward: [Tapered; 2],
    /// By relative rank.
    pub(crate) candidate: [Tapered; 8],
    pub(crate) passed: [Tapered; 8],
    pub(crate) rank_bonus: [i32; 8],
    pub(crate) unstoppable: i32,
    pub(crate) attacker_distance: i32,
    pub(crate) defender_distance: i32,
    /// By White's square.
    pub(crate) outpost: [i32; 64],
    /// Everything beyond the published parameters; absent when all of it is off.
    pub(crate) extended: Option<Box<Extended>>,
}

impl Weights {
    pub(crate) fn new(v: &Vector) -> Weights {
        let material = [
            weight!(v, "PawnValue"),
            weight!(v, "KnightValue"),
            weight!(v, "BishopValue"),
            weight!(v, "RookValue"),
            weight!(v, "QueenValue"),
            Tapered::ZERO,
        ];
        let rank_bonus = rank_bonus(v);
        let attacker_weight = run!(v, "KingAttackWeight[0]", "KingAttackWeight[15]", 16);
        let king_attack = value!(v, "KingAttackOpening");
        let units = run!(v, "KingAttackUnit[4]", "KingAttackUnit[11]", 8);
        let extended = Extended::new(v);
        Weights {
            material,
            squares: piece_squares(v, &material),
            bishop_pair: weight!(v, "BishopPair"),
            trapped_bishop: value!(v, "TrappedBishop"),
            blocked_bishop: value!(v, "BlockedBishop"),
            blocked_rook: value!(v, "BlockedRook"),
            knight_mobility: mobility(value!(v, "KnightUnit"), weight!(v, "KnightMob")),
            bishop_mobility: mobility(value!(v, "BishopUnit"), weight!(v, "BishopMob")),
            rook_mobility: mobility(value!(v, "RookUnit"), weight!(v, "RookMob")),
            queen_mobility: extended
                .as_ref()
                .map_or([Tapered::ZERO; 28], |x| mobility(x.queen_unit, x.queen_mob)),
            rook_files: [weight!(v, "RookOpenFile"), weight!(v, "RookSemiOpenFile")],
            rook_king_files: [
                Tapered::opening_only(value!(v, "RookKingFileOpening")),
                Tapered::opening_only(value!(v, "RookSemiKingFileOpening")),
            ],
            rook_seventh: weight!(v, "Rook7th"),
            queen_seventh: weight!(v, "Queen7th"),
            storm: value!(v, "StormOpening"),
            shelter: value!(v, "ShelterOpening"),
            king_attack: attacker_weight.map(|weight| weight as i64 * king_attack as i64),
            attacker_weight,
            attack_unit: ByColor::from_fn(|color| {
                std::array::from_fn(|role| units[2 * role + color as usize])
            }),
            doubled: weight!(v, "Doubled"),
            isolated: [
                weight!(v, "Isolated"),
                Tapered::new(value!(v, "IsolatedOpeningOpen"), value!(v, "IsolatedEndgame")),
            ],
            backward: [
                weight!(v, "Backward"),
                Tapered::new(value!(v, "BackwardOpeningOpen"), value!(v, "BackwardEndgame")),
            ],
            candidate: ranked(
                &rank_bonus,
                [value!(v, "CandidateOpeningMin"), value!(v, "CandidateOpeningMax")],
                [value!(v, "CandidateEndgameMin"), value!(v, "CandidateEndgameMax")],
            ),
            passed: ranked(
                &rank_bonus,
                [value!(v, "PassedOpeningMin"), value!(v, "PassedOpeningMax")],
                [value!(v, "PassedEndgameMin"), value!(v, "PassedEndgameMax")],
            ),
            rank_bonus,
            unstoppable: value!(v, "UnstoppablePasser"),
            attacker_distance: value!(v, "AttackerDistance"),
            defender_distance: value!(v, "DefenderDistance"),
            outpost: outposts(v),
            extended: extended.map(Box::new),
        }
    }
}

/// `Bonus` by relative rank; 0 where there is no parameter.
fn rank_bonus(v: &Vector) -> [i32; 8] {
    let mut bonus = [0; 8];
    bonus[3..7].copy_from_slice(&run!(v, "Bonus[3]", "Bonus[6]", 4));
    bonus
}

/// `Min + (Max - Min) x Bonus[rank] / 256` in both phases.
fn ranked(bonus: &[i32; 8], opening: [i32; 2], endgame: [i32; 2]) -> [Tapered; 8] {
    let value = |[min, max]: [i32; 2], bonus: i32| fold(min as i64 + (max - min) as i64 * bonus as i64 / 256);
    bonus.map(|bonus| Tapered::new(value(opening, bonus), value(endgame, bonus)))
}

/// `(squares - unit) x weight` by squares.
fn mobility<const N: usize>(unit: i32, weight: Tapered) -> [Tapered; N] {
    std::array::from_fn(|squares| {
        let above = (squares as i32 - unit) as i64;
        Tapered::new(
            fold(above * weight.opening() as i64),
            fold(above * weight.endgame() as i64),
        )
    })
}

/// `KnightOutpostMatrix`: b4 to g4, b5 to g5, c6 to f6.
fn outposts(v: &Vector) -> [i32; 64] {
    let values = run!(v, "KnightOutpostMatrix[0][25]", "KnightOutpostMatrix[0][45]", 16);
    let mut table = [0; 64];
    for (square, value) in (25..=30).chain(33..=38).chain(42..=45).zip(values) {
        table[square] = value;
    }
    table
}

fn piece_squares(v: &Vector, material: &[Tapered; 6]) -> ByColor<[[Tapered; 64]; 6]> {
    let mut white = material.map(|value| [value; 64]);
    let shapes = Shapes::new(v);
    for square in Square::ALL {
        for role in Role::ALL {
            white[role as usize][square.index()] += shapes.value(v, role, square);
        }
    }
    let mut black = white;
    for (role, table) in black.iter_mut().enumerate() {
        *table = Square::ALL.map(|square| white[role][square.relative_to(Color::Black).index()]);
    }
    ByColor::new(white, black)
}

/// The file, rank and centre shapes that the piece-square weights multiply.
struct Shapes {
    pawn_file: [i32; 8],
    pawn_rank: [i32; 5],
    pawn_center: [i32; 3],
    knight_line: [i32; 8],
    bishop_line: [i32; 8],
    rook_file: [i32; 8],
    queen_line: [i32; 8],
    king_file: [i32; 8],
    king_rank: [i32; 8],
    king_line: [i32; 8],
}

impl Shapes {
    fn new(v: &Vector) -> Shapes {
        Shapes {
            pawn_file: run!(v, "PawnFile[0]", "PawnFile[7]", 8),
            pawn_rank: run!(v, "PawnRank[2]", "PawnRank[6]", 5),
            pawn_center: run!(v, "PawnCenter[0]", "PawnCenter[2]", 3),
            knight_line: run!(v, "KnightLine[0]", "KnightLine[7]", 8),
            bishop_line: run!(v, "BishopLine[0]", "BishopLine[7]", 8),
            rook_file: run!(v, "RookFile[0]", "RookFile[7]", 8),
            queen_line: run!(v, "QueenLine[0]", "QueenLine[7]", 8),
            king_file: run!(v, "KingFile[0]", "KingFile[7]", 8),
            king_rank: run!(v, "KingRank[0]", "KingRank[7]", 8),
            king_line: run!(v, "KingLine[0]", "KingLine[7]", 8),
        }
    }

    /// The piece-square term of a white piece.
    fn value(&self, v: &Vector, role: Role, square: Square) -> Tapered {
        let (file, rank) = (square.file().index(), square.rank().index());
        let on_back_rank = square.rank() == Rank::First;
        let centre = |line: &[i32; 8]| (line[file] + line[rank]) as i64;
        let times = |weight: i32, shape: i64| weight as i64 * shape;
        let penalty = |applies: bool, weight: i32| if applies { -weight as i64 } else { 0 };
        let (opening, endgame) = match role {
            Role::Pawn => (
                times(value!(v, "PawnFileOpening"), self.pawn_file[file] as i64) + self.pawn_centre(square),
                times(value!(v, "PawnRankEndgame"), self.pawn_rank_shape(rank)),
            ),
            Role::Knight => {
                let trapped = penalty(
                    matches!(square, Square::A8 | Square::H8 | Square::A7 | Square::H7),
                    value!(v, "KnightTrapped"),
                );
                (
                    times(value!(v, "KnightCenterOpening"), centre(&self.knight_line))
                        + times(value!(v, "KnightRankOpening"), KNIGHT_RANK[rank] as i64)
                        + penalty(on_back_rank, value!(v, "KnightBackRankOpening"))
                        + trapped,
                    times(value!(v, "KnightCenterEndgame"), centre(&self.knight_line)) + trapped,
                )
            }
            Role::Bishop => (
                times(value!(v, "BishopCenterOpening"), centre(&self.bishop_line))
                    + penalty(on_back_rank, value!(v, "BishopBackRankOpening"))
                    - penalty(
                        file == rank || file + rank == 7,
                        value!(v, "BishopDiagonalOpening"),
                    ),
                times(value!(v, "BishopCenterEndgame"), centre(&self.bishop_line)),
            ),
            Role::Rook => (
                times(value!(v, "RookFileOpening"), self.rook_file[file] as i64),
                0,
            ),
            Role::Queen => (
                times(value!(v, "QueenCenterOpening"), centre(&self.queen_line))
                    + penalty(on_back_rank, value!(v, "QueenBackRankOpening")),
                times(value!(v, "QueenCenterEndgame"), centre(&self.queen_line)),
            ),
            Role::King => (
                times(value!(v, "KingFileOpening"), self.king_file[file] as i64)
                    + times(value!(v, "KingRankOpening"), self.king_rank[rank] as i64),
                times(value!(v, "KingCenterEndgame"), centre(&self.king_line)),
            ),
        };
        Tapered::new(fold(opening), fold(endgame))
    }

    fn pawn_rank_shape(&self, rank: usize) -> i64 {
        match rank {
            2..=6 => self.pawn_rank[rank - 2] as i64,
            _ => 0,
        }
    }

    fn pawn_centre(&self, square: Square) -> i64 {
        match (square.file(), square.rank().index()) {
            (File::D | File::E, rank @ 2..=4) => self.pawn_center[rank - 2] as i64,
            _ => 0,
        }
    }
}
