//! What a run is: parameters, optimiser, objective, engine, openings, rules, validation.
//!
//! A configuration is TOML. Reading one begins with a preset (or the defaults) as a table, lays the file over it and then
//! every `--set`, so that a file only says what differs; the run directory keeps the whole. The optimiser's settings
//! begin with those of its method. Nothing in here depends on the number of threads.

mod draw_rule;
mod effect;
mod files;
mod keys;
mod limits;
mod one_of;
mod overlay;
mod presets;
mod programs;
mod request;
mod seed;
mod sprt_bounds;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vidmar_arena::Clock;
use vidmar_optim::{Method, Repair, Settings};

pub use draw_rule::Level;
pub use keys::{Key, keys};
pub use one_of::OneOf;
pub use overlay::ConfigError;
pub(crate) use overlay::{as_table, assign, misspelt_method};
pub use presets::{PRESETS, Preset};
pub use request::Request;
pub use sprt_bounds::SprtBounds;

use crate::objective::ObjectiveSettings;

/// Everything that a run's result depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Of everything random.
    #[serde(with = "seed")]
    pub seed: u64,
    /// How long it is.
    pub budget: Budget,
    /// What ends it earlier.
    #[serde(default)]
    pub stop: StopRules,
    /// What is tuned.
    pub parameters: Parameters,
    /// How components come back into their intervals.
    pub repair: Repair,
    /// What a vector is evaluated by.
    pub objective: ObjectiveSettings,
    /// Who plays with the parameters.
    pub engine: Engine,
    /// Where games begin.
    pub openings: OpeningBook,
    /// When games end early.
    pub rules: GameRules,
    /// The validation at the end.
    pub verify: Verify,
    /// Opponents of known strength after it.
    pub gauntlet: Gauntlet,
    /// The optimiser with its settings.
    pub optimizer: Settings,
    /// The runs before this one in a chain: their directories. Objectives that learn from games learn from theirs too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<PathBuf>,
    /// Runs that follow, each from the vector that the one before recommends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Stage>,
}

/// A run that follows another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Its directory inside that of the one before.
    pub name: String,
    /// What is different, as in a configuration file.
    pub change: toml::Table,
}

impl Stage {
    /// A stage with the budget, the objective and the optimiser of a configuration.
    pub(crate) fn of(config: &Config, name: String) -> Stage {
        let mut change = as_table(config);
        change.retain(|key, _| ["budget", "objective", "optimizer"].contains(&key));
        Stage { name, change }
    }
}

/// How long a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Generations after the first population; if 0, `total_games` counts.
    pub generations: u64,
    /// Games (or values) altogether.
    pub total_games: u64,
}

/// What ends a run before its budget is used up; its result is validated all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StopRules {
    /// After so many seconds of tuning, over all sessions, it ends with the round that is open; 0 for never.
    pub seconds: u64,
    /// After every so many games it ends if what they say that was gained is below its error; 0 for never.
    pub no_gain_after: u64,
}

/// Where parameters come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A set of the evaluation's parameters.
    Evaluation,
    /// The numbers of the flagship search.
    Search,
    /// The weights of the simple evaluation, of a laboratory search.
    Simple,
    /// Options of an external UCI engine, listed here.
    List,
    /// All spin options that an external UCI engine tells of.
    Options,
}

/// Which of an evaluation parameter's intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Intervals {
    /// Where an expert would look.
    Narrow,
    /// Where one who knows little would.
    Wide,
    /// From the lower end of the two to the higher.
    Hull,
    /// As far as the narrow interval is wide to either side of the start, inside the hull.
    Around,
}

/// What is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Where they come from.
    pub source: Source,
    /// The evaluation's set; `none` for those of the list alone.
    pub set: String,
    /// Its intervals.
    pub intervals: Intervals,
    /// The evaluation of which the others are: a named vector or a parameter file; where the search is tuned also `net`.
    pub base: String,
    /// Where tuning starts: a named vector, a parameter file, or `middle` of the intervals; of the simple evaluation `default` or `middle`.
    pub start: String,
    /// Where the first run of a chain started; the result vectors of the last one are compared with it too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Only these; all if empty.
    #[serde(default)]
    pub names: Vec<String>,
    /// Held at their start.
    #[serde(default)]
    pub frozen: Vec<String>,
    /// Relations that must hold: `RookValueOpening >= BishopValueOpening + PawnValueOpening`.
    #[serde(default)]
    pub constraints: Vec<String>,
    /// One interval for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// Options of an external engine, tied parameters, or other intervals for parameters of the set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub list: Vec<Listed>,
}

