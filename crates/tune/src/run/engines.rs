//! That a run goes on with the engines and files that it began with.
//!
//! A configuration names a program by its path, and tomorrow another program may lie there; and this program may have been
//! built anew. A vector that was tuned with one engine half of the way and with another one from then on is worth nothing, and
//! neither is its validation by a third. So the store holds what every engine of a run is (the one that is tuned, opponents,
//! references of a gauntlet), by its specification, and what the openings, positions and vectors are that the run reads
//! itself; whoever starts one of them compares. An engine that is not known yet, and
//! every one of a store from before identities were kept, is taken as it is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use vidmar_players::{Change, Fault, FileIdentity, Identity, PlayerSpec};

use super::journal::Journal;
use super::{RunError, engine_fault};
use crate::config::Config;
use crate::players::{built_in, engine_of};

/// What engines are, by specification.
pub(crate) type Identities = BTreeMap<String, Identity>;

/// What becomes of a run whose engines are not what they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChangedEngines {
    /// It does not go on.
    #[default]
    Refused,
    /// It goes on with them, and from now on they are its engines.
    Accepted,
}

/// The engine that is tuned, as the configuration has it. It is started once.
pub(super) fn tuned(config: &Config) -> Result<(String, Identity), RunError> {
    let spec = match config.engine.command.as_str() {
        "" => built_in(&config.engine).expect("checked with the configuration"),
        command => engine_of(command, &config.engine.options),
    };
    let identity = spec.identity().map_err(|fault| engine_fault(config, fault))?;
    Ok((spec.to_string(), identity))
}

/// The opponents of the objective. Each is started once: a run does not begin with one that is not there.
pub(super) fn opponents(config: &Config) -> Result<Identities, RunError> {
    let identity = |(text, spec): (String, PlayerSpec)| {
        let unusable = |fault: Fault| RunError::Opponent {
            spec: text.clone(),
            reason: fault.to_string(),
        };
        Ok((spec.to_string(), spec.identity().map_err(unusable)?))
    };
    config.objective.opponents()?.into_iter().map(identity).collect()
}

/// The files that the run reads itself, by their paths. One that cannot be read is left to whoever needs it.
pub(super) fn files(config: &Config) -> Identities {
    let identity = |path: PathBuf| {
        let files = vec![FileIdentity::of(&path).ok()?];
        let identity = Identity {
            files,
            ..Identity::default()
        };
        Some((path.display().to_string(), identity))
    };
    config.own_files().into_iter().filter_map(identity).collect()
}

/// An error that shows every difference between what the engines were and what they are.
pub(super) fn compare(directory: &Path, before: &Identities, now: &Identities) -> Result<(), RunError> {
    let changes: Vec<String> = now
        .iter()
        .filter_map(|(spec, now)| Some((spec, before.get(spec)?.changes(now))))
        .flat_map(|(spec, changes)| changes.into_iter().map(move |change| told(spec, &change)))
        .collect();
    if changes.is_empty() {
        return Ok(());
    }
    Err(RunError::ChangedEngines {
        directory: directory.to_owned(),
        changes,
    })
}

/// A file is named by what is different about it.
fn told(spec: &str, change: &Change) -> String {
    match change {
        Change::File { .. } => change.to_string(),
        _ => format!("{spec}: {change}"),
    }
}

