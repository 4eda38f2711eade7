//! The case-based player.
//!
//! Without a case of the colour to move it goes by those of the other colour, turned round; without any case it plays
//! a legal move by lot. A legal move can always be adapted, since every one has some similarity to the case's.
//!
//! What it tells as its score is the full evaluation of the position after its move: cases have no opinion on that.
//! With a filter the score is the search's.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use vidmar_chess::{Bound, Game, Move, Position, Score};
use vidmar_engine::settings::{Setting, SettingError, Value, set};
use vidmar_engine::{
    Control, Explanation, FlagshipSettings, FlagshipThinker, Info, Limits, Thinker, Thought, clock,
};
use vidmar_eval::{Evaluator, FullEvaluation, Vector};
use vidmar_search::score_of;

use crate::base::CaseBase;
use crate::behaviour::{Behaviour, Decision};
use crate::filter::FilteredSearch;
use crate::settings::{self, CASES, CaseSettings, Filter, ROWS};

/// What the player calls itself.
pub const NAME: &str = "cbr";
/// Cases that an explanation shows.
const EXPLAINED: usize = 10;
/// The table of the filter's search, in MiB: its depths are small.
const FILTER_TABLE: usize = 2;

/// The case-based player.
pub struct CaseThinker {
    behaviour: Behaviour,
    evaluator: Evaluator,
    /// Made when a filter needs it.
    search: Option<FlagshipThinker>,
    /// The last decision.
    last: Option<Last>,
}

/// What an explanation is made from.
struct Last {
    position: Position,
    best: Move,
    /// None if a search has chosen.
    decision: Option<Decision>,
}

impl Default for CaseThinker {
    /// A player without cases.
    fn default() -> CaseThinker {
        CaseThinker::new(Arc::default(), CaseSettings::default())
    }
}

impl From<Behaviour> for CaseThinker {
    fn from(behaviour: Behaviour) -> CaseThinker {
        CaseThinker {
            behaviour,
            evaluator: Evaluator::new(Arc::new(FullEvaluation::new(&Vector::default()))),
            search: None,
            last: None,
        }
    }
}

impl CaseThinker {
    /// A player with this base.
    pub fn new(base: Arc<CaseBase>, settings: CaseSettings) -> CaseThinker {
        CaseThinker::from(Behaviour::new(base, settings))
    }

    /// The agent behind it.
    pub fn behaviour(&self) -> &Behaviour {
        &self.behaviour
    }

    /// What can be chosen about it.
    pub fn all_settings() -> &'static [Setting] {
        settings::all()
    }

    fn set_cases(&mut self, path: &str) -> Result<(), SettingError> {
        let base = if path.is_empty() {
            Arc::default()
        } else {
            share(Path::new(path)).map_err(|reason| SettingError::refused(CASES, reason))?
        };
        self.behaviour = Behaviour::new(base, self.behaviour.settings().clone());
        Ok(())
    }

    /// What the cases suggest to a search; nothing without a filter.
    fn suggestions(&self, game: &Game, moves: &[Move]) -> Vec<Move> {
        if self.behaviour.settings().filter == Filter::Off {
            return Vec::new();
        }
        let moves = self.behaviour.without_cycles(game, moves);
        self.behaviour
            .suggestions(game.position(), game.moves().len(), &moves)
    }

    /// Learns, if it is to, and keeps what an explanation needs.
    fn remember(&mut self, position: &Position, best: Move, decision: Option<Decision>) {
        self.last = Some(Last {
            position: position.clone(),
            best,
            decision,
        });
        self.behaviour.learn(position, best);
    }

    /// The decision of the cases alone.
    fn by_cases(&mut self, game: &Game, moves: &[Move]) -> Option<(Decision, Score)> {
        let decision = self.behaviour.decide(game, moves)?;
        let mut after = game.position().clone();
        after.play(decision.best);
        let score = if after.count_legal_moves() > 0 {
            Score::Centipawns(-self.evaluator.evaluate(&after))
        } else if after.in_check() {
            Score::Mate(1)
        } else {
            Score::Centipawns(0)
        };
        Some((decision, score))
    }

    /// The search's choice among the suggestions, the tree below them full.
    fn by_search(
        &mut self,
        game: &Game,
        suggested: Vec<Move>,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Thought {
        let depth = self.behaviour.settings().depth;
        let limits = Limits {
            search_moves: suggested,
            depth: Some(limits.depth.map_or(depth, |most| most.min(depth))),
            ..limits.clone()
        };
        let search = self.search.get_or_insert_with(|| {
            FlagshipThinker::new(FlagshipSettings {
                hash: FILTER_TABLE,
                ..FlagshipSettings::default()
            })
        });
        // Its scores are of the suggested moves alone: they are not those of a player that evaluates.
        let mut tell = |told: &Info| {
            info(&Info {
                score: None,
                ..told.clone()
            });
        };
        let thought = search.think(game, &limits, control, &mut tell);
        Thought {
            is_scored: false,
            ..thought
        }
    }

    /// The choice of a search that follows suggestions only.
    fn by_filtered_search(
        &mut self,
        game: &Game,
        suggested: &[Move],
        limits: &Limits,
        control: &Control,
    ) -> Option<(Move, Score, u32, u64)> {
        let position = game.position();
        let depth = self
            .behaviour
            .settings()
            .depth
            .min(limits.depth.unwrap_or(u32::MAX))
            .max(1);
        let (behaviour, evaluator) = (&self.behaviour, &mut self.evaluator);
        let mut search =
            FilteredSearch::new(behaviour, evaluator, control, position.turn(), game.moves().len());
        let budget = clock::allot(limits, position.turn());
        let deadline = budget
            .hard
            .filter(|_| !limits.ponder)
            .map(|hard| limits.started + hard);
        search.limit(deadline, limits.nodes);
        let (best, value) = search.best(position, suggested, depth)?;
        Some((best, score_of(value), depth, search.nodes))
    }
}

