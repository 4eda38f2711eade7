//! The flagship search as a player.

mod explain;
mod settings;

use std::sync::Arc;
use std::time::Duration;

use vidmar_chess::{BitboardBoard, Board, Game, Move, Position, Score};
use vidmar_eval::FullEvaluation;
use vidmar_search::flagship::{Evaluator, Flagship, FlagshipLimits, FlagshipReport, Progress};
use vidmar_search::{MATE, Value, score_of};
use vidmar_tablebases::Tablebases;

use crate::clock::{self, Budget};
use crate::control::Control;
use crate::limits::Limits;
use crate::settings::{Setting, SettingError, Value as SettingValue, find_row, memory_for};
use crate::strength::Strength;
use crate::tablebases::PlayerTablebases;
use crate::thinker::{Info, Thinker, Thought};

pub use settings::FlagshipSettings;

/// The full evaluation as the judge of a search.
struct SearchEvaluator(vidmar_eval::Evaluator);

impl Evaluator for SearchEvaluator {
    #[inline]
    fn evaluate(&mut self, position: &Position) -> i32 {
        self.0.evaluate(position)
    }
}

/// The strong player.
pub struct FlagshipThinker {
    settings: FlagshipSettings,
    /// Made before the first thought, and again after a change that it does not survive.
    search: Option<Flagship<SearchEvaluator>>,
}

impl Default for FlagshipThinker {
    fn default() -> FlagshipThinker {
        FlagshipThinker::new(FlagshipSettings::default())
    }
}

impl FlagshipThinker {
    /// A player with these settings.
    pub fn new(settings: FlagshipSettings) -> FlagshipThinker {
        FlagshipThinker {
            settings,
            search: None,
        }
    }

    fn search(&mut self) -> &mut Flagship<SearchEvaluator> {
        let settings = &self.settings;
        self.search.get_or_insert_with(|| {
            let evaluation = Arc::new(FullEvaluation::new(&settings.vector));
            let evaluators = (0..settings.threads.max(1))
                .map(|_| SearchEvaluator(vidmar_eval::Evaluator::new(Arc::clone(&evaluation))))
                .collect();
            let mut search = Flagship::new(settings.hash, evaluators);
            search.set_parameters(settings.parameters.clone());
            search.set_parallel(settings.parallel);
            search
        })
    }

    fn limits_of_search(&self, limits: &Limits, strength: Option<Strength>) -> FlagshipLimits {
        let most = strength.map(Strength::nodes);
        FlagshipLimits {
            depth: limits.depth,
            nodes: limits.nodes.into_iter().chain(most).min(),
            mate: limits.mate,
            multipv: if strength.is_some() {
                self.settings.multipv.max(Strength::CANDIDATES)
            } else {
                self.settings.multipv
            },
            moves: limits.search_moves.clone(),
            ..FlagshipLimits::default()
        }
    }

    fn strength(&self) -> Option<Strength> {
        let FlagshipSettings {
            limits_strength,
            analyses,
            strength,
            ..
        } = self.settings;
        (limits_strength && !analyses).then_some(strength)
    }

    /// What can be chosen about it.
    pub fn all_settings() -> &'static [Setting] {
        settings::all()
    }

    /// A larger table needs memory; the old one goes first: both may not fit.
    fn make_room(&mut self, value: &SettingValue) -> Result<(), SettingError> {
        let wanted = value.as_integer().unwrap_or_default().unsigned_abs() as usize;
        if wanted == self.settings.hash {
            return Ok(());
        }
        self.search = None;
        memory_for(wanted).map_err(|reason| SettingError::refused(settings::HASH, reason))
    }

    /// A number of the search or of the evaluation, by its name.
    fn set_parameter(&mut self, name: &str, value: i32) -> Result<(), SettingError> {
        if self.settings.parameters.set(name, value) {
            return Ok(());
        }
        self.search = None;
        let set = self.settings.vector.set(name, value);
        set.map_err(|error| SettingError::refused(name, error))
    }
}

impl Thinker for FlagshipThinker {
    fn name(&self) -> String {
        format!("Vidmar {}", env!("CARGO_PKG_VERSION"))
    }

    fn settings(&self) -> &[Setting] {
        settings::all()
    }

    fn set(&mut self, key: &str, value: &SettingValue) -> Result<(), SettingError> {
        if key == settings::HASH {
            self.make_room(value)?;
        }
        let before = (self.settings.hash, self.settings.threads);
        match (find_row(settings::ROWS, key), value) {
            (Ok(row), _) => row.set(&mut self.settings, value)?,
            (Err(_), SettingValue::Integer(number)) => self.set_parameter(key, *number as i32)?,
            (Err(error), _) => return Err(error),
        }
        if key == settings::CLEAR_HASH {
            self.new_game();
        }
        if before != (self.settings.hash, self.settings.threads) || key == settings::EVAL {
            self.search = None;
        }
        if let Some(search) = &mut self.search {
            search.set_parameters(self.settings.parameters.clone());
            search.set_parallel(self.settings.parallel);
        }
        Ok(())
    }

