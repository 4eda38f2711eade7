//! A behaviour: an agent with one case base. It retrieves, adapts, and decides.

use std::sync::Arc;

use vidmar_chess::{ByColor, Game, Move, Position, Role};

use crate::adaptation::{Adapter, WHOLE_MOVE};
use crate::base::CaseBase;
use crate::board::CaseBoard;
use crate::list::{CaseList, Origin};
use crate::retrieval::{Neighbour, Retrieval};
use crate::settings::{CaseSettings, Cycles, Learn};
use crate::similarity::WHOLE;
use vidmar_rng::Rng;

/// On what a decision rests.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Basis {
    /// A case of the colour to move.
    Case,
    /// There is none of that colour: a case of the other colour, turned round.
    OtherColor,
    /// There is no case at all: a legal move by lot.
    Chance,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The move.
    pub best: Move,
    /// On what it rests.
    pub basis: Basis,
    /// The case behind it.
    pub neighbour: Option<Neighbour>,
    /// The cases among which it was found.
    pub considered: usize,
}

/// An agent with one case base.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// As it was given.
    given: Arc<CaseBase>,
    /// With the variations that the settings ask for.
    base: Arc<CaseBase>,
    learned: ByColor<CaseList>,
    settings: CaseSettings,
}

impl Behaviour {
    /// An agent with this base.
    pub fn new(base: Arc<CaseBase>, settings: CaseSettings) -> Behaviour {
        let mut behaviour = Behaviour {
            given: Arc::clone(&base),
            base,
            learned: ByColor::default(),
            settings: CaseSettings::default(),
        };
        behaviour.set(settings);
        behaviour
    }

    /// The settings in force.
    pub fn settings(&self) -> &CaseSettings {
        &self.settings
    }

    /// Changes the settings.
    pub fn set(&mut self, settings: CaseSettings) {
        if settings.captures != self.settings.captures {
            self.base = if settings.captures == 0 {
                Arc::clone(&self.given)
            } else {
                Arc::new(self.given.with_varied_captures(settings.captures))
            };
        }
        self.settings = settings;
    }

    /// The base, variations included.
    pub fn base(&self) -> &CaseBase {
        &self.base
    }

    /// Another game begins.
    pub fn new_game(&mut self) {
        if self.settings.learn != Learn::Session {
            self.learned = ByColor::default();
        }
    }

    /// Remembers a solution of its own, if it is to learn.
    pub fn learn(&mut self, position: &Position, m: Move) {
        if self.settings.learn != Learn::Off {
            let board = CaseBoard::new(position);
            self.learned[position.turn()].push(&board, m.into(), Origin::Learned);
        }
    }

