//! What the parts of a coordinator's work cost, each alone.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Context as _;
use vidmar_arena::archive::stored_game;
use vidmar_arena::{Auditor, GameRecord, GameTask};
use vidmar_chess::ByColor;
use vidmar_engine::Control;
use vidmar_fleet::protocol::{Answer, Batch, Build, Entry, PlayedEntry, RunKey, TaskId, WirePlayer};

/// How often each is done: 64 games each time.
const TIMES: u32 = 20;

pub(crate) fn measure(games: &[GameRecord]) -> anyhow::Result<()> {
    let key = RunKey::random();
    let tasks: Vec<GameTask> = (0..games.len() as u64).map(super::games::task).collect();
    let ids: Vec<TaskId> = tasks.iter().map(|task| TaskId::of(&key, task, 0)).collect();
    let entry = |(record, id): (&GameRecord, &TaskId)| {
        Entry::Played(Box::new(PlayedEntry {
            task: *id,
            seconds: 0.1,
            record: record.clone(),
        }))
    };
    let answer = Answer {
        run: key,
        worker: "parts".parse()?,
        build: Build::measure(&Control::new())?.0,
        entries: games.iter().zip(&ids).map(entry).collect(),
    };
    let bytes = answer.encode();
    println!(
        "{} bytes of an answer a game; a game costs, each part alone:",
        bytes.len() / games.len()
    );
    let wire = tasks.first().context("games")?.players.clone();
    let wire = ByColor::from_fn(|side| WirePlayer {
        spec: wire[side].spec.clone(),
        engine: None,
    });
    part("the identity of its task", games.len(), || {
        for task in &tasks {
            black_box(TaskId::of(&key, task, 0));
        }
    });
    part("its task as bytes, in a batch", games.len(), || {
        let mut batch = Batch::new(key);
        for (task, id) in tasks.iter().zip(&ids) {
            batch.add(*id, task, ByColor::from_fn(|side| &wire[side]));
        }
        black_box(batch.encode());
    });
    part("its answer read from bytes", games.len(), || {
        black_box(Answer::decode(&bytes).is_ok());
    });
    let auditor = Auditor::default();
    part("its record replayed by the rules", games.len(), || {
        for (task, record) in tasks.iter().zip(games) {
            black_box(auditor.check(task, record).is_ok());
        }
    });
    part("its row for the store", games.len(), || {
        for (task, record) in tasks.iter().zip(games) {
            black_box(stored_game(task, record));
        }
    });
    Ok(())
}

fn part(name: &str, games: usize, mut work: impl FnMut()) {
    // The best of several: what others on the machine do is no part of it.
    let mut best = f64::MAX;
    for _ in 0..TIMES {
        let begun = Instant::now();
        work();
        best = best.min(begun.elapsed().as_secs_f64());
    }
    println!("  {name}: {:.1} µs", best * 1e6 / games as f64);
}