/// A parameter that is described by hand, or by a list in another tuner's form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// The smallest value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The largest value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Where it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// Whether broken values are tried too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub real: bool,
    /// The parameters of the evaluation, or weights of the simple one, that all get this value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drives: Vec<String>,
    /// What the value is multiplied by for them.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale: f64,
    /// With which perturbation SPSA is to end, in the parameter's unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c_end: Option<f64>,
    /// With which learning rate SPSA is to end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r_end: Option<f64>,
}

impl Default for Listed {
    fn default() -> Self {
        Self {
            name: String::new(),
            min: None,
            max: None,
            start: None,
            real: false,
            drives: Vec::new(),
            scale: one(),
            c_end: None,
            r_end: None,
        }
    }
}

fn one() -> f64 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_one(scale: &f64) -> bool {
    *scale == 1.0
}

/// Who plays with the parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// Plies for every move; 0 for no limit.
    pub depth: u32,
    /// Positions for every move; 0 for no limit.
    pub nodes: u64,
    /// MiB of the table of each side, empty when a game begins.
    pub hash: usize,
    /// A laboratory search whose evaluation is tuned, `search:algorithm=alpha-beta`, without limits; empty for the engine.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub player: String,
    /// Another program that speaks UCI; empty for this one.
    #[serde(default)]
    pub command: String,
    /// Its options that stay as they are: `Name=value`.
    #[serde(default)]
    pub options: Vec<String>,
    /// Milliseconds for every move; 0 for no limit.
    #[serde(default)]
    pub move_time: u64,
    /// A clock for every side as match runners write it, `40/60` or `8+0.08`; none for no clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<Clock>,
    /// Milliseconds that an external engine may take over a move under other limits; 0: by the limit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub answer_ms: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Where openings come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningSource {
    /// The two thousand openings inside the program.
    BuiltIn,
    /// Random walks to quiet, balanced positions, without end.
    Walks,
    /// The start position, always.
    Start,
    /// Lines or positions of a PGN or EPD file.
    File,
    /// A `PolyGlot` book, every move drawn by the book's weights, as published.
    Book,
}

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningBook {
    /// From where.
    pub source: OpeningSource,
    /// How many plies of a line are played, or how long a walk is.
    pub plies: usize,
    /// The file. Every fifth opening of it is kept for the validation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
}

/// When games end early.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRules {
    /// A side wins when it sees a larger lead than this and its opponent agrees; 0 for never.
    pub lead: i32,
    /// A game that both sides see as level is drawn: `movenumber=40 movecount=8 score=10`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Level>,
    /// A game of so many moves is drawn; 0 for never.
    pub max_moves: u32,
    /// Tablebases that end games: `none`, `built-in`, or folders.
    pub tablebases: String,
}

/// The validation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verify {
    /// Pairs of games of each vector at each depth; 0 for no validation.
    pub pairs: u64,
    /// Depths, relative to that of tuning.
    pub deeper: Vec<u32>,
    /// Whether only the recommended vector is proven.
    pub only_recommended: bool,
    /// Whether the start (of the chain) is the only reference.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_start: bool,
    /// A sequential test that ends every match as soon as it has decided, `pairs` being the most: `elo0,elo1`, and where they
    /// are not 0.05, `elo0,elo1,alpha,beta`; normalised Elo, as in Fishtest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtBounds>,
    /// Another clock than that of tuning, for every match: `8+0.08`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
}

/// Which references keep their labels as ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Anchors {
    /// The highest one, as published; the others are rated like everybody else.
    Highest,
    /// All.
    All,
}

/// Opponents of known strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gauntlet {
    /// Games of every vector against every reference, colours in turn; 0 for no gauntlet.
    pub each: u64,
    /// Plies for every move of either side; 0 for the limits of tuning. A reference that brings limits keeps them.
    pub limit: u32,
    /// How many of the method's best run it besides the result vectors.
    pub finalists: usize,
    /// Which labels fix the scale.
    pub anchors: Anchors,
    /// The opponents.
    pub references: Vec<ReferenceEngine>,
}

/// An opponent of known strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceEngine {
    /// Its label.
    pub elo: f64,
    /// Its player specification.
    pub player: String,
}

