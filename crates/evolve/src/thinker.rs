//! The player: every first move evolves by itself, the best begins the move.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use vidmar_chess::{BitboardBoard, Board, Bound, Game, Move, Position, Score};
use vidmar_engine::explanation::{EvolutionExplanation, Explanation};
use vidmar_engine::settings::{Setting, SettingError, Value, set};
use vidmar_engine::{Control, Info, Limits, Thinker, Thought, clock};
use vidmar_eval::{FullEvaluation, Vector};
use vidmar_rng::Rng;

use crate::chromosome::Breeder;
use crate::evaluator::{PositionEvaluator, Worth};
use crate::evolution::Evolution;
use crate::explanation::explain;
use crate::settings::{self, Fitness, Settings};

/// The player that evolves lines.
///
/// ```
/// use vidmar_engine::{Control, Limits, Thinker};
/// use vidmar_chess::Game;
/// use vidmar_evolve::{EvolveThinker, Settings};
/// let mut player = EvolveThinker::new(Settings { generations: 20, ..Settings::default() });
/// let thought = player.think(&Game::default(), &Limits::none(), &Control::new(), &mut |_| {});
/// assert!(thought.best.is_some());
/// assert!(player.explanation().expect("it has thought").to_string().contains("* is played"));
/// ```
pub struct EvolveThinker {
    settings: Settings,
    full: Arc<FullEvaluation>,
    /// Made when more than one thread is asked for.
    pool: Option<rayon::ThreadPool>,
    explanation: Option<EvolutionExplanation>,
}

impl Default for EvolveThinker {
    fn default() -> EvolveThinker {
        EvolveThinker::new(Settings::default())
    }
}

/// Generations between two looks at all first moves together.
const ROUND: u32 = 64;

impl EvolveThinker {
    /// A player with these settings.
    pub fn new(settings: Settings) -> EvolveThinker {
        EvolveThinker {
            settings,
            full: Arc::new(FullEvaluation::new(&Vector::default())),
            pool: None,
            explanation: None,
        }
    }

    /// The settings in force.
    pub fn in_force(&self) -> &Settings {
        &self.settings
    }

