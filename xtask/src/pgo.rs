//! `cargo xtask pgo`: the binary of the profile `dist`, built with what a run of it taught the compiler.
//!
//! Three steps: a build that counts how often every branch is taken, work that is like the work it is for (fixed-depth
//! games under the published rules, and the bench), and a build that knows the counts. The result plays the same moves.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::cargo::{cargo, command, run, succeeds, target_dir};
use crate::sbom;

/// Build the binary of the profile `dist` with profile-guided optimisation: a tenth more games a second
#[derive(Args)]
pub(crate) struct Pgo {
    /// The processors it is for, as in `rustc -C target-cpu`: native, x86-64-v3, ... (flags of RUSTFLAGS come after it)
    #[arg(long, value_name = "NAME", default_value = "native")]
    cpu: String,
}

impl Pgo {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let host = host()?;
        let guided = Guided::new(&host, Some(&self.cpu), target_dir("pgo"))?;
        let binary = guided.build()?;
        let bill = sbom::write_beside(&binary, &host)?;
        println!("{}\n{}", binary.display(), bill.display());
        Ok(ExitCode::SUCCESS)
    }
}

/// A profile-guided build for a target whose programs run on this machine.
pub(crate) struct Guided<'a> {
    target: &'a str,
    cpu: Option<&'a str>,
    /// Its builds have other flags than the ordinary ones, and a folder of their own.
    folder: PathBuf,
    /// The `llvm-profdata` that reads what this compiler's programs count.
    profdata: OsString,
}

impl<'a> Guided<'a> {
    /// Fails where it cannot be done: the target's programs do not run here, or nothing can read their counts.
    pub(crate) fn new(target: &'a str, cpu: Option<&'a str>, folder: PathBuf) -> Result<Guided<'a>> {
        let profdata = profdata_for(target, &folder.join("probe"))?;
        Ok(Guided {
            target,
            cpu,
            folder,
            profdata,
        })
    }

    /// Counts, works, builds; the binary.
    pub(crate) fn build(&self) -> Result<PathBuf> {
        let counts = self.folder.join("counts");
        empty(&counts)?;
        let counting = self.compile("counting", "profile-generate", &counts)?;
        train(&counting, &counts)?;
        let profile = counts.join("merged.profdata");
        run(&mut merge(&self.profdata, &counts, &profile)?)?;
        self.compile("guided", "profile-use", &profile)
    }

    /// Builds with one more flag; the binary.
    fn compile(&self, name: &str, flag: &str, value: &Path) -> Result<PathBuf> {
        let value = value.to_str().context("the target folder's name is not text")?;
        let target_dir = self.folder.join(name);
        let mut build = cargo(&["build", "--locked", "--profile", "dist", "--package", "vidmar"]);
        build
            .args(["--target", self.target])
            .arg("--target-dir")
            .arg(&target_dir);
        // The separator of this variable allows blanks in the folder's name. Functions that were never called have no
        // counts, and the compiler need not say so.
        let cpu = self.cpu.map(|cpu| format!("-Ctarget-cpu={cpu}"));
        let flags: Vec<String> = cpu
            .into_iter()
            .chain(users_flags())
            .chain([format!("-C{flag}={value}"), "-Awarnings".to_owned()])
            .collect();
        run(build.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")))?;
        let binary = target_dir
            .join(self.target)
            .join("dist")
            .join(executable(self.target));
        ensure!(binary.is_file(), "{} was not built", binary.display());
        Ok(binary)
    }
}

/// What the binary for a target is called.
pub(crate) fn executable(target: &str) -> &'static str {
    if target.contains("windows") {
        "vidmar.exe"
    } else {
        "vidmar"
    }
}

/// The flags that the user wants every build to have; our own variable would hide them.
fn users_flags() -> Vec<String> {
    let words = |text: String, separator: &str| {
        text.split(separator)
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    match env::var("CARGO_ENCODED_RUSTFLAGS") {
        Ok(flags) => words(flags, "\u{1f}"),
        Err(_) => env::var("RUSTFLAGS").map_or_else(|_| Vec::new(), |flags| words(flags, " ")),
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

/// The first `llvm-profdata` that can read the counts of a program for the target; one that does nothing is counted.
fn profdata_for(target: &str, folder: &Path) -> Result<OsString> {
    empty(folder)?;
    let source = folder.join("probe.rs");
    std::fs::write(&source, "fn main() {}\n").with_context(|| source.display().to_string())?;
    let probe = folder.join(format!("probe{}", env::consts::EXE_SUFFIX));
    let mut flag = OsString::from("-Cprofile-generate=");
    flag.push(folder);
    let mut compile = command("rustc");
    compile.args(["--target", target]).arg(flag);
    compile.arg("-o").arg(&probe).arg(&source);
    ensure!(
        succeeds(&mut compile),
        "a program that counts cannot be built for {target}"
    );
    ensure!(
        succeeds(&mut command(&probe)),
        "programs for {target} do not run here"
    );
    let merged = folder.join("merged.profdata");
    for program in profdata() {
        if succeeds(&mut merge(&program, folder, &merged)?) {
            return Ok(program);
        }
    }
    bail!(
        "no llvm-profdata that can read the counts: `rustup component add llvm-tools`, or a Debian package like llvm-19 \
         whose version is near `rustc -vV`, or name one in LLVM_PROFDATA"
    )
}

/// The command that makes one profile of all counts in a folder.
fn merge(program: &OsStr, counts: &Path, profile: &Path) -> Result<Command> {
    let mut raw: Vec<PathBuf> = std::fs::read_dir(counts)
        .with_context(|| counts.display().to_string())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "profraw"))
        .collect();
    raw.sort();
    let mut merge = Command::new(program);
    merge.args(["merge", "-o"]).arg(profile).args(raw);
    Ok(merge)
}

/// Makes a folder that has nothing in it.
fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())
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
    env::var_os("LLVM_PROFDATA")
        .into_iter()
        .chain(of_toolchain())
        .chain(newest_first)
        .chain(["llvm-profdata".into()])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_run_here_is_refused_before_anything_is_built() {
        let folder = target_dir("pgo-of-a-test");
        let error = Guided::new("no-such-target", None, folder.clone())
            .err()
            .map(|error| error.to_string());
        assert_eq!(
            error.as_deref(),
            Some("a program that counts cannot be built for no-such-target")
        );
        assert!(!folder.join("counting").exists());
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn all_counts_of_a_folder_are_merged_and_nothing_else() {
        let folder = target_dir("merge-of-a-test");
        empty(&folder).expect("a folder");
        for name in ["b.profraw", "a.profraw", "probe.rs"] {
            std::fs::write(folder.join(name), "").expect("a file");
        }
        let command =
            merge("llvm-profdata".as_ref(), &folder, Path::new("out")).expect("a folder that is there");
        let words: Vec<&OsStr> = command.get_args().collect();
        let [a, b] = ["a.profraw", "b.profraw"].map(|name| folder.join(name));
        assert_eq!(
            words,
            [
                "merge".as_ref(),
                "-o".as_ref(),
                "out".as_ref(),
                a.as_os_str(),
                b.as_os_str()
            ]
        );
        empty(&folder).expect("emptied");
        assert_eq!(std::fs::read_dir(&folder).expect("still there").count(), 0);
        let _ = std::fs::remove_dir_all(folder);
    }
}
