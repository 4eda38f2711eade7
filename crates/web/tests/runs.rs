//! A small tuning run and a small match, real ones, seen over HTTP.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use serde_json::{Value, json};
use tokio_stream::StreamExt as _;
use tower::ServiceExt as _;
use vidmar_arena::{
    FaultPolicy, Match, MatchPlayer, Openings, Plan, RandomWalks, Rules, Schedule, Sprt, SprtModel,
    ThreadExecutor, TimeControl,
};
use vidmar_chess::Position;
use vidmar_engine::Control;
use vidmar_store::{Batch, Player, Store};
use vidmar_tune::Resources;
use vidmar_tune::config::Config as TuneConfig;
use vidmar_tune::run::{Event, Run, STORE_FILE};
use vidmar_tune::status::View;
use vidmar_tune::verify::verify;
use vidmar_web::{Config, NamedDirectory, Server, app};

#[path = "runs/changed.rs"]
mod changed;

/// The folder with everything: made once, looked at by all tests, changed by none.
static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    tune(&folder.path().join("small"), usize::MAX);
    tune(&folder.path().join("deeper/halved"), 40);
    duel(&folder.path().join("duel.db"));
    std::fs::write(folder.path().join("other.db"), "not a store at all").unwrap();
    folder
});

/// A run of some dozen games of depth 1; stopped after some of them, or proven.
fn tune(directory: &Path, games: usize) {
    let sets = [
        "population=5",
        "games=3",
        "generations=3",
        "depth=1",
        "hash=1",
        "lead=400",
        "max_moves=30",
        "pairs=2",
        "openings.source=built-in",
        "deeper=[0]",
        "inject=2",
    ];
    let sets: Vec<String> = sets.into_iter().map(str::to_owned).collect();
    let config = TuneConfig::read(Some("no-knowledge"), None, &sets).unwrap();
    let mut run = Run::create(directory, &config).unwrap();
    let control = Control::new();
    let mut done = 0;
    run.advance(&Resources::threads(2), &control, &mut |event| {
        done += usize::from(matches!(event, Event::Job { .. }));
        if done == games {
            control.stop();
        }
    })
    .unwrap();
    if games == usize::MAX {
        verify(run, &Resources::threads(2), &Control::new(), &mut |_, _| {})
            .unwrap()
            .unwrap();
    }
}

fn duel(path: &Path) {
    let player = |name: &str| MatchPlayer {
        name: name.to_owned(),
        spec: "random:seed=1".parse().unwrap(),
        limits: TimeControl::default(),
        restart: false,
    };
    let plan = Plan {
        rounds: 20,
        ..Plan::default()
    };
    let contest = Match {
        schedule: Schedule::new(plan, 2).unwrap(),
        players: vec![player("Anna"), player("Boris")],
        openings: Openings::walk(RandomWalks { plies: 4, seed: 1 }),
        rules: Rules {
            max_moves: Some(60),
            ..Rules::default()
        },
        faults: FaultPolicy::Replay,
        sprt: Some(Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Normalised).unwrap()),
        paired: true,
        seed: 42,
        keeps_pvs: false,
    };
    let mut store = Store::open(path).unwrap();
    let config = json!({ "terms": contest.counting() }).to_string();
    let run = store.begin_run("match", &config).unwrap();
    let players = vec![Player::new(0, "Anna"), Player::new(1, "Boris")];
    store
        .commit(&Batch {
            players,
            ..Batch::new(run)
        })
        .unwrap();
    let executor = ThreadExecutor::new(NonZeroUsize::new(2).unwrap());
    contest
        .play(store, run, &executor, &Control::new(), &mut |_| {})
        .unwrap();
}

fn server(directories: &[(&str, &Path)]) -> axum::Router {
    let directories = directories.iter().map(|(name, path)| NamedDirectory {
        name: (*name).to_owned(),
        path: path.to_path_buf(),
        is_example: false,
    });
    let config = Config {
        directories: directories.collect(),
        ..Config::default()
    };
    app(Server::new(config).unwrap())
}

fn usual() -> axum::Router {
    server(&[("lab", FOLDER.path())])
}

