//! `conf=NAME`: an engine of the file `engines.json` that Cute Chess keeps, as words of `-engine`.
//!
//! The file is a list of objects. Read are `name`, `command`, `workingDirectory`, `protocol`, `initStrings`, `restart`, and of
//! `options` the names and values; what else it holds is of the program that wrote it (variants, claims, the file for errors). It is
//! looked for in the current folder, then where Cute Chess keeps it. A store keeps the words that came of it, so that a match goes on
//! the same way whatever becomes of the file.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use serde::Deserialize;
use serde_json::Value;
use vidmar_text::nearest;

const FILE: &str = "engines.json";

/// An engine as the file has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Configured {
    name: String,
    command: String,
    #[serde(default)]
    working_directory: String,
    #[serde(default)]
    protocol: String,
    #[serde(default)]
    init_strings: Vec<String>,
    #[serde(default)]
    restart: String,
    #[serde(default)]
    whitepov: bool,
    #[serde(default)]
    ponder: bool,
    #[serde(default)]
    options: Vec<ConfiguredOption>,
}

#[derive(Deserialize)]
struct ConfiguredOption {
    name: String,
    #[serde(default)]
    value: Value,
}

/// The words that say the same of an engine as its entry.
pub(super) fn words(name: &str) -> anyhow::Result<Vec<String>> {
    let file = find()?;
    let shown = file.display();
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {shown}"))?;
    words_in(&text, name).with_context(|| shown.to_string())
}

fn words_in(text: &str, name: &str) -> anyhow::Result<Vec<String>> {
    let engines: Vec<Configured> = serde_json::from_str(text)?;
    let found = engines.iter().find(|engine| engine.name == name);
    let engine = found.ok_or_else(|| {
        let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
        match nearest(name, names.iter().copied()) {
            Some(near) => anyhow!("there is no engine '{name}'; did you mean '{near}'?"),
            None => anyhow!("there is no engine '{name}'; there are {}", names.join(", ")),
        }
    })?;
    engine.words().with_context(|| format!("engine '{name}'"))
}

impl Configured {
    fn words(&self) -> anyhow::Result<Vec<String>> {
        if self.whitepov {
            bail!("whitepov: scores from White's side are not supported");
        }
        if self.ponder {
            bail!("ponder: thinking on the opponent's time is not supported");
        }
        let mut words = vec![format!("name={}", self.name)];
        words.extend(self.command_words()?);
        let given = [
            ("dir", &self.working_directory),
            ("proto", &self.protocol),
            ("restart", &self.restart),
        ];
        let given = given.iter().filter(|(_, value)| !value.is_empty());
        words.extend(given.map(|(key, value)| format!("{key}={value}")));
        words.extend(self.init_strings.iter().map(|line| format!("initstr={line}")));
        for option in &self.options {
            let value = match &option.value {
                // A button: nobody wants it pressed at every start.
                Value::Null => continue,
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            words.push(format!("option.{}={value}", option.name));
        }
        Ok(words)
    }

    /// The program, and its arguments where the command has any.
    fn command_words(&self) -> anyhow::Result<Vec<String>> {
        let command = self.command.trim();
        let in_its_folder = Path::new(&self.working_directory).join(command);
        if Path::new(command).is_file() || in_its_folder.is_file() {
            return Ok(vec![format!("cmd={command}")]);
        }
        let mut parts = vidmar_text::quoted_words(command)?.into_iter();
        let program = parts.next().context("its command is empty")?;
        let arguments = parts.map(|word| format!("arg={word}"));
        Ok(std::iter::once(format!("cmd={program}"))
            .chain(arguments)
            .collect())
    }
}

/// In the current folder, or else where Cute Chess keeps it.
fn find() -> anyhow::Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let settings = if cfg!(windows) {
        variable("APPDATA").map(PathBuf::from)
    } else {
        let home = || variable("HOME").map(|home| Path::new(&home).join(".config"));
        variable("XDG_CONFIG_HOME").map(PathBuf::from).or_else(home)
    };
    let kept = settings.map(|folder| folder.join("cutechess").join(FILE));
    let mut places = std::iter::once(PathBuf::from(FILE)).chain(kept);
    let tried: Vec<String> = places.clone().map(|path| path.display().to_string()).collect();
    places
        .find(|path| path.is_file())
        .with_context(|| format!("there is no file of engines: neither {}", tried.join(" nor ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_words() {
        let text = r#"[
            {"name": "other", "command": "x", "protocol": "uci", "stderrFile": ""},
            {"name": "Crafty 25", "command": "/opt/my crafty/crafty", "workingDirectory": "/opt", "protocol": "xboard",
             "initStrings": ["log off", "ponder off"], "restart": "on", "variants": ["standard"],
             "options": [{"name": "Hash", "type": "spin", "value": 64, "default": 16, "min": 1, "max": 1024},
                         {"name": "Own Book", "type": "check", "value": false},
                         {"name": "Clear Hash", "type": "button"},
                         {"name": "Style", "type": "combo", "value": "Solid", "choices": ["Solid"]}]},
            {"name": "args", "command": "'/opt/a b' -uci \"two words\""}
        ]"#;
        assert_eq!(
            words_in(text, "other").unwrap(),
            ["name=other", "cmd=x", "proto=uci"]
        );
        assert_eq!(
            words_in(text, "args").unwrap(),
            ["name=args", "cmd=/opt/a b", "arg=-uci", "arg=two words"]
        );
        let crafty = words_in(text, "Crafty 25").unwrap();
        assert_eq!(
            crafty[3..],
            [
                "dir=/opt",
                "proto=xboard",
                "restart=on",
                "initstr=log off",
                "initstr=ponder off",
                "option.Hash=64",
                "option.Own Book=false",
                "option.Style=Solid"
            ]
        );
        let error = format!("{:#}", words_in(text, "othr").unwrap_err());
        assert_eq!(error, "there is no engine 'othr'; did you mean 'other'?");
        assert!(words_in("{}", "x").is_err());
        let ponders = r#"[{"name": "a", "command": "b", "ponder": true}]"#;
        assert!(format!("{:#}", words_in(ponders, "a").unwrap_err()).contains("ponder"));
    }
}
