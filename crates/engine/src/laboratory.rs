//! Any algorithm of the laboratory, on any board, as a player.

mod leaf;
mod settings;

use std::time::Duration;

use vidmar_chess::{Board, Game, Move, with_board};
use vidmar_search::{Iteration, MAX_DEPTH, Report, Settings, Table, score_of};

use crate::clock::{self, Budget};
use crate::control::Control;
use crate::limits::Limits;
use crate::settings::{Setting, SettingError, Value, memory_for, set};
use crate::thinker::{Info, Thinker, Thought};

pub use leaf::{LeafEvaluation, LeafKind};
pub use settings::{LaboratorySettings, ROWS};

/// A laboratory search as a player: one board, one algorithm, one table that lives from move to move.
#[derive(Default)]
pub struct SearchThinker {
    settings: LaboratorySettings,
    /// Made before the first thought, and again after a change of settings.
    tools: Option<Tools>,
}

struct Tools {
    table: Table,
    evaluation: LeafEvaluation,
}

impl SearchThinker {
    /// A player with these settings.
    pub fn new(settings: LaboratorySettings) -> SearchThinker {
        SearchThinker {
            settings,
            tools: None,
        }
    }

    /// What can be chosen about it.
    pub fn all_settings() -> &'static [Setting] {
        settings::all()
    }

    fn tools(&mut self) -> &Tools {
        let settings = &self.settings;
        self.tools.get_or_insert_with(|| Tools {
            table: Table::new(settings.search.table, settings.search.table_mib),
            evaluation: LeafEvaluation::new(settings.leaf, &settings.vector),
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
        let before = self.settings.clone();
        set(ROWS, &mut self.settings, key, value)?;
        let size = self.settings.search.table_mib;
        if size != before.search.table_mib
            && let Err(reason) = memory_for(size)
        {
            self.settings = before;
            return Err(SettingError::refused(key, reason));
        }
        if self.settings != before {
            self.tools = None;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        self.settings.search.check().map_err(|error| error.to_string())
    }

    fn new_game(&mut self) {
        if let Some(tools) = &self.tools {
            tools.table.clear();
        }
    }

    fn prepare(&mut self) {
        self.tools();
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Thought {
        self.tools();
        let Some(tools) = &self.tools else {
            return Thought::game_over(game.position());
        };
        let LaboratorySettings { board, search, .. } = &self.settings;
        let search = sensible(search);
        with_board!(*board, B => Task { tools, search, game, limits, control }.think::<B>(info))
    }
}

/// Settings that contradict each other are not refused in the middle of a game: what one thread cannot share, one thread
/// searches, and who needs soft bounds gets them.
fn sensible(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    if settings.algorithm.needs_soft_bounds() {
        settings.fail = vidmar_search::Fail::Soft;
    }
    if settings.check().is_err() {
        settings.parallel = vidmar_search::Parallel::None;
        settings.threads = 1;
    }
    settings
}

/// One question.
struct Task<'a> {
    tools: &'a Tools,
    search: Settings,
    game: &'a Game,
    limits: &'a Limits,
    control: &'a Control,
}

impl Task<'_> {
    fn think<B: Board>(&self, info: &mut dyn FnMut(&Info)) -> Thought {
        let turn = self.game.position().turn();
        let budget = clock::allot(self.limits, turn);
        let report = if self.limits.ponder {
            self.ponder::<B>(budget, info)
        } else {
            self.search::<B>(budget, info)
        };
        let wanted = &self.limits.search_moves;
        let best = report.best.filter(|m| wanted.is_empty() || wanted.contains(m));
        Thought {
            best: best.or_else(|| wanted.first().copied()).or(report.best),
            ponder: report.pv.get(1).copied(),
            score: score_of(report.value),
            depth: report.depth,
            nodes: report.counts.nodes,
            elapsed: self.limits.started.elapsed(),
        }
    }

    fn search<B: Board>(&self, budget: Budget, info: &mut dyn FnMut(&Info)) -> Report {
        let passed = self.limits.started.elapsed();
        let left = |time: Option<Duration>| time.map(|time| time.saturating_sub(passed));
        let limits = vidmar_search::Limits {
            depth: self.limits.depth.unwrap_or(MAX_DEPTH),
            nodes: self.limits.nodes,
            time: left(budget.hard),
            soft_time: left(budget.soft),
            mate: self.limits.mate,
        };
        let mut nodes = 0;
        let mut observe = |iteration: &Iteration| {
            nodes += iteration.counts.nodes;
            info(&told(iteration, nodes));
        };
        let Tools { table, evaluation } = self.tools;
        let board = B::of_game(self.game);
        let stop = self.control.stop_flag();
        vidmar_search::search(
            &board,
            evaluation,
            &self.search,
            limits,
            table,
            stop,
            &mut observe,
        )
        .expect("the settings were made sensible")
    }

    /// Searches while the opponent thinks: the clock begins to bind when the expected move is played.
    fn ponder<B: Board>(&self, budget: Budget, info: &mut dyn FnMut(&Info)) -> Report {
        std::thread::scope(|scope| {
            scope.spawn(|| {
                if let Some(hard) = budget.hard
                    && self.control.wait_for_hit()
                {
                    let time = budget
                        .soft
                        .unwrap_or(hard)
                        .max(hard.min(self.limits.started.elapsed()));
                    self.control.stop_at(self.limits.started + time);
                }
            });
            let report = self.search::<B>(Budget::default(), info);
            self.control.finish();
            report
        })
    }
}

fn told(iteration: &Iteration, nodes: u64) -> Info {
    Info {
        depth: iteration.depth,
        seldepth: iteration.depth,
        multipv: 1,
        score: score_of(iteration.value),
        bound: iteration.bound,
        nodes,
        elapsed: iteration.elapsed,
        hashfull: 0,
        tbhits: 0,
        pv: Vec::<Move>::clone(&iteration.pv),
    }
}
