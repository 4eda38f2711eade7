//! What experiments need and the program does not bring along: test suites, games of experts, engines.

use std::fmt;
use std::path::{Path, PathBuf};

/// A folder of data that the user has.
#[derive(Clone, Debug, Default)]
pub struct Data {
    folder: Option<PathBuf>,
}

/// The variable that names the folder where no argument does.
pub const VARIABLE: &str = "VIDMAR_DATA";

/// A file or folder below [`Data`], and where it can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needed {
    /// Its path in the folder.
    pub path: &'static str,
    /// What it is.
    pub what: &'static str,
    /// Where to get it.
    pub origin: &'static str,
}

/// What is not here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing(String);

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Data {
    /// What is in a folder; without one, in the folder that [`VARIABLE`] names.
    pub fn new(folder: Option<PathBuf>) -> Data {
        Data {
            folder: folder.or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from)),
        }
    }

    /// Where a file is, or why it is not there.
    pub fn find(&self, needed: &Needed) -> Result<PathBuf, Missing> {
        let Needed { path, what, origin } = needed;
        let Some(folder) = &self.folder else {
            return Err(Missing(format!(
                "{what}: give --data DIR or set {VARIABLE}, with {path} in it ({origin})"
            )));
        };
        let file = folder.join(path);
        if file.exists() {
            Ok(file)
        } else {
            Err(Missing(format!(
                "{what}: there is no {} ({origin})",
                file.display()
            )))
        }
    }
}

/// Whether a program is on the search path; otherwise, what is missing.
pub(crate) fn program(name: &str, package: &str) -> Result<(), Missing> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |folder: PathBuf| is_file(&folder.join(name));
    if is_file(Path::new(name)) && name.contains('/') || std::env::split_paths(&path).any(is_there) {
        return Ok(());
    }
    Err(Missing(format!(
        "the program {name} is not on the search path (Debian: apt-get install {package}; its engines are in /usr/games)"
    )))
}

fn is_file(path: &Path) -> bool {
    path.with_extension(std::env::consts::EXE_EXTENSION).is_file() || path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said_with_where_to_get_it() {
        let needed = Needed {
            path: "epd/none.epd",
            what: "No suite",
            origin: "nowhere",
        };
        let folder = tempfile::tempdir().expect("a folder");
        let data = Data::new(Some(folder.path().to_owned()));
        let missing = data.find(&needed).expect_err("it is not there").to_string();
        assert!(
            missing.contains("none.epd") && missing.contains("nowhere"),
            "{missing}"
        );
        std::fs::create_dir(folder.path().join("epd")).expect("a folder");
        std::fs::write(folder.path().join("epd/none.epd"), "").expect("a file");
        assert!(data.find(&needed).is_ok());
        let engine = program("no-such-engine-here", "none").expect_err("it is not there");
        assert!(engine.to_string().contains("no-such-engine-here"), "{engine}");
    }
}
