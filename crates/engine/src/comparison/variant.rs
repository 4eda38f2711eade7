//! What is compared: the base, and one thing at a time varied around it.

use vidmar_chess::{BoardKind, Generation};
use vidmar_search::{Algorithm, NullMove, OrderingRule, OrderingRules, Parallel, Scheme, Settings, Switch};

/// What one row of a comparison searches with.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// What is varied here.
    pub group: &'static str,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// What its table keeps.
    pub table: Scheme,
    /// What moves are ordered by.
    pub ordering: OrderingRules,
    /// The board.
    pub board: BoardKind,
    /// What else is changed; without it the options decide.
    pub change: Option<Change>,
}

/// A setting that is varied by itself.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// How moves are found.
    Generation(Generation),
    /// The null move.
    NullMove(NullMove),
    /// Futility pruning.
    Futility(bool),
    /// How threads share the search.
    Parallel(Parallel),
}

/// As many threads as share a search in the rows that share one, unless more were asked for.
const THREADS: usize = 2;

impl Change {
    /// Changes the settings.
    pub fn apply(self, settings: &mut Settings) {
        match self {
            Change::Generation(generation) => settings.generation = generation,
            Change::NullMove(null_move) => settings.null_move = null_move,
            Change::Futility(futility) => settings.futility = futility,
            Change::Parallel(parallel) => {
                settings.parallel = parallel;
                settings.threads = match parallel {
                    Parallel::None => 1,
                    Parallel::YoungBrothersWait | Parallel::Lazy => settings.threads.max(THREADS),
                };
            }
        }
    }

    fn group(self) -> &'static str {
        match self {
            Change::Generation(_) => Switch::Generation.name(),
            Change::NullMove(_) => Switch::NullMove.name(),
            Change::Futility(_) => Switch::Futility.name(),
            Change::Parallel(_) => Switch::Parallel.name(),
        }
    }

    /// Its value in one word.
    pub fn name(self) -> &'static str {
        match self {
            Change::Generation(generation) => generation.name(),
            Change::NullMove(null_move) => null_move.name(),
            Change::Futility(on) => {
                if on {
                    "on"
                } else {
                    "off"
                }
            }
            Change::Parallel(parallel) => parallel.name(),
        }
    }
}

impl Variant {
    /// Whether it searches as another does, whatever group it is in.
    pub fn is_like(&self, other: &Variant) -> bool {
        Variant { group: "", ..*self } == Variant { group: "", ..*other }
    }
}

/// What all others differ from in one thing.
pub const BASE: Variant = Variant {
    group: "base",
    algorithm: Algorithm::AlphaBeta,
    table: Scheme::TwoLevel,
    ordering: OrderingRules::ALL,
    board: BoardKind::Bitboard,
    change: None,
};

/// Each dimension by itself around the base; orderings also with one heuristic left out. In the groups of changes the first row
/// is what the base does unless the options say otherwise.
pub fn one_at_a_time() -> Vec<Variant> {
    let mut variants = Vec::new();
    variants.extend(Algorithm::ALL.iter().map(|&algorithm| Variant {
        group: "algorithm",
        algorithm,
        ..BASE
    }));
    variants.extend(Scheme::ALL.iter().map(|&table| Variant {
        group: "table",
        table,
        ..BASE
    }));
    let without = OrderingRule::ALL
        .iter()
        .map(|&rule| OrderingRules::ALL.without(rule));
    let orderings = [OrderingRules::ALL, OrderingRules::NONE]
        .into_iter()
        .chain(without);
    variants.extend(orderings.map(|ordering| Variant {
        group: "ordering",
        ordering,
        ..BASE
    }));
    variants.extend(BoardKind::ALL.iter().map(|&board| Variant {
        group: "board",
        board,
        ..BASE
    }));
    variants.extend(changes().map(|change| Variant {
        group: change.group(),
        change: Some(change),
        ..BASE
    }));
    variants
}

fn changes() -> impl Iterator<Item = Change> {
    let generations = Generation::ALL.iter().copied().map(Change::Generation);
    let null_moves = NullMove::ALL.iter().copied().map(Change::NullMove);
    let futilities = [false, true].into_iter().map(Change::Futility);
    let parallels = Parallel::ALL.iter().copied().map(Change::Parallel);
    generations.chain(null_moves).chain(futilities).chain(parallels)
}