/// Reads a file of cases; the error says which file and why.
pub fn read(path: &Path) -> Result<CaseBase, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    CaseBase::from_bytes(&bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The cases of a file, shared by all who use it at the same time. A file that was written anew is read anew.
fn share(path: &Path) -> Result<Arc<CaseBase>, String> {
    type Shared = HashMap<(PathBuf, Option<SystemTime>), Weak<CaseBase>>;
    static SHARED: LazyLock<Mutex<Shared>> = LazyLock::new(Mutex::default);
    let written = std::fs::metadata(path).and_then(|file| file.modified()).ok();
    let key = (path.to_owned(), written);
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(base) = shared.get(&key).and_then(Weak::upgrade) {
        return Ok(base);
    }
    let base = Arc::new(read(path)?);
    if base.is_empty() {
        return Err(format!(
            "{} holds no cases, and without them every move would be drawn by lot",
            path.display()
        ));
    }
    shared.retain(|_, base| base.strong_count() > 0);
    shared.insert(key, Arc::downgrade(&base));
    Ok(base)
}

impl Thinker for CaseThinker {
    fn name(&self) -> String {
        match self.behaviour.base().expert() {
            "" => NAME.to_owned(),
            expert => format!("{NAME} {expert}"),
        }
    }

    fn settings(&self) -> &[Setting] {
        settings::all()
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        if let (CASES, Value::Text(path)) = (key, value) {
            return self.set_cases(path);
        }
        let mut settings = self.behaviour.settings().clone();
        set(ROWS, &mut settings, key, value)?;
        self.behaviour.set(settings);
        Ok(())
    }

    fn new_game(&mut self) {
        self.behaviour.new_game();
        if let Some(search) = &mut self.search {
            search.new_game();
        }
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Thought {
        let position = game.position();
        let mut moves = position.legal_moves().to_vec();
        if !limits.search_moves.is_empty() {
            moves.retain(|m| limits.search_moves.contains(m));
        }
        let suggested = self.suggestions(game, &moves);
        if !suggested.is_empty() && self.behaviour.settings().filter == Filter::Root {
            let thought = self.by_search(game, suggested, limits, control, info);
            if let Some(best) = thought.best {
                self.remember(position, best, None);
            }
            return thought;
        }
        let choice = if suggested.is_empty() {
            self.by_cases(game, &moves)
                .map(|(decision, score)| (decision.best, Some(decision), score, 1, 1))
        } else {
            self.by_filtered_search(game, &suggested, limits, control)
                .map(|(best, score, depth, nodes)| (best, None, score, depth, nodes))
        };
        let Some((best, decision, score, depth, nodes)) = choice else {
            return Thought::game_over(position);
        };
        self.remember(position, best, decision);
        let elapsed = limits.started.elapsed();
        info(&Info {
            depth,
            seldepth: depth,
            multipv: 1,
            score: None,
            bound: Bound::Exact,
            nodes,
            elapsed,
            hashfull: 0,
            tbhits: 0,
            pv: vec![best],
        });
        Thought {
            best: Some(best),
            ponder: None,
            score,
            is_scored: false,
            depth,
            nodes,
            elapsed,
        }
    }

    fn explanation(&self) -> Option<Explanation> {
        let Last {
            position,
            best,
            decision,
        } = self.last.as_ref()?;
        let choice = self
            .behaviour
            .explain_choice(position, EXPLAINED, *best, decision.as_ref());
        Some(Explanation::Cases(Box::new(choice)))
    }

    fn explain(&self, position: &Position) -> Option<Explanation> {
        let choice = self.behaviour.explain(position, EXPLAINED);
        Some(Explanation::Cases(Box::new(choice)))
    }
}
