//! The reasons of the case-based player: the nearest cases, and what was made of them.

use serde::Serialize;
use ts_rs::TS;
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
    /// What was done to the case, in words; empty if nothing.
    pub adaptation: String,
    /// Whether this case was followed.
    pub followed: bool,
}

/// Fills in the reasons.
pub(super) fn tell(why: &mut Why, explanation: &CaseExplanation) {
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
        .map(|case| shown(case, is_followed(case)))
        .collect();
    // Among equally near cases the one that was followed may not be one of the first.
    if let Some(case) = followed.filter(|_| cases.iter().all(|case| !case.followed)) {
        cases.insert(0, shown(case, true));
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

fn shown(case: &ExplainedCase, followed: bool) -> CaseShown {
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
    let mut changes = Vec::new();
    if case.origin == CaseOrigin::Varied {
        changes.push("varied from a good capture".to_owned());
    }
    if case.mirrored {
        changes.push("turned round".to_owned());
    }
    if case.shift != [0, 0] {
        changes.push(format!(
            "shifted by {} files and {} ranks",
            case.shift[0], case.shift[1]
        ));
    }
    let there = MoveText {
        uci: case.r#move.clone(),
        san: case.move_san.clone().unwrap_or_else(|| case.r#move.clone()),
    };
    if case.move_similarity < 1.0 {
        changes.push(format!("{} became {}", there.san, case.adapted));
    }
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
        adaptation: changes.join("; "),
        followed,
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
