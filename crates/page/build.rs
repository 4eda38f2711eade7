//! Lists the files of `page/dist` as Rust source. The folder is there in any case, so that Cargo can watch it.
//!
//! An optimised build (`cargo install`, `cargo build --release`) of a checkout in which the page was never built builds it
//! first, where there is Node; where there is none, or it fails, the binary is without a page and Cargo says what to do.
//! `VIDMAR_PAGE=none` leaves the page out.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../page");
    let dist = page.join("dist");
    // Where it cannot be made there is no page to list either.
    let _ = fs::create_dir_all(&dist);
    println!("cargo::rerun-if-changed={}", dist.display());
    println!("cargo::rerun-if-env-changed={WANTED}");
    let is_wanted = env::var_os(WANTED).is_none_or(|value| value != "none");
    let is_optimised = env::var_os("PROFILE").is_some_and(|profile| profile == "release");
    let is_missing = is_wanted && is_optimised && !dist.join("index.html").exists();
    if is_missing && let Err(reason) = build(&page) {
        println!(
            "cargo::warning=this binary is without the page ({reason}): `cargo xtask web` builds it, then build again"
        );
    }
    let mut files = Vec::new();
    if is_wanted {
        collect(&dist, "", &mut files);
    }
    files.sort();
    let mut source = String::from("&[\n");
    for (name, path) in files {
        let path = path.canonicalize()?.to_string_lossy().into_owned();
        writeln!(source, "({name:?}, include_bytes!({path:?}) as &[u8]),").expect("a string takes any text");
    }
    source.push(']');
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo names a folder"));
    fs::write(target.join("files.rs"), source)
}

/// The variable that leaves the page out.
const WANTED: &str = "VIDMAR_PAGE";

/// Builds the page with the packages of its lockfile.
fn build(page: &Path) -> Result<(), String> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    for words in [
        &["ci", "--prefer-offline", "--no-audit", "--no-fund"][..],
        &["run", "--silent", "build"],
    ] {
        let output = Command::new(program)
            .args(words)
            .current_dir(page)
            .stdin(Stdio::null())
            .output()
            .map_err(|_| "there is no npm here".to_owned())?;
        if !output.status.success() {
            return Err(format!("npm {} failed", words[0]));
        }
    }
    Ok(())
}

/// The files of a folder and those in it, each with its path in the page.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files);
        } else {
            files.push((name, path));
        }
    }
}
