//! What a vector is worth: the objectives, one file and one row each.
//!
//! A row gives an objective its key, what it says of itself and its file. The file holds its settings (each declared once,
//! see [`setting`]), what an optimiser may expect of it ([`Answers`]), and how it is built and asked ([`Objective`]).
//! Configurations, `--set`, `--help`, the page, `docs/tuning.md` and the conformance suite (`tests/all/objectives.rs`) read the
//! rows. Whatever an objective needs of its run comes by [`Context`].

pub mod agreement;
pub mod opponents;
mod positions;
pub mod self_play;
pub mod setting;
pub mod suite;
pub mod texel;

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use toml::Table;
use vidmar_arena::GameTask;
use vidmar_chess::Outcome;
use vidmar_optim::{Answer, Ask, Batch, Evidence, Method};
use vidmar_players::PlayerSpec;
use vidmar_text::named_enum;

pub use positions::PositionsError;
pub use setting::Setting;

use crate::config::Config;
use crate::parameters::Tunables;
use crate::run::{Context, RunError};

/// What an optimiser may expect of an objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Who won, game by game.
    Games,
    /// A value of every vector that differs from time to time.
    NoisyValues,
    /// A value of every vector, the same whenever it is asked for.
    ExactValues,
    /// The same, with gradient and Hessian for a method that wants them.
    Gradients,
}

impl Answers {
    /// Whether asking again is useless.
    pub fn is_exact(self) -> bool {
        matches!(self, Answers::ExactValues | Answers::Gradients)
    }

    /// In a few words, for tables.
    pub fn name(self) -> &'static str {
        match self {
            Answers::Games => "games",
            Answers::NoisyValues => "noisy values",
            Answers::ExactValues => "exact values",
            Answers::Gradients => "exact values and gradients",
        }
    }
}

/// The settings of an objective, as a configuration holds them.
pub(crate) trait Settings: Default + Serialize {
    /// What they are.
    const SETTINGS: &'static [Setting];
    /// What it answers with.
    const ANSWERS: Answers;

    /// What the optimiser is asked for.
    fn evidence(&self, method: Method) -> Evidence {
        match Self::ANSWERS {
            Answers::Gradients if method.needs_gradients() => Evidence::Gradients,
            answers => Evidence::Values {
                noisy: !answers.is_exact(),
            },
        }
    }

    /// How many games one answer takes.
    fn games_per_job(&self) -> u32 {
        0
    }

    /// Who it plays besides its own vectors.
    fn opponents(&self) -> Result<Vec<(String, PlayerSpec)>, RunError> {
        Ok(Vec::new())
    }

    /// What their types do not say.
    fn check(&self) -> Result<(), RunError> {
        Ok(())
    }

    /// The objective of a run with this configuration.
    fn build(&self, config: &Config, tunables: &Tunables) -> Result<Box<dyn Objective>, RunError>;
}

/// An objective at work.
pub trait Objective: Send {
    /// Everything that the first round needs; false if it was stopped.
    fn prepare(&mut self, _context: &mut Context<'_>) -> Result<bool, RunError> {
        Ok(true)
    }

    /// The games that it evaluates vectors by, if it does.
    fn games(&self) -> Option<&dyn Games> {
        None
    }

    /// One answer for every job of a batch, where no games are played for it; none if it was stopped.
    fn answers(
        &mut self,
        batch: &Batch,
        _context: &mut Context<'_>,
    ) -> Result<Option<Vec<Answer>>, RunError> {
        Err(unexpected(&batch.ask))
    }

    /// How well a vector predicts results, where that is what vectors are evaluated by.
    fn fit(&self, _tunables: &Tunables, _vector: &[f64]) -> Option<texel::Fit> {
        None
    }

    /// One standard deviation of every parameter of the best vector, where the evidence tells; frozen ones have any number.
    fn errors(&self, _tunables: &Tunables, _vector: &[f64], _threads: usize) -> Option<Vec<f64>> {
        None
    }
}

