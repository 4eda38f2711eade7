//! What the README says of the crates is what `cargo metadata` says of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

type Uses = BTreeMap<String, BTreeSet<String>>;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The rows of the README's crate table: each crate with the crates that it may use.
fn table() -> Uses {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    let names =
        |cell: &str| -> BTreeSet<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    readme
        .lines()
        .skip_while(|line| !line.starts_with("| crate |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
            let name = names(cells[0])
                .pop_first()
                .expect("a crate's name in the first cell");
            (name, names(cells[2]))
        })
        .collect()
}

/// The workspace's crates, each with those of the workspace that it depends on outside of tests.
fn metadata() -> Uses {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let short = |name: &serde_json::Value| {
        name.as_str()
            .map(|name| name.strip_prefix("vidmar-").unwrap_or(name).to_owned())
            .expect("a name")
    };
    let packages = metadata["packages"].as_array().expect("packages");
    let members: BTreeSet<String> = packages.iter().map(|package| short(&package["name"])).collect();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            let uses = dependencies
                .iter()
                .filter(|dependency| dependency["kind"].is_null() && dependency["path"].is_string())
                .map(|dependency| short(&dependency["name"]))
                .filter(|name| members.contains(name))
                .collect();
            (short(&package["name"]), uses)
        })
        .collect()
}

/// Everything that a crate may use, what those use included.
fn reachable(table: &Uses, from: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(next) = open.pop() {
        for used in table.get(&next).into_iter().flatten() {
            if all.insert(used.clone()) {
                open.push(used.clone());
            }
        }
    }
    all
}

#[test]
fn the_crate_table_is_true() {
    let table = table();
    let metadata = metadata();
    assert_eq!(
        table.keys().collect::<Vec<_>>(),
        metadata.keys().collect::<Vec<_>>(),
        "the crates of the README's table (left) and of the workspace (right)"
    );
    for (name, uses) in &metadata {
        let allowed = reachable(&table, name);
        let more: Vec<_> = uses.difference(&allowed).collect();
        assert!(
            more.is_empty(),
            "{name} uses {more:?}, which its row in the README does not allow"
        );
        assert!(!allowed.contains(name), "{name} may use itself");
    }
}
