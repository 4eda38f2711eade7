//! A tuning run in a directory of its own: an ordinary one, which `vidmar tune status` and the page know.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use vidmar_players::PlayerSpec;
use vidmar_store::Store;
use vidmar_text::shell_word;
use vidmar_tune::Resources as TuneResources;
use vidmar_tune::config::{Config, ConfigError, Request};
use vidmar_tune::pipeline::{Changes, Event, Options, Pipeline, StopReason, Validate};
use vidmar_tune::run::{self, CONFIG_FILE, ChangedEngines, STORE_FILE, read_config};
use vidmar_tune::status::View;

use super::{Resources, Unit, Work, stored};
use crate::data::{Data, Missing, program};
use crate::error::{ReproduceError, StepError};
use crate::plan::Plan;

/// What makes a run small in a smoke test, with opponents that are built in.
const SMOKE_SETS: [&str; 6] = [
    "engine.depth=1",
    "objective.games=2",
    "rules.max_moves=20",
    "rules.tablebases=none",
    "gauntlet.finalists=2",
    "gauntlet.references=[{ elo = 1700, player = \"engine:depth=1,hash=1\" }, { elo = 2300, player = \"engine:depth=2,hash=1\" }]",
];

/// A tuning run.
pub struct Tuning {
    /// The preset.
    pub preset: &'static str,
    /// What is different from it.
    pub sets: Vec<String>,
    /// Its seed.
    pub seed: u64,
    /// Multiplies generations and the games of the validation.
    pub scale: f64,
    /// Games of a generation at full length.
    pub generation_games: u64,
    /// Games after the tuning: validation and gauntlet.
    pub later_games: u64,
}

impl Tuning {
    /// A preset with changes; those of the plan come last.
    pub fn new(
        preset: &'static str,
        sets: &[String],
        seed: u64,
        plan: &Plan,
        generation_games: u64,
    ) -> Tuning {
        let people = match preset {
            "dynamic-bounds" => None,
            "evolutionary" => Some("optimizer.parents=3"),
            _ => Some("optimizer.population=5"),
        };
        let smoke = SMOKE_SETS.iter().copied().chain(people);
        let smoke = smoke.filter(|_| plan.is_smoke()).map(str::to_owned);
        Tuning {
            preset,
            sets: sets
                .iter()
                .cloned()
                .chain(smoke)
                .chain(plan.sets.iter().cloned())
                .collect(),
            seed,
            scale: plan.scale,
            generation_games,
            later_games: 0,
        }
    }

    fn config(&self) -> Result<Config, ConfigError> {
        Request {
            preset: Some(self.preset.to_owned()),
            sets: self.sets.clone(),
            seed: Some(self.seed),
            scale: Some(self.scale),
            ..Request::default()
        }
        .config()
    }

    /// A look at a folder; none before the first generation.
    pub fn read(folder: &Path) -> Result<Option<View>, ReproduceError> {
        let is_begun = |store: Store| Ok(!store.runs()?.is_empty());
        if stored(&folder.join(STORE_FILE), is_begun)? != Some(true) {
            return Ok(None);
        }
        let view = View::open(folder).map_err(|error| ReproduceError::Step {
            step: folder.display().to_string(),
            reason: error.into(),
        })?;
        Ok(Some(view).filter(|view| !view.generations.is_empty()))
    }
}

impl Work for Tuning {
    fn unit(&self) -> Unit {
        Unit::Games
    }

    fn units(&self) -> u64 {
        let generations = self.config().map_or(0, |config| config.budget.generations);
        (generations + 1) * self.generation_games + self.later_games
    }

    fn command(&self, folder: &Path) -> String {
        let mut text = format!("vidmar tune run {} --seed {}", self.preset, self.seed);
        for set in &self.sets {
            let _ = write!(text, " --set {}", shell_word(set));
        }
        if (self.scale - 1.0).abs() > 1e-12 {
            let _ = write!(text, " --scale {}", self.scale);
        }
        let _ = write!(text, " --out {}", shell_word(&folder.display().to_string()));
        text
    }

    fn missing(&self, _data: &Data) -> Vec<Missing> {
        let Ok(config) = self.config() else {
            return Vec::new();
        };
        let mut missing: Vec<Missing> = Vec::new();
        for reference in config
            .gauntlet
            .references
            .iter()
            .filter(|_| config.gauntlet.each > 0)
        {
            let Ok(spec) = reference.player.parse::<PlayerSpec>() else {
                continue;
            };
            let Some(command) = spec.chosen("cmd").filter(|_| spec.player_type().is_program()) else {
                continue;
            };
            let command = command.to_string();
            missing.extend(program(&command, &command).err());
        }
        missing.dedup();
        missing
    }

    fn done(&self, folder: &Path) -> Result<u64, ReproduceError> {
        let count = |store: Store| {
            let runs = store.runs()?;
            runs.iter().map(|run| store.games_count(run.id)).sum()
        };
        Ok(stored(&folder.join(STORE_FILE), count)?.unwrap_or(0))
    }

    fn carry_out(
        &self,
        folder: &Path,
        with: &Resources<'_>,
        tell: &mut (dyn FnMut(u64) + Send),
    ) -> Result<bool, StepError> {
        let config = self.config()?;
        let before = self.done(folder)?;
        let tuning_games = self.units() - self.later_games;
        let mut games = before;
        let mut observer = |event: &Event<'_>| {
            match event {
                Event::Tuning(run::Event::Job { done, .. }) => {
                    let each = u64::from(config.objective.games_per_job().max(1));
                    games = games.max(done * each);
                }
                Event::Validation { done, .. } | Event::Gauntlet { done, .. } => {
                    games = games.max(tuning_games + done);
                }
                _ => return,
            }
            tell(games);
        };
        let mut resources = TuneResources::threads(with.threads);
        if let Some(elsewhere) = with.elsewhere {
            resources.executor = Arc::clone(elsewhere);
        }
        let mut pipeline = Pipeline {
            options: Options {
                resources,
                validate: Validate::EveryStage,
                changed_engines: ChangedEngines::Refused,
            },
            cancel: with.control,
            observer: &mut observer,
        };
        let stop = if folder.join(CONFIG_FILE).exists() {
            // The run names programs: only those of our own table are started.
            if read_config(folder)? != config {
                return Err(ReproduceError::Damaged {
                    path: folder.join(CONFIG_FILE),
                    reason: "it is another run than this step's".to_owned(),
                }
                .into());
            }
            pipeline.resume(folder, &Changes::default())?
        } else {
            pipeline.begin(folder, &config)?
        };
        Ok(stop == StopReason::Finished)
    }
}
