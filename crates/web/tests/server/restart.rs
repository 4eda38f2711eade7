//! A server that ends and begins again.

use serde_json::{Value, json};
use vidmar_web::Config;

use crate::site::{Site, engine, id, person};

#[tokio::test]
async fn games_go_on_where_they_were() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = Config {
        state: Some(folder.path().to_owned()),
        ..Config::default()
    };
    let site = Site::start(config.clone());
    let game = site.begin(&json!({"white": person(), "black": engine(500), "clock": {"base_ms": 600_000, "increment_ms": 0}})).await;
    let (_, _) = site.play(&game, "e2e4").await;
    let answered =
        |plies: usize| move |game: &Value| game["plies"].as_array().is_some_and(|all| all.len() == plies);
    let before = site.wait(id(&game), answered(2)).await;
    let (_, reasons) = site.get(&format!("/games/{}/why/2", id(&game))).await;
    let deleted = site.begin(&json!({"white": person(), "black": person()})).await;
    site.delete(&format!("/games/{}", id(&deleted))).await;
    drop(site);

    let site = Site::start(config.clone());
    let (_, after) = site.get(&format!("/games/{}", id(&game))).await;
    for key in [
        "plies", "version", "fen", "status", "white", "black", "seed", "opening",
    ] {
        assert_eq!(after[key], before[key], "{key}");
    }
    assert_eq!(site.get(&format!("/games/{}/why/2", id(&game))).await.1, reasons);
    assert_eq!(
        site.get("/games").await.1.as_array().map(Vec::len),
        Some(1),
        "what was deleted stays so"
    );
    // The player goes on too.
    let (status, _) = site.play(&after, "g1f3").await;
    assert_eq!(status, 200);
    site.wait(id(&game), answered(4)).await;
    drop(site);
    // Two servers cannot share their games.
    let site = Site::start(config.clone());
    let error = vidmar_web::Server::new(config)
        .err()
        .expect("it is taken")
        .to_string();
    assert!(error.contains("games.db"), "{error}");
    drop(site);
}

#[tokio::test]
async fn a_player_that_was_about_to_move_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = Config {
        state: Some(folder.path().to_owned()),
        ..Config::default()
    };
    let site = Site::start(config.clone());
    let slow = json!({"kind": "engine", "options": {"movetime": 60_000, "depth": 60}});
    let game = site.begin(&json!({"white": slow, "black": person()})).await;
    drop(site);
    let site = Site::start(config);
    let (_, game) = site.get(&format!("/games/{}", id(&game))).await;
    assert_eq!(
        (&game["status"]["state"], &game["plies"]),
        (&json!("playing"), &json!([]))
    );
    let mut events = site.events(&format!("/games/{}/events", id(&game))).await;
    assert!(events.next("thinking").await.is_some());
}
