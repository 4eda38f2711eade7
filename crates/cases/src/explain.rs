//! Why a behaviour plays what it plays: the nearest cases, where they come from, and what was made of them.

use vidmar_chess::{Color, Move, Outcome, Position};
use vidmar_engine::explanation::{
    CaseBasis, CaseExplanation, CaseOrigin, ExplainedCase, ExplainedChoice, ExplainedGame,
};

use crate::adaptation::WHOLE_MOVE;
use crate::base::{CaseBase, SourceGame};
use crate::behaviour::{Basis, Behaviour, Decision};
use crate::list::Origin;
use crate::retrieval::Neighbour;

impl Behaviour {
    /// Explains a position by its `k` nearest cases.
    pub fn explain(&self, position: &Position, k: usize) -> CaseExplanation {
        let nearest = self.nearest(position, &position.legal_moves(), k);
        CaseExplanation {
            fen: position.to_string(),
            expert: self.base().expert().to_owned(),
            cases: self.base().list(position.turn()).len(),
            nearest: nearest
                .iter()
                .map(|neighbour| explained(self.base(), position, neighbour))
                .collect(),
            choice: None,
        }
    }

    /// The same with what was decided; without a decision a search has chosen among what the cases suggest.
    pub(crate) fn explain_choice(
        &self,
        position: &Position,
        k: usize,
        best: Move,
        decision: Option<&Decision>,
    ) -> CaseExplanation {
        let neighbour = decision.and_then(|decision| decision.neighbour);
        CaseExplanation {
            choice: Some(ExplainedChoice {
                r#move: position.san(best).to_string(),
                basis: match decision.map(|decision| decision.basis) {
                    Some(Basis::Case) => CaseBasis::Case,
                    Some(Basis::OtherColor) => CaseBasis::OtherColor,
                    Some(Basis::Chance) => CaseBasis::Chance,
                    None => CaseBasis::Search,
                },
                considered: decision.map_or(0, |decision| decision.considered),
                case: neighbour.map(|neighbour| explained(self.base(), position, &neighbour)),
            }),
            ..self.explain(position, k)
        }
    }
}

fn explained(base: &CaseBase, position: &Position, neighbour: &Neighbour) -> ExplainedCase {
    let (origin, index) = match neighbour.origin {
        Origin::Played { game, ply } => (CaseOrigin::Played, Some((game, ply))),
        Origin::Varied { game, ply } => (CaseOrigin::Varied, Some((game, ply))),
        Origin::Learned => (CaseOrigin::Learned, None),
    };
    let game = index.and_then(|(game, ply)| Some((base.games().get(game as usize)?, ply)));
    let adapted = neighbour.adapted;
    let there = game.as_ref().and_then(|(game, ply)| game.position_at(*ply));
    let played = match (&there, &game, origin) {
        (Some(there), Some((game, ply)), CaseOrigin::Played) => {
            let m = game.moves.get(*ply as usize).copied().flatten();
            m.map(|m| there.san(m).to_string())
        }
        _ => None,
    };
    ExplainedCase {
        similarity: neighbour.similarity,
        mirrored: neighbour.is_mirrored,
        shift: [neighbour.shift.files, neighbour.shift.ranks],
        origin,
        game: game.map(|(game, ply)| explained_game(game, ply)),
        fen: there.map(|there| there.to_string()),
        r#move: neighbour.case_move.to_string(),
        move_san: played,
        adapted: position.san(adapted.m).to_string(),
        adapted_uci: adapted.m.uci(position.castling_notation()).to_string(),
        move_similarity: adapted.similarity as f64 / WHOLE_MOVE as f64,
    }
}

fn explained_game(game: &SourceGame, ply: u32) -> ExplainedGame {
    ExplainedGame {
        white: game.players[Color::White].clone(),
        black: game.players[Color::Black].clone(),
        event: game.event.clone(),
        year: game.year().map(str::to_owned),
        result: Outcome::text(game.result).to_owned(),
        expert: game.expert().to_string(),
        move_number: game.move_number(ply),
    }
}
