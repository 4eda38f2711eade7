//! The adjudicator: looks at the players' scores and at the tablebases after every move, and ends what is decided.

use vidmar_chess::{ByColor, Color, Outcome, Position, Score, Termination};

use crate::rules::{DrawRule, ResignRule, Rules};
use crate::tablebases::TablebaseProbe;

/// A mate is worth more than any number of pawns.
const MATE_CENTIPAWNS: i32 = 1_000_000;

/// What the adjudicator keeps of a game.
pub(crate) struct Adjudicator<'r> {
    rules: &'r Rules,
    tablebases: Option<&'r dyn TablebaseProbe>,
    /// How many moves in a row each side has seen itself lost, won, level.
    streaks: ByColor<Streaks>,
}

#[derive(Copy, Clone, Default)]
struct Streaks {
    lost: u32,
    won: u32,
    level: u32,
}

impl<'r> Adjudicator<'r> {
    pub(crate) fn new(rules: &'r Rules, tablebases: Option<&'r dyn TablebaseProbe>) -> Adjudicator<'r> {
        Adjudicator {
            rules,
            tablebases,
            streaks: ByColor::default(),
        }
    }

    /// Takes note of what a side thought of its own move. A player that says nothing thinks nothing: its streaks end.
    pub(crate) fn note(&mut self, side: Color, score: Option<Score>) {
        let streaks = &mut self.streaks[side];
        let score = score.map(centipawns);
        let continued = |streak: u32, holds: bool| if holds { streak + 1 } else { 0 };
        if let Some(rule) = &self.rules.resign {
            streaks.lost = continued(streaks.lost, score.is_some_and(|cp| cp <= -rule.score));
            streaks.won = continued(streaks.won, score.is_some_and(|cp| cp >= rule.score));
        }
        if let Some(rule) = &self.rules.draw {
            streaks.level = continued(streaks.level, score.is_some_and(|cp| cp.abs() <= rule.score));
        }
    }

    /// The decision on a position that `plies` plies of the game have led to, if there is one.
    pub(crate) fn end(&self, position: &Position, plies: u32) -> Option<(Outcome, Termination)> {
        self.by_tablebases(position)
            .or_else(|| self.by_scores(plies))
            .or_else(|| {
                let most = self.rules.max_moves?;
                (plies >= most.saturating_mul(2)).then_some((Outcome::Draw, Termination::MaxMoves))
            })
    }

    fn by_tablebases(&self, position: &Position) -> Option<(Outcome, Termination)> {
        let value = self.tablebases?.probe(position)?;
        Some((value.outcome(position.turn()), Termination::Tablebase))
    }

    fn by_scores(&self, plies: u32) -> Option<(Outcome, Termination)> {
        let loser = |rule: &ResignRule| {
            Color::ALL.into_iter().find(|&side| {
                self.streaks[side].lost >= rule.moves
                    && (!rule.two_sided || self.streaks[!side].won >= rule.moves)
            })
        };
        if let Some(side) = self.rules.resign.as_ref().and_then(loser) {
            return Some((Outcome::win(!side), Termination::Resignation));
        }
        let is_level = |rule: &DrawRule| {
            plies >= rule.from_move.saturating_mul(2)
                && Color::ALL
                    .into_iter()
                    .all(|side| self.streaks[side].level >= rule.moves)
        };
        let drawn = self.rules.draw.as_ref().is_some_and(is_level);
        drawn.then_some((Outcome::Draw, Termination::DrawAdjudication))
    }
}

