//! The types of the API as TypeScript, for the page.
//!
//! The page's copy is `page/src/generated/api.ts`; a test fails when it is stale, and writes it anew if
//! `VIDMAR_WRITE_TYPES` is set.

use ts_rs::{Config, TS};
use vidmar_chess::{Bound, Color, Score, WhiteScore};

use crate::games::types as games;
use crate::{about, analyses, catalogue, error, pgn, position, runs, tablebase, why};

/// Where the page keeps its copy, from the root of the repository.
pub const FILE: &str = "page/src/generated/api.ts";

/// Declarations of some types, in that order.
macro_rules! declarations {
    ($config:expr; $($type:ty),* $(,)?) => { vec![$(<$type>::decl($config)),*] };
}
pub(crate) use declarations;

/// The whole file.
pub fn typescript() -> String {
    // What is counted here stays far below 2^53.
    let config = &Config::new().with_large_int("number");
    let mut all = declarations![config;
        error::ErrorBody,
        error::ErrorDetail,
        about::About,
        catalogue::PlayerKind,
        catalogue::SeatOption,
        catalogue::OptionKind,
        catalogue::OptionSetting,
        catalogue::Seat,
        Color,
        Score,
        WhiteScore,
        Bound,
        position::MoveText,
        position::PositionRequest,
        position::PositionInfo,
        tablebase::TablebaseInfo,
        tablebase::TablebaseMove,
        games::Game,
        games::GamePlayer,
        games::Ply,
        games::GameState,
        games::GameStatus,
        games::ClockSetting,
        games::Clocks,
        games::GameSummary,
        games::ThinkingInfo,
        games::NewGame,
        games::StartRequest,
        games::MoveRequest,
        games::ActionRequest,
        games::DrawAction,
        games::DrawRequest,
        why::Why,
        why::WhyKind,
        why::Arrow,
        why::Brush,
        why::EngineWhy,
        why::Chances,
        why::WhyLine,
        why::EvalTerm,
        why::EvalPiece,
        why::CasesWhy,
        why::CaseShown,
        why::EvolvedWhy,
        why::EvolvedLine,
        why::EvolvedSample,
        analyses::AnalysisRequest,
        analyses::AnalysisLimit,
        analyses::AnalysisId,
        analyses::AnalysisUpdate,
        pgn::PgnAnswer,
        pgn::PgnGame,
        pgn::PgnPly,
        pgn::PgnProblem,
    ];
    all.extend(runs::declarations(config));
    let mut text = String::from(
        "// The types of Vidmar's API, written from those of the server: change them there (crates/web), then run\n\
         // VIDMAR_WRITE_TYPES=1 cargo test -p vidmar-web types\n",
    );
    for declaration in all {
        text.push_str("\nexport ");
        text.push_str(&declaration);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_present_types() {
        let path = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(FILE);
        let wanted = typescript();
        if std::env::var_os("VIDMAR_WRITE_TYPES").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            std::fs::write(&path, &wanted).expect("writable");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == wanted,
            "{FILE} is stale: run VIDMAR_WRITE_TYPES=1 cargo test -p vidmar-web types"
        );
    }
}
