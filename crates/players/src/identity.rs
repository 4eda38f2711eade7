//! What a player is beyond its specification: the bits that it is made of.
//!
//! A specification names a program, a book, a case base by a path, and a path may lead to something else tomorrow. Whoever
//! writes down a run writes down identities with it, and compares them before the run goes on: games of two engines under one
//! name are worth nothing. A built-in player is known by the bench signature of this program.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use vidmar_engine::bench;
use vidmar_engine::settings::Value;
use vidmar_text::quoted_words;

use crate::fault::Fault;
use crate::spec::PlayerSpec;

/// What a player is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// What it calls itself.
    pub name: String,
    /// The bench signature of this program, for a built-in player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<u64>,
    /// The program, and every file that it is given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileIdentity>,
    /// The options that a program offers, in its own words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileIdentity {
    /// Where it was found.
    pub path: PathBuf,
    /// Its bytes.
    pub size: u64,
    /// The SHA-256 of them.
    pub sha256: String,
}

/// What is different about a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It calls itself something else.
    Name {
        /// What it was called.
        before: String,
        /// What it is called now.
        now: String,
    },
    /// This program plays otherwise.
    Signature {
        /// The bench signature of the program that played.
        before: Option<u64>,
        /// That of this one.
        now: Option<u64>,
    },
    /// A file has other contents.
    File {
        /// What it was.
        before: FileIdentity,
        /// What it is.
        now: FileIdentity,
    },
    /// It is made of more files, or of fewer.
    Files {
        /// How many.
        before: usize,
        /// How many now.
        now: usize,
    },
    /// An option that it does not offer any more, or not with this range.
    OptionGone(String),
    /// An option that it did not offer.
    OptionNew(String),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signature = |known: &Option<u64>| known.map_or("none".to_owned(), |nodes| nodes.to_string());
        match self {
            Change::Name { before, now } => write!(f, "it calls itself '{now}', and '{before}' before"),
            Change::Signature { before, now } => {
                let (before, now) = (signature(before), signature(now));
                write!(
                    f,
                    "this program has the bench signature {now}, the one that played {before}"
                )
            }
            Change::File { before, now } => write!(
                f,
                "{} has other contents: {} bytes, SHA-256 {}…; before {} bytes, {}…",
                now.path.display(),
                now.size,
                excerpt(&now.sha256),
                before.size,
                excerpt(&before.sha256)
            ),
            Change::Files { before, now } => write!(f, "it is made of {now} files, and of {before} before"),
            Change::OptionGone(option) => write!(f, "it does not offer this any more: {option}"),
            Change::OptionNew(option) => write!(f, "it offers what it did not: {option}"),
        }
    }
}

fn excerpt(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

impl Identity {
    /// What is different now. Where the files lie does not matter.
    pub fn changes(&self, now: &Identity) -> Vec<Change> {
        let mut changes = Vec::new();
        if self.name != now.name {
            changes.push(Change::Name {
                before: self.name.clone(),
                now: now.name.clone(),
            });
        }
        if self.signature != now.signature {
            changes.push(Change::Signature {
                before: self.signature,
                now: now.signature,
            });
        }
        if self.files.len() != now.files.len() {
            changes.push(Change::Files {
                before: self.files.len(),
                now: now.files.len(),
            });
        }
        for (before, now) in self.files.iter().zip(&now.files) {
            if before.sha256 != now.sha256 {
                let (before, now) = (before.clone(), now.clone());
                changes.push(Change::File { before, now });
            }
        }
        let missing = |of: &Identity, from: &Identity| {
            let missing = of.options.iter().filter(|option| !from.options.contains(option));
            missing.cloned().collect::<Vec<String>>()
        };
        changes.extend(missing(self, now).into_iter().map(Change::OptionGone));
        changes.extend(missing(now, self).into_iter().map(Change::OptionNew));
        changes
    }
}

impl FileIdentity {
    /// Reads a file to its end.
    pub fn of(path: &Path) -> io::Result<FileIdentity> {
        let mut file = File::open(path)?;
        let (mut hash, mut size, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 16]);
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                read => {
                    hash.update(&buffer[..read]);
                    size += read as u64;
                }
            }
        }
        Ok(FileIdentity {
            path: path.to_owned(),
            size,
            sha256: format!("{:x}", hash.finalize()),
        })
    }
}

impl PlayerSpec {
    /// Makes the player once, so that what cannot be started is found here, and says what it is.
    pub fn identity(&self) -> Result<Identity, Fault> {
        let introduction = self.player()?.introduction();
        Ok(Identity {
            name: introduction.name,
            signature: (!self.player_type().is_program()).then_some(bench::SIGNATURE),
            files: self
                .files()
                .iter()
                .filter_map(|path| FileIdentity::of(path).ok())
                .collect(),
            options: introduction.options,
        })
    }

