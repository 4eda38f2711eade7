//! How many games a second go through a store: `cargo run --profile test -p vidmar-store --example throughput [FOLDER]`.
//!
//! Games of 80 plies with thoughts, in the folder given (a temporary one otherwise): committed one by one, which is what
//! a match with one slow game at a time does, and through the writing thread, which commits what has queued up.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement")]

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use vidmar_chess::{MoveInfo, Outcome, Score};
use vidmar_store::{Batch, Game, Store};

fn game(number: u64) -> Game {
    Game {
        number,
        result: Some(Outcome::Draw),
        termination: "threefold repetition".to_owned(),
        moves: "e2e4 e7e5 g1f3 b8c6 ".repeat(20),
        thoughts: vec![
            MoveInfo {
                score: Some(Score::Centipawns(31)),
                depth: 12,
                nodes: 45_678,
                time: Duration::from_micros(45_678),
            };
            80
        ],
        ..Game::default()
    }
}

fn main() {
    let folder = match std::env::args().nth(1) {
        Some(folder) => tempfile::tempdir_in(folder).unwrap(),
        None => tempfile::tempdir().unwrap(),
    };
    let path = folder.path().join("games.db");
    let mut store = Store::open(&path).unwrap();
    let run = store.begin_run("match", "{}").unwrap();
    let batch = |number| Batch {
        games: vec![game(number)],
        ..Batch::new(run)
    };

    let alone = 500;
    let begun = Instant::now();
    for number in 0..alone {
        store.commit(&batch(number)).unwrap();
    }
    let rate = alone as f64 / begun.elapsed().as_secs_f64();
    println!("one game a commit:   {rate:8.0} games/s");

    let many = 50_000;
    let writer = store.into_writer();
    let (done, dones) = channel();
    let begun = Instant::now();
    for number in alone..alone + many {
        let done = done.clone();
        writer
            .submit(batch(number), move |fate| done.send(fate).unwrap())
            .unwrap();
    }
    for _ in 0..many {
        dones.recv().unwrap().unwrap();
    }
    let rate = many as f64 / begun.elapsed().as_secs_f64();
    println!("as fast as they come: {rate:7.0} games/s");
    let store = writer.close().unwrap();
    let begun = Instant::now();
    let read = store.games(run).unwrap().len();
    let rate = read as f64 / begun.elapsed().as_secs_f64();
    println!("read back:           {rate:8.0} games/s");
    drop(store);
    let size = std::fs::metadata(&path).unwrap().len();
    println!("bytes a game:        {:8}", size / read as u64);
}
