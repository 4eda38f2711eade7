//! `cargo xtask deny`: what this project is made of, held against `deny.toml`: advisories, licences, banned crates, sources.
//!
//! To install cargo-deny is to compile it, which takes minutes, so `cargo xtask test` runs it where it is installed and asks nobody to
//! install it: what a test can say of the lockfile and of licences without it stands below. The advisories are its own affair.
//!
//! It looks at the libraries of every system, and fails without the network where those of others were never fetched: they are
//! fetched first, and where that cannot be done the test command says so and goes on.

use std::process::ExitCode;

use anyhow::{Result, ensure};
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
        ensure!(
            is_fetched(),
            "not all libraries are here, and they cannot be fetched"
        );
        check(self.offline)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What needs no network, where cargo-deny is installed.
pub(crate) fn check_if_here() -> Result<()> {
    if !is_here() {
        return Ok(());
    }
    if !is_fetched() {
        println!("cargo-deny is left out: not all libraries are here, and they cannot be fetched");
        return Ok(());
    }
    check(true)
}

/// Fetches what is not here yet of the libraries of all systems.
fn is_fetched() -> bool {
    let attempt = |words: &[&str]| succeeds(&mut cargo(words));
    attempt(&["fetch", "--locked", "--offline"]) || attempt(&["fetch", "--locked"])
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
    use crate::sbom::metadata;

    /// Whether a choice among licences (SPDX, with the older `/` for `OR`) has one that is allowed.
    fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
        let expression = expression.replace('/', " OR ").replace(['(', ')'], " ");
        // Every part of an AND; brackets stand only around choices in what is published.
        expression.split(" AND ").all(|part| {
            let mut choices = part.split(" OR ").map(str::trim);
            choices.any(|choice| allowed.contains(&choice))
        })
    }

    /// The texts of a list in the rules.
    fn listed<'a>(rules: &'a str, key: &str) -> Vec<&'a str> {
        let start = format!("\n{key} = [");
        let list = rules.split(&start).nth(1).and_then(|rest| rest.split(']').next());
        list.unwrap_or_default().split('"').skip(1).step_by(2).collect()
    }

    #[test]
    fn every_library_has_a_licence_that_is_allowed() {
        let rules = std::fs::read_to_string(root().join("deny.toml")).expect("the rules");
        let allowed = listed(&rules, "allow");
        assert!(allowed.contains(&"MIT") && !allowed.contains(&"AGPL-3.0-only"));
        assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed));
        assert!(is_allowed("Unlicense/MIT", &allowed));
        assert!(!is_allowed("MIT AND AGPL-3.0-only", &allowed));
        let metadata = metadata("x86_64-unknown-linux-gnu").expect("what Cargo says");
        let packages = metadata["packages"].as_array().expect("packages");
        for package in packages {
            let licence = package["license"].as_str().unwrap_or("none");
            assert!(is_allowed(licence, &allowed), "{}: {licence}", package["name"]);
        }
    }

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