async fn ask(app: &axum::Router, method: &str, path: &str, body: Option<&str>) -> axum::response::Response {
    let mut request = Request::builder()
        .method(method)
        .uri(format!("/api/v1{path}"))
        .header(header::HOST, "127.0.0.1:1");
    if body.is_some() {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    let body = body.map_or_else(Body::empty, |text| Body::from(text.to_owned()));
    app.clone().oneshot(request.body(body).unwrap()).await.unwrap()
}

async fn text(app: &axum::Router, path: &str) -> (StatusCode, String) {
    let response = ask(app, "GET", path, None).await;
    let status = response.status();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

async fn get(app: &axum::Router, path: &str) -> Value {
    let (status, text) = text(app, path).await;
    assert_eq!(status, StatusCode::OK, "{path}: {text}");
    serde_json::from_str(&text).unwrap()
}

async fn id_of(app: &axum::Router, name: &str) -> String {
    let list = get(app, "/runs").await;
    let runs = list["runs"].as_array().unwrap();
    let found = runs.iter().find(|run| run["name"] == name);
    found.unwrap_or_else(|| panic!("{name} is not in {list}"))["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// A run that goes on from the result of another lies in its folder: alone, its name says nothing.
#[tokio::test]
async fn a_run_within_a_run_is_called_after_both() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["pieces", "pieces/second", "pieces/second/phases"] {
        tune(&folder.path().join(path), 1);
    }
    let list = get(&server(&[("lab", folder.path())]), "/runs").await;
    let runs = list["runs"].as_array().unwrap().iter();
    let mut names: Vec<&str> = runs.map(|run| run["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["pieces", "pieces/second", "pieces/second/phases"]);
}

#[tokio::test]
async fn the_list_has_everything_with_its_state() {
    let app = usual();
    let list = get(&app, "/runs").await;
    let runs: BTreeMap<&str, (&str, &str)> = list["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| {
            let word = |key: &str| run[key].as_str().unwrap();
            (word("name"), (word("kind"), word("state")))
        })
        .collect();
    let expected = [
        ("duel", ("match", "finished")),
        ("halved", ("tuning", "paused")),
        ("small", ("tuning", "finished")),
    ];
    assert_eq!(runs, BTreeMap::from(expected));
    assert_eq!(list["directories"], json!(["lab"]));
    assert!(
        list["presets"]
            .as_array()
            .unwrap()
            .iter()
            .any(|preset| preset["name"] == "quick")
    );
    // The ids of another server over the same files are the same.
    assert_eq!(id_of(&app, "duel").await, id_of(&usual(), "duel").await);
    // A run can be given itself; nothing can begin inside it.
    let alone = server(&[("one", &FOLDER.path().join("small"))]);
    let list = get(&alone, "/runs").await;
    assert_eq!(
        (list["runs"].as_array().unwrap().len(), &list["directories"]),
        (1, &json!([]))
    );
    assert_eq!(get(&server(&[]), "/runs").await["runs"], json!([]));
}

#[tokio::test]
async fn a_tuning_run_is_what_its_directory_says() {
    let app = usual();
    let id = id_of(&app, "small").await;
    let view = View::open(&FOLDER.path().join("small")).unwrap();
    let status = view.status().unwrap();

    let detail = get(&app, &format!("/runs/{id}")).await;
    assert_eq!(detail["run"]["games"], status.games);
    assert_eq!(detail["run"]["generation"], status.generation);
    assert_eq!(detail["run"]["progress"], 1.0);
    assert_eq!(detail["run"]["phase"], "done");

    let lines = get(&app, &format!("/runs/{id}/convergence")).await;
    assert_eq!(lines["generation"], json!([0, 1, 2, 3]));
    assert_eq!(lines["unit"], "points per game");
    for (at, generation) in view.generations.iter().enumerate() {
        let best = lines["best"][at].as_f64().unwrap();
        assert!((best - generation.scores().unwrap().0).abs() < 1e-5, "{at}");
        let (again, games) = (&lines["best_again"][at], &lines["best_again_games"][at]);
        assert!(
            again.as_f64().is_some_and(|again| (0.0..=1.0).contains(&again)) && games.as_u64() >= Some(3)
        );
    }
    assert_eq!(
        get(&app, &format!("/runs/{id}/convergence?points=2")).await["generation"],
        json!([1, 3])
    );

    let series = get(&app, &format!("/runs/{id}/parameters")).await;
    let dimensions = view.space().unwrap().dimensions();
    assert_eq!(series["parameters"].as_array().unwrap().len(), dimensions.len());
    for (course, dimension) in series["parameters"].as_array().unwrap().iter().zip(dimensions) {
        assert_eq!(course["name"], dimension.name);
        for key in ["lowest", "lower", "median", "mean", "upper", "highest"] {
            let line = course[key].as_array().unwrap();
            assert_eq!(line.len(), 4);
            assert!(
                line.iter()
                    .all(|x| (dimension.min..=dimension.max).contains(&x.as_f64().unwrap()))
            );
        }
    }
    let one = get(&app, &format!("/runs/{id}/parameters/{}", dimensions[3].name)).await;
    assert_eq!(one["parameters"], json!([series["parameters"][3]]));

    let population = get(&app, &format!("/runs/{id}/population")).await;
    assert_eq!(population["total"], 5);
    let history = get(&app, &format!("/runs/{id}/history?limit=3")).await;
    assert_eq!(history["rows"].as_array().unwrap().len(), 3);
    for row in population["rows"]
        .as_array()
        .unwrap()
        .iter()
        .chain(history["rows"].as_array().unwrap())
    {
        assert!(
            row["player"].is_u64() && row["elo"].is_number() && row["error"].as_f64() > Some(0.0),
            "{row}"
        );
        assert_eq!(row["values"].as_array().unwrap().len(), dimensions.len());
    }

    let verification = get(&app, &format!("/runs/{id}/verification")).await;
    let validations = verification["validations"].as_array().unwrap();
    assert_eq!(validations.len(), status.verify.len());
    assert!(!validations.is_empty());
    for (shown, validation) in validations.iter().zip(&status.verify) {
        assert_eq!(
            (&shown["wins"], &shown["draws"], &shown["losses"]),
            (
                &json!(validation.wins),
                &json!(validation.draws),
                &json!(validation.losses)
            )
        );
        assert_eq!(shown["verdict"], validation.verdict.as_str());
        assert_eq!(
            (&shown["low"], &shown["high"]),
            (&json!(validation.low), &json!(validation.high))
        );
    }
    assert_eq!(
        verification["statement"],
        vidmar_rows::validation_statement(&status.verify)
    );
    assert_eq!(get(&app, &format!("/runs/{id}/faults")).await["total"], 0);

    // What matters is what the command says, the parameter that is worth most first.
    let importance = get(&app, &format!("/runs/{id}/importance")).await;
    let learned = view.learned().unwrap().unwrap();
    assert_eq!(importance["games"], learned.games);
    assert_eq!(importance["statements"], json!(learned.statements));
    let rows = importance["parameters"].as_array().unwrap();
    assert_eq!(rows.len(), learned.parameters.len());
    assert!(rows.len() > 1 && learned.games > 0);
    for row in &learned.parameters {
        assert!(rows.contains(&json!(row)), "{row:?}");
    }
    let worth: Vec<f64> = rows.iter().map(|row| row["elo"].as_f64().unwrap()).collect();
    assert!(worth.is_sorted_by(|a, b| a >= b), "{worth:?}");
}

#[tokio::test]
async fn games_come_in_pages_and_can_be_played_through() {
    let app = usual();
    let id = id_of(&app, "small").await;
    let store = Store::open_read_only(&FOLDER.path().join("small").join(STORE_FILE)).unwrap();
    let games = store.games(store.runs().unwrap()[0].id).unwrap();
    let numbers = |page: &Value| -> Vec<u64> {
        let games = page["games"].as_array().unwrap();
        games
            .iter()
            .map(|game| game["number"].as_u64().unwrap())
            .collect()
    };
    let all = games.len() as u64;
    let page = get(&app, &format!("/runs/{id}/games?limit=4")).await;
    assert_eq!(
        (page["total"].as_u64().unwrap(), numbers(&page)),
        (all, (all - 4..all).collect())
    );
    let page = get(&app, &format!("/runs/{id}/games?limit=4&before={}", all - 4)).await;
    assert_eq!(numbers(&page), (all - 8..all - 4).collect::<Vec<_>>());
    let page = get(&app, &format!("/runs/{id}/games?limit=4&first=true")).await;
    assert_eq!(numbers(&page), [0, 1, 2, 3]);
    let drawn = get(&app, &format!("/runs/{id}/games?result=1%2F2-1%2F2&limit=200")).await;
    let expected = games
        .iter()
        .filter(|game| game.result == Some(vidmar_chess::Outcome::Draw))
        .count();
    assert_eq!(drawn["total"], expected);

    let replay = get(&app, &format!("/runs/{id}/games/5")).await;
    let mut position: Position = replay["start"].as_str().unwrap().parse().unwrap();
    for ply in replay["moves"].as_array().unwrap() {
        let m = position.parse_uci(ply["uci"].as_str().unwrap()).unwrap();
        assert_eq!(ply["san"], position.san(m).to_string());
        position.play(m);
        assert_eq!(ply["fen"], position.to_string());
    }
    assert_eq!(
        replay["moves"].as_array().unwrap().len(),
        games[5].moves.split(' ').count()
    );
    assert!(replay["pgn"].as_str().unwrap().contains("[White \"#"));

    let validation = get(&app, &format!("/runs/{id}/games?part=validation")).await;
    assert!(validation["total"].as_u64() >= Some(4));
    let names = ["centroid", "efficiency", "rating", "initial", "start"];
    assert!(
        names.contains(&validation["games"][0]["white"].as_str().unwrap()),
        "{validation}"
    );
    // A validation that nobody has begun has no games.
    let halved = id_of(&app, "halved").await;
    assert_eq!(
        get(&app, &format!("/runs/{halved}/games?part=validation")).await["total"],
        0
    );
}

#[tokio::test]
async fn everything_can_be_taken_away() {
    let app = usual();
    for (name, least) in [("small", 21), ("duel", 3)] {
        let id = id_of(&app, name).await;
        let files = get(&app, &format!("/runs/{id}/files")).await;
        let files = files.as_array().unwrap();
        assert!(files.len() >= least, "{files:?}");
        for file in files {
            assert_ne!(file["about"], "", "{file}");
            let file = file["name"].as_str().unwrap();
            let response = ask(&app, "GET", &format!("/runs/{id}/files/{file}"), None).await;
            assert_eq!(response.status(), StatusCode::OK, "{file}");
            let disposition = response.headers()[header::CONTENT_DISPOSITION]
                .to_str()
                .unwrap()
                .to_owned();
            assert_eq!(disposition, format!("attachment; filename=\"{id}-{file}\""));
            let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            match file.rsplit('.').next().unwrap() {
                "json" => assert!(serde_json::from_str::<Value>(&text).is_ok(), "{file}"),
                "svg" => assert!(
                    text.starts_with("<svg") && text.trim_end().ends_with("</svg>"),
                    "{file}"
                ),
                "pgn" => assert!(
                    text.contains("[Result \"") && text.contains("1. "),
                    "{file}: {text}"
                ),
                _ if file == "gauntlet.csv" => assert_eq!(text.lines().count(), 1, "nobody climbed: {text}"),
                _ => assert!(text.lines().count() > 1 && text.contains(','), "{file}: {text}"),
            }
        }
        let pgn = text(&app, &format!("/runs/{id}/files/games.pgn")).await.1;
        let games = get(&app, &format!("/runs/{id}/games")).await["total"]
            .as_u64()
            .unwrap();
        assert_eq!(pgn.matches("[White ").count() as u64, games);
    }
}

#[tokio::test]
async fn a_match_has_its_table_and_its_test() {
    let app = usual();
    let id = id_of(&app, "duel").await;
    let detail = get(&app, &format!("/runs/{id}")).await;
    let table = &detail["contest"];
    assert_eq!(
        (&detail["run"]["games"], &detail["run"]["planned_games"]),
        (&json!(40), &json!(40))
    );
    let anna = &table["players"][0];
    let count = |player: &Value, key: &str| player[key].as_u64().unwrap();
    let games: u64 = ["wins", "draws", "losses"]
        .iter()
        .map(|key| count(anna, key))
        .sum();
    assert_eq!(games, 40);
    assert_eq!(count(anna, "wins"), count(&table["players"][1], "losses"));
    let pairs = anna["pentanomial"].as_array().unwrap();
    let half_points: u64 = pairs
        .iter()
        .enumerate()
        .map(|(made, count)| made as u64 * count.as_u64().unwrap())
        .sum();
    assert_eq!(anna["points"], json!(half_points as f64 / 2.0));
    assert_eq!(pairs.iter().map(|count| count.as_u64().unwrap()).sum::<u64>(), 20);
    assert_eq!(
        table["against"][0][1],
        json!([count(anna, "wins"), count(anna, "draws"), count(anna, "losses")])
    );
    assert!(table["sprt"]["llr"].is_number() && table["sprt"]["upper"].as_f64() > Some(2.9));
    let last = table["course"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["games"], &last["elo"], &last["llr"]),
        (&json!(40), &anna["elo"], &table["sprt"]["llr"])
    );
    let ended: u64 = table["terminations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|how| how["games"].as_u64().unwrap())
        .sum();
    assert_eq!(ended, 40);
    // It has no generations.
    assert_eq!(
        text(&app, &format!("/runs/{id}/convergence")).await.0,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn runs_are_compared() {
    let app = usual();
    let ids: Vec<String> = vec![
        id_of(&app, "small").await,
        id_of(&app, "halved").await,
        id_of(&app, "duel").await,
    ];
    let compared = get(&app, &format!("/runs/compare?ids={}", ids.join(","))).await;
    let names: Vec<&str> = compared
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["run"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["small", "halved", "duel"]);
    assert_eq!(
        compared[0]["convergence"]["generation"].as_array().unwrap().len(),
        4
    );
    assert!(compared[1]["convergence"]["generation"].as_array().unwrap().len() < 4);
    // The same Elo as on the page of the run.
    let alone = get(&app, &format!("/runs/{}/convergence", ids[0])).await;
    assert!(alone["elo"][3].is_number(), "{alone}");
    assert_eq!(compared[0]["convergence"]["elo"], alone["elo"]);
    assert!(compared[2]["contest"]["players"].is_array() && compared[2]["convergence"].is_null());
}

#[tokio::test]
async fn events_begin_with_the_run_as_it_is() {
    let app = usual();
    let id = id_of(&app, "small").await;
    let response = ask(&app, "GET", &format!("/runs/{id}/events"), None).await;
    assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
    let mut stream = response.into_body().into_data_stream();
    let first = tokio::time::timeout(Duration::from_secs(10), stream.next())
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    let first = String::from_utf8(first.to_vec()).unwrap();
    assert!(first.starts_with("event: run\ndata: {"), "{first}");
    // Nothing changes, so nothing more is told but that the stream is still there.
    let more = tokio::time::timeout(Duration::from_millis(2500), stream.next()).await;
    assert!(more.is_err(), "{more:?}");
}

#[tokio::test]
async fn what_does_not_fit_is_refused() {
    let app = usual();
    let id = id_of(&app, "small").await;
    let paths = [
        "/runs/nobody".to_owned(),
        "/runs/..%2F..%2Fetc".to_owned(),
        format!("/runs/{id}/games/99999"),
        format!("/runs/{id}/games/-1"),
        format!("/runs/{id}/files/config.toml"),
        format!("/runs/{id}/files/..%2Fconfig.toml"),
        format!("/runs/{id}/parameters/Nothing"),
    ];
    for path in paths {
        let (status, text) = text(&app, &path).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(
            serde_json::from_str::<Value>(&text).unwrap()["error"]["message"].is_string(),
            "{path}: {text}"
        );
    }
    let queries = [
        "result=2-0",
        "limit=x",
        "after=1&before=2",
        "unknown=1",
        "part=middle",
        "round=-1",
    ];
    for query in queries {
        let status = text(&app, &format!("/runs/{id}/games?{query}")).await.0;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}");
    }
    for ids in ["", "a,b", &["x"; 9].join(",")] {
        assert!(
            text(&app, &format!("/runs/compare?ids={ids}"))
                .await
                .0
                .is_client_error(),
            "{ids}"
        );
    }
    let bodies = [
        json!({"preset": "quick", "name": "../x"}),
        json!({"preset": "quick", "name": "small"}),
        json!({"preset": "quik", "name": "new"}),
        json!({"preset": "quick", "name": "new", "scale": -1}),
        json!({"preset": "quick", "name": "new", "directory": "/tmp"}),
        json!({"preset": "quick", "name": "new", "command": "sh"}),
        json!({"name": "new"}),
        json!([]),
    ];
    for body in bodies {
        let response = ask(&app, "POST", "/runs", Some(&body.to_string())).await;
        assert!(
            response.status().is_client_error(),
            "{body}: {}",
            response.status()
        );
    }
    // What is done cannot go on, and who does not run cannot be paused.
    for what in ["pause", "stop", "resume"] {
        let response = ask(&app, "POST", &format!("/runs/{id}/{what}"), None).await;
        assert_eq!(response.status(), StatusCode::CONFLICT, "{what}");
    }
    assert!(!FOLDER.path().join("new").exists());
}

/// The program of a test is no Vidmar: it does not know what it is told and ends at once.
#[tokio::test]
async fn a_run_that_does_not_begin_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let app = server(&[("lab", folder.path())]);
    let body = json!({"preset": "quick", "name": "new"}).to_string();
    let response = ask(&app, "POST", "/runs", Some(&body)).await;
    assert_eq!(response.status(), StatusCode::CONFLICT);
    let answer = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!(answer["error"]["code"], "cannot-begin", "{answer}");
    assert!(!folder.path().join("new").exists());
    assert_eq!(get(&app, "/runs").await["runs"], json!([]));
}

/// Every file below a folder with its bytes.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(contents(&path));
        } else {
            all.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
    all
}

/// Whatever is asked: no file is changed or made, and no answer tells where anything lies.
#[tokio::test]
async fn a_viewer_leaves_no_trace_and_tells_no_path() {
    let folder = tempfile::tempdir().unwrap();
    tune(&folder.path().join("own"), 40);
    duel(&folder.path().join("own-duel.db"));
    std::fs::create_dir(folder.path().join("broken")).unwrap();
    std::fs::write(folder.path().join("broken/config.toml"), "depth = many").unwrap();
    std::fs::write(folder.path().join("broken/games.db"), "nothing").unwrap();
    let before = contents(folder.path());
    let app = server(&[("lab", folder.path())]);
    let list = get(&app, "/runs").await;
    let broken = list["runs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|run| run["name"] == "broken")
        .unwrap();
    assert_eq!(broken["state"], "unreadable");
    let secret = folder.path().to_str().unwrap();
    assert!(!list.to_string().contains(secret), "{list}");
    for run in list["runs"].as_array().unwrap() {
        let id = run["id"].as_str().unwrap();
        let parts = [
            "",
            "/convergence",
            "/parameters",
            "/population",
            "/history",
            "/verification",
            "/importance",
            "/games",
            "/games/3",
            "/games?part=validation",
            "/faults",
            "/files",
            "/files/games.pgn",
            "/files/games.csv",
            "/files/ratings.json",
        ];
        for part in parts {
            let (status, text) = text(&app, &format!("/runs/{id}{part}")).await;
            assert!(
                status.as_u16() < 500 && !text.contains(secret),
                "{id}{part}: {status} {text}"
            );
        }
    }
    assert_eq!(
        contents(folder.path()).keys().collect::<Vec<_>>(),
        before.keys().collect::<Vec<_>>()
    );
    assert!(contents(folder.path()) == before);
}
