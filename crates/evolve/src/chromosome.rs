//! A line of moves with what it is worth, and the breeder that grows, changes and repairs lines.
//!
//! The invariant: every gene is legal after the genes before it, and a line ends at its full length or where the game
//! ends.

use vidmar_chess::{BitboardBoard, Board, Color, Move, MoveList};
use vidmar_rng::Rng;

use crate::evaluator::{MATE, PositionEvaluator, Worth};
use crate::settings::Fitness;

/// A line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chromosome {
    /// The moves, of both sides by turns.
    pub(crate) genes: Vec<Move>,
    /// The worth of the position after each gene.
    pub(crate) worths: Vec<Worth>,
}

impl Chromosome {
    /// The worth of the whole line, for the side that begins it.
    pub(crate) fn fitness(&self, fitness: Fitness) -> Worth {
        match fitness {
            Fitness::Sum => self.worths.iter().sum(),
            Fitness::Leaf => self.worths.last().copied().unwrap_or(0),
        }
    }

    /// How many genes differ from another line's, in thousandths of the longer one.
    pub(crate) fn distance(&self, other: &Chromosome) -> u32 {
        let longer = self.genes.len().max(other.genes.len());
        let same = self
            .genes
            .iter()
            .zip(&other.genes)
            .filter(|(a, b)| a == b)
            .count();
        (1000 * (longer - same) / longer.max(1)) as u32
    }
}

/// Chooses genes while a line grows.
pub(crate) trait Choice {
    /// The gene at a locus (from 0) among the legal moves, of which there is at least one.
    fn gene(&mut self, locus: usize, legal: &MoveList) -> Move;
}

/// The published choice: a random gene at one locus, and behind it the old genes while they are legal, random ones where
/// they are not.
pub(crate) struct Mutation<'a> {
    pub(crate) old: &'a [Move],
    /// The locus to change; before it nothing is chosen.
    pub(crate) locus: usize,
    pub(crate) rng: &'a mut Rng,
}

impl Choice for Mutation<'_> {
    fn gene(&mut self, locus: usize, legal: &MoveList) -> Move {
        match self.old.get(locus) {
            Some(old) if locus != self.locus && legal.contains(old) => *old,
            _ => random(legal, self.rng),
        }
    }
}

/// The same genes again.
struct Again<'a>(&'a [Move]);

impl Choice for Again<'_> {
    fn gene(&mut self, locus: usize, _legal: &MoveList) -> Move {
        self.0[locus]
    }
}

/// A random move of at least one.
pub(crate) fn random(legal: &[Move], rng: &mut Rng) -> Move {
    legal[rng.index(legal.len())]
}

/// Plays lines out on a board and evaluates them.
pub(crate) struct Breeder<'a> {
    /// The game so far; it comes back after every line.
    pub(crate) board: BitboardBoard,
    pub(crate) evaluator: &'a mut PositionEvaluator,
    /// The side that begins the lines.
    pub(crate) us: Color,
    /// The length of a line.
    pub(crate) length: usize,
    /// Whether every gene is judged, or only the last: where nothing else counts, the others are worth 0.
    pub(crate) judges_all: bool,
    /// Positions evaluated.
    pub(crate) nodes: u64,
}

