//! `cargo xtask web`: the page, built into `page/dist`, from where a binary built next takes it.
//!
//! Its packages come from npm, exactly those of the lockfile; Node is installed if there is none that is new enough.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::SystemTime;

use anyhow::{Result, bail};
use clap::Args;

use crate::cargo::{command, root};
use crate::programs::{self, run_shown};

/// Build the page into page/dist
#[derive(Args)]
pub(crate) struct Web {
    /// Check types and style first
    #[arg(long)]
    check: bool,
}

impl Web {
    pub(crate) fn run(self) -> Result<ExitCode> {
        install()?;
        if self.check {
            check()?;
        }
        build()?;
        Ok(ExitCode::SUCCESS)
    }
}

fn folder() -> PathBuf {
    root().join("page")
}

/// What npm installed last, kept beside it.
fn stamp() -> PathBuf {
    folder().join("node_modules").join(".installed-lock.json")
}

/// The packages of the lockfile, unless they are there already.
pub(crate) fn install() -> Result<()> {
    for program in programs::used_by(&["web"]) {
        if let Err(reason) = program.ensure() {
            bail!("{reason}");
        }
    }
    let lock = fs::read(folder().join("package-lock.json"))?;
    if fs::read(stamp()).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    run_shown(npm(&["ci", "--prefer-offline", "--no-audit", "--no-fund"]))?;
    fs::write(stamp(), lock)?;
    Ok(())
}

/// Types and style.
pub(crate) fn check() -> Result<()> {
    run_shown(npm(&["run", "--silent", "check"]))
}

/// Builds the page unless it is younger than everything it is made of: a page that is written anew makes Cargo compile
/// whatever holds it.
pub(crate) fn build() -> Result<()> {
    let built = age_of(&folder().join("dist").join("index.html"));
    let newest = SOURCES
        .iter()
        .filter_map(|name| age_of(&folder().join(name)))
        .max();
    if built.is_some() && built >= newest {
        println!("the page is up to date");
        return Ok(());
    }
    run_shown(npm(&["run", "--silent", "build"]))
}

/// What the page is made of.
const SOURCES: [&str; 9] = [
    "../docs",
    "book",
    "index.html",
    "package-lock.json",
    "public",
    "src",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
];

/// When a file, or the youngest of a folder, was last written.
fn age_of(path: &Path) -> Option<SystemTime> {
    let own = path.metadata().and_then(|data| data.modified()).ok()?;
    let within = fs::read_dir(path).into_iter().flatten();
    within
        .filter_map(|entry| age_of(&entry.ok()?.path()))
        .chain([own])
        .max()
}

/// npm in the folder of the page, with our Node if we had to install one.
pub(crate) fn npm(arguments: &[&str]) -> Command {
    let mut npm = command(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(folder())
        .args(arguments)
        .env("PATH", programs::search_path());
    npm
}
