//! The algorithms, one file and one row each.
//!
//! A row names the algorithm and its [`Strategy`], says whether its value is that of minimax, whether ybwc can split its nodes, and
//! which settings it honours. Most are a [`Driver`], which finds the root's value at one depth, given a guess;
//! [`deepening`](crate::deepening) calls it depth by depth. Commands, tests and menus read the table.

mod alpha_beta;
mod aspiration;
mod combined;
mod minimax;
mod mtdf;
mod negamax;
mod negascout;
mod pvs;
mod zero_window;

use vidmar_chess::{Board, Bound};
use vidmar_eval::Evaluation;

use crate::flagship;
use crate::limits::{Interrupted, StopCondition};
use crate::node::{self, Node, Scout};
use crate::parallel::{self, Parallel, Pool};
use crate::report::{Iteration, Report};
use crate::searcher::{Memory, Task};
use crate::settings::{Settings, SettingsError, Switch};
use crate::table::Table;
use crate::value::Value;
use crate::worker::{Shared, Worker};

/// What every algorithm can do.
pub(crate) trait Strategy {
    /// Makes what it keeps from move to move, unless it is there.
    fn prepare<E: Evaluation>(
        memory: &mut Memory<E>,
        settings: &Settings,
        evaluation: &E,
    ) -> Result<(), SettingsError>;

    /// Searches a position; `observe` hears of every line of each iteration.
    fn search<B: Board, E: Evaluation>(
        task: &Task<'_, B, E>,
        memory: &mut Memory<E>,
        observe: &mut dyn FnMut(&Iteration),
    ) -> Result<Report, SettingsError>;
}

/// How the value of the root is found at one depth.
pub(crate) trait Driver {
    /// How its nodes search later children: what young brothers' helpers need to know.
    type Scout: Scout;

    /// The root's value, or a bound on it; `guess` is what to expect.
    fn iteration<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        depth: u32,
        guess: Value,
    ) -> Result<(Value, Bound), Interrupted>;
}

impl<D: Driver> Strategy for D {
    fn prepare<E: Evaluation>(
        memory: &mut Memory<E>,
        settings: &Settings,
        _: &E,
    ) -> Result<(), SettingsError> {
        table_of(memory, settings).map(|_| ())
    }

    fn search<B: Board, E: Evaluation>(
        task: &Task<'_, B, E>,
        memory: &mut Memory<E>,
        observe: &mut dyn FnMut(&Iteration),
    ) -> Result<Report, SettingsError> {
        let settings = task.settings;
        let table = table_of(memory, settings)?;
        if settings.exact {
            // The positions of the game, which count as draws, may be others now.
            table.clear();
        }
        table.next_generation();
        let splits = settings.parallel == Parallel::YoungBrothersWait && settings.threads > 1;
        let shared = Shared {
            evaluation: task.evaluation,
            settings,
            table,
            stop_condition: StopCondition::new(task.limits, settings.threads, task.stop),
            pool: splits.then(Pool::new),
        };
        Ok(parallel::run::<D, B, E>(task.board, &shared, observe))
    }
}

/// The table of the laboratory's algorithms, made unless it is there.
fn table_of<'m, E>(memory: &'m mut Memory<E>, settings: &Settings) -> Result<&'m mut Table, SettingsError> {
    Ok(match &mut memory.table {
        Some(table) => table,
        none => none.insert(Table::new(settings.table, settings.table_mib)?),
    })
}

/// The root searched with a window by the nodes of a scout.
fn search_root<S: Scout, B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    depth: u32,
    alpha: Value,
    beta: Value,
) -> Result<Value, Interrupted> {
    node::search::<S, B, E>(worker, Node::root(depth, alpha, beta))
}

macro_rules! algorithms {
    ($($variant:ident, $strategy:ty, $name:literal, exact: $exact:literal, splits: $splits:literal,
       honours: $honoured:expr, $help:literal;)*) => {
        vidmar_text::named_enum! {
            /// The search algorithms.
            pub enum Algorithm: "algorithm";
            $($variant, $name, $help;)*
        }

        impl Algorithm {
            /// Whether it returns the value of minimax when nothing prunes (and not a bound on it).
            pub const fn exact(self) -> bool {
                match self { $(Algorithm::$variant => $exact),* }
            }

            /// Whether its nodes can be split among threads.
            pub const fn splits(self) -> bool {
                match self { $(Algorithm::$variant => $splits),* }
            }

            /// The settings that it honours; any other is refused.
            pub const fn honoured(self) -> &'static [Switch] {
                match self { $(Algorithm::$variant => $honoured),* }
            }

            pub(crate) fn prepare<E: Evaluation>(
                self,
                memory: &mut Memory<E>,
                settings: &Settings,
                evaluation: &E,
            ) -> Result<(), SettingsError> {
                match self {
                    $(Algorithm::$variant => <$strategy as Strategy>::prepare(memory, settings, evaluation)),*
                }
            }

            /// The one place where a name becomes code.
            pub(crate) fn search<B: Board, E: Evaluation>(
                self,
                task: &Task<'_, B, E>,
                memory: &mut Memory<E>,
                observe: &mut dyn FnMut(&Iteration),
            ) -> Result<Report, SettingsError> {
                match self {
                    $(Algorithm::$variant => <$strategy as Strategy>::search(task, memory, observe)),*
                }
            }
        }
    };
}

