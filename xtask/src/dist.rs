//! `cargo xtask dist`: what is passed on: a binary with the page inside, and an archive of it with all that belongs to it.
//!
//! For this machine, and on Linux also one that needs no library at all (musl), where its tools are installed; what is not
//! built is said, with what it would take. Builds are profile-guided where the target's programs run here and there is an
//! `llvm-profdata` that reads what they count; elsewhere they are not, and that is said too.

mod archive;
#[cfg(test)]
mod dockerfile;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;

use crate::cargo::{cargo, command, succeeds, target_dir};
use crate::pgo::{self, Guided};
use crate::programs::run_shown;
use crate::{sbom, web};

/// Build the page and the binary of the profile `dist`, and pack it with licence, completions, manual pages, its bill of
/// materials (`CycloneDX`) and a checksum
#[derive(Args)]
pub(crate) struct Dist {
    /// Build nothing: only the bill of materials, for a binary that is there
    #[arg(long, conflicts_with_all = ["binary", "target"])]
    only_list: bool,
    /// Build nothing: pack this binary of this machine
    #[arg(long, value_name = "FILE", conflicts_with = "target")]
    binary: Option<PathBuf>,
    /// Build without a profile: in less than half the time, for a tenth fewer games a second
    #[arg(long, conflicts_with_all = ["binary", "only_list"])]
    plain: bool,
    /// Build for this target [default: this machine's, and its musl one where that is installed]
    #[arg(long, value_name = "TRIPLE")]
    target: Vec<String>,
}

impl Dist {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let host = pgo::host()?;
        if let Some(binary) = &self.binary {
            return pack(binary, &host);
        }
        if self.only_list {
            let bill = sbom::write_beside(&target_dir("dist").join(pgo::executable(&host)), &host)?;
            println!("{}", bill.display());
            return Ok(ExitCode::SUCCESS);
        }
        web::install()?;
        web::build()?;
        let targets = if self.target.is_empty() {
            usual_targets(&host)
        } else {
            self.target.clone()
        };
        for target in targets {
            let binary = self.build(&target)?;
            pack(&binary, &target)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// With a profile where one can be had.
    fn build(&self, target: &str) -> Result<PathBuf> {
        if self.plain {
            return build(target);
        }
        match Guided::new(target, None, target_dir("dist").join("pgo").join(target)) {
            Ok(guided) => guided.build(),
            Err(why) => {
                println!("no profile for {target}: {why:#}");
                build(target)
            }
        }
    }
}

/// This machine's, and the static one of Linux if it can be built.
fn usual_targets(host: &str) -> Vec<String> {
    let mut targets = vec![host.to_owned()];
    if let Some(family) = host.strip_suffix("-gnu") {
        let musl = format!("{family}-musl");
        match missing(&musl) {
            None => targets.push(musl),
            Some(what) => println!("no static binary for {musl}: {what}"),
        }
    }
    targets
}

/// What a target of musl lacks to be built: Rust's own library, and a compiler for the C in it.
fn missing(target: &str) -> Option<String> {
    let has_library = command("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .is_some_and(|path| !path.trim().is_empty() && Path::new(path.trim()).is_dir());
    if !has_library {
        return Some(format!("`rustup target add {target}` first"));
    }
    let compilers = ["musl-gcc", &format!("{}-gcc", target.replace("-unknown", ""))].map(str::to_owned);
    let has_compiler = compilers
        .iter()
        .any(|compiler| succeeds(command(compiler).arg("--version")));
    (!has_compiler).then(|| "there is no musl-gcc (Debian's musl-tools)".to_owned())
}

fn build(target: &str) -> Result<PathBuf> {
    let words = [
        "build",
        "--locked",
        "--profile",
        "dist",
        "--package",
        "vidmar",
        "--target",
    ];
    let mut build = cargo(&words);
    build.arg(target);
    run_shown(build)?;
    let binary = target_dir(target).join("dist").join(pgo::executable(target));
    ensure!(binary.is_file(), "{} was not built", binary.display());
    Ok(binary)
}

fn pack(binary: &Path, target: &str) -> Result<ExitCode> {
    let packed = archive::pack(binary, target, &target_dir("dist"))?;
    println!("{}\n{}", packed.archive.display(), packed.checksum.display());
    Ok(ExitCode::SUCCESS)
}
