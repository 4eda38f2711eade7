//! The files that a configuration names, and how a run finds them again.
//!
//! Paths in a configuration file are seen from the file's folder, those of the command line from the current one. A run is
//! resumed from any folder, and its directory may be moved. So files are kept with their whole paths, but those that lie in
//! the chain of runs to which the run belongs (the vector it starts from, the games before it) as seen from its own directory.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use toml::{Table, Value};
use vidmar_engine::settings::Kind;
use vidmar_eval::Vector;
use vidmar_players::PlayerType;

use super::{Config, overlay};
use crate::objective::ObjectiveKind;
use crate::run::{CONFIG_FILE, STORE_FILE};

/// What a setting's words may be besides a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Words {
    /// Nothing.
    Path,
    /// A named vector, or `middle`.
    Vector,
    /// A program that is looked up in `PATH`.
    Program,
    /// A program and its arguments, which are its own business.
    CommandLine,
    /// Several paths, as in `PATH`; or `none` or `built-in`.
    Folders,
    /// A player specification, whose settings may name files.
    Player,
}

/// All settings that may name files, but for the objective's, which say so themselves.
const FILES: [(&str, &str, Words); 8] = [
    ("parameters", "base", Words::Vector),
    ("parameters", "start", Words::Vector),
    ("parameters", "origin", Words::Vector),
    ("openings", "file", Words::Path),
    ("engine", "command", Words::CommandLine),
    ("engine", "player", Words::Player),
    ("rules", "tablebases", Words::Folders),
    ("objective", "opponents", Words::Player),
];

impl Config {
    /// With whole paths of the files that are there, its stages too: it means the same in every folder.
    pub fn anchored(&self) -> Config {
        self.with_files(&|path| std::path::absolute(path).ok().filter(|whole| whole.exists()))
    }

    /// As it is written into `directory`.
    pub(crate) fn as_kept_in(&self, directory: &Path) -> Config {
        let Some(chain) = Chain::of(directory) else {
            return self.anchored();
        };
        self.anchored().with_files(&|path| chain.seen_from_within(path))
    }

    /// The files that a run reads for itself: openings, positions, vectors. Those of its engines are theirs.
    pub(crate) fn own_files(&self) -> Vec<PathBuf> {
        let mut table = overlay::as_table(self);
        for (section, key) in [
            ("gauntlet", "references"),
            ("objective", "opponents"),
            ("engine", "command"),
        ] {
            if let Some(section) = table.get_mut(section).and_then(Value::as_table_mut) {
                section.remove(key);
            }
        }
        let found = RefCell::new(BTreeSet::new());
        rename(&mut table, &|path| {
            found.borrow_mut().insert(path.to_owned());
            None
        });
        found
            .into_inner()
            .into_iter()
            .filter(|path| path.is_file())
            .collect()
    }

    /// Every path for which there is another one, by that.
    fn with_files(&self, other: &dyn Fn(&Path) -> Option<PathBuf>) -> Config {
        let mut table = overlay::as_table(self);
        rename_all(&mut table, other);
        // Words became other words in the same places.
        table.try_into().unwrap_or_else(|_| self.clone())
    }
}

/// The paths of a configuration file in that folder, as seen from here.
pub(super) fn resolve(table: &mut Table, folder: &Path) {
    rename_all(table, &|path| path.is_relative().then(|| folder.join(path)));
}

/// Every path of a configuration and its stages for which there is another one, by that.
fn rename_all(table: &mut Table, other: &dyn Fn(&Path) -> Option<PathBuf>) {
    rename(table, other);
    let stages = table.get_mut("then").and_then(Value::as_array_mut);
    for stage in stages.into_iter().flatten() {
        if let Some(change) = stage.get_mut("change").and_then(Value::as_table_mut) {
            rename(change, other);
        }
    }
}

fn rename(table: &mut Table, other: &dyn Fn(&Path) -> Option<PathBuf>) {
    let gauntlet = table
        .get_mut("gauntlet")
        .and_then(|gauntlet| gauntlet.get_mut("references"));
    for reference in gauntlet.and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(player) = reference.get_mut("player") {
            rename_value(player, Words::Player, other);
        }
    }
    if let Some(earlier) = table.get_mut("earlier") {
        rename_value(earlier, Words::Path, other);
    }
    let settings = ObjectiveKind::ALL.iter().flat_map(|kind| kind.settings());
    let paths = settings.filter(|setting| setting.is_path);
    let of_objectives = paths.map(|setting| ("objective", setting.key, Words::Path));
    let all: BTreeSet<_> = FILES.into_iter().chain(of_objectives).collect();
    for (section, key, words) in all {
        if let Some(value) = table.get_mut(section).and_then(|section| section.get_mut(key)) {
            rename_value(value, words, other);
        }
    }
}

