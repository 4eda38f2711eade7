//! The way in: an algorithm with its settings, its evaluation, and what it keeps from move to move.

use std::sync::atomic::AtomicBool;

use vidmar_chess::Board;
use vidmar_eval::Evaluation;

use crate::flagship;
use crate::limits::Limits;
use crate::report::{Iteration, Report};
use crate::settings::{Settings, SettingsError};
use crate::table::Table;

/// A search that can be asked again and again, as the moves of a game are.
pub struct Searcher<E> {
    settings: Settings,
    evaluation: E,
    memory: Memory<E>,
}

/// What algorithms keep from move to move: each takes its part, made when it is first needed.
pub(crate) struct Memory<E> {
    pub(crate) table: Option<Table>,
    pub(crate) flagship: Option<flagship::Memory<E>>,
}

impl<E> Default for Memory<E> {
    fn default() -> Memory<E> {
        Memory {
            table: None,
            flagship: None,
        }
    }
}

/// One position to be searched.
pub(crate) struct Task<'a, B, E> {
    pub(crate) board: &'a B,
    pub(crate) evaluation: &'a E,
    pub(crate) settings: &'a Settings,
    pub(crate) limits: &'a Limits,
    pub(crate) stop: &'a AtomicBool,
}

impl<E: Evaluation> Searcher<E> {
    /// A search with these settings, if its algorithm can honour them and the evaluation.
    pub fn new(settings: Settings, evaluation: E) -> Result<Searcher<E>, SettingsError> {
        settings.check_with(&evaluation)?;
        Ok(Searcher {
            settings,
            evaluation,
            memory: Memory::default(),
        })
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings. What is kept survives a change of parameters, lines, tablebases and the sharing of work, and
    /// of nothing else; on an error nothing has changed.
    pub fn configure(&mut self, settings: Settings) -> Result<(), SettingsError> {
        if settings == self.settings {
            return Ok(());
        }
        settings.check_with(&self.evaluation)?;
        let surviving = Settings {
            parameters: settings.parameters.clone(),
            multipv: settings.multipv,
            parallel: settings.parallel,
            tablebases: settings.tablebases.clone(),
            ..self.settings.clone()
        };
        if surviving != settings {
            self.memory = Memory::default();
        }
        self.settings = settings;
        Ok(())
    }

    /// Does now what would otherwise be done before the next search: large tables are made. The only error is that there is
    /// no memory for one.
    pub fn prepare(&mut self) -> Result<(), SettingsError> {
        self.settings
            .algorithm
            .prepare(&mut self.memory, &self.settings, &self.evaluation)
    }

    /// Forgets everything, for a new game.
    pub fn new_game(&mut self) {
        if let Some(table) = &self.memory.table {
            table.clear();
        }
        if let Some(flagship) = &mut self.memory.flagship {
            flagship.clear();
        }
    }

    /// Searches the board's position. `stop` ends the search when set, from whatever thread; `observe` hears of every line of each
    /// iteration. The only errors are a board that the algorithm cannot play on, and a table for which there is no memory.
    pub fn search<B: Board>(
        &mut self,
        board: &B,
        limits: &Limits,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Iteration),
    ) -> Result<Report, SettingsError> {
        let task = Task {
            board,
            evaluation: &self.evaluation,
            settings: &self.settings,
            limits,
            stop,
        };
        self.settings.algorithm.search(&task, &mut self.memory, observe)
    }
}

/// One search with a memory of its own, until its limits are reached.
pub fn search_once<B: Board, E: Evaluation>(
    board: &B,
    evaluation: &E,
    settings: &Settings,
    limits: &Limits,
) -> Result<Report, SettingsError> {
    let mut searcher = Searcher::new(settings.clone(), evaluation.clone())?;
    searcher.search(board, limits, &AtomicBool::new(false), &mut |_| ())
}