    /// The file of the program, if it is one and is there.
    pub fn program_file(&self) -> Option<PathBuf> {
        let command = self.chosen("cmd").filter(|_| self.player_type().is_program())?;
        program(Path::new(command.as_text()?))
    }

    /// The program and every file that it is given, in the order of the specification.
    fn files(&self) -> Vec<PathBuf> {
        let folder = self.chosen("dir").and_then(Value::as_text).map(PathBuf::from);
        let given = |word: &str| {
            let path = Path::new(word);
            let inside = folder.as_ref().map(|folder| folder.join(path));
            inside
                .into_iter()
                .chain([path.to_owned()])
                .find(|path| path.is_file())
        };
        let is_program = self.player_type().is_program();
        let mut files = Vec::new();
        for (key, value) in self.settings() {
            let text = value.as_text().unwrap_or_default();
            match key {
                "name" => {}
                "cmd" if is_program => files.extend(program(Path::new(text))),
                "args" if is_program => {
                    let words = quoted_words(text).unwrap_or_default();
                    files.extend(words.iter().filter_map(|word| given(word)));
                }
                _ => files.extend(given(text)),
            }
        }
        files
    }
}

/// The file that the system starts by this name.
fn program(name: &Path) -> Option<PathBuf> {
    if name.components().count() > 1 {
        return name.is_file().then(|| name.to_owned());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_a_player_is_given_are_part_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let vector = folder.path().join("vector.txt");
        std::fs::write(&vector, "PawnValueOpening=90\n").unwrap();
        let spec: PlayerSpec = format!("engine:hash=1,eval={}", vector.display())
            .parse()
            .unwrap();
        let before = spec.identity().unwrap();
        assert_eq!(before.signature, Some(bench::SIGNATURE));
        assert_eq!(before.files.len(), 1);
        assert_eq!(before.changes(&spec.identity().unwrap()), []);
        std::fs::write(&vector, "PawnValueOpening=91\n").unwrap();
        let now = spec.identity().unwrap();
        assert!(matches!(&before.changes(&now)[..], [Change::File { .. }]));
        let kept: Identity = serde_json::from_str(&serde_json::to_string(&before).unwrap()).unwrap();
        assert_eq!(kept, before);
    }

    #[test]
    fn a_net_is_part_of_the_player_that_is_given_it() {
        let folder = tempfile::tempdir().unwrap();
        let net = folder.path().join("round 1.net");
        let random = |seed| {
            vidmar_net::Network::random(
                vidmar_net::Kings::PLAIN,
                32,
                1,
                &mut vidmar_rng::Rng::from_seed(seed),
            )
            .unwrap()
        };
        std::fs::write(&net, random(1).to_bytes()).unwrap();
        let spec: PlayerSpec = format!("engine:hash=1,eval={}", net.display()).parse().unwrap();
        let before = spec.identity().unwrap();
        assert_eq!(before.files.len(), 1);
        assert_eq!(before.files[0].path, net);
        std::fs::write(&net, random(2).to_bytes()).unwrap();
        assert!(matches!(
            &before.changes(&spec.identity().unwrap())[..],
            [Change::File { .. }]
        ));
        std::fs::write(&net, &random(2).to_bytes()[..999]).unwrap();
        let fault = spec.identity().unwrap_err().to_string();
        assert!(fault.contains("a truncated net: 999 bytes of"), "{fault}");
    }

    #[test]
    fn every_difference_is_named() {
        let file = |sha256: &str| FileIdentity {
            path: "net".into(),
            size: 3,
            sha256: sha256.to_owned(),
        };
        let before = Identity {
            name: "A 1".to_owned(),
            signature: Some(1),
            files: vec![file("00"), file("01")],
            options: vec!["name Hash type spin default 16 min 1 max 64".to_owned()],
        };
        let now = Identity {
            name: "A 2".to_owned(),
            signature: None,
            files: vec![file("02")],
            options: vec!["name Hash type spin default 16 min 1 max 128".to_owned()],
        };
        let changes: Vec<String> = before.changes(&now).iter().map(ToString::to_string).collect();
        assert_eq!(
            changes,
            [
                "it calls itself 'A 2', and 'A 1' before",
                "this program has the bench signature none, the one that played 1",
                "it is made of 1 files, and of 2 before",
                "net has other contents: 3 bytes, SHA-256 02…; before 3 bytes, 00…",
                "it does not offer this any more: name Hash type spin default 16 min 1 max 64",
                "it offers what it did not: name Hash type spin default 16 min 1 max 128",
            ]
        );
    }

    /// The digest of the standard's own example (FIPS 180-2).
    #[test]
    fn digests_are_those_of_the_standard() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "abc").unwrap();
        let found = FileIdentity::of(file.path()).unwrap();
        assert_eq!(found.size, 3);
        assert_eq!(
            found.sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