    fn retrieval(&self, position: &Position, moves: &[Move]) -> Retrieval<'_> {
        let adapter = Adapter::new(position, moves, self.settings.weights);
        Retrieval::new(&self.base, &self.learned, &self.settings, position, adapter)
    }

    /// The nearest cases of a position, in order; none without cases or legal moves.
    pub fn nearest(&self, position: &Position, moves: &[Move], k: usize) -> Vec<Neighbour> {
        let mut nearest = self.retrieval(position, moves).nearest(k);
        nearest.truncate(k);
        nearest
    }

    /// Decides among some legal moves, those that lead back left out as the settings want; none if there are none.
    pub fn decide(&self, game: &Game, moves: &[Move]) -> Option<Decision> {
        let position = game.position();
        let wanted = self.without_cycles(game, moves);
        let mut rng = self.rng(position, game.moves().len());
        let (nearest, basis) = self.drawn(position, &wanted, &mut rng);
        let equals = self.best_of(&nearest);
        if equals.is_empty() {
            let by_lot = (!wanted.is_empty()).then(|| wanted[rng.index(wanted.len())]);
            return by_lot.map(|best| Decision {
                best,
                basis: Basis::Chance,
                neighbour: None,
                considered: 0,
            });
        }
        let neighbour = equals[rng.index(equals.len())];
        Some(Decision {
            best: neighbour.adapted.m,
            basis,
            neighbour: Some(*neighbour),
            considered: nearest.len(),
        })
    }

    /// What the k nearest cases suggest, each move once, the nearest case's first.
    pub(crate) fn suggestions(&self, position: &Position, plies: usize, moves: &[Move]) -> Vec<Move> {
        let (nearest, _) = self.drawn(position, moves, &mut self.rng(position, plies));
        let mut suggested = Vec::new();
        for neighbour in nearest {
            if !suggested.contains(&neighbour.adapted.m) {
                suggested.push(neighbour.adapted.m);
            }
        }
        suggested
    }

    /// The k nearest cases, of equals at the end a fair draw; with k = 1 all that are equally near.
    fn drawn(&self, position: &Position, moves: &[Move], rng: &mut Rng) -> (Vec<Neighbour>, Basis) {
        let k = self.settings.k;
        let mut retrieval = self.retrieval(position, moves);
        let basis = if retrieval.is_fallback() {
            Basis::OtherColor
        } else {
            Basis::Case
        };
        let mut nearest = retrieval.nearest(k);
        if k > 1 && nearest.len() > k {
            let last = nearest[k - 1].key;
            let first_of_last = nearest.partition_point(|neighbour| neighbour.key > last);
            rng.shuffle(&mut nearest[first_of_last..]);
            nearest.truncate(k);
        }
        (nearest, basis)
    }

    /// Those whose move is most similar to a legal one, less the penalty for a board that is not. With k = 1
    /// the nearest case counts and nothing else.
    fn best_of<'n>(&self, nearest: &'n [Neighbour]) -> Vec<&'n Neighbour> {
        if self.settings.k == 1 {
            return nearest.iter().collect();
        }
        let worth = |neighbour: &Neighbour| {
            let unlike = i64::from(WHOLE - neighbour.similarity) * (WHOLE_MOVE / i64::from(WHOLE));
            1000 * neighbour.adapted.similarity - self.settings.penalty.thousandths() * unlike
        };
        let most = nearest.iter().map(worth).max();
        nearest
            .iter()
            .filter(|neighbour| Some(worth(neighbour)) == most)
            .collect()
    }

    /// The draws of a position depend on the seed, the board and the length of the game.
    fn rng(&self, position: &Position, plies: usize) -> Rng {
        Rng::new(self.settings.seed, b"cbr pick", plies as u64, position.key().0)
    }

    /// The moves without those that lead back, as far as the settings want that and others are left.
    pub(crate) fn without_cycles(&self, game: &Game, moves: &[Move]) -> Vec<Move> {
        let wanted = match self.settings.cycles {
            Cycles::Allow => false,
            Cycles::Avoid => true,
            Cycles::Unwanted => material(game.position()) >= 0,
        };
        if !wanted {
            return moves.to_vec();
        }
        let been = boards_since_progress(game);
        let position = game.position();
        let new: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&m| {
                let mut next = position.clone();
                next.play(m);
                !been.contains(&CaseBoard::new(&next))
            })
            .collect();
        if new.is_empty() { moves.to_vec() } else { new }
    }
}

/// The boards since the last capture or pawn move, the present one included: no other can come back.
fn boards_since_progress(game: &Game) -> Vec<CaseBoard> {
    let reversible = usize::from(game.position().halfmoves()).min(game.moves().len());
    let progress = game.moves().len() - reversible;
    let mut position = game.start().clone();
    let mut boards = Vec::with_capacity(reversible + 1);
    for (ply, &m) in game.moves().iter().enumerate() {
        if ply >= progress {
            boards.push(CaseBoard::new(&position));
        }
        position.play(m);
    }
    boards.push(CaseBoard::new(&position));
    boards
}

/// The material of the side to move less the other's, in pawns.
fn material(position: &Position) -> i32 {
    [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ]
    .into_iter()
    .map(|(role, worth)| {
        let count = |color| position.pieces(color, role).len() as i32;
        worth * (count(position.turn()) - count(!position.turn()))
    })
    .sum()
}