    /// What can be chosen about it.
    pub fn all_settings() -> &'static [Setting] {
        settings::all()
    }

    /// Generations of each first move by a preset, by its name; 0 for as many as the limits allow.
    pub fn generations_of(preset: &str) -> Option<u32> {
        settings::preset(preset).map(|settings| settings.generations)
    }

    /// The populations of all first moves, each with its share of the nodes.
    fn populations(&self, game: &Game, limits: &Limits) -> Vec<Evolution> {
        let position = game.position();
        let legal = position.legal_moves();
        let wanted: Vec<Move> = legal
            .into_iter()
            .filter(|m| limits.search_moves.is_empty() || limits.search_moves.contains(m))
            .collect();
        let share = limits
            .nodes
            .map_or(u64::MAX, |nodes| nodes / wanted.len().max(1) as u64);
        let plies = game.moves().len() as u64;
        wanted
            .into_iter()
            .map(|first| {
                let address = plies << 16 | u64::from(first.word());
                let rng = Rng::new(self.settings.seed, b"evolving", position.key().0, address);
                Evolution::new(first, rng, share)
            })
            .collect()
    }

    /// Lets all populations evolve until a limit is reached; returns the positions evaluated.
    fn evolve(
        &self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        evolutions: &mut [Evolution],
        mut tell: impl FnMut(&[Evolution], u64),
    ) -> u64 {
        let settings = &self.settings;
        let genes = limits
            .depth
            .map_or(settings.genes, |depth| settings.genes.min(depth as usize));
        let board = game.board();
        let us = board.turn();
        let length = genes.clamp(1, Settings::MAX_GENES);
        let deadline = deadline(limits, game.position());
        let is_due = |evolution: &Evolution| {
            let is_late = control.is_stopped() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
            // The first line is made however late it is: without one there is nothing to compare.
            is_late && !evolution.best.genes.is_empty()
        };
        let round = |evaluator: &mut PositionEvaluator, evolution: &mut Evolution| {
            let mut breeder = Breeder {
                board: board.clone(),
                evaluator,
                us,
                length,
                judges_all: settings.fitness == Fitness::Sum,
                nodes: 0,
            };
            for _ in 0..ROUND {
                if evolution.is_over(settings, length) || is_due(evolution) {
                    break;
                }
                evolution.step(settings, &mut breeder);
            }
            breeder.nodes
        };
        let new_evaluator = || PositionEvaluator::new(settings.evaluation, &self.full);
        let mut evaluator = new_evaluator();
        let (mut nodes, mut rounds) = (0, 0_u64);
        loop {
            nodes += match &self.pool {
                None => evolutions
                    .iter_mut()
                    .map(|evolution| round(&mut evaluator, evolution))
                    .sum::<u64>(),
                Some(pool) => pool.install(|| {
                    evolutions
                        .par_iter_mut()
                        .map_init(new_evaluator, &round)
                        .sum::<u64>()
                }),
            };
            rounds += 1;
            let is_over = evolutions
                .iter()
                .all(|evolution| evolution.is_over(settings, length) || is_due(evolution));
            if is_over {
                self.evaluate_all(board, &mut evaluator, evolutions);
                return nodes;
            }
            if rounds.is_power_of_two() {
                tell(evolutions, nodes);
            }
        }
    }

    /// Fills in the worths that did not count, for the explanation.
    fn evaluate_all(
        &self,
        board: &BitboardBoard,
        evaluator: &mut PositionEvaluator,
        evolutions: &mut [Evolution],
    ) {
        if self.settings.fitness == Fitness::Sum {
            return;
        }
        let mut breeder = Breeder {
            board: board.clone(),
            evaluator,
            us: board.turn(),
            length: 0,
            judges_all: true,
            nodes: 0,
        };
        for evolution in evolutions {
            breeder.evaluate_all(&mut evolution.best);
        }
    }

    /// The best of all lines, by chance among equals; by chance among all if there was time for none.
    fn choose(&self, game: &Game, evolutions: &[Evolution]) -> Option<usize> {
        let fitness = |evolution: &Evolution| evolution.fitness(&self.settings);
        let highest = evolutions.iter().map(fitness).max()?;
        let equals: Vec<usize> = (0..evolutions.len())
            .filter(|&index| fitness(&evolutions[index]) == highest)
            .collect();
        let (key, plies) = (game.position().key().0, game.moves().len() as u64);
        let mut rng = Rng::new(self.settings.seed, b"evolved-", key, plies);
        rng.pick(&equals).copied()
    }

    /// What the interface hears of a line.
    fn told(evolution: &Evolution, nodes: u64, limits: &Limits) -> Info {
        let line = evolution.best.genes.clone();
        Info {
            depth: line.len() as u32,
            seldepth: line.len() as u32,
            multipv: 1,
            score: None,
            bound: Bound::Exact,
            nodes,
            elapsed: limits.started.elapsed(),
            hashfull: 0,
            tbhits: 0,
            pv: line,
        }
    }

    /// A fitness in hundredths of a pawn, what the line is worth on average or at its end: a hope that nobody is told as a score.
    fn score(&self, evolution: &Evolution) -> Score {
        let fitness = evolution.fitness(&self.settings).unwrap_or(0);
        let genes = evolution.best.genes.len().max(1) as Worth;
        let worth = match self.settings.fitness {
            Fitness::Sum => fitness / genes,
            Fitness::Leaf => fitness,
        };
        // A mate in a line is a hope, not a proof: it is never told as one.
        Score::Centipawns(worth.clamp(-30_000, 30_000) as i32)
    }

    fn make_pool(&mut self) {
        if self.settings.threads != 1 && self.pool.is_none() {
            // Without threads of its own the player evolves on the caller's.
            self.pool = rayon::ThreadPoolBuilder::new()
                .num_threads(self.settings.threads)
                .build()
                .ok();
        }
    }
}

/// When to answer: the time that a move should take, or the most it may.
fn deadline(limits: &Limits, position: &Position) -> Option<Instant> {
    let budget = clock::allot(limits, position.turn());
    let time: Option<Duration> = budget.soft.into_iter().chain(budget.hard).min();
    time.map(|time| limits.started + time)
}

impl Thinker for EvolveThinker {
    fn name(&self) -> String {
        "Vidmar evolve".to_owned()
    }

    fn settings(&self) -> &[Setting] {
        settings::all()
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        set(settings::ROWS, &mut self.settings, key, value)?;
        self.pool = None;
        Ok(())
    }

    fn new_game(&mut self) {
        self.explanation = None;
    }

    fn prepare(&mut self) -> Result<(), String> {
        self.make_pool();
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Thought {
        self.make_pool();
        let mut evolutions = self.populations(game, limits);
        if evolutions.is_empty() {
            return Thought::game_over(game.position());
        }
        let nodes = self.evolve(game, limits, control, &mut evolutions, |evolutions, nodes| {
            let leader = self.choose(game, evolutions).unwrap_or(0);
            info(&Self::told(&evolutions[leader], nodes, limits));
        });
        let best = &evolutions[self.choose(game, &evolutions).unwrap_or(0)];
        let last = Self::told(best, nodes, limits);
        info(&last);
        let thought = Thought {
            best: Some(best.first),
            ponder: best.best.genes.get(1).copied(),
            score: self.score(best),
            is_scored: false,
            depth: last.depth,
            nodes,
            elapsed: last.elapsed,
        };
        self.explanation = Some(explain(
            game.position(),
            &evolutions,
            thought.best,
            nodes,
            &self.settings,
        ));
        thought
    }

    fn explanation(&self) -> Option<Explanation> {
        self.explanation.clone().map(Explanation::Evolution)
    }
}
