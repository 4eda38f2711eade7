//! The reasons of the case-based player: the nearest cases, and what was made of them.

use std::fmt::Write as _;

use serde::Serialize;
use ts_rs::TS;
use vidmar_chess::Position;
use vidmar_engine::explanation::{CaseBasis, CaseExplanation, CaseOrigin, ExplainedCase, SIMILARITY_RANGE};

use super::{Arrow, Brush, MOST_ARROWS, Why, WhyKind};
use crate::position::MoveText;

/// The reasons of a case-based player.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct CasesWhy {
    /// Whose games the cases are of.
    pub expert: String,
    /// Cases of the colour to move.
    pub known: usize,
    /// What it goes by: a case, one of the other colour turned round, chance, or a search among what the cases suggest.
    #[ts(type = "'case' | 'other-color' | 'chance' | 'search'")]
    pub basis: CaseBasis,
    /// The nearest cases, the nearest first; the one that was followed is marked.
    pub cases: Vec<CaseShown>,
}

/// A case.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct CaseShown {
    /// How alike the boards are, from 0 to 1.
    pub similarity: f64,
    /// The game that it is from, in words.
    pub source: String,
    /// The year of that game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<u32>,
    /// The board there; absent for what the player has learned itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The move there.
    #[serde(rename = "move")]
    pub there: MoveText,
    /// The legal move that was made of it.
    pub adapted: MoveText,
    /// How similar the two moves are, from 0 to 1.
    pub move_similarity: f64,
    /// How the move there became the move here, in words.
    pub adaptation: String,
    /// Whether this case was followed.
    pub followed: bool,
}

/// Fills in the reasons.
pub(super) fn tell(why: &mut Why, position: &Position, explanation: &CaseExplanation) {
    let choice = explanation.choice.as_ref();
    let followed = choice.and_then(|choice| choice.case.as_ref());
    let is_followed = |case: &ExplainedCase| {
        followed.is_some_and(|other| {
            case.game == other.game && case.r#move == other.r#move && case.fen == other.fen
        })
    };
    let mut cases: Vec<CaseShown> = explanation
        .nearest
        .iter()
        .map(|case| shown(position, case, &explanation.expert, is_followed(case)))
        .collect();
    // Among equally near cases the one that was followed may not be one of the first.
    if let Some(case) = followed.filter(|_| cases.iter().all(|case| !case.followed)) {
        cases.insert(0, shown(position, case, &explanation.expert, true));
    }
    let basis = choice.map_or(CaseBasis::Case, |choice| choice.basis);
    why.kind = WhyKind::Cases;
    why.arrows = arrows(&cases, why.chosen.as_ref());
    why.headline = headline(why.chosen.as_ref(), basis, &cases, &explanation.expert);
    why.cases = Some(CasesWhy {
        expert: explanation.expert.clone(),
        known: explanation.cases,
        basis,
        cases,
    });
}

