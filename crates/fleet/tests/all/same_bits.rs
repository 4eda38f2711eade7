//! The same games, whoever plays them, whatever happens to them on the way.

use std::time::Duration;

use crate::engines::{ThinkingEngine, engine_tasks};
use crate::fleet::{
    LocalWorker, Notices, WorkerProcess, coordinator, light_tasks, locally, played, played_and_seen, server,
    settings, tasks, wait_for,
};
use crate::rogue::Rogue;
use vidmar_engine::Control;
use vidmar_fleet::{Coordinator, Settings};

#[test]
fn games_of_any_number_of_workers_are_those_of_threads() {
    let Some(server) = server() else { return };
    let expected = locally(tasks(60));
    for workers in [1, 2, 8] {
        let notices = Notices::default();
        let workers: Vec<LocalWorker> = (0..workers)
            .map(|index| LocalWorker::start(&server, &format!("w{index}"), &notices))
            .collect();
        let coordinator = coordinator(&server, &notices);
        // Two lists, as a tuning run has them.
        let mut games = played(&coordinator, tasks(60).drain(..20).collect());
        games.extend(played(&coordinator, tasks(60).drain(20..).collect()));
        assert_eq!(games, expected);
        assert_eq!(coordinator.roster().games, 60);
        coordinator.close(true);
        let played: u64 = workers.into_iter().map(|worker| worker.stop().games).sum();
        assert!(played >= 60, "{played}");
    }
}

/// So long that a server says meanwhile that there is nothing, to whoever wants to hear that.
const IDLE: Duration = Duration::from_millis(2500);

/// A worker hears of the next task however long it had none: the server does not have to give it a second time.
#[test]
fn a_worker_that_had_nothing_to_do_takes_the_next_task() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let coordinator = Coordinator::open(
        Settings {
            patience: Duration::from_secs(30),
            ..settings(&server, &notices)
        },
        &Control::new(),
    )
    .unwrap();
    let _worker = LocalWorker::start(&server, "idle", &notices);
    let mut first = light_tasks(2);
    let second = first.split_off(1);
    played(&coordinator, first);
    std::thread::sleep(IDLE);
    played(&coordinator, second);
    assert_eq!(Rogue::join(&server, "witness").deliveries(), 2);
}

/// More than can be finished and not taken in: while the first game is looked at, a thread cannot play them all.
const GAMES: u64 = 300;

#[test]
fn threads_of_the_coordinator_help() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let coordinator = Coordinator::open(
        Settings {
            threads: 1,
            ..settings(&server, &notices)
        },
        &Control::new(),
    )
    .unwrap();
    let mut worker = None;
    let games = played_and_seen(&coordinator, light_tasks(GAMES), &mut |_| {
        if worker.is_none() {
            // Nobody else is there, so this one was played here; what is open now can only be played elsewhere.
            wait_for("tasks for others", || coordinator.roster().open > 0);
            worker = Some(LocalWorker::start(&server, "late", &notices));
        }
    });
    assert_eq!(games, locally(light_tasks(GAMES)));
    let elsewhere = coordinator.roster().games;
    assert!(elsewhere > 0 && elsewhere < GAMES, "{elsewhere}");
}

/// Workers are killed one after the other, in the middle of their games, and new ones come.
#[test]
fn killed_workers_cost_nothing_but_time() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    let start = |number: usize| WorkerProcess::start(&server, &format!("mortal{number}"));
    let mut workers: Vec<WorkerProcess> = (0..3).map(start).collect();
    let (mut seen, mut kills) = (0, 0);
    let games = played_and_seen(&coordinator, tasks(160), &mut |_| {
        seen += 1;
        if seen % 20 == 0 {
            drop(workers.remove(0));
            kills += 1;
            workers.push(start(kills + 2));
        }
    });
    assert_eq!(games, locally(tasks(160)));
    assert_eq!(kills, 8);
}

#[test]
fn a_worker_that_is_told_to_stop_hands_back_what_it_has_not_finished() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    // So patient that nothing comes back by itself.
    let coordinator = Coordinator::open(
        Settings {
            patience: Duration::from_mins(10),
            ..settings(&server, &notices)
        },
        &Control::new(),
    )
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let engine = ThinkingEngine::new(folder.path());
    let list = || engine_tasks(&engine.program, 4);
    let (games, first, last) = std::thread::scope(|scope| {
        let games = scope.spawn(|| played(&coordinator, list()));
        let start = |name: &str| LocalWorker::with(engine.worker(&server, name, &notices));
        let first = start("told");
        wait_for("a game at the board", || engine.is_asked());
        let first = first.stop();
        engine.answer_at_once();
        let last = start("last");
        (games.join().unwrap(), first, last.stop())
    });
    assert_eq!(games, locally(list()));
    assert!(first.games == 0 && first.returned > 0, "{first:?}");
    assert!(last.games >= 4, "{last:?}");
}
