//! Who is there, and orders.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use vidmar_arena::{FaultPolicy, GameTask, MissingPlayers, Runner};
use vidmar_engine::Control;
use vidmar_fleet::protocol::{Order, WorkerState};
use vidmar_fleet::roster::{order, order_runs, overview};
use vidmar_fleet::{Address, Credentials};

use crate::fleet::{LocalWorker, Notices, coordinator, locally, played, server, tasks, wait_for};

#[test]
fn everybody_is_seen_and_follows_orders() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let address: Address = server.url().parse().unwrap();
    let credentials = Credentials::default();
    let see = || overview(&address, &credentials).unwrap();
    assert_eq!(see(), vidmar_fleet::roster::Overview::default());
    let steady = LocalWorker::start(&server, "steady", &notices);
    let leaving = LocalWorker::start(&server, "leaving", &notices);
    wait_for("two workers", || see().workers.len() == 2);
    let coordinator = coordinator(&server, &notices);
    assert_eq!(played(&coordinator, tasks(20)), locally(tasks(20)));
    // Who is late to answer is not seen.
    let mut found = see();
    wait_for("both to know the run", || {
        found = see();
        found.runs.len() == 1 && found.workers.iter().all(|row| !row.runs.is_empty())
    });
    assert_eq!(found.runs.len(), 1);
    assert_eq!(found.runs[0].games, 20);
    assert_eq!(found.workers.iter().map(|row| row.games).sum::<u64>(), 20);
    let row = &found.workers[1];
    assert_eq!(row.name.to_string(), "steady");
    assert!(row.threads == 1 && row.cores > 0 && row.nps > 1000, "{row:?}");
    assert_eq!(row.runs, ["test".parse().unwrap()]);
    let told = |name: &str, wanted: &Order| order(&address, &credentials, &name.parse().unwrap(), wanted);
    assert_eq!(told("steady", &Order::Pause).unwrap().state, WorkerState::Paused);
    let drained = told("leaving", &Order::Drain).unwrap().state;
    assert!(
        matches!(drained, WorkerState::Draining | WorkerState::Gone),
        "{drained:?}"
    );
    assert!(told("nobody", &Order::Drain).is_err());
    leaving.ended();
    std::thread::scope(|scope| {
        let more = scope.spawn(|| played(&coordinator, tasks(30).split_off(20)));
        std::thread::sleep(Duration::from_millis(500));
        assert!(!more.is_finished(), "the only worker is paused");
        assert_eq!(
            told("steady", &Order::Resume).unwrap().state,
            WorkerState::Playing
        );
        assert_eq!(more.join().unwrap(), locally(tasks(30).split_off(20)));
    });
    drop(steady);
    coordinator.close(false);
    let found = see();
    assert_eq!(found.left, ["test".parse().unwrap()]);
    assert_eq!(found.workers, []);
}

#[test]
fn a_worker_is_shut_out_by_hand_and_let_in_again() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let (address, credentials): (Address, _) = (server.url().parse().unwrap(), Credentials::default());
    let coordinator = coordinator(&server, &notices);
    let worker = LocalWorker::start(&server, "odd", &notices);
    let control = Control::new();
    std::thread::scope(|scope| {
        // More than there is time for.
        let run = scope.spawn(|| {
            let runner = Runner {
                executor: &coordinator,
                faults: FaultPolicy::Replay,
                missing: MissingPlayers::EndTheRun,
            };
            let endless = (0..).flat_map(|round| {
                tasks(10).into_iter().map(move |task| GameTask {
                    number: 10 * round + task.number,
                    ..task
                })
            });
            runner.collect(endless, &control, &mut |_| {}).unwrap()
        });
        let name = || "odd".parse().unwrap();
        let orders = || {
            wait_for("some games", || coordinator.roster().games > 5);
            let shut_out = Order::ShutOut {
                worker: name(),
                reason: "too loud".to_owned(),
            };
            assert_eq!(order_runs(&address, &credentials, &shut_out).unwrap(), 1);
            wait_for("both to hear it", || {
                let told = notices.text();
                told.contains("worker odd is shut out: by order: too loud")
                    && told.contains("not playing for run test: its coordinator has shut this worker out")
            });
            let mut before = 0;
            wait_for("the roster to know it", || {
                let roster = coordinator.roster();
                before = roster.games;
                roster.workers.iter().any(|row| row.refused.is_some())
            });
            std::thread::sleep(Duration::from_millis(1200));
            assert_eq!(coordinator.roster().games, before);
            let let_in = Order::LetIn { worker: name() };
            assert_eq!(order_runs(&address, &credentials, &let_in).unwrap(), 1);
            wait_for("games again", || coordinator.roster().games > before + 5);
        };
        let done = catch_unwind(AssertUnwindSafe(orders));
        control.stop();
        assert!(run.join().unwrap().is_none());
        done.unwrap();
    });
    drop(worker);
}
