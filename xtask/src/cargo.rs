//! Starting Cargo and other programs in the root of the repository.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, Result, ensure};

/// The root of the repository: of the checkout that Cargo was called in, which need not be the one that this program was compiled
/// in where several share a target folder.
pub(crate) fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let package = package.filter(|package| package.ends_with("xtask"));
        let mut root = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        root.pop();
        root
    })
}

/// A folder for builds with other flags, beside the ordinary ones, so that neither evicts the other.
pub(crate) fn target_dir(name: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    root().join(target).join(name)
}

/// The Cargo that started this program.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = command(cargo);
    command.args(arguments);
    // What it has told us about our own package is none of a build's business. `ring` is built again when it changes, and all
    // that uses it: `cargo run` and `cargo xtask play` would compile for minutes by turns.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    // What incremental compilation writes down helps only whoever compiles again.
    if std::env::var_os("CI").is_some() && std::env::var_os("CARGO_INCREMENTAL").is_none() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Any program, started in the root of the repository.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// Runs a command to its end; it fails unless the command succeeds.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    ensure!(status.success(), "{} ended with {status}", shown(command));
    Ok(())
}

/// Whether a command can be started and succeeds; its output is thrown away.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// A command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_is_not_told_about_our_own_package() {
        for name in ["CARGO_PKG_NAME", "CARGO_MANIFEST_DIR"] {
            assert!(std::env::var_os(name).is_some(), "{name} is what Cargo sets");
            let command = cargo(&["build"]);
            let mut changes = command.get_envs();
            assert!(changes.any(|change| change == (name.as_ref(), None)), "{name}");
        }
    }
}
