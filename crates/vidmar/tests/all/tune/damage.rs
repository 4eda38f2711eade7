//! Saved states and generations that are whole by their checksums and do not fit together.

use serde_json::Value;
use std::path::Path;
use vidmar_store::{Batch, Store};

use super::{small_run, vidmar};

/// Every list in a value, by the way to it; of a list only the first entry is looked into.
fn lists(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            found.push(path.to_owned());
            lists(&items[0], &format!("{path}/0"), found);
        }
        Value::Object(fields) => {
            for (key, item) in fields {
                lists(item, &format!("{path}/{key}"), found);
            }
        }
        _ => {}
    }
}

/// Puts what `change` makes of the last checkpoint of that name in its place, with a checksum that is right.
fn rewrite(out: &Path, name: &str, change: impl Fn(&mut Value)) -> Value {
    let mut store = Store::open(&out.join("games.db")).unwrap();
    let run = store.runs().unwrap()[0].id;
    let mut checkpoint = store.latest_checkpoint(run, name).unwrap().unwrap();
    let before: Value = serde_json::from_slice(&checkpoint.data).unwrap();
    let mut value = before.clone();
    change(&mut value);
    checkpoint.data = serde_json::to_vec(&value).unwrap();
    let batch = Batch {
        checkpoints: vec![checkpoint],
        ..Batch::new(run)
    };
    store.commit(&batch).unwrap();
    store.check().unwrap();
    before
}

/// The commands that read a run, after one list in it has lost an entry: the list, and who refused.
fn shortened(out: &Path) -> Vec<(String, [bool; 4])> {
    let mut answers = Vec::new();
    for name in ["state", "generation"] {
        let whole = rewrite(out, name, |_| {});
        let mut paths = Vec::new();
        lists(&whole, "", &mut paths);
        for path in paths {
            rewrite(out, name, |value| {
                value.pointer_mut(&path).unwrap().as_array_mut().unwrap().pop();
            });
            let refused = ["export", "status", "verify", "resume"].map(|command| {
                let output = vidmar().args(["tune", command]).arg(out).output().unwrap();
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                let code = output.status.code();
                // 1: no gain is proven by the few games of such a run.
                assert!(
                    matches!(code, Some(0 | 2)) || (command, code) == ("verify", Some(1)),
                    "{name}{path}: {command}: {code:?}: {said}"
                );
                assert_eq!(
                    code == Some(2),
                    said.contains("cannot be used"),
                    "{name}{path}: {command}: {said}"
                );
                code == Some(2)
            });
            answers.push((format!("{name}{path}"), refused));
            rewrite(out, name, |value| *value = whole.clone());
        }
    }
    answers
}

#[test]
fn a_shortened_vector_with_a_right_checksum_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let runs: [(&str, &[&str]); 2] = [
        (
            "population",
            &["state/state/currents/0/vector", "state/state/currents"],
        ),
        ("point", &["state/state/theta", "state/state/wandered"]),
    ];
    for (name, refused_by_all) in runs {
        let out = folder.path().join(name);
        if name == "population" {
            small_run(&out, &[]);
        } else {
            let quick = "tune run quick --quiet --threads 2 --set total_games=40 --set depth=1 --set hash=1 \
                         --set openings.source=built-in --set pairs=2 --set deeper=[0] --set max_moves=40 --out";
            let output = vidmar()
                .args(quick.split_whitespace())
                .arg(&out)
                .output()
                .unwrap();
            assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
        }
        let answers = shortened(&out);
        let of = |path: &str| {
            let found = answers.iter().find(|(one, _)| one == path);
            found.unwrap_or_else(|| panic!("no {path} in {answers:?}")).1
        };
        for path in refused_by_all {
            assert_eq!(of(path), [true; 4], "{path}");
        }
        for path in ["generation/centroid", "generation/population/0/vector"] {
            let [export, status, ..] = of(path);
            assert!(export && status, "{path}");
        }
    }
}
