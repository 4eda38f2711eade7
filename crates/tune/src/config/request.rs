//! What somebody asks for when a run is to begin: a preset, a file over it, and a few changes.

use std::path::{Path, PathBuf};

use super::{Config, ConfigError, PRESETS, limits, overlay};
use crate::parameter_list::{ListError, ParameterList};
use crate::run::CONFIG_FILE;

/// A configuration in a few words.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A preset; the first one, or `narrow` below a file, if nothing is said.
    pub preset: Option<String>,
    /// A list of parameters in another tuner's form, below the configuration file.
    pub parameters: Option<PathBuf>,
    /// A configuration file: what it leaves out is as in the preset.
    pub file: Option<PathBuf>,
    /// Changes, `KEY=VALUE` each.
    pub sets: Vec<String>,
    /// Where tuning starts: a named vector, a parameter file, or `middle`.
    pub start: Option<String>,
    /// Of everything random.
    pub seed: Option<u64>,
    /// Multiplies generations and games of the validation match.
    pub scale: Option<f64>,
}

fn read(path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|error| ConfigError::File {
        origin: path.display().to_string(),
        fault: error.to_string(),
    })
}

impl Request {
    /// The whole configuration.
    pub fn config(&self) -> Result<Config, ConfigError> {
        let text = self.file.as_deref().map(read).transpose()?;
        let file = self.file.as_deref().zip(text.as_deref());
        let list = self.list()?;
        let mut config = overlay::read(self.preset.as_deref(), list.as_ref(), file, &self.sets)?;
        if list.is_some() {
            config = config.without_unused_gains();
        }
        config.seed = self.seed.unwrap_or(config.seed);
        if let Some(start) = &self.start {
            config.parameters.start.clone_from(start);
        }
        if let Some(factor) = self.scale {
            config = config.scaled(factor);
            limits::check(&overlay::as_table(&config), &format!("--scale {factor}"))?;
        }
        Ok(config)
    }

    /// The parameters that are listed in another tuner's form.
    pub fn list(&self) -> Result<Option<ParameterList>, ConfigError> {
        let list = |path: &PathBuf| {
            read(path)?.parse().map_err(|fault: ListError| ConfigError::File {
                origin: path.display().to_string(),
                fault: fault.to_string(),
            })
        };
        self.parameters.as_ref().map(list).transpose()
    }

    /// The first of `tune-PRESET`, `tune-PRESET-2`, … in a folder that holds no run yet; none where ten thousand do.
    pub fn free_directory(&self, within: &Path) -> Option<PathBuf> {
        let file = self.file.as_deref().or(self.parameters.as_deref());
        let of_file = || file.and_then(Path::file_stem)?.to_str();
        let name = self.preset.as_deref().or_else(of_file).unwrap_or(PRESETS[0].name);
        let names = (1..10_000).map(|n| match n {
            1 => format!("tune-{name}"),
            n => format!("tune-{name}-{n}"),
        });
        names
            .map(|name| within.join(name))
            .find(|path| !path.join(CONFIG_FILE).exists())
    }
}
