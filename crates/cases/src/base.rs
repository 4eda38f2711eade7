//! A case base: the games of one expert and the cases in them.
//!
//! The games are the source of truth: a base is made by replaying them, here and when it is read from a file, so that
//! every case has a legal move and a game that it comes from. Same games, same order, same cases.

use std::num::NonZeroU16;

use rayon::prelude::*;
use thiserror::Error;
use vidmar_chess::{ByColor, Color, Move, Outcome, Position};

use crate::board::CaseBoard;
use crate::case_move::CaseMove;
use crate::list::{CaseList, Origin};

/// A game of the expert.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceGame {
    /// The players' names.
    pub players: ByColor<String>,
    /// The tag `Event`.
    pub event: String,
    /// The tag `Date`.
    pub date: String,
    /// How it ended.
    pub result: Option<Outcome>,
    /// Whether the expert had Black.
    pub expert_is_black: bool,
    /// The expert's rating in it.
    pub elo: Option<NonZeroU16>,
    /// Where it began, if elsewhere than usual.
    pub start: Option<Box<Position>>,
    /// The moves; none is a null move.
    pub moves: Vec<Option<Move>>,
}

/// A game cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game}: ply {ply} is not legal")]
pub struct ReplayError {
    /// The number of the game, from 1.
    pub game: usize,
    /// The number of the ply, from 1.
    pub ply: usize,
}

impl SourceGame {
    /// The side that the expert had.
    pub fn expert(&self) -> Color {
        if self.expert_is_black {
            Color::Black
        } else {
            Color::White
        }
    }

    /// The year, if the date has one.
    pub fn year(&self) -> Option<&str> {
        let year = self.date.split(['.', '-', '/']).next()?;
        (year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit())).then_some(year)
    }

    /// The number of the move at a ply, as players count.
    pub fn move_number(&self, ply: u32) -> u32 {
        let (first, black) = self.start.as_ref().map_or((1, false), |start| {
            (u32::from(start.fullmoves().get()), start.turn() == Color::Black)
        });
        // Two plies are a move, counted from White's.
        first + u32::midpoint(ply, u32::from(black))
    }

    /// Calls `visit` with every position in which the expert moved, the move and its ply.
    pub(crate) fn visit_expert_moves(&self, mut visit: impl FnMut(&Position, Move, u32)) {
        let expert = self.expert();
        // The games of a base have been replayed before.
        let _ = self.replay(|position, m, ply| {
            if position.turn() == expert {
                visit(position, m, ply);
            }
        });
    }

    /// The position in which the move at a ply was played.
    pub fn position_at(&self, ply: u32) -> Option<Position> {
        let mut found = None;
        // The games of a base have been replayed before.
        let _ = self.replay(|position, _, at| {
            if at == ply {
                found = Some(position.clone());
            }
        });
        found
    }

    /// Calls `visit` with every position, the move in it and its ply; the ply of the first illegal move is the error.
    fn replay(&self, mut visit: impl FnMut(&Position, Move, u32)) -> Result<(), usize> {
        let mut position = self.start.as_deref().cloned().unwrap_or_default();
        for (ply, &played) in self.moves.iter().enumerate() {
            match played {
                Some(m) if position.is_legal(m) => {
                    visit(&position, m, ply as u32);
                    position.play(m);
                }
                None if !position.in_check() => position.play_null(),
                _ => return Err(ply + 1),
            }
        }
        Ok(())
    }
}

/// The cases of one expert.
#[derive(Clone, Debug, Default)]
pub struct CaseBase {
    expert: String,
    games: Vec<SourceGame>,
    lists: ByColor<CaseList>,
}

impl CaseBase {
    /// The base of an expert's games.
    pub fn new(expert: &str, games: Vec<SourceGame>) -> Result<CaseBase, ReplayError> {
        let cases: Vec<Vec<(CaseBoard, CaseMove, u32)>> = games
            .par_iter()
            .enumerate()
            .map(|(index, game)| {
                let mut cases = Vec::with_capacity(game.moves.len() / 2 + 1);
                let expert = game.expert();
                let replayed = game.replay(|position, m, ply| {
                    if position.turn() == expert {
                        cases.push((CaseBoard::new(position), m.into(), ply));
                    }
                });
                match replayed {
                    Ok(()) => Ok(cases),
                    Err(ply) => Err(ReplayError { game: index + 1, ply }),
                }
            })
            .collect::<Result<_, _>>()?;
        let mut lists = ByColor::<CaseList>::default();
        for (index, (game, cases)) in games.iter().zip(cases).enumerate() {
            let list = &mut lists[game.expert()];
            for (board, m, ply) in cases {
                let game = index as u32;
                list.push(&board, m, Origin::Played { game, ply });
            }
        }
        Ok(CaseBase {
            expert: expert.to_owned(),
            games,
            lists,
        })
    }

    /// The expert's name.
    pub fn expert(&self) -> &str {
        &self.expert
    }

    /// The games.
    pub fn games(&self) -> &[SourceGame] {
        &self.games
    }

    /// The cases in which the expert had this colour.
    pub fn list(&self, color: Color) -> &CaseList {
        &self.lists[color]
    }

    pub(crate) fn list_mut(&mut self, color: Color) -> &mut CaseList {
        &mut self.lists[color]
    }

    /// How many cases there are.
    pub fn len(&self) -> usize {
        Color::ALL.iter().map(|&color| self.lists[color].len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The expert's mean rating over the games that tell it.
    pub fn mean_elo(&self) -> Option<f64> {
        let told: Vec<f64> = self
            .games
            .iter()
            .filter_map(|game| game.elo)
            .map(|elo| f64::from(elo.get()))
            .collect();
        (!told.is_empty()).then(|| told.iter().sum::<f64>() / told.len() as f64)
    }

    /// A base of the first games only.
    pub fn truncated(&self, games: usize) -> CaseBase {
        let kept = self.games.iter().take(games).cloned().collect();
        CaseBase::new(&self.expert, kept).unwrap_or_default()
    }
}
