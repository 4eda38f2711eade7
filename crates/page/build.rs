//! Lists the files of `page/dist` as Rust source. The folder is there in any case, so that Cargo can watch it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../page/dist");
    // Where it cannot be made there is no page to list either.
    let _ = fs::create_dir_all(&dist);
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut files = Vec::new();
    collect(&dist, "", &mut files);
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