/// Compares engines with what a run knows of them, and writes down what is new.
pub(super) fn settle(
    directory: &Path,
    journal: &mut Journal,
    now: &Identities,
    changed: ChangedEngines,
) -> Result<(), RunError> {
    let before = journal.engines()?;
    if changed == ChangedEngines::Refused {
        compare(directory, &before, now)?;
    }
    let mut known = before.clone();
    known.extend(now.clone());
    if known != before {
        journal.note_engines(&known)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{CONFIG_FILE, Run, programs};

    fn small(more: &str) -> Config {
        let text = format!("[engine]\ndepth = 1\n[optimizer]\npopulation = 5\n{more}");
        Config::read(Some("no-knowledge"), Some((Path::new("small.toml"), &text)), &[]).unwrap()
    }

    fn refused(directory: &Path) -> String {
        let error = Run::open(directory).err().expect("other engines are refused");
        assert!(matches!(error, RunError::ChangedEngines { .. }), "{error}");
        error.to_string()
    }

    /// The tuned engine and an opponent that are this program carry its signature, and a file that one of them is given counts.
    #[test]
    fn built_in_players_are_known_by_signature_and_files() {
        let folder = tempfile::tempdir().unwrap();
        let (vector, run) = (folder.path().join("vector.txt"), folder.path().join("run"));
        std::fs::write(&vector, "PawnValueOpening=90\n").unwrap();
        let opponents = format!(
            "[objective]\nkind = \"opponents\"\nopponents = [\"start\", \"engine:depth=1,eval={}\"]\n",
            vector.display()
        );
        let config = small(&opponents);
        let first = Run::create(&run, &config).unwrap();
        let mut known = first.journal().engines().unwrap();
        assert_eq!(known.len(), 2, "{known:?}");
        drop(first);
        Run::open(&run).unwrap();
        std::fs::write(&vector, "PawnValueOpening=91\n").unwrap();
        assert!(refused(&run).contains("vector.txt has other contents"));
        Run::open_with(&run, ChangedEngines::Accepted).unwrap();
        // What was accepted is the engine of the run from then on.
        let mut opened = Run::open(&run).unwrap();
        known = opened.journal().engines().unwrap();
        for identity in known.values_mut() {
            identity.signature = Some(1);
        }
        opened.journal.note_engines(&known).unwrap();
        drop(opened);
        let told = refused(&run);
        assert!(
            told.contains("engine: this program has the bench signature"),
            "{told}"
        );
        assert!(told.contains("--accept-changed-engines"), "{told}");
    }

    /// Other openings under the same name are other games.
    #[test]
    fn files_of_the_run_itself_are_known_by_their_contents() {
        let folder = tempfile::tempdir().unwrap();
        let (lines, run) = (folder.path().join("lines.epd"), folder.path().join("run"));
        let write = |clocks: std::ops::Range<usize>| {
            let line = |clock: usize| format!("4k3/8/8/8/8/8/4P3/4K3 w - - {clock} 60\n");
            std::fs::write(&lines, clocks.map(line).collect::<String>()).unwrap();
        };
        write(0..40);
        let config = small(&format!(
            "[openings]\nsource = \"file\"\nfile = \"{}\"\n",
            lines.display()
        ));
        drop(Run::create(&run, &config).unwrap());
        drop(Run::open(&run).unwrap());
        write(1..41);
        let told = refused(&run);
        assert!(told.contains("lines.epd has other contents"), "{told}");
        drop(Run::open_with(&run, ChangedEngines::Accepted).unwrap());
        Run::open(&run).unwrap();
    }

    #[test]
    fn a_run_from_before_gets_its_engines_now() {
        let folder = tempfile::tempdir().unwrap();
        let run = Run::create(folder.path(), &small("")).unwrap();
        run.journal()
            .store()
            .with_connection(|connection| {
                connection.execute("DELETE FROM checkpoint WHERE name = 'engines'", [])
            })
            .unwrap();
        assert_eq!(run.journal().engines().unwrap(), Identities::new());
        drop(run);
        let run = Run::open(folder.path()).unwrap();
        assert_eq!(run.journal().engines().unwrap().len(), 1);
    }

    /// The directory of a stage has a configuration of its own, which whoever made it may have written.
    #[test]
    fn programs_of_stages_that_were_begun_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let directory = folder.path().join(name);
            std::fs::create_dir_all(&directory).unwrap();
            std::fs::write(directory.join(CONFIG_FILE), text).unwrap();
        };
        let found =
            || programs(folder.path()).map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>());
        let stage = |name: &str| format!("[[then]]\nname = \"{name}\"\nchange = {{}}\n");
        write("", &stage("next"));
        assert_eq!(found().unwrap(), [""; 0]);
        write(
            "next",
            "[objective]\nkind = \"opponents\"\nopponents = [\"uci:cmd=touch\"]\n",
        );
        assert_eq!(found().unwrap(), ["uci:cmd=touch"]);
        for name in ["", ".", "..", "../x", "/tmp", "a/b"] {
            write("", &stage(name));
            let error = found().unwrap_err().to_string();
            assert!(error.starts_with("then.name = "), "{error}");
        }
    }
}
