//! Whom to believe: other builds are refused on both sides, and a share of the games is compared.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use vidmar_engine::Control;
use vidmar_fleet::protocol::{Entry, RunCard};
use vidmar_fleet::{Coordinator, Settings};

use crate::fleet::{LocalWorker, Notices, coordinator, locally, played, server, settings, tasks, wait_for};
use crate::rogue::Rogue;

fn checking(server: &vidmar_fleet::testing::LocalServer, notices: &Notices, share: f64) -> Coordinator {
    Coordinator::open(
        Settings {
            spot_checks: share,
            ..settings(server, notices)
        },
        &Control::new(),
    )
    .unwrap()
}

/// Answers every task with a game that can be, and is not what its players play, after some that are right.
fn lie(rogue: &Rogue, until: &AtomicBool, from: usize, answered: &AtomicUsize) {
    while !until.load(Ordering::Relaxed) {
        rogue.beat();
        let Some(taken) = rogue.try_take(Duration::from_millis(200)) else {
            continue;
        };
        let mut entries = Rogue::play_all(&taken);
        for entry in &mut entries {
            let Entry::Played(played) = entry else { continue };
            if answered.fetch_add(1, Ordering::Relaxed) >= from
                && let Some(ply) = played.record.moves.first_mut()
            {
                ply.info.nodes += 1;
            }
        }
        rogue.send_entries(entries);
        rogue.acknowledge(&taken);
    }
}

#[test]
fn a_liar_is_shut_out_and_its_games_are_played_again() {
    let Some(server) = server() else { return };
    // A liar from the beginning, and one that is honest at first.
    for from in [0, 15] {
        let notices = Notices::default();
        let coordinator = checking(&server, &notices, 0.2);
        let (is_over, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
        let games = std::thread::scope(|scope| {
            let games = scope.spawn(|| played(&coordinator, tasks(120)));
            let rogue = Rogue::join(&server, "rogue");
            scope.spawn(|| {
                let rogue = rogue;
                lie(&rogue, &is_over, from, &answered);
            });
            wait_for("a lie", || answered.load(Ordering::Relaxed) > from);
            let _honest: Vec<LocalWorker> = (0..2)
                .map(|index| LocalWorker::start(&server, &format!("honest{index}"), &notices))
                .collect();
            let games = games.join().unwrap();
            is_over.store(true, Ordering::Relaxed);
            games
        });
        assert_eq!(games, locally(tasks(120)));
        let told = notices.text();
        assert!(
            told.contains("worker rogue is shut out: it answered a task otherwise than it is played here"),
            "{told}"
        );
        assert!(!told.contains("worker honest0 is shut out"), "{told}");
        let roster = coordinator.roster();
        let checks: u64 = roster.workers.iter().map(|worker| worker.checks).sum();
        assert!(checks > 0);
        coordinator.close(true);
    }
}

/// With one worker it is the coordinator that plays what is compared.
#[test]
fn one_worker_is_compared_with_the_coordinator() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let coordinator = checking(&server, &notices, 1.0);
    let _worker = LocalWorker::start(&server, "alone", &notices);
    assert_eq!(played(&coordinator, tasks(30)), locally(tasks(30)));
    assert_eq!(coordinator.roster().workers[0].checks, 30);
}

/// Everything is played twice where that is wanted.
#[test]
fn every_game_can_be_compared() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let workers: Vec<LocalWorker> = (0..2)
        .map(|index| LocalWorker::start(&server, &format!("w{index}"), &notices))
        .collect();
    let coordinator = checking(&server, &notices, 1.0);
    // Both are there before anything is compared.
    let mut first = 0;
    wait_for("both workers", || {
        first += 1;
        played(&coordinator, tasks(first as u64).split_off(first - 1));
        notices.text().matches("has come").count() >= 2
    });
    let more = || tasks(first as u64 + 38).split_off(first);
    assert_eq!(played(&coordinator, more()), locally(more()));
    let checks: u64 = coordinator
        .roster()
        .workers
        .iter()
        .map(|worker| worker.checks)
        .sum();
    // Every game vouches for one worker at least, and for both where they played it; one that is hardly ever there leaves that to the
    // coordinator.
    let all = first as u64 + 38;
    assert!(checks > all, "{checks} of {all}");
    let games: u64 = workers.into_iter().map(|worker| worker.stop().games).sum();
    assert!(games > all, "{games} of {all}");
}

/// The run says what it needs, and the worker does not play; the run hears of that.
#[test]
fn another_build_is_refused_on_both_sides() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    let at_worker = Notices::default();
    std::thread::scope(|scope| {
        let games = scope.spawn(|| played(&coordinator, tasks(10)));
        let rogue = Rogue::join(&server, "rogue");
        // As if the run were of another program.
        let mut card = RunCard { ..rogue.card.clone() };
        card.build.signature += 1;
        rogue.put_card(&card);
        let worker = LocalWorker::start(&server, "modern", &at_worker);
        wait_for("the worker's refusal", || {
            at_worker
                .text()
                .contains("not playing for run test: it needs vidmar")
        });
        wait_for("the run's refusal", || {
            notices
                .text()
                .contains("worker modern is refused: it needs vidmar")
        });
        assert!(!games.is_finished());
        // As it really is.
        rogue.put_card(&rogue.card);
        assert_eq!(games.join().unwrap(), locally(tasks(10)));
        drop(worker);
    });
    let told = at_worker.text();
    assert!(told.contains("playing for run test"), "{told}");
}

/// A worker of another build that answers all the same.
#[test]
fn a_beat_of_another_build_is_told() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    std::thread::scope(|scope| {
        let games = scope.spawn(|| played(&coordinator, tasks(10)));
        let mut rogue = Rogue::join(&server, "rogue");
        rogue.build.version = "9.9.9".to_owned();
        rogue.beat();
        wait_for("a refusal", || {
            notices
                .text()
                .contains("worker rogue is refused: it is vidmar 9.9.9 with bench signature")
        });
        let _worker = LocalWorker::start(&server, "honest", &notices);
        games.join().unwrap();
    });
}
