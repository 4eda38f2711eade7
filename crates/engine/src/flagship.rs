//! The flagship search as a player.

mod settings;

use vidmar_chess::{Game, Move, Position};
use vidmar_eval::{AnyBreakdown, Vector};
use vidmar_search::{Algorithm, Iteration, MATE, Probes, Searcher, Settings, Value, score_of};

use crate::bench::BenchSettings;
use crate::control::Control;
use crate::evaluation::AnyEvaluator;
use crate::explanation::Explanation;
use crate::limits::Limits;
use crate::memory::room_for;
use crate::settings::{Setting, SettingError, Value as SettingValue, find_row};
use crate::strength::Strength;
use crate::thinker::{Info, Thinker, Thought};
use crate::thinking::{self, final_score};

pub use settings::{ABOVE_THE_SEARCH, FlagshipSettings};

/// The strong player.
pub struct FlagshipThinker {
    settings: FlagshipSettings,
    /// Made before the first thought, and again after a change that it does not survive.
    searcher: Option<Searcher<AnyEvaluator>>,
    /// The reasons of its last move, if that was the book's.
    by_book: Option<Explanation>,
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
            searcher: None,
            by_book: None,
        }
    }

    /// What the search is set to; a player of limited strength considers more moves and does without tablebases.
    fn search_settings(&self, strength: Option<Strength>) -> Settings {
        let settings = &self.settings;
        Settings {
            algorithm: Algorithm::Flagship,
            table_mib: settings.hash,
            threads: settings.threads.max(1),
            parallel: settings.parallel,
            multipv: match strength {
                Some(_) => settings.multipv.max(Strength::CANDIDATES),
                None => settings.multipv,
            },
            parameters: settings.parameters.clone(),
            tablebases: match strength {
                Some(_) => Probes::none(),
                None => settings.tablebases.probes.clone(),
            },
            ..Settings::default()
        }
    }

    fn searcher(&mut self, strength: Option<Strength>) -> &mut Searcher<AnyEvaluator> {
        let settings = self.search_settings(strength);
        let evaluation = &self.settings.evaluation;
        let searcher = self.searcher.get_or_insert_with(|| {
            Searcher::new(settings.clone(), evaluation.evaluator())
                .expect("the flagship honours its own settings")
        });
        searcher
            .configure(settings)
            .expect("the flagship honours its own settings");
        searcher
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

    /// What is chosen.
    pub fn chosen(&self) -> &FlagshipSettings {
        &self.settings
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
        self.searcher = None;
        room_for(wanted).map_err(|reason| SettingError::refused(settings::HASH, reason))
    }

    /// A number of the search or of the evaluation, by its name.
    fn set_parameter(&mut self, name: &str, value: i32) -> Result<(), SettingError> {
        if self.settings.parameters.set(name, value) {
            return Ok(());
        }
        let Some(vector) = self.settings.evaluation.vector_mut() else {
            // An interface may send every option as it is; that changes nothing.
            if Vector::default().get(name) == Ok(value) {
                return Ok(());
            }
            let reason = "a parameter of the hand-crafted evaluation, and a net evaluates (expected EvalFile tuned before it)";
            return Err(SettingError::refused(name, reason));
        };
        vector
            .set(name, value)
            .map_err(|error| SettingError::refused(name, error))?;
        self.searcher = None;
        Ok(())
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
        match (find_row(settings::ROWS, key), value) {
            (Ok(row), _) => row.set(&mut self.settings, value)?,
            (Err(_), SettingValue::Integer(number)) => self.set_parameter(key, *number as i32)?,
            (Err(error), _) => return Err(error),
        }
        if key == settings::CLEAR_HASH {
            self.new_game();
        }
        if key == settings::EVAL {
            self.searcher = None;
        }
        Ok(())
    }

    fn new_game(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
    }

    fn bench(&self) -> BenchSettings {
        BenchSettings {
            evaluation: self.settings.evaluation.clone(),
            parameters: self.settings.parameters.clone(),
            ..BenchSettings::default()
        }
    }

    fn prepare(&mut self) -> Result<(), String> {
        let prepared = self.searcher(self.strength()).prepare();
        prepared.map_err(|error| error.to_string())
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Thought {
        let found = self.settings.book_move(game, limits);
        self.by_book = found.as_ref().map(|found| found.explanation.clone());
        if let Some(found) = found {
            return Thought::unsearched(Some(found.played));
        }
        let strength = self.strength();
        let shown = self.settings.multipv;
        let mut candidates = Candidates::default();
        let mut observe = |iteration: &Iteration| {
            candidates.note(iteration);
            // An iteration that was stopped before its first move has no value.
            if iteration.multipv <= shown && iteration.value.abs() <= MATE {
                info(&iteration.into());
            }
        };
        let report = thinking::think(
            self.searcher(strength),
            game.board(),
            limits,
            strength.map(Strength::nodes),
            control,
            &mut observe,
        )
        .expect("it plays on bitboards");
        let chosen = strength.and_then(|strength| candidates.choose(strength, game));
        let Some((value, pv)) = chosen else {
            return Thought::from(&report);
        };
        let thought = Thought {
            best: pv.first().copied(),
            ponder: pv.get(1).copied(),
            score: final_score(value, score_of(value)),
            ..Thought::from(&report)
        };
        if thought.best != report.best {
            // The line that it plays is the last that it tells.
            info(&Info::of_answer(&thought, pv));
        }
        thought
    }

    fn explanation(&self) -> Option<Explanation> {
        self.by_book.clone()
    }

    fn breakdown(&self, position: &Position) -> Option<AnyBreakdown> {
        Some(self.settings.evaluation.explain(position))
    }
}

/// The best lines so far, for a player that does not always take the best.
#[derive(Default)]
struct Candidates(Vec<(Value, Vec<Move>)>);

impl Candidates {
    fn note(&mut self, iteration: &Iteration) {
        let index = iteration.multipv - 1;
        if self.0.len() <= index {
            self.0.resize(index + 1, (-MATE, Vec::new()));
        }
        self.0[index] = (iteration.value, iteration.pv.clone());
    }

    /// The line to play.
    fn choose(mut self, strength: Strength, game: &Game) -> Option<(Value, Vec<Move>)> {
        // The lower lines may be of an earlier iteration, and their moves have risen since.
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
        let index = strength.choose(game, &values);
        (index < self.0.len()).then(|| self.0.swap_remove(index))
    }
}