/// A score as the rules count it.
fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(cp) => cp.clamp(1 - MATE_CENTIPAWNS, MATE_CENTIPAWNS - 1),
        Score::Mate(moves) if moves > 0 => MATE_CENTIPAWNS,
        Score::Mate(_) => -MATE_CENTIPAWNS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_tablebases::Wdl;

    /// Scores by turns, White's first; the ply after which the game was ended, and how.
    fn ended(rules: &Rules, scores: &[Option<Score>]) -> Option<(usize, Outcome, Termination)> {
        let mut adjudicator = Adjudicator::new(rules, None);
        let position = Position::default();
        scores.iter().enumerate().find_map(|(index, &score)| {
            adjudicator.note(Color::ALL[index % 2], score);
            let (result, why) = adjudicator.end(&position, index as u32 + 1)?;
            Some((index + 1, result, why))
        })
    }

    fn cp(scores: &[i32]) -> Vec<Option<Score>> {
        scores.iter().map(|&cp| Some(Score::Centipawns(cp))).collect()
    }

    #[test]
    fn the_published_games_end_when_both_see_more_than_four_pawns() {
        let rules = Rules::published();
        assert_eq!(ended(&rules, &cp(&[400, -500, 400, -500])), None);
        assert_eq!(ended(&rules, &cp(&[500, -400])), None);
        assert_eq!(
            ended(&rules, &cp(&[500, -400, 401, -401])),
            Some((4, Outcome::win(Color::White), Termination::Resignation))
        );
        assert_eq!(
            ended(&rules, &cp(&[0, 900, -401])),
            Some((3, Outcome::win(Color::Black), Termination::Resignation))
        );
        let mates = [Some(Score::Mate(-3)), Some(Score::Mate(2))];
        assert_eq!(
            ended(&rules, &mates),
            Some((2, Outcome::win(Color::Black), Termination::Resignation))
        );
        let level = cp(&[0; 400]);
        assert_eq!(
            ended(&rules, &level),
            Some((300, Outcome::Draw, Termination::MaxMoves))
        );
    }

    #[test]
    fn a_move_that_no_game_reaches_is_no_overflow() {
        let late = Rules {
            draw: Some(DrawRule {
                from_move: u32::MAX,
                moves: 1,
                score: 10,
            }),
            max_moves: Some(u32::MAX),
            ..Rules::default()
        };
        assert_eq!(ended(&late, &cp(&[0; 20])), None);
    }

    #[test]
    fn a_side_resigns_after_its_moves_in_a_row() {
        let rule = |two_sided| Rules {
            resign: Some(ResignRule {
                score: 500,
                moves: 3,
                two_sided,
            }),
            ..Rules::default()
        };
        let scores = cp(&[0, -500, 0, -600, 0, -499, 0, -500, 0, -500, 0, -500]);
        assert_eq!(
            ended(&rule(false), &scores),
            Some((12, Outcome::win(Color::White), Termination::Resignation))
        );
        assert_eq!(ended(&rule(true), &scores), None);
        // Silence is no agreement.
        let mut silent = cp(&[0, -500, 0, -600, 0, -700]);
        silent[3] = None;
        assert_eq!(ended(&rule(false), &silent), None);
    }

    #[test]
    fn a_level_game_is_drawn_but_not_early() {
        let rules = Rules {
            draw: Some(DrawRule {
                from_move: 4,
                moves: 2,
                score: 10,
            }),
            ..Rules::default()
        };
        assert_eq!(
            ended(&rules, &cp(&[0, 5, -10, 10, 0, 0, 0, 0])),
            Some((8, Outcome::Draw, Termination::DrawAdjudication))
        );
        assert_eq!(
            ended(&rules, &cp(&[0, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0, 0])),
            Some((12, Outcome::Draw, Termination::DrawAdjudication))
        );
    }

    #[test]
    fn bases_speak_for_the_side_to_move() {
        struct Says(Wdl);
        impl TablebaseProbe for Says {
            fn probe(&self, _: &Position) -> Option<Wdl> {
                Some(self.0)
            }
        }
        for (said, result) in [
            (Wdl::Win, Outcome::win(Color::White)),
            (Wdl::Draw, Outcome::Draw),
            (Wdl::Loss, Outcome::win(Color::Black)),
        ] {
            let (rules, probe) = (Rules::default(), Says(said));
            let verdict = Adjudicator::new(&rules, Some(&probe)).end(&Position::default(), 0);
            assert_eq!(verdict, Some((result, Termination::Tablebase)));
        }
    }
}