fn shown(position: &Position, case: &ExplainedCase, expert: &str, followed: bool) -> CaseShown {
    let source = match &case.game {
        None => "its own solution".to_owned(),
        Some(game) => {
            let event = if game.event.is_empty() {
                String::new()
            } else {
                format!(", {}", game.event)
            };
            format!(
                "{} – {}{event}, move {}",
                game.white, game.black, game.move_number
            )
        }
    };
    let there = MoveText {
        uci: case.r#move.clone(),
        san: case.move_san.clone().unwrap_or_else(|| case.r#move.clone()),
    };
    let there_san = there.san.clone();
    CaseShown {
        similarity: f64::from(case.similarity) / f64::from(SIMILARITY_RANGE),
        source,
        year: case
            .game
            .as_ref()
            .and_then(|game| game.year.as_ref()?.parse().ok()),
        fen: case.fen.clone(),
        there,
        adapted: MoveText {
            uci: case.adapted_uci.clone(),
            san: case.adapted.clone(),
        },
        move_similarity: case.move_similarity,
        adaptation: adaptation(position, case, expert, &there_san),
        followed,
    }
}

/// How the move of a case became a legal move: "Tal played cxd4 there. It is not legal here: …".
fn adaptation(position: &Position, case: &ExplainedCase, expert: &str, there: &str) -> String {
    let mut text = match case.origin {
        CaseOrigin::Varied => format!("{there} is a variation of a good capture of {expert}."),
        CaseOrigin::Played => format!("{expert} played {there} there."),
        CaseOrigin::Learned => format!("It played {there} there itself."),
    };
    if case.mirrored {
        text.push_str(" The board is that of the other side, turned round.");
    }
    if case.shift != [0, 0] {
        let [files, ranks] = case.shift;
        let _ = write!(
            text,
            " The board here is alike after a step of {files} files and {ranks} ranks."
        );
    }
    let (there_uci, here) = (case.r#move.as_str(), &case.adapted);
    if there_uci == case.adapted_uci {
        text.push_str(" It is legal here too.");
        return text;
    }
    let is_same_board = !case.mirrored && case.shift == [0, 0];
    let why_not = is_same_board.then(|| obstacle(position, there_uci)).flatten();
    let why_not = why_not.map_or_else(String::new, |reason| format!(": {reason}"));
    let alike = 100.0 * case.move_similarity;
    let common = common(there_uci, &case.adapted_uci).filter(|_| is_same_board);
    let common = common.map_or_else(String::new, |common| format!(", {common}"));
    let _ = write!(
        text,
        " It is not legal here{why_not}. The nearest legal move is {here}{common} ({alike:.0} % alike)."
    );
    text
}

/// What stands in the way of a move, as far as it is plain to see.
fn obstacle(position: &Position, uci: &str) -> Option<String> {
    let (from, to) = (uci.get(0..2)?, uci.get(2..4)?);
    let own = |square: &str| {
        let piece = position.piece_at(square.parse().ok()?)?;
        (piece.color == position.turn()).then_some(piece.role)
    };
    let Some(role) = own(from) else {
        return Some(format!("none of its pieces is on {from}"));
    };
    let name = format!("{role:?}").to_lowercase();
    Some(match own(to) {
        Some(_) => format!("its own piece is on {to}"),
        None => format!("the {name} on {from} cannot go to {to}"),
    })
}

/// What two moves have in common.
fn common(there: &str, here: &str) -> Option<&'static str> {
    let same = |range: std::ops::Range<usize>| there.get(range.clone()) == here.get(range);
    match (same(0..2), same(2..4)) {
        (true, _) => Some("from the same square"),
        (_, true) => Some("to the same square"),
        _ => None,
    }
}

fn arrows(cases: &[CaseShown], chosen: Option<&MoveText>) -> Vec<Arrow> {
    let chosen = chosen.map_or("", |chosen| chosen.uci.as_str());
    let mut arrows: Vec<Arrow> = Vec::new();
    arrows.extend(Arrow::of(chosen, Brush::Best, None));
    let mut seen = vec![chosen];
    for case in cases {
        let uci = case.adapted.uci.as_str();
        if arrows.len() < MOST_ARROWS && !seen.contains(&uci) {
            seen.push(uci);
            let label = format!("{:.0} %", case.similarity * 100.0);
            arrows.extend(Arrow::of(uci, Brush::Other, Some(label)));
        }
    }
    arrows
}

fn headline(chosen: Option<&MoveText>, basis: CaseBasis, cases: &[CaseShown], expert: &str) -> String {
    let chosen = chosen.map_or("?", |chosen| chosen.san.as_str());
    let followed = cases.iter().find(|case| case.followed);
    match (followed, basis) {
        (Some(case), _) => {
            let alike = case.similarity * 100.0;
            let year = case.year.map_or_else(String::new, |year| format!(" ({year})"));
            let played = &case.there.san;
            format!(
                "{chosen}: {expert} played {played} in a position {alike:.0} % alike: {}{year}",
                case.source
            )
        }
        (None, CaseBasis::Search) => format!("{chosen}: a search chose it among what the cases suggest"),
        (None, _) => format!("{chosen}: by lot, there is no case to go by"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adaptation_is_told_in_words() {
        let position = Position::default();
        let case = |there: &str, san: &str, uci: &str, here: &str| ExplainedCase {
            similarity: 256,
            mirrored: false,
            shift: [0, 0],
            origin: CaseOrigin::Played,
            game: None,
            fen: None,
            r#move: there.to_owned(),
            move_san: Some(san.to_owned()),
            adapted: here.to_owned(),
            adapted_uci: uci.to_owned(),
            move_similarity: 0.87,
        };
        for (case, expected) in [
            (
                case("e2e4", "e4", "e2e4", "e4"),
                "Tal played e4 there. It is legal here too.",
            ),
            (
                case("c5d4", "cxd4", "d2d4", "d4"),
                "Tal played cxd4 there. It is not legal here: none of its pieces is on c5. The nearest legal move is d4, to the \
                 same square (87 % alike).",
            ),
            (
                case("g1e2", "Ne2", "g1f3", "Nf3"),
                "Tal played Ne2 there. It is not legal here: its own piece is on e2. The nearest legal move is Nf3, from the \
                 same square (87 % alike).",
            ),
            (
                case("f1c4", "Bc4", "e2e4", "e4"),
                "Tal played Bc4 there. It is not legal here: the bishop on f1 cannot go to c4. The nearest legal move is e4 \
                 (87 % alike).",
            ),
        ] {
            let there = case.move_san.clone().expect("given");
            assert_eq!(adaptation(&position, &case, "Tal", &there), expected);
        }
    }
}