impl Breeder<'_> {
    /// Grows a line from the first `kept` genes of another; the rest is chosen.
    pub(crate) fn grow(&mut self, parent: &Chromosome, kept: usize, choice: &mut impl Choice) -> Chromosome {
        let mut line = Chromosome {
            genes: parent.genes[..kept].to_vec(),
            worths: parent.worths[..kept].to_vec(),
        };
        for &gene in &line.genes {
            self.board.make(gene);
        }
        let mut legal = self.board.legal_moves();
        while line.genes.len() < self.length {
            let gene = choice.gene(line.genes.len(), &legal);
            debug_assert!(legal.contains(&gene), "a gene is a legal move");
            self.board.make(gene);
            self.nodes += 1;
            line.genes.push(gene);
            legal = self.board.legal_moves();
            let (worth, is_over) = self.verdict(&legal, line.genes.len());
            line.worths.push(worth);
            if is_over {
                break;
            }
        }
        for _ in 0..line.genes.len() {
            self.board.unmake();
        }
        line
    }

    /// Judges every gene of a line, for whoever wants to see them all.
    pub(crate) fn evaluate_all(&mut self, line: &mut Chromosome) {
        let before = (self.length, self.judges_all);
        (self.length, self.judges_all) = (line.genes.len(), true);
        *line = self.grow(line, 0, &mut Again(&line.genes));
        (self.length, self.judges_all) = before;
    }

    /// The worth of the position after the gene at a locus (from 1), and whether the game ends there.
    fn verdict(&mut self, legal: &MoveList, locus: usize) -> (Worth, bool) {
        let board = &mut self.board;
        if legal.is_empty() {
            let worth = match (board.in_check(), board.turn() == self.us) {
                (false, _) => 0,
                (true, false) => MATE / locus as Worth,
                (true, true) => -MATE / locus as Worth,
            };
            return (worth, true);
        }
        if board.has_insufficient_material() || board.occurrences() >= 3 || board.halfmoves() >= 100 {
            return (0, true);
        }
        let is_last = locus == self.length;
        if !is_last && !self.judges_all {
            return (0, false);
        }
        (self.evaluator.worth(board, legal, self.us, is_last), false)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use vidmar_chess::Position;
    use vidmar_eval::{FullEvaluation, Vector};

    use super::*;
    use crate::settings::PositionEvaluation;
    use vidmar_rng::Rng;

    fn with_breeder<T>(position: &Position, length: usize, f: impl FnOnce(&mut Breeder) -> T) -> T {
        let full = Arc::new(FullEvaluation::new(&Vector::default()));
        let mut evaluator = PositionEvaluator::new(PositionEvaluation::Material, &full);
        f(&mut Breeder {
            board: BitboardBoard::new(position),
            evaluator: &mut evaluator,
            us: position.turn(),
            length,
            judges_all: true,
            nodes: 0,
        })
    }

    /// Legal all along, at full length or at the end of the game, and worth what it says.
    fn assert_sound(position: &Position, line: &Chromosome, length: usize) {
        let mut board = BitboardBoard::new(position);
        for &gene in &line.genes {
            assert!(board.termination_with_claims().is_none());
            assert!(board.is_legal(gene), "{gene:?} in {}", board.position());
            board.make(gene);
        }
        assert!(line.genes.len() == length || board.termination_with_claims().is_some());
        assert_eq!(line.genes.len(), line.worths.len());
    }

    struct Random<'a>(&'a mut Rng);

    impl Choice for Random<'_> {
        fn gene(&mut self, _locus: usize, legal: &MoveList) -> Move {
            random(legal, self.0)
        }
    }

    proptest! {
        #[test]
        fn repair_never_yields_an_illegal_gene(seed in any::<u64>(), plies in 0_usize..120, length in 1_usize..12) {
            let mut rng = Rng::new(seed, b"proptest", 0, 0);
            let mut position = Position::default();
            for _ in 0..plies {
                let legal = position.legal_moves();
                let mut next = position.clone();
                next.play(random(&legal, &mut rng));
                // Draws by the counters are left to the board.
                if next.count_legal_moves() == 0 || BitboardBoard::new(&next).termination_with_claims().is_some() {
                    break;
                }
                position = next;
            }
            with_breeder(&position, length, |breeder| {
                let mut line = breeder.grow(&Chromosome::default(), 0, &mut Random(&mut rng));
                assert_sound(&position, &line, length);
                for _ in 0..40 {
                    let locus = rng.index(line.genes.len());
                    let old = line.genes.clone();
                    let mut mutation = Mutation { old: &old, locus, rng: &mut rng };
                    let mutant = breeder.grow(&line, locus, &mut mutation);
                    assert_sound(&position, &mutant, length);
                    // The head is untouched, and a tail gene that is still legal is kept.
                    assert_eq!(mutant.genes[..locus], line.genes[..locus]);
                    let mut board = BitboardBoard::new(&position);
                    for (index, &gene) in mutant.genes.iter().enumerate() {
                        let old = line.genes.get(index);
                        if index > locus && old.is_some_and(|&old| board.is_legal(old)) {
                            assert_eq!(Some(&gene), old);
                        }
                        board.make(gene);
                    }
                    assert_eq!(breeder.board.history().plies(), 0);
                    line = mutant;
                }
            });
        }
    }

    #[test]
    fn a_line_is_worth_what_the_spec_says() {
        // 1. Ra8 mates at once; the rook is five pawns up before, three pawns are against it.
        let position: Position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".parse().expect("legal");
        let line = |words: &[&str], length| {
            let mut now = position.clone();
            let mut genes = Vec::new();
            for word in words {
                let m = now.parse_uci(word).expect("legal");
                now.play(m);
                genes.push(m);
            }
            with_breeder(&position, length, |breeder| {
                breeder.grow(&Chromosome::default(), 0, &mut Again(&genes))
            })
        };
        let at_once = line(&["a1a8"], 6);
        assert_eq!(at_once.worths, [MATE]);
        let later = line(&["a1a7", "g8f8", "a7a8"], 3);
        assert_eq!(later.worths, [200, 200, 200]);
        let third = line(&["g1f1", "h7h6", "a1a8"], 3);
        assert_eq!(third.worths, [200, 200, 200]);
        let third = line(&["g1f1", "g7g6", "a1a8"], 3);
        assert_eq!(third.fitness(Fitness::Sum), 600);
        let third = line(&["g1h1", "g8h8", "a1a8"], 4);
        assert_eq!(third.worths, [200, 200, MATE / 3]);
        assert_eq!(third.fitness(Fitness::Sum), 400 + MATE / 3);
        assert_eq!(third.fitness(Fitness::Leaf), MATE / 3);
        assert_eq!(at_once.distance(&third), 1000);
        assert_eq!(third.distance(&third), 0);
    }
}
