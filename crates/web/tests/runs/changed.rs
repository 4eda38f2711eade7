//! What a run has come to, what people say about it, and that it can be deleted.

use super::*;

/// A copy of the folder that all tests look at, to be changed.
fn copied() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in contents(FOLDER.path()) {
        let target = folder.path().join(path.strip_prefix(FOLDER.path()).unwrap());
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::write(target, bytes).unwrap();
    }
    folder
}

async fn answer(response: axum::response::Response) -> Value {
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// The result of a run in the list, on its own and as the command prints it is one and the same.
#[tokio::test]
async fn a_run_opens_on_its_result() {
    let app = usual();
    let list = get(&app, "/runs").await;
    let of = |name: &str| {
        let runs = list["runs"].as_array().unwrap();
        runs.iter().find(|run| run["name"] == name).unwrap().clone()
    };
    let small = of("small");
    let id = id_of(&app, "small").await;
    let verification = get(&app, &format!("/runs/{id}/verification")).await;
    let rows = verification["validations"].as_array().unwrap();
    let recommended = rows.iter().find(|row| row["recommended"] == true).unwrap();
    for key in ["elo", "low", "high", "verdict"] {
        assert_eq!(
            small["elo"][key], recommended[key],
            "{key}: {small} {recommended}"
        );
    }
    assert_eq!(small["result"], verification["statement"]);
    assert!(
        small["result"].as_str().unwrap().contains("recommended vector"),
        "{small}"
    );
    for key in ["min", "max", "start"] {
        assert_eq!(
            verification[key].as_array().map(Vec::len),
            verification["parameters"].as_array().map(Vec::len)
        );
    }
    for key in ["elo", "result"] {
        assert_eq!(of("halved")[key], Value::Null, "nothing was proven");
    }
    let duel = of("duel");
    assert!(
        duel["result"].as_str().unwrap().contains("LLR"),
        "the test says it: {duel}"
    );
    let id = id_of(&app, "duel").await;
    let detail = get(&app, &format!("/runs/{id}")).await;
    assert_eq!(duel["elo"]["elo"], detail["contest"]["players"][0]["elo"]);
    assert_eq!(detail["run"]["result"], duel["result"]);
}

#[tokio::test]
async fn the_best_of_each_generation_has_its_elo() {
    let app = usual();
    let id = id_of(&app, "small").await;
    let lines = get(&app, &format!("/runs/{id}/convergence")).await;
    let line = |name: &str| lines[name].as_array().unwrap().clone();
    assert_eq!(line("elo").len(), line("generation").len());
    let mut rated = 0;
    for ((low, elo), high) in line("elo_low").iter().zip(line("elo")).zip(line("elo_high")) {
        let (Some(low), Some(elo), Some(high)) = (low.as_f64(), elo.as_f64(), high.as_f64()) else {
            continue;
        };
        assert!(low < elo && elo < high, "{low} {elo} {high}");
        rated += 1;
    }
    assert!(rated > 0, "{lines}");
    assert!(
        ["start", "mean"].contains(&lines["elo_zero"].as_str().unwrap()),
        "{lines}"
    );
}

#[tokio::test]
async fn notes_lie_beside_the_run_and_are_found_by_another_server() {
    let folder = copied();
    let app = server(&[("lab", folder.path())]);
    for (name, file) in [("small", "small/notes.json"), ("duel", "duel.1.notes.json")] {
        let id = id_of(&app, name).await;
        let notes = json!({"text": "a first try", "tags": ["baseline", "depth 1"]});
        let path = format!("/runs/{id}/notes");
        let run = answer(ask(&app, "POST", &path, Some(&notes.to_string())).await).await;
        assert_eq!(run["notes"], notes, "{run}");
        assert!(folder.path().join(file).is_file(), "{file}");
        let other = server(&[("lab", folder.path())]);
        assert_eq!(get(&other, &format!("/runs/{id}")).await["run"]["notes"], notes);
        let long = json!({"text": "", "tags": ["x".repeat(41)]}).to_string();
        let refused = ask(&app, "POST", &path, Some(&long)).await;
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
        // Nothing said is no file.
        let none = json!({"text": "", "tags": []});
        let run = answer(ask(&app, "POST", &path, Some(&none.to_string())).await).await;
        assert_eq!(run["notes"], none);
        assert!(!folder.path().join(file).exists(), "{file}");
    }
}

#[tokio::test]
async fn a_run_is_deleted_with_all_its_files_and_nothing_else() {
    let folder = copied();
    let app = server(&[("lab", folder.path())]);
    let before = contents(folder.path());
    let (small, duel) = (id_of(&app, "small").await, id_of(&app, "duel").await);
    let notes = json!({"text": "gone soon", "tags": []}).to_string();
    for (id, files) in [(&small, "small"), (&duel, "duel.")] {
        ask(&app, "POST", &format!("/runs/{id}/notes"), Some(&notes)).await;
        let response = ask(&app, "DELETE", &format!("/runs/{id}"), None).await;
        assert_eq!(response.status(), StatusCode::NO_CONTENT);
        let again = ask(&app, "DELETE", &format!("/runs/{id}"), None).await;
        assert_eq!(again.status(), StatusCode::NOT_FOUND);
        let left = contents(folder.path());
        let prefix = folder.path().join(files);
        let is_of_it = |path: &&PathBuf| path.to_str().unwrap().starts_with(prefix.to_str().unwrap());
        assert_eq!(left.keys().find(is_of_it), None);
    }
    let left = contents(folder.path());
    assert!(left.iter().all(|(path, bytes)| before.get(path) == Some(bytes)));
    assert!(left.keys().any(|path| path.ends_with("halved/games.db")));
    assert!(left.keys().any(|path| path.ends_with("other.db")));
}

#[tokio::test]
async fn a_run_that_is_more_than_itself_is_not_deleted() {
    let folder = copied();
    let own = folder.path().join("small");
    // A run within a run, and a server that was started with the run itself.
    std::fs::create_dir(own.join("within")).unwrap();
    for file in ["config.toml", STORE_FILE] {
        std::fs::copy(
            folder.path().join("deeper/halved").join(file),
            own.join("within").join(file),
        )
        .unwrap();
    }
    for (directory, code) in [
        (folder.path(), "holds-others"),
        (own.as_path(), "given-directory"),
    ] {
        let app = server(&[("lab", directory)]);
        let id = id_of(&app, "small").await;
        let response = ask(&app, "DELETE", &format!("/runs/{id}"), None).await;
        assert_eq!(response.status(), StatusCode::CONFLICT);
        assert_eq!(answer(response).await["error"]["code"], code);
        assert!(own.join(STORE_FILE).is_file());
    }
}

#[tokio::test]
async fn a_match_that_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let app = server(&[("lab", folder.path())]);
    let player = json!({"kind": "random"});
    let good =
        json!({"name": "new", "first": player, "second": player, "rounds": 2, "limit": {"nodes": 100}});
    let with = |key: &str, value: Value| {
        let mut body = good.clone();
        body[key] = value;
        body
    };
    for (body, field) in [
        (with("name", json!("../x")), "name"),
        (with("rounds", json!(0)), "rounds"),
        (with("first", json!({"kind": "person"})), "first.kind"),
        (
            with("second", json!({"kind": "engine", "options": {"elo": 1}})),
            "second.options.elo",
        ),
        (with("limit", json!({"depth": 0})), "limit"),
        (with("sprt", json!([5, 0])), "sprt"),
        (with("seed", json!(-1)), "seed"),
        (with("directory", json!("/tmp")), "directory"),
    ] {
        let response = ask(&app, "POST", "/runs/matches", Some(&body.to_string())).await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(answer(response).await["error"]["field"], field, "{body}");
    }
    // The program of a test is no Vidmar: it does not know what it is told and ends at once.
    let response = ask(&app, "POST", "/runs/matches", Some(&good.to_string())).await;
    assert_eq!(response.status(), StatusCode::CONFLICT);
    assert_eq!(answer(response).await["error"]["code"], "cannot-begin");
    assert_eq!(contents(folder.path()), BTreeMap::new());
}