fn rename_value(value: &mut Value, words: Words, other: &dyn Fn(&Path) -> Option<PathBuf>) {
    match value {
        Value::String(text) => rename_text(text, words, other),
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| rename_value(value, words, other)),
        _ => {}
    }
}

/// The settings of a player that are paths or vectors. The text is not read as a specification yet: files of vectors are looked
/// for when it is, and would be looked for here.
fn rename_player(text: &mut String, other: &dyn Fn(&Path) -> Option<PathBuf>) {
    let Some((kind, settings)) = text.split_once(':') else {
        return;
    };
    let Ok(player) = PlayerType::find(kind) else {
        return;
    };
    let renamed = |part: &str| {
        let (key, value) = part.split_once('=')?;
        let words = match player.setting(key).map(|row| &row.kind)? {
            Kind::Path if key == "cmd" => Words::Program,
            Kind::Path => Words::Path,
            Kind::Vector { .. } => Words::Vector,
            _ => return None,
        };
        let mut value = value.to_owned();
        rename_text(&mut value, words, other);
        Some(format!("{key}={value}"))
    };
    let parts: Vec<String> = settings
        .split(',')
        .map(|part| renamed(part).unwrap_or_else(|| part.to_owned()))
        .collect();
    *text = format!("{kind}:{}", parts.join(","));
}

/// A path that is not text cannot be written into a configuration: the text then stays.
fn rename_text(text: &mut String, words: Words, other: &dyn Fn(&Path) -> Option<PathBuf>) {
    let named = match words {
        Words::Player => return rename_player(text, other),
        Words::CommandLine => {
            let end = text.find(char::is_whitespace).unwrap_or(text.len());
            let mut program = text[..end].to_owned();
            rename_text(&mut program, Words::Program, other);
            text.replace_range(..end, &program);
            return;
        }
        Words::Path => false,
        // A misspelt name is no path.
        Words::Vector => {
            let found = || other(Path::new(text)).is_some_and(|path| path.exists());
            text == "middle" || Vector::named(text).is_ok() || !(text.contains(['/', '\\', '.']) || found())
        }
        Words::Program => Path::new(text).components().count() < 2,
        Words::Folders => text == "none" || text == "built-in",
    };
    if named || text.is_empty() {
        return;
    }
    let renamed = if words == Words::Folders {
        let folders = std::env::split_paths(text).map(|folder| other(&folder).unwrap_or(folder));
        std::env::join_paths(folders).ok()
    } else {
        other(Path::new(text)).map(PathBuf::into_os_string)
    };
    if let Some(renamed) = renamed.and_then(|renamed| renamed.into_string().ok()) {
        *text = renamed;
    }
}

/// The runs inside whose directories another one lies.
struct Chain {
    /// The directory of the first, without links.
    first: PathBuf,
    /// Where the run is in it.
    below: PathBuf,
}

impl Chain {
    fn of(directory: &Path) -> Option<Chain> {
        let whole = std::path::absolute(directory).ok()?;
        let is_run = |directory: &&Path| {
            [CONFIG_FILE, STORE_FILE]
                .iter()
                .all(|file| directory.join(file).exists())
        };
        let first = whole.ancestors().skip(1).take_while(is_run).last()?;
        Some(Chain {
            first: first.canonicalize().ok()?,
            below: whole.strip_prefix(first).ok()?.to_owned(),
        })
    }

