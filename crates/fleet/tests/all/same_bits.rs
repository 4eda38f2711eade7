//! The same games, whoever plays them, whatever happens to them on the way.

use std::time::Duration;

use crate::fleet::{
    LocalWorker, Notices, WorkerProcess, coordinator, locally, played, played_and_seen, server, settings,
    tasks,
};
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

#[test]
fn threads_of_the_coordinator_help() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let coordinator = Coordinator::open(Settings {
        threads: 1,
        ..settings(&server, &notices)
    })
    .unwrap();
    // Nobody else is there for what it has taken: a worker comes late.
    let games = std::thread::scope(|scope| {
        let games = scope.spawn(|| played(&coordinator, tasks(80)));
        std::thread::sleep(Duration::from_millis(200));
        let _worker = LocalWorker::start(&server, "late", &notices);
        games.join().unwrap()
    });
    assert_eq!(games, locally(tasks(80)));
    let elsewhere = coordinator.roster().games;
    assert!(elsewhere > 0 && elsewhere < 80, "{elsewhere}");
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
    let coordinator = Coordinator::open(Settings {
        patience: Duration::from_mins(10),
        ..settings(&server, &notices)
    })
    .unwrap();
    let (games, returned) = std::thread::scope(|scope| {
        let games = scope.spawn(|| played(&coordinator, tasks(300)));
        // One that has just finished all that it had has nothing to hand back: the next one will.
        let mut returned = 0;
        for number in 0..20 {
            if returned > 0 || games.is_finished() {
                break;
            }
            let before = coordinator.roster().games;
            let worker = LocalWorker::start(&server, &format!("told{number}"), &notices);
            crate::fleet::wait_for("some games", || {
                coordinator.roster().games > before || games.is_finished()
            });
            returned += worker.stop().returned;
        }
        let _last = LocalWorker::start(&server, "last", &notices);
        (games.join().unwrap(), returned)
    });
    assert_eq!(games, locally(tasks(300)));
    assert!(returned > 0);
}