/// Without a window nothing is cut off, fails or is pruned.
const EXHAUSTIVE: &[Switch] = &[
    Switch::Board,
    Switch::Evaluation,
    Switch::Table,
    Switch::TableSize,
    Switch::Generation,
    Switch::Ordering,
    Switch::Quiescence,
    Switch::QuiescencePlies,
    Switch::Iterative,
    Switch::Exact,
    Switch::Parallel,
    Switch::Threads,
    Switch::TablePv,
];

/// Those that step from bound to bound, and would step by 1 with hard ones.
const STEPPING: &[Switch] = &[
    Switch::Board,
    Switch::Evaluation,
    Switch::Table,
    Switch::TableSize,
    Switch::Generation,
    Switch::Ordering,
    Switch::Quiescence,
    Switch::QuiescencePlies,
    Switch::NullMove,
    Switch::NullMoveRules,
    Switch::Futility,
    Switch::Iterative,
    Switch::Exact,
    Switch::Parallel,
    Switch::Threads,
    Switch::TablePv,
];

const WINDOWED: &[Switch] = &[
    Switch::Board,
    Switch::Evaluation,
    Switch::Table,
    Switch::TableSize,
    Switch::Generation,
    Switch::Ordering,
    Switch::Quiescence,
    Switch::QuiescencePlies,
    Switch::NullMove,
    Switch::NullMoveRules,
    Switch::Futility,
    Switch::Fail,
    Switch::Iterative,
    Switch::Exact,
    Switch::Parallel,
    Switch::Threads,
    Switch::TablePv,
];

/// Its table, ordering, quiescence and prunings are its own.
const SELECTIVE: &[Switch] = &[
    Switch::Evaluation,
    Switch::TableSize,
    Switch::MultiPv,
    Switch::Parallel,
    Switch::Threads,
    Switch::Tablebases,
    Switch::Parameters,
    Switch::Techniques,
];

algorithms! {
    Minimax, minimax::Minimax, "minimax", exact: true, splits: false, honours: EXHAUSTIVE,
        "the definition: White maximises, Black minimises, every move is searched";
    Negamax, negamax::Negamax, "negamax", exact: true, splits: false, honours: EXHAUSTIVE,
        "minimax with one rule for both sides: the negated value of the opponent";
    AlphaBeta, alpha_beta::AlphaBeta, "alpha-beta", exact: true, splits: true, honours: WINDOWED,
        "negamax without the branches that cannot matter";
    Pvs, pvs::Pvs, "pvs", exact: true, splits: true, honours: WINDOWED,
        "later moves with a minimal window, searched again in full if they are better";
    NegaScout, negascout::NegaScout, "negascout", exact: true, splits: true, honours: WINDOWED,
        "like pvs; searches again from the value found, and not near the leaves";
    ZeroWindow, zero_window::ZeroWindow, "zero-window", exact: false, splits: true, honours: WINDOWED,
        "one search with a minimal window: tells only on which side of the guess the value lies";
    Mtdf, mtdf::Mtdf, "mtdf", exact: true, splits: true, honours: STEPPING,
        "zero-window searches that converge on the value from the last iteration's";
    Aspiration, aspiration::Aspiration<alpha_beta::AlphaBeta>, "aspiration",
        exact: true, splits: true, honours: WINDOWED,
        "alpha-beta with a window of 50 around the last value, opened where it fails";
    AspirationNegaScout, aspiration::Aspiration<negascout::NegaScout>, "aspiration-negascout",
        exact: true, splits: true, honours: WINDOWED,
        "the same around negascout";
    Combined, combined::Combined, "combined", exact: true, splits: true, honours: STEPPING,
        "aspiration and mtdf: zero-window steps inside the window, leaps outside";
    Flagship, flagship::Flagship, "flagship", exact: false, splits: true, honours: SELECTIVE,
        "the strong search: bitboards only, with its own table, ordering and selective techniques";
}

impl Algorithm {
    /// Those that honour a setting.
    pub fn honouring(switch: Switch) -> impl Iterator<Item = Algorithm> {
        let all = Algorithm::ALL.iter().copied();
        all.filter(move |algorithm| algorithm.honours(switch))
    }

    /// Whether it honours a setting.
    pub fn honours(self, switch: Switch) -> bool {
        self.honoured().contains(&switch)
    }

    /// Whether it prunes by techniques of its own, so that its value is nobody else's.
    pub fn is_selective(self) -> bool {
        self.honours(Switch::Techniques)
    }

    /// Refuses the first of some settings that it does not honour.
    pub fn check(self, chosen: impl IntoIterator<Item = Switch>) -> Result<(), SettingsError> {
        match chosen.into_iter().find(|&switch| !self.honours(switch)) {
            Some(switch) => Err(SettingsError::Unhonoured {
                algorithm: self,
                switch,
            }),
            None => Ok(()),
        }
    }
}
