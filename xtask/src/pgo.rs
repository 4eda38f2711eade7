//! `cargo xtask pgo`: the binary of the profile `dist`, built with what a run of it taught the compiler.
//!
//! Three steps: a build that counts how often every branch is taken, work that is like the work it is for (fixed-depth
//! games under the published rules, and the bench), and a build that knows the counts. The result plays the same moves.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::cargo::{cargo, command, run, succeeds, target_dir};
use crate::sbom;

/// Build the binary of the profile `dist` with profile-guided optimisation: a tenth more games a second
#[derive(Args)]
pub(crate) struct Pgo {
    /// The processors it is for, as in `rustc -C target-cpu`: native, x86-64-v3, ...
    #[arg(long, value_name = "NAME", default_value = "native")]
    cpu: String,
}

impl Pgo {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = target_dir("pgo");
        let counts = folder.join("counts");
        if counts.exists() {
            std::fs::remove_dir_all(&counts).with_context(|| counts.display().to_string())?;
        }
        std::fs::create_dir_all(&counts).with_context(|| counts.display().to_string())?;
        let counting = self.build(&folder.join("counting"), "profile-generate", &counts)?;
        train(&counting, &counts)?;
        let profile = counts.join("merged.profdata");
        merge(&counts, &profile)?;
        let binary = self.build(&folder.join("guided"), "profile-use", &profile)?;
        let bill = sbom::write_beside(&binary, &host()?)?;
        println!("{}\n{}", binary.display(), bill.display());
        Ok(ExitCode::SUCCESS)
    }

    /// Builds with one more flag; the binary.
    fn build(&self, target: &Path, flag: &str, value: &Path) -> Result<PathBuf> {
        let host = host()?;
        let value = value.to_str().context("the target folder's name is not text")?;
        let mut build = cargo(&[
            "build",
            "--profile",
            "dist",
            "--package",
            "vidmar",
            "--target",
            &host,
        ]);
        build.arg("--target-dir").arg(target);
        // The separator of this variable allows blanks in the folder's name. Functions that were never called have no
        // counts, and the compiler need not say so.
        let flags = [
            format!("-Ctarget-cpu={}", self.cpu),
            format!("-C{flag}={value}"),
            "-Awarnings".to_owned(),
        ];
        run(build.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")))?;
        let name = format!("vidmar{}", std::env::consts::EXE_SUFFIX);
        Ok(target.join(host).join("dist").join(name))
    }
}

/// The name of this machine's target: with one, build scripts and macros are built without the flags.
pub(crate) fn host() -> Result<String> {
    let output = command("rustc")
        .arg("-vV")
        .output()
        .context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not say its host")?.to_owned())
}

/// Lets it play and search.
fn train(binary: &Path, folder: &Path) -> Result<()> {
    run(command(binary).arg("bench"))?;
    let directory = folder.join("run");
    let work = [
        "tune",
        "run",
        "narrow",
        "--set",
        "generations=2",
        "--no-verify",
        "--quiet",
    ];
    run(command(binary).args(work).arg("--out").arg(directory))
}

/// Makes one profile of all counts, with the first `llvm-profdata` that can read them.
fn merge(counts: &Path, profile: &Path) -> Result<()> {
    let is_counts = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "profraw");
    let raw: Vec<PathBuf> = std::fs::read_dir(counts)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_counts)
        .collect();
    for program in profdata() {
        let mut merge = Command::new(program);
        merge.args(["merge", "-o"]).arg(profile).args(&raw);
        if succeeds(&mut merge) {
            return Ok(());
        }
    }
    bail!(
        "no llvm-profdata that can read the counts: `rustup component add llvm-tools`, or a Debian package like llvm-19 \
         whose version is near `rustc -vV`, or name one in LLVM_PROFDATA"
    )
}

/// Where `llvm-profdata` may be: named by the user, of the toolchain, or the system's, the newest first.
fn profdata() -> Vec<OsString> {
    let of_toolchain = || {
        let output = command("rustc")
            .args(["--print", "target-libdir"])
            .output()
            .ok()?;
        let libraries = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
        Some(
            libraries
                .parent()?
                .join("bin")
                .join("llvm-profdata")
                .into_os_string(),
        )
    };
    let newest_first = (14..=40)
        .rev()
        .map(|version| format!("llvm-profdata-{version}").into());
    std::env::var_os("LLVM_PROFDATA")
        .into_iter()
        .chain(of_toolchain())
        .chain(newest_first)
        .chain(["llvm-profdata".into()])
        .collect()
}