/// Vectors are evaluated by games, which may be those of several batches at a time.
pub trait Games: Send + Sync {
    /// The games of a batch, the first of which has that number.
    fn tasks(&self, batch: &Batch, first: u64, context: &mut Context<'_>) -> Result<Vec<GameTask>, RunError>;

    /// One answer for every job, from what the games came to; or the job of which they say nothing.
    fn answers(&self, batch: &Batch, outcomes: &[Option<Outcome>]) -> Result<Vec<Answer>, usize>;
}

/// An answer that the objective does not give: the optimiser was set up for another one.
pub(crate) fn unexpected(ask: &Ask) -> RunError {
    let asked = match ask {
        Ask::Games(_) => "games",
        Ask::Values(_) => "values",
        Ask::Gradients(_) => "gradients",
        Ask::Rate { .. } => "ratings",
    };
    RunError::State {
        what: "the optimiser",
        reason: format!("it asks for {asked}, which this objective does not give"),
    }
}

macro_rules! objectives {
    ($($row:ident, $file:ident, $key:literal, $label:literal, $help:literal;)*) => {
        named_enum! {
            /// The objectives of this crate.
            pub enum ObjectiveKind: "objective";
            $($row, $key, $help;)*
        }

        impl ObjectiveKind {
            /// What vectors are evaluated by, in a few words.
            pub fn label(self) -> &'static str {
                match self { $(Self::$row => $label,)* }
            }

            /// Its settings.
            pub fn settings(self) -> &'static [Setting] {
                match self { $(Self::$row => <$file::Settings as Settings>::SETTINGS,)* }
            }

            /// What it answers with.
            pub fn answers(self) -> Answers {
                match self { $(Self::$row => <$file::Settings as Settings>::ANSWERS,)* }
            }

            /// Its settings with their defaults, ready to be changed.
            pub fn defaults(self) -> ObjectiveSettings {
                match self { $(Self::$row => ObjectiveSettings::$row($file::Settings::default()),)* }
            }
        }

        /// An objective with its settings.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind")]
        pub enum ObjectiveSettings {
            $(#[doc = $help] #[serde(rename = $key)] $row($file::Settings),)*
        }

        impl ObjectiveSettings {
            /// Whose settings these are.
            pub fn kind(&self) -> ObjectiveKind {
                match self { $(Self::$row(_) => ObjectiveKind::$row,)* }
            }

            /// What the optimiser is asked for.
            pub fn evidence(&self, method: Method) -> Evidence {
                match self { $(Self::$row(settings) => settings.evidence(method),)* }
            }

            /// How many games one answer takes; 0 where positions decide.
            pub fn games_per_job(&self) -> u32 {
                match self { $(Self::$row(settings) => settings.games_per_job(),)* }
            }

            /// Who it plays besides its own vectors, each as the configuration has it and as it is understood.
            pub(crate) fn opponents(&self) -> Result<Vec<(String, PlayerSpec)>, RunError> {
                match self { $(Self::$row(settings) => settings.opponents(),)* }
            }

            pub(crate) fn check(&self) -> Result<(), RunError> {
                match self { $(Self::$row(settings) => settings.check(),)* }
            }

            pub(crate) fn build(
                &self,
                config: &Config,
                tunables: &Tunables,
            ) -> Result<Box<dyn Objective>, RunError> {
                match self { $(Self::$row(settings) => settings.build(config, tunables),)* }
            }
        }
    };
}

objectives! {
    SelfPlay, self_play, "self-play", "games among its vectors",
        "points from games among the population: the published form";
    Opponents, opponents, "opponents", "games with others",
        "points from games with fixed opponents, the same for everybody of a round";
    Suite, suite, "suite", "a suite of positions",
        "the share of a test suite's positions whose solution is found";
    Agreement, agreement, "agreement", "agreement with search",
        "how near static scores are to what the vector's own search finds, as chances to win";
    Texel, texel, "texel", "positions with results",
        "how well static scores predict the results of games (Texel's method, log-loss)";
}

impl ObjectiveSettings {
    /// The settings with their values, but for those that name files.
    pub fn shown(&self) -> Vec<(&'static Setting, String)> {
        let table = self.table();
        let shown = |setting: &'static Setting| Some((setting, table.get(setting.key)?.to_string()));
        let settings = self.kind().settings().iter();
        settings
            .filter(|setting| !setting.is_path)
            .filter_map(shown)
            .collect()
    }

    pub(crate) fn table(&self) -> Table {
        Table::try_from(self).expect("settings are a table")
    }
}

/// The rows as a table of Markdown, as `docs/tuning.md` holds it.
pub fn reference() -> String {
    let mut text =
        String::from("| kind | a vector's value | answers | settings |\n| --- | --- | --- | --- |\n");
    for kind in ObjectiveKind::ALL {
        let settings: Vec<String> = kind
            .settings()
            .iter()
            .map(|setting| format!("`{}`: {}", setting.key, setting.help))
            .collect();
        let (key, help, answers) = (kind.name(), kind.help(), kind.answers().name());
        let _ = writeln!(text, "| `{key}` | {help} | {answers} | {} |", settings.join("; "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_complete_and_take_no_unknown_key() {
        for kind in ObjectiveKind::ALL {
            let settings = kind.defaults();
            assert_eq!(settings.kind(), *kind);
            let table = settings.table();
            assert_eq!(table["kind"].as_str(), Some(kind.name()));
            let known = |key: &String| key == "kind" || kind.settings().iter().any(|s| s.key == key);
            assert!(table.keys().all(known), "{table}");
            assert_eq!(table.clone().try_into::<ObjectiveSettings>().unwrap(), settings);
            let mut misspelt = table;
            misspelt.insert("surprise".into(), 1.into());
            let error = misspelt.try_into::<ObjectiveSettings>().unwrap_err().to_string();
            assert!(error.contains("surprise"), "{kind:?}: {error}");
        }
    }
}