    fn seen_from_within(&self, path: &Path) -> Option<PathBuf> {
        let whole = path.canonicalize().ok()?;
        let inside = whole.strip_prefix(&self.first).ok()?;
        let pairs = inside.components().zip(self.below.components());
        let shared = pairs.take_while(|(a, b)| a == b).count();
        let up = self.below.components().skip(shared).map(|_| Component::ParentDir);
        Some(up.chain(inside.components().skip(shared)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::{ObjectiveSettings, texel};

    #[test]
    fn files_are_whole_names_stay_and_what_is_not_there_is_left_to_the_checks() {
        let mut config = Config::of_preset("narrow").unwrap();
        config.parameters.start = "Cargo.toml".into();
        let learning = |games_of: PathBuf| {
            ObjectiveSettings::Texel(texel::Settings {
                file: Some("no/such/file".into()),
                games_of: vec![games_of],
                ..texel::Settings::default()
            })
        };
        config.objective = learning("src".into());
        config.earlier = vec!["src".into()];
        config.rules.tablebases = "src:no/such/folder".into();
        config.engine.command = "stockfish".into();
        let stage = "[openings]\nfile = 'src/lib.rs'\n[parameters]\nstart = 'guess'"
            .parse()
            .unwrap();
        config.then = vec![super::super::Stage {
            name: "again".into(),
            change: stage,
        }];
        let anchored = config.anchored();
        let here = std::env::current_dir().unwrap();
        let whole = |path: &str| here.join(path).to_str().unwrap().to_owned();
        assert_eq!(anchored.parameters.start, whole("Cargo.toml"));
        assert_eq!(anchored.parameters.base, "guess");
        assert_eq!(anchored.objective, learning(here.join("src")));
        assert_eq!(anchored.earlier, [here.join("src")]);
        assert_eq!(anchored.rules.tablebases, whole("src") + ":no/such/folder");
        assert_eq!(anchored.engine.command, "stockfish");
        let change = &anchored.then[0].change;
        assert_eq!(change["openings"]["file"].as_str(), Some(&*whole("src/lib.rs")));
        assert_eq!(change["parameters"]["start"].as_str(), Some("guess"));
        assert_eq!(anchored.anchored(), anchored);
    }

    #[test]
    fn paths_of_a_file_are_seen_from_its_folder_and_others_from_here() {
        let text = r#"
            [parameters]
            start = "mine.txt"
            base = "guess"
            [openings]
            source = "file"
            file = "lines/short.epd"
            [engine]
            command = "stockfish"
            [rules]
            tablebases = "syzygy:/whole/path"
            [objective]
            kind = "opponents"
            opponents = ["start", "uci:cmd=./bin/engine,option.Hash=16", "uci:cmd=stockfish", "engine:eval=other.txt,depth=1"]
            [[gauntlet.references]]
            elo = 2000
            player = "uci:cmd=./bin/engine"
            [[then]]
            name = "again"
            change = { objective = { kind = "texel", games_of = ["before"] } }
        "#;
        let set = ["rules.tablebases=here".to_owned()];
        let read =
            |sets: &[String]| Config::read(None, Some((Path::new("/there/my.toml"), text)), sets).unwrap();
        let config = read(&[]);
        assert_eq!(
            (&*config.parameters.start, &*config.parameters.base),
            ("/there/mine.txt", "guess")
        );
        assert_eq!(
            config.openings.file.as_deref(),
            Some(Path::new("/there/lines/short.epd"))
        );
        assert_eq!(
            (&*config.engine.command, &*config.rules.tablebases),
            ("stockfish", "/there/syzygy:/whole/path")
        );
        let ObjectiveSettings::Opponents(objective) = &config.objective else {
            panic!("{:?}", config.objective)
        };
        let opponents = [
            "start",
            "uci:cmd=/there/./bin/engine,option.Hash=16",
            "uci:cmd=stockfish",
            "engine:eval=/there/other.txt,depth=1",
        ];
        assert_eq!(objective.opponents, opponents);
        assert_eq!(
            config.gauntlet.references[0].player,
            "uci:cmd=/there/./bin/engine"
        );
        let games_of = &config.then[0].change["objective"]["games_of"];
        assert_eq!(games_of[0].as_str(), Some("/there/before"));
        let player = "[engine]\nplayer = 'search:eval=full,vector=weights/mine.txt,ordering=table,killers'";
        let config = Config::read(None, Some((Path::new("/there/my.toml"), player)), &[]).unwrap();
        assert_eq!(
            config.engine.player,
            "search:eval=full,vector=/there/weights/mine.txt,ordering=table,killers"
        );
        assert_eq!(
            read(&set).rules.tablebases,
            "here",
            "the command line's are seen from here"
        );
    }
}
