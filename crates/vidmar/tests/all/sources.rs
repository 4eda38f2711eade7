//! Every work that is cited by a key, as in `[author-2004]`, stands in `docs/sources.md`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

/// Whether the text in brackets is a key: small letters, a dash, a year.
fn is_key(text: &str) -> bool {
    text.split_once('-').is_some_and(|(author, year)| {
        !author.is_empty()
            && author.bytes().all(|byte| byte.is_ascii_lowercase())
            && year.len() == 4
            && year.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The keys in a text.
fn keys(text: &str) -> BTreeSet<String> {
    text.split('[')
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(']')?.0))
        .filter(|key| is_key(key))
        .map(str::to_owned)
        .collect()
}

/// Source files and pages below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            if name != "node_modules" && name != "target" {
                files(&path, found);
            }
        } else if ["rs", "md", "ts", "svelte"]
            .iter()
            .any(|end| path.extension().is_some_and(|it| it == *end))
        {
            found.push(path);
        }
    }
}

#[test]
fn every_key_is_in_the_list_of_sources() {
    let listed: BTreeSet<String> = read(&root().join("docs/sources.md"))
        .lines()
        .filter_map(|line| keys(line.strip_prefix("| ")?.split_once(" |")?.0).pop_first())
        .collect();
    let mut paths = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    for folder in ["crates", "docs", "page", "fuzz"] {
        files(&root().join(folder), &mut paths);
    }
    let own = Path::new(file!()).file_name().expect("a file");
    let mut cited = BTreeSet::new();
    for path in paths.iter().filter(|path| path.file_name() != Some(own)) {
        let unknown: Vec<String> = keys(&read(path)).difference(&listed).cloned().collect();
        assert!(
            unknown.is_empty(),
            "{} cites {unknown:?}, not in docs/sources.md",
            path.display()
        );
        if !path.ends_with("docs/sources.md") {
            cited.extend(keys(&read(path)));
        }
    }
    let five = [
        "maribor-2004",
        "boskovic-2010",
        "erk-2008",
        "qvarford-2015",
        "urminsky-2007",
    ];
    for work in five {
        assert!(cited.contains(work), "nothing cites {work}");
    }
}
