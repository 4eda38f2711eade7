//! The larger data, named by the variable `VIDMAR_DATA`.

#![allow(clippy::print_stdout)]

use std::path::PathBuf;

/// The folder, or `None` after a line that says what is skipped.
pub(crate) fn data_folder(skipped: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("VIDMAR_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: {skipped} (VIDMAR_DATA is not set)");
    }
    folder
}

/// The files of a folder with this extension, in the order of their names.
#[allow(dead_code)]
pub(crate) fn files(folder: &std::path::Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no .{extension} in {}", folder.display());
    files
}
