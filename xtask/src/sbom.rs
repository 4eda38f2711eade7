//! The bill of materials of the binary: every library that is linked into it, as `CycloneDX` 1.5 in JSON
//! (<https://cyclonedx.org/docs/1.5/json/>), from what Cargo itself says of the lockfile.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::cargo::{cargo, root};

/// The package that is passed on.
const PACKAGE: &str = "vidmar";

/// Writes the bill beside a binary, under its name; where it is.
pub(crate) fn write_beside(binary: &Path, target: &str) -> Result<PathBuf> {
    let path = binary.with_file_name(format!("{PACKAGE}.cdx.json"));
    let text = serde_json::to_string_pretty(&bill(target)?)?;
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    std::fs::write(&path, text + "\n").with_context(|| path.display().to_string())?;
    Ok(path)
}

/// What Cargo says of the lockfile, for a target.
pub(crate) fn metadata(target: &str) -> Result<Value> {
    let words = [
        "metadata",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
    ];
    let output = cargo(&words).arg(target).output().context("cannot start cargo")?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The bill for a target.
fn bill(target: &str) -> Result<Value> {
    let metadata = metadata(target)?;
    let packages: BTreeMap<&str, &Value> = list(&metadata["packages"])
        .map(|package| (text(&package["id"]), package))
        .collect();
    let uses: BTreeMap<&str, Vec<&str>> = list(&metadata["resolve"]["nodes"])
        .map(|node| (text(&node["id"]), linked(node)))
        .collect();
    let named = |package: &&&Value| text(&package["name"]) == PACKAGE;
    let own = packages
        .values()
        .find(named)
        .context("there is no such package")?;
    let own = text(&own["id"]);
    let mut linked = BTreeSet::new();
    let mut open = vec![own];
    while let Some(id) = open.pop() {
        if linked.insert(id) {
            open.extend(uses.get(id).into_iter().flatten());
        }
    }
    let checksums = checksums(&std::fs::read_to_string(root().join("Cargo.lock"))?);
    let component = |id: &&str| component(packages[id], &checksums);
    let others = linked.iter().filter(|id| **id != own);
    let reference = |id: &str| purl(packages[id]);
    let dependencies = linked.iter().map(|id| {
        let on: Vec<String> = uses[id].iter().map(|other| reference(other)).collect();
        json!({"ref": reference(id), "dependsOn": on})
    });
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": self::component(packages[own], &checksums)},
        "components": others.map(component).collect::<Vec<Value>>(),
        "dependencies": dependencies.collect::<Vec<Value>>(),
    }))
}

/// What a package is linked with: neither what only its tests nor what only its build needs.
fn linked(node: &Value) -> Vec<&str> {
    let is_linked = |dependency: &&Value| list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null());
    list(&node["deps"])
        .filter(is_linked)
        .map(|dependency| text(&dependency["pkg"]))
        .collect()
}

fn component(package: &Value, checksums: &BTreeMap<(String, String), String>) -> Value {
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    let is_own = name == PACKAGE;
    let mut component = json!({
        "type": if is_own { "application" } else { "library" },
        "bom-ref": purl(package),
        "name": name,
        "version": version,
        "purl": purl(package),
    });
    if let Some(license) = package["license"].as_str() {
        component["licenses"] = json!([{"expression": license.replace('/', " OR ")}]);
    }
    if let Some(checksum) = checksums.get(&(name.to_owned(), version.to_owned())) {
        component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
    }
    component
}

/// A package's address among all packages of the world.
fn purl(package: &Value) -> String {
    format!(
        "pkg:cargo/{}@{}",
        text(&package["name"]),
        text(&package["version"])
    )
}

/// The checksums of a lockfile, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let field = |block: &str, key: &str| {
        let found = block
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        found.map(|value| value.trim_matches('"').to_owned())
    };
    lock.split("[[package]]")
        .filter_map(|block| {
            let name = (field(block, "name")?, field(block, "version")?);
            Some((name, field(block, "checksum")?))
        })
        .collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bill_lists_what_is_linked_and_nothing_else() {
        let bill = bill("x86_64-unknown-linux-gnu").expect("a bill");
        let names: BTreeSet<&str> = list(&bill["components"])
            .map(|part| text(&part["name"]))
            .collect();
        for linked in ["vidmar-web", "vidmar-search", "axum", "clap", "libsqlite3-sys"] {
            assert!(names.contains(linked), "{linked}");
        }
        for other in ["vidmar", "xtask", "proptest", "reqwest", "failure", "cozy-chess"] {
            assert!(!names.contains(other), "{other}");
        }
        let axum = list(&bill["components"])
            .find(|part| part["name"] == "axum")
            .expect("axum");
        assert_eq!(text(&axum["hashes"][0]["content"]).len(), 64);
        assert_eq!(axum["licenses"][0]["expression"], "MIT");
        assert_eq!(bill["metadata"]["component"]["type"], "application");
        let known: BTreeSet<&str> = list(&bill["dependencies"]).map(|row| text(&row["ref"])).collect();
        for on in list(&bill["dependencies"]).flat_map(|row| list(&row["dependsOn"])) {
            assert!(known.contains(text(on)), "{on}");
        }
    }
}
