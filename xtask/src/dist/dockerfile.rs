//! The Dockerfile, as far as it can be checked without Docker: what it copies exists, is not ignored, and is all that the build reads.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::cargo::root;

/// What every stage copies out of the checkout.
fn copied() -> Vec<String> {
    let text = fs::read_to_string(root().join("Dockerfile")).unwrap();
    let mut copied = Vec::new();
    for line in text
        .lines()
        .filter(|line| line.starts_with("COPY ") && !line.contains("--from="))
    {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let (_, sources) = words.split_last().unwrap();
        copied.extend(sources.iter().map(|&source| source.to_owned()));
    }
    copied
}

/// Whether `.dockerignore` keeps it out. Its patterns here are plain paths, or names at any depth.
fn is_ignored(path: &str) -> bool {
    let patterns = fs::read_to_string(root().join(".dockerignore")).unwrap();
    patterns.lines().any(|pattern| match pattern.strip_prefix("**/") {
        Some(name) => path.split('/').any(|part| part == name),
        None => path == pattern || path.starts_with(&format!("{pattern}/")),
    })
}

#[test]
fn what_is_copied_exists_and_is_not_ignored() {
    let copied = copied();
    assert!(copied.len() > 8, "{copied:?}");
    for path in copied {
        assert!(root().join(&path).exists(), "{path} does not exist");
        assert!(!is_ignored(&path), "{path} is ignored");
    }
    assert!(is_ignored("page/dist") && is_ignored("crates/web/target"));
}

/// Every Rust file below a folder that is part of the program, its tests left out.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !["tests", "target", "examples", "benches"]
                .iter()
                .any(|name| path.ends_with(name))
            {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// A file that the compiler reads must be in the container too; one that is only there at home breaks the build of others.
#[test]
fn what_the_binary_includes_is_copied() {
    let copied = copied();
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    let mut seen = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for macro_ in ["include_str!(\"", "include_bytes!(\""] {
            for rest in text.split(macro_).skip(1) {
                let name = rest.split('"').next().unwrap();
                let included = plain(&file.parent().unwrap().join(name));
                let path = included.strip_prefix(root()).unwrap();
                assert!(
                    copied.iter().any(|source| path.starts_with(source)),
                    "{} includes {}, which the Dockerfile does not copy",
                    file.display(),
                    path.display()
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

/// The stages name the versions that the checkout asks for, and copy from stages that there are.
#[test]
fn stages_and_versions_are_those_of_the_checkout() {
    let text = fs::read_to_string(root().join("Dockerfile")).unwrap();
    let toolchain = fs::read_to_string(root().join("rust-toolchain.toml")).unwrap();
    let channel = toolchain
        .lines()
        .find_map(|line| line.strip_prefix("channel = "))
        .unwrap()
        .trim_matches('"');
    let minor: Vec<&str> = channel.split('.').take(2).collect();
    assert!(
        text.contains(&format!("FROM rust:{}-slim ", minor.join("."))),
        "{channel}"
    );
    for from in text.split("--from=").skip(1) {
        let stage = from.split_whitespace().next().unwrap();
        assert!(text.contains(&format!(" AS {stage}\n")), "{stage}");
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("[profile.dist]") && text.contains("--profile dist"));
}