    fn new_game(&mut self) {
        if let Some(search) = &mut self.search {
            search.new_game();
        }
    }

    fn prepare(&mut self) {
        self.search();
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Thought {
        if !self.settings.analyses
            && let Some(thought) = self.settings.book.thought(game, limits)
        {
            return thought;
        }
        let board = game.board();
        let budget = clock::allot(limits, board.turn());
        let strength = self.strength();
        let mut wanted = self.limits_of_search(limits, strength);
        let mut candidates = Candidates::default();
        let shown = self.settings.multipv;
        let mut tell = |progress: &Progress| {
            candidates.note(progress);
            // An iteration that was stopped before its first move has no value.
            if progress.multipv <= shown && progress.value.abs() <= MATE {
                info(&told(progress));
            }
        };
        let PlayerTablebases {
            tablebases,
            least_depth,
            ..
        } = match strength {
            Some(_) => PlayerTablebases::new(Arc::new(Tablebases::none())),
            None => self.settings.tablebases.clone(),
        };
        let search = self.search();
        search.set_tablebases(tablebases, least_depth);
        let report = if limits.ponder {
            ponder(search, board, &wanted, limits, budget, control, tell)
        } else {
            let passed = limits.started.elapsed();
            wanted.soft_time = budget.soft.map(|soft| soft.saturating_sub(passed));
            wanted.hard_time = budget.hard.map(|hard| hard.saturating_sub(passed));
            search.search(board, &wanted, control.stop_flag(), &mut tell)
        };
        match strength {
            Some(strength) => candidates.thought(strength, game, &report),
            None => thought(&report),
        }
    }

    fn explain(&self, position: &Position) -> Option<String> {
        let breakdown = FullEvaluation::new(&self.settings.vector).explain(position);
        Some(explain::table_of(&breakdown, position))
    }
}

/// Searches while the opponent thinks. The clock begins to bind when the expected move is played, and what was
/// thought until then counts as thought: if that is enough, the answer comes at once.
fn ponder(
    search: &mut Flagship<SearchEvaluator>,
    board: &BitboardBoard,
    wanted: &FlagshipLimits,
    limits: &Limits,
    budget: Budget,
    control: &Control,
    mut tell: impl FnMut(&Progress),
) -> FlagshipReport {
    let is_due = |time: Option<Duration>| time.is_some_and(|time| limits.started.elapsed() >= time);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            if !control.wait_for_hit() {
                return;
            }
            if is_due(budget.soft) {
                control.stop();
            } else if let Some(hard) = budget.hard {
                control.stop_at(limits.started + hard);
            }
        });
        let report = search.search(board, wanted, control.stop_flag(), |progress| {
            tell(progress);
            if is_due(budget.soft) && control.is_hit() {
                control.stop();
            }
        });
        control.finish();
        report
    })
}

fn told(progress: &Progress) -> Info {
    Info {
        depth: progress.depth,
        seldepth: progress.seldepth,
        multipv: progress.multipv,
        score: score_of(progress.value),
        bound: progress.bound,
        nodes: progress.nodes,
        elapsed: progress.elapsed,
        hashfull: progress.hashfull,
        tbhits: progress.tbhits,
        pv: progress.pv.clone(),
    }
}

/// A search that was stopped before its first move has the value "worse than everything", which says nothing.
fn final_score(value: Value) -> Score {
    if value.abs() <= MATE {
        score_of(value)
    } else {
        Score::Centipawns(0)
    }
}

fn thought(report: &FlagshipReport) -> Thought {
    Thought {
        best: report.best,
        ponder: report.ponder,
        score: final_score(report.value),
        depth: report.depth,
        nodes: report.nodes,
        elapsed: report.elapsed,
    }
}

/// The best lines so far, for a player that does not always take the best.
#[derive(Default)]
struct Candidates(Vec<(Value, Vec<Move>)>);

impl Candidates {
    fn note(&mut self, progress: &Progress) {
        let place = progress.multipv - 1;
        if self.0.len() <= place {
            self.0.resize(place + 1, (-MATE, Vec::new()));
        }
        self.0[place] = (progress.value, progress.pv.clone());
    }

    fn thought(mut self, strength: Strength, game: &Game, report: &FlagshipReport) -> Thought {
        // The lower places may be of an earlier iteration, and their moves have risen since.
        let mut seen: Vec<Move> = Vec::new();
        self.0.retain(|(_, line)| match line.first() {
            Some(m) if !seen.contains(m) => {
                seen.push(*m);
                true
            }
            _ => false,
        });
        self.0.truncate(Strength::CANDIDATES);
        let values: Vec<Value> = self.0.iter().map(|(value, _)| *value).collect();
        match self.0.get(strength.choose(game, &values)) {
            Some((value, line)) => Thought {
                best: line.first().copied(),
                ponder: line.get(1).copied(),
                score: final_score(*value),
                ..thought(report)
            },
            None => thought(report),
        }
    }
}
