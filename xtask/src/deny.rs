//! `cargo xtask deny`: what this project is made of, held against `deny.toml`: advisories, licences, banned crates, sources.
//!
//! To install cargo-deny is to compile it, which takes minutes, so it is no step of `cargo xtask test`: what a test can say of the
//! lockfile without it stands below.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::cargo::{cargo, succeeds};
use crate::programs::run_shown;

/// The version whose words `deny.toml` uses.
const VERSION: &str = "0.20.2";

/// Check advisories, licences, banned crates and sources of all dependencies (installs cargo-deny, and needs the network)
#[derive(Args)]
pub(crate) struct Deny {
    /// Only what needs no network: not the advisories
    #[arg(long)]
    offline: bool,
}

impl Deny {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if !is_here() {
            let package = format!("cargo-deny@{VERSION}");
            run_shown(cargo(&["install", "--locked", &package]))?;
        }
        check(self.offline)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn is_here() -> bool {
    succeeds(&mut cargo(&["deny", "--version"]))
}

fn check(is_offline: bool) -> Result<()> {
    let words: &[&str] = if is_offline {
        &[
            "deny",
            "--locked",
            "--offline",
            "check",
            "bans",
            "licenses",
            "sources",
        ]
    } else {
        &["deny", "--locked", "check"]
    };
    run_shown(cargo(words))
}

#[cfg(test)]
mod tests {
    use crate::cargo::root;

    /// What cargo-deny would find of the lockfile, where it is not installed: nothing banned, one registry, no yanked git.
    #[test]
    fn the_lockfile_has_nothing_that_is_banned_and_one_source() {
        let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("a lockfile");
        let rules = std::fs::read_to_string(root().join("deny.toml")).expect("the rules");
        let banned: Vec<&str> = rules
            .split("{ crate = \"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert!(banned.contains(&"failure"));
        for name in banned {
            assert!(
                !lock.contains(&format!("name = \"{name}\"\n")),
                "{name} is in the lockfile"
            );
        }
        for source in lock.lines().filter_map(|line| line.strip_prefix("source = ")) {
            assert_eq!(
                source,
                "\"registry+https://github.com/rust-lang/crates.io-index\""
            );
        }
    }
}
