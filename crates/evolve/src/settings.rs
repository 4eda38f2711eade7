//! What can be chosen about the player.

use std::sync::LazyLock;

use vidmar_engine::settings::{Field, MAX_THREADS, Role, Row, Setting, Unset, schema};
use vidmar_engine::{choice, integer};
use vidmar_text::named_enum;

named_enum! {
    /// Whose good the evolution seeks.
    pub enum Strategy: "strategy";
    OneSided, "one-sided", "every change that helps the mover is kept, as if the opponent would help (published)";
    Alternating, "alternating", "the mover's genes evolve for the mover, then the opponent's for the opponent";
    Answering, "answering", "the same, and a changed gene is judged by the best answers found so far";
}

named_enum! {
    /// What a line is worth.
    pub enum Fitness: "fitness";
    Sum, "sum", "the sum of the evaluations after each gene (published)";
    Leaf, "leaf", "the evaluation after the last gene";
}

named_enum! {
    /// What a position is worth.
    pub enum PositionEvaluation: "evaluation";
    Material, "material", "pawn 1, knight and bishop 3, rook 5, queen 9 (published)";
    Mobility, "mobility", "material, and a tenth of a pawn for each legal move";
    Structure, "structure", "the same, less half a pawn for each doubled pawn";
    Full, "full", "the evaluation of the strong engine";
    See, "see", "the same, with what the best capture wins at the end of a line";
}

/// How the player evolves its lines. The default is the published player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The length of a line in plies, from 1 to [`Settings::MAX_GENES`].
    pub genes: usize,
    /// Generations for each first move; 0 for as many as the limits allow.
    pub generations: u32,
    /// Lines in the population of a first move, at least 1.
    pub chromosomes: usize,
    /// Another seed, other games.
    pub seed: u64,
    /// Whose good is sought.
    pub strategy: Strategy,
    /// What a line is worth.
    pub fitness: Fitness,
    /// What a position is worth.
    pub evaluation: PositionEvaluation,
    /// First moves that evolve at the same time; 0 for one a core. It changes no result.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            genes: 6,
            generations: 200,
            chromosomes: 3,
            seed: 0,
            strategy: Strategy::OneSided,
            fitness: Fitness::Sum,
            evaluation: PositionEvaluation::Material,
            threads: 1,
        }
    }
}

impl Settings {
    /// The longest line.
    pub const MAX_GENES: usize = 64;
    /// The largest population.
    pub const MAX_CHROMOSOMES: usize = 1_000;

    /// The player with the cures: both sides evolve, the full evaluation, only the end of a line counts, and it
    /// thinks as long as it may.
    pub fn improved() -> Settings {
        Settings {
            genes: 3,
            generations: 0,
            chromosomes: 3,
            strategy: Strategy::Answering,
            fitness: Fitness::Leaf,
            evaluation: PositionEvaluation::See,
            ..Settings::default()
        }
    }
}

const MAX_GENERATIONS: i64 = u32::MAX as i64;
const PRESET: &str = "preset";
const PRESETS: [&str; 2] = ["published", "improved"];

/// What a preset says.
pub(crate) fn preset(word: &str) -> Option<Settings> {
    match word {
        "published" => Some(Settings::default()),
        "improved" => Some(Settings::improved()),
        _ => None,
    }
}

type EvolveRow = Row<Settings>;

/// Everything that can be chosen; the preset stands before what it presets.
pub(crate) const ROWS: &[EvolveRow] = &[
    EvolveRow::new(
        PRESET,
        "",
        "Variant",
        "as in the publication, or with its flaws cured; it sets all that is not set below",
        Field::Choice {
            values: || PRESETS.to_vec(),
            get: |_| PRESETS[0],
            set: |settings, word| {
                let Some(preset) = preset(word) else {
                    return false;
                };
                *settings = Settings {
                    seed: settings.seed,
                    threads: settings.threads,
                    ..preset
                };
                true
            },
        },
    ),
    EvolveRow::new(
        "genes",
        "Genes",
        "Length of a line",
        "how far a line of moves looks ahead, in plies (half-moves)",
        integer!(usize, 1, Settings::MAX_GENES as i64, genes),
    )
    .unset(Unset::Preset(PRESET)),
    EvolveRow::new(
        "generations",
        "Generations",
        "Generations",
        "how many generations each first move gets; 0 for as many as the time allows",
        integer!(u32, 0, MAX_GENERATIONS, generations),
    )
    .unset(Unset::Preset(PRESET)),
    EvolveRow::new(
        "chromosomes",
        "Chromosomes",
        "Population",
        "how many lines compete for each first move",
        integer!(usize, 1, Settings::MAX_CHROMOSOMES as i64, chromosomes),
    )
    .unset(Unset::Preset(PRESET)),
    EvolveRow::new(
        "strategy",
        "Strategy",
        "Whose good",
        "whose good the evolution seeks: one side, both in turn, or with the best answers",
        choice!(Strategy, strategy),
    )
    .unset(Unset::Preset(PRESET)),
    EvolveRow::new(
        "fitness",
        "Fitness",
        "Worth of a line",
        "what a line is worth: the sum of its positions, or the last one",
        choice!(Fitness, fitness),
    )
    .unset(Unset::Preset(PRESET)),
    EvolveRow::new(
        "eval",
        "Evaluation",
        "Worth of a position",
        "what a position is worth",
        choice!(PositionEvaluation, evaluation),
    )
    .unset(Unset::Preset(PRESET)),
    EvolveRow::new(
        "seed",
        "Seed",
        "Seed",
        "another seed, other games",
        integer!(u64, 0, i64::MAX, seed),
    )
    .role(Role::Seed),
    EvolveRow::new(
        "threads",
        "Threads",
        "Threads",
        "how many first moves evolve at the same time",
        integer!(usize, 1, MAX_THREADS, threads),
    ),
];

/// Every setting of the player.
pub(crate) fn all() -> &'static [Setting] {
    static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| schema(ROWS));
    &SETTINGS
}
