//! Retrieval: the cases most similar to a position.
//!
//! Plain similarity of squares goes through the fast scan, which shows only cases that can still be among the nearest.
//! With a shift of the board, another metric or solutions that count, every case is given its number.

use std::collections::HashMap;

use vidmar_chess::{ByColor, Color, Position};

use crate::adaptation::{Adapted, Adapter, Solution, WHOLE_MOVE};
use crate::base::CaseBase;
use crate::board::{CaseBoard, Shift};
use crate::case_move::CaseMove;
use crate::likeness::{likeness, square_likeness};
use crate::list::{CaseList, Origin};
use crate::settings::{CaseSettings, Metric};
use crate::similarity::WHOLE;

/// A case beside a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// How alike the boards are, from 0 to [`WHOLE`].
    pub similarity: u16,
    /// The step of the position's board with which that is so.
    pub shift: Shift,
    /// Whether the case is one of the other colour, turned round.
    pub is_mirrored: bool,
    /// Where it comes from.
    pub origin: Origin,
    /// The move in the case.
    pub case_move: CaseMove,
    /// The legal move most similar to it.
    pub adapted: Adapted,
    /// By what the neighbours are ordered.
    pub(crate) key: i64,
}

/// Which list a case is in, and its index there.
#[derive(Copy, Clone, Debug)]
struct Found {
    source: usize,
    index: usize,
    similarity: u16,
    shift: Shift,
}

/// Cases of one colour as they look from the position.
struct Source<'m> {
    list: &'m CaseList,
    is_mirrored: bool,
}

/// One question.
pub(crate) struct Retrieval<'m> {
    sources: Vec<Source<'m>>,
    board: CaseBoard,
    settings: &'m CaseSettings,
    adapter: Adapter,
    /// Cases agree in their solutions more often than not.
    adapted: HashMap<Solution, Adapted>,
    is_fallback: bool,
}