impl Gauntlet {
    /// Games of every vector against every reference where a gauntlet is asked for and nothing else is said.
    pub const USUAL_GAMES: u64 = 50;

    /// The published one: an engine limited to 1700, 1900, 2100 and 2300, at depth 6; not run unless asked for.
    pub fn usual() -> Gauntlet {
        let reference = |elo: u32| ReferenceEngine {
            elo: f64::from(elo),
            player: format!(
                "uci:cmd=stockfish,option.Hash=16,option.UCI_LimitStrength=true,option.UCI_Elo={elo}"
            ),
        };
        Gauntlet {
            each: 0,
            limit: 6,
            finalists: 0,
            anchors: Anchors::Highest,
            references: [1700, 1900, 2100, 2300].map(reference).to_vec(),
        }
    }
}

impl Config {
    /// The defaults: `narrow`.
    pub fn of_preset(name: &str) -> Result<Config, ConfigError> {
        Ok(Preset::named(name)?.config())
    }

    /// A preset, a file (where it is, and its text) over it, and every `--set KEY=VALUE` over both. Paths in the file are seen
    /// from its folder.
    pub fn read(
        preset: Option<&str>,
        file: Option<(&Path, &str)>,
        sets: &[String],
    ) -> Result<Config, ConfigError> {
        overlay::read(preset, None, file, sets)
    }

    /// The configuration that a run has kept. What nothing comes of is no reason to lose the run: a later stage has the settings of
    /// those before it, and an older program may have taken what this one refuses.
    pub(crate) fn kept(path: &Path, text: &str) -> Result<Config, ConfigError> {
        overlay::laid_over(None, None, Some((path, text)), &[])
    }

    /// Whether a game is the same whenever it is played: by plies and positions, not by the time that a machine takes.
    pub fn is_repeatable(&self) -> bool {
        self.engine.tc.is_none() && self.engine.move_time == 0
    }

    /// The whole configuration as TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration has only tables, numbers and words")
    }

    /// Generations and pairs of the validation, multiplied; nothing else.
    pub fn scaled(mut self, factor: f64) -> Config {
        let scaled = |n: u64| {
            if n == 0 {
                0
            } else {
                ((n as f64 * factor).round() as u64).clamp(1, i64::MAX as u64)
            }
        };
        self.budget.generations = scaled(self.budget.generations);
        self.budget.total_games = scaled(self.budget.total_games);
        self.verify.pairs = scaled(self.verify.pairs);
        for stage in &mut self.then {
            for (table, key) in [
                ("budget", "generations"),
                ("budget", "total_games"),
                ("verify", "pairs"),
            ] {
                let index = stage.change.get_mut(table).and_then(|table| table.get_mut(key));
                if let Some(toml::Value::Integer(n)) = index {
                    *n = scaled(u64::try_from(*n).unwrap_or(0)) as i64;
                }
            }
        }
        self
    }

    /// The configuration of the run that follows this one in `directory`, where one does: this one with the stage's
    /// changes, from the vector `start`, with other random numbers, and with all games until then to learn from.
    pub fn next(&self, start: &str, directory: &Path) -> Result<Option<(String, Config)>, ConfigError> {
        let Some((stage, rest)) = self.then.split_first() else {
            return Ok(None);
        };
        let mut base = self.clone();
        base.then = rest.to_vec();
        base.seed = self.seed.wrapping_add(1);
        let began = base.parameters.start.clone();
        base.parameters.origin.get_or_insert(began);
        start.clone_into(&mut base.parameters.start);
        base.earlier.push(directory.to_owned());
        let index = format!("then.{}", stage.name);
        let changed = overlay::changed(&base, stage.change.clone(), &index)?;
        Ok(Some((stage.name.clone(), changed)))
    }

    /// The optimiser.
    pub fn method(&self) -> Method {
        self.optimizer.method()
    }

    /// What the optimiser is asked for.
    pub fn evidence(&self) -> vidmar_optim::Evidence {
        self.objective.evidence(self.method())
    }

    /// The optimiser's budget.
    pub fn optimizer_budget(&self) -> vidmar_optim::Budget {
        match self.budget {
            Budget {
                generations: 0,
                total_games,
            } => vidmar_optim::Budget::Jobs(total_games),
            Budget { generations, .. } => vidmar_optim::Budget::Generations(generations),
        }
    }
}
