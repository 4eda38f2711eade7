//! Something to see at once: a finished tuning run, a match and a case base inside the program, for a page that is opened
//! before anything was done. `cargo xtask examples` makes them.
//!
//! They are written once into a folder of their own, apart from the user's runs. What is deleted there stays deleted until a
//! program with other examples comes.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use flate2::read::GzDecoder;

/// Where each goes, and what it is, packed.
const FILES: [(&str, &[u8]); 4] = [
    (
        "piece-values/config.toml",
        include_bytes!("../data/examples/piece-values/config.toml.gz"),
    ),
    (
        "piece-values/games.db",
        include_bytes!("../data/examples/piece-values/games.db.gz"),
    ),
    (
        "match-tuned-start.db",
        include_bytes!("../data/examples/match-tuned-start.db.gz"),
    ),
    (CASES, include_bytes!("../data/examples/engine.cases.gz")),
];

/// The case base: moves of the engine itself.
const CASES: &str = "engine.cases";
/// Says which examples were written; its name begins with a point, so that nobody takes it for a run.
const WRITTEN: &str = ".written";

/// Writes them into a folder unless that was done before; the case base, if it is there.
pub(crate) fn unpack(folder: &Path) -> anyhow::Result<Option<PathBuf>> {
    let written = folder.join(WRITTEN);
    let fingerprint = fingerprint();
    if !std::fs::read_to_string(&written).is_ok_and(|known| known == fingerprint) {
        for (name, packed) in FILES {
            write(&folder.join(name), packed)?;
        }
        vidmar_files::write(&written, fingerprint).with_context(|| written.display().to_string())?;
    }
    let cases = folder.join(CASES);
    Ok(cases.is_file().then_some(cases))
}

fn write(path: &Path, packed: &[u8]) -> anyhow::Result<()> {
    let place = || path.display().to_string();
    let mut contents = Vec::new();
    GzDecoder::new(packed)
        .read_to_end(&mut contents)
        .with_context(place)?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(place)?;
    }
    vidmar_files::write(path, contents).with_context(place)
}

/// What tells these examples from others: the checksums that end the packed files.
fn fingerprint() -> String {
    let ends = FILES.iter().filter_map(|(_, packed)| packed.last_chunk());
    let sums: Vec<String> = ends.map(|end| u64::from_le_bytes(*end).to_string()).collect();
    sums.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_small_and_what_was_deleted_stays_so() {
        let packed: usize = FILES.iter().map(|(_, packed)| packed.len()).sum();
        assert!(packed < 800_000, "{packed} bytes");
        let folder = tempfile::tempdir().expect("a folder");
        let cases = unpack(folder.path()).expect("unpacked").expect("a case base");
        assert!(vidmar_cases::read(&cases).is_ok());
        std::fs::remove_file(&cases).expect("it was there");
        assert_eq!(unpack(folder.path()).expect("nothing to do"), None);
        // Other examples than those that were written are all written again.
        std::fs::write(folder.path().join(WRITTEN), "older ones").expect("written");
        assert_eq!(unpack(folder.path()).expect("unpacked"), Some(cases));
    }
}