impl<'m> Retrieval<'m> {
    /// A question about a position. Without a case of the colour to move, those of the other colour stand in.
    pub(crate) fn new(
        base: &'m CaseBase,
        learned: &'m ByColor<CaseList>,
        settings: &'m CaseSettings,
        position: &Position,
        adapter: Adapter,
    ) -> Retrieval<'m> {
        let lists = |color: Color, is_mirrored| {
            [base.list(color), &learned[color]]
                .into_iter()
                .filter(|list| !list.is_empty())
                .map(move |list| Source { list, is_mirrored })
        };
        let turn = position.turn();
        let mut sources: Vec<Source<'m>> = lists(turn, false).collect();
        let is_fallback = sources.is_empty();
        if settings.mirror || is_fallback {
            sources.extend(lists(!turn, true));
        }
        Retrieval {
            sources,
            board: CaseBoard::new(position),
            settings,
            adapter,
            adapted: HashMap::new(),
            is_fallback,
        }
    }

    /// Whether there is no case of the right colour.
    pub(crate) fn is_fallback(&self) -> bool {
        self.is_fallback
    }

    /// The `k` nearest cases and all that are as near as the last of them, the nearest first, equals in the order of the base.
    pub(crate) fn nearest(&mut self, k: usize) -> Vec<Neighbour> {
        let plain = !self.settings.shift
            && self.settings.metric == Metric::Squares
            && self.settings.solution.thousandths() == 0;
        let found = if plain { self.scan(k) } else { self.number_all(k) };
        found
            .into_iter()
            .filter_map(|(key, found)| self.neighbour(key, found))
            .collect()
    }

    fn query(&self, source: &Source<'_>) -> CaseBoard {
        if source.is_mirrored {
            self.board.mirrored()
        } else {
            self.board
        }
    }

    fn scan(&self, k: usize) -> Vec<(i64, Found)> {
        let mut nearest = Nearest::new(k);
        for (number, source) in self.sources.iter().enumerate() {
            source.list.scan(&self.query(source), |index, similarity| {
                let found = Found {
                    source: number,
                    index,
                    similarity,
                    shift: Shift::default(),
                };
                nearest.offer(i64::from(similarity), found);
                nearest.least as u16
            });
        }
        nearest.finish()
    }

    fn number_all(&mut self, k: usize) -> Vec<(i64, Found)> {
        let mut nearest = Nearest::new(k);
        for number in 0..self.sources.len() {
            for (index, (similarity, shift)) in self.similarities(number).into_iter().enumerate() {
                let found = Found {
                    source: number,
                    index,
                    similarity,
                    shift,
                };
                if self.highest_key(found) >= nearest.least
                    && let Some(key) = self.key(found)
                {
                    nearest.offer(key, found);
                }
            }
        }
        nearest.finish()
    }

    /// The similarity of every case of a source, and the shift that gives it.
    fn similarities(&self, number: usize) -> Vec<(u16, Shift)> {
        let source = &self.sources[number];
        let query = self.query(source);
        let mut best = vec![(0, Shift::default()); source.list.len()];
        let shifts = if self.settings.shift {
            &Shift::ALL[..]
        } else {
            &Shift::ALL[..1]
        };
        for &shift in shifts {
            let shifted = query.shifted(shift);
            let mut note = |index: usize, similarity: u16| {
                if similarity > best[index].0 {
                    best[index] = (similarity, shift);
                }
            };
            match self.settings.metric {
                Metric::Squares => source.list.scan(&shifted, |index, similarity| {
                    note(index, similarity);
                    0
                }),
                Metric::LikePieces => {
                    for index in 0..source.list.len() {
                        note(index, likeness(&source.list.board(index), &shifted));
                    }
                }
                Metric::LikeSquares => {
                    for index in 0..source.list.len() {
                        note(index, square_likeness(&shifted, &source.list.board(index)));
                    }
                }
            }
        }
        best
    }

    /// By what a case is ordered: its similarity and, as far as that counts, how well its solution fits.
    fn key(&mut self, found: Found) -> Option<i64> {
        let weight = self.settings.solution;
        if weight.thousandths() == 0 {
            return Some(i64::from(found.similarity));
        }
        let solution = self.adapt(found)?.similarity;
        Some(self.highest_key(found) - weight.thousandths() * (WHOLE_MOVE - solution))
    }

    /// What the key would be with a solution that fits perfectly: most cases need not be adapted to see that they are far.
    fn highest_key(&self, found: Found) -> i64 {
        let weight = self.settings.solution;
        if weight.thousandths() == 0 {
            return i64::from(found.similarity);
        }
        let board = i64::from(found.similarity) * (WHOLE_MOVE / i64::from(WHOLE));
        weight.rest() * board + weight.thousandths() * WHOLE_MOVE
    }

    fn adapt(&mut self, found: Found) -> Option<Adapted> {
        let solution = self.solution(found);
        if let Some(&adapted) = self.adapted.get(&solution) {
            return Some(adapted);
        }
        let adapted = self.adapter.adapt(&solution)?;
        self.adapted.insert(solution, adapted);
        Some(adapted)
    }

    /// The solution of a case as it looks on the board of the position.
    fn solution(&self, found: Found) -> Solution {
        let source = &self.sources[found.source];
        let (case_move, board) = (source.list.solution(found.index), source.list.board(found.index));
        let mut solution = Solution::new(case_move, |square| board.piece_at(square));
        solution.m = solution.m.shifted(found.shift.reversed());
        if source.is_mirrored {
            solution.m = solution.m.mirrored();
            for piece in [&mut solution.on_from, &mut solution.on_to].into_iter().flatten() {
                piece.color = !piece.color;
            }
        }
        solution
    }

    fn neighbour(&mut self, key: i64, found: Found) -> Option<Neighbour> {
        let adapted = self.adapt(found)?;
        let source = &self.sources[found.source];
        Some(Neighbour {
            similarity: found.similarity,
            shift: found.shift,
            is_mirrored: source.is_mirrored,
            origin: source.list.origin(found.index),
            case_move: source.list.solution(found.index),
            adapted,
            key,
        })
    }
}

/// Keeps the k highest keys and all that equal the last of them.
struct Nearest {
    k: usize,
    kept: Vec<(i64, Found)>,
    /// Lower keys are not among the nearest.
    least: i64,
    /// When to throw out what has become too low.
    limit: usize,
}

/// Found cases between two prunings, at the least.
const SLACK: usize = 32;

impl Nearest {
    fn new(k: usize) -> Nearest {
        Nearest {
            k: k.max(1),
            kept: Vec::new(),
            least: 0,
            limit: k + SLACK,
        }
    }

    fn offer(&mut self, key: i64, found: Found) {
        if key < self.least {
            return;
        }
        if self.k == 1 && key > self.least {
            self.kept.clear();
            self.least = key;
        }
        self.kept.push((key, found));
        if self.kept.len() >= self.limit {
            self.prune();
            // Many equals may stay: pruning again pays only after as many more.
            self.limit = 2 * self.kept.len() + SLACK;
        }
    }

    fn prune(&mut self) {
        if self.kept.len() <= self.k {
            return;
        }
        let mut keys: Vec<i64> = self.kept.iter().map(|(key, _)| *key).collect();
        let index = self.k - 1;
        let (_, &mut least, _) = keys.select_nth_unstable_by(index, |one, other| other.cmp(one));
        self.least = least;
        self.kept.retain(|(key, _)| *key >= least);
    }

    fn finish(mut self) -> Vec<(i64, Found)> {
        self.prune();
        self.kept.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
        self.kept
    }
}
