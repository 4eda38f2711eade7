//! The systems on which nobody here runs the tests: that the workspace compiles for them is checked where that can be done, and
//! where it cannot, what is missing is said. Nothing is installed for it, and nothing is linked or run.

use std::env;
use std::path::Path;

use anyhow::{Result, bail};

use crate::cargo::{cargo, command};
use crate::programs::{run_shown, search_path};
use crate::test::Skip;

/// A system, and what compiles the C of the libraries (`SQLite`, `ring`) for it.
struct Target {
    name: &'static str,
    compiler: Compiler,
}

enum Compiler {
    /// A program, and the Debian package with it.
    Program(&'static str, &'static str),
    /// The one of that system itself: its headers are nowhere else. Elsewhere a stand-in can be named in `CC_…`.
    Native,
}

/// The targets; a new one is a row here.
const TARGETS: &[Target] = &[
    Target {
        name: "x86_64-pc-windows-gnu",
        compiler: Compiler::Program("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64"),
    },
    Target {
        name: "aarch64-apple-darwin",
        compiler: Compiler::Native,
    },
];

/// The step: every target that can be checked here. If none can, the step is skipped and says why.
pub(crate) fn check() -> Result<()> {
    let mut left_out = Vec::new();
    let mut is_any_checked = false;
    for target in TARGETS {
        if let Some(missing) = target.missing(is_installed(target.name), target.has_compiler()) {
            println!("{missing}");
            left_out.push(missing);
        } else {
            let words = ["check", "--workspace", "--locked", "--target", target.name];
            run_shown(cargo(&words))?;
            is_any_checked = true;
        }
    }
    if !is_any_checked {
        bail!(Skip(left_out.join("; ")));
    }
    Ok(())
}

impl Target {
    /// Why it is left out, if it is.
    fn missing(&self, is_installed: bool, has_compiler: bool) -> Option<String> {
        let name = self.name;
        if !is_installed {
            return Some(format!(
                "{name} is left out: its library is not here (rustup target add {name})"
            ));
        }
        if has_compiler {
            return None;
        }
        Some(match self.compiler {
            Compiler::Program(program, package) => {
                format!("{name} is left out: {program} is missing (Debian package {package})")
            }
            Compiler::Native => {
                let variable = self.variable();
                format!(
                    "{name} is left out: only that system has a compiler of C for it ({variable} can name a stand-in)"
                )
            }
        })
    }

    fn has_compiler(&self) -> bool {
        let is_named = env::var_os(self.variable()).is_some_and(|value| !value.is_empty());
        is_named
            || match self.compiler {
                Compiler::Program(program, _) => {
                    env::split_paths(&search_path()).any(|folder| folder.join(program).is_file())
                }
                Compiler::Native => self.name.contains(env::consts::OS) || cfg!(target_vendor = "apple"),
            }
    }

    /// Where the build scripts look for the compiler.
    fn variable(&self) -> String {
        format!("CC_{}", self.name.replace('-', "_"))
    }
}

/// Whether the standard library of a target is here, whoever brought it: the toolchain need not be rustup's.
fn is_installed(target: &str) -> bool {
    let asked = command("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output();
    asked.is_ok_and(|answer| {
        let folder = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        answer.status.success() && Path::new(&folder).is_dir()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        for target in TARGETS {
            let missing = target.missing(false, true).expect("no library");
            assert!(
                missing.contains(&format!("rustup target add {}", target.name)),
                "{missing}"
            );
            let missing = target.missing(true, false).expect("no compiler");
            assert!(missing.starts_with(target.name), "{missing}");
            assert_eq!(target.missing(true, true), None);
        }
        assert!(!is_installed("no-such-target"));
    }

    /// What is checked is what the guide says was tried.
    #[test]
    fn the_guide_names_every_target() {
        let guide = std::fs::read_to_string(crate::cargo::root().join("docs/how-to/install.md"));
        let guide = guide.expect("it is in the repository");
        for target in TARGETS {
            assert!(guide.contains(target.name), "{}", target.name);
        }
    }
}
