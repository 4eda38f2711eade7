//! A game as far as its moves, and the scores told of them, determine it: where it stands, and whether it is over. Whoever
//! plays a game and whoever checks one that somebody else played go by the same.

use vidmar_chess::{Board as _, Game, Move, MoveRecord, Outcome, Position, Role, Termination};

use crate::adjudication::Adjudicator;
use crate::ending::{Ending, StudyMemory};
use crate::tablebases::TablebaseProbe;
use crate::task::GameSetup;

/// How a game ended.
pub(crate) type End = (Option<Outcome>, Termination);

/// Where a game stands.
pub(crate) struct GameState<'r> {
    game: Game,
    adjudicator: Adjudicator<'r>,
    /// What other rules than those of chess must remember.
    study: Option<StudyMemory>,
}

impl<'r> GameState<'r> {
    /// After the moves of the opening.
    pub(crate) fn new(setup: &'r GameSetup, tablebases: Option<&'r dyn TablebaseProbe>) -> GameState<'r> {
        let GameSetup { opening, rules, .. } = setup;
        let mut state = GameState {
            game: Game::new(opening.start.clone()),
            adjudicator: Adjudicator::new(rules, tablebases),
            study: (rules.ending == Ending::Study).then(|| StudyMemory::new(&opening.start)),
        };
        for &m in &opening.moves {
            state.make(m);
        }
        state
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    /// Plays a legal move of the side to move, with what it said of it.
    pub(crate) fn play(&mut self, ply: &MoveRecord) {
        let side = self.position().turn();
        self.make(ply.m);
        self.adjudicator.note(side, ply.info.score);
    }

    fn make(&mut self, m: Move) {
        let by_pawn = self.game.position().role_at(m.from()) == Some(Role::Pawn);
        self.game.play(m);
        if let Some(study) = &mut self.study {
            study.note(self.game.position(), by_pawn);
        }
    }

    /// Whether the game has ended where it stands: by the rules, or by the adjudicator.
    pub(crate) fn ended(&self) -> Option<End> {
        let by_rules = match &self.study {
            None => self.game.board().termination_with_claims(),
            Some(study) => study.termination(self.game.board()),
        };
        if let Some(termination) = by_rules {
            return Some((termination.outcome(), termination));
        }
        let plies = self.game.moves().len() as u32;
        let (result, termination) = self.adjudicator.end(self.game.position(), plies)?;
        Some((Some(result), termination))
    }
}
