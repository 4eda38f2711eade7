//! Any algorithm of the laboratory, on any board, as a player.

mod leaf;
mod settings;

use vidmar_chess::{Board, BoardKind, Game, Position, with_board};
use vidmar_eval::AnyBreakdown;
use vidmar_search::{Iteration, Report, Searcher, Settings, SettingsError};

use crate::control::Control;
use crate::limits::Limits;
use crate::memory::room_for;
use crate::settings::{Setting, SettingError, Value};
use crate::thinker::{Info, Thinker, Thought};
use crate::thinking;

pub use leaf::{LeafEvaluation, LeafKind};
pub use settings::{LaboratorySettings, ROWS};

/// One search of a game's position on a board of choice, with a memory of its own, until its limits are reached.
///
/// Whoever calls this and not [`vidmar_search::search_once`] does not compile every algorithm for every board again.
pub fn search_once(
    board: BoardKind,
    game: &Game,
    evaluation: &LeafEvaluation,
    settings: &Settings,
    limits: &vidmar_search::Limits,
) -> Result<Report, SettingsError> {
    with_board!(board, B => vidmar_search::search_once(&B::of_game(game), evaluation, settings, limits))
}

/// A laboratory search as a player: one board, one algorithm, one memory that lives from move to move.
#[derive(Default)]
pub struct SearchThinker {
    settings: LaboratorySettings,
    /// Made before the first thought, and again after a change of settings.
    searcher: Option<Searcher<LeafEvaluation>>,
}

impl SearchThinker {
    /// A player with these settings, if its algorithm can honour them.
    pub fn new(settings: LaboratorySettings) -> Result<SearchThinker, SettingsError> {
        settings.check()?;
        Ok(SearchThinker {
            settings,
            searcher: None,
        })
    }

    /// What can be chosen about it.
    pub fn all_settings() -> &'static [Setting] {
        settings::all()
    }

    fn searcher(&mut self) -> &mut Searcher<LeafEvaluation> {
        let LaboratorySettings {
            search,
            leaf,
            vector,
            weights,
            ..
        } = &self.settings;
        self.searcher.get_or_insert_with(|| {
            let searcher = Searcher::new(search.clone(), LeafEvaluation::new(*leaf, vector, *weights));
            searcher.expect("what does not go together is refused before it thinks")
        })
    }
}

impl Thinker for SearchThinker {
    fn name(&self) -> String {
        let LaboratorySettings { board, search, .. } = &self.settings;
        format!("Vidmar {} on {board}", search.algorithm)
    }

    fn settings(&self) -> &[Setting] {
        settings::all()
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        let mut changed = self.settings.clone();
        changed.set(key, value)?;
        match changed.check() {
            // Threads are set one by one with how they share the work, numbers with the evaluation that they are for.
            Ok(())
            | Err(
                SettingsError::ThreadsAlone(_)
                | SettingsError::PliesAlone(_)
                | SettingsError::NoParameters(_)
                | SettingsError::NoWeight { .. },
            ) => {}
            Err(error) => return Err(SettingError::refused(key, error)),
        }
        if changed.search.table_mib != self.settings.search.table_mib {
            room_for(changed.search.table_mib).map_err(|reason| SettingError::refused(key, reason))?;
        }
        if changed != self.settings {
            self.settings = changed;
            self.searcher = None;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        self.settings.check().map_err(|error| error.to_string())
    }

    fn new_game(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
    }

    fn prepare(&mut self) -> Result<(), String> {
        self.check()?;
        self.searcher().prepare().map_err(|error| error.to_string())
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Thought {
        let board = self.settings.board;
        let searcher = self.searcher();
        let mut observe = |iteration: &Iteration| info(&iteration.into());
        let report = with_board!(board, B => {
            thinking::think(searcher, &B::of_game(game), limits, None, control, &mut observe)
        });
        let thought = Thought::from(&report.expect("a board that cannot be used is refused when it is set"));
        Thought {
            elapsed: limits.started.elapsed(),
            ..thought
        }
    }

    fn breakdown(&self, position: &Position) -> Option<AnyBreakdown> {
        let LaboratorySettings {
            leaf,
            vector,
            weights,
            ..
        } = &self.settings;
        Some(leaf.explain(vector, *weights, position).into())
    }
}
