//! Coordinators and workers that begin while their server comes and goes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use vidmar_engine::Control;
use vidmar_fleet::testing::{Gate, LocalServer, Passing};
use vidmar_fleet::worker::{WorkerSettings, serve};
use vidmar_fleet::{Coordinator, FleetError, Settings};

use crate::fleet::{
    LocalWorker, Notices, coordinator, light_tasks, locally, played, server, settings, settings_at, wait_for,
};

/// A server that is killed once, before or after it has heard the n-th question, and comes again when somebody looks for it.
fn killed_at(server: &Arc<Mutex<LocalServer>>, last: Passing) -> (Gate, Arc<Mutex<bool>>) {
    let (killed, port) = (Arc::new(Mutex::new(false)), server.lock().unwrap().port());
    let (server, is_killed) = (Arc::clone(server), Arc::clone(&killed));
    let mut is_gone = false;
    let gate = Gate::new(port, move |passing| {
        if passing == Passing::Connection && is_gone {
            is_gone = false;
            server.lock().unwrap().restart();
        }
        let mut is_killed = is_killed.lock().unwrap();
        if passing == last && !*is_killed {
            *is_killed = true;
            is_gone = true;
            server.lock().unwrap().kill();
            return false;
        }
        true
    });
    (gate.unwrap(), killed)
}

/// Whatever a coordinator asks its server for when it begins, and whether or not the server comes to do it: one that is killed then is
/// waited for, and the run is as it should be.
#[test]
fn a_server_that_is_killed_while_a_coordinator_opens() {
    let Some(server) = server() else { return };
    let server = Arc::new(Mutex::new(server));
    let mut questions = 0;
    loop {
        questions += 1;
        let last = if questions % 2 == 0 {
            Passing::Question(questions)
        } else {
            Passing::Answer(questions)
        };
        let (gate, killed) = killed_at(&server, last);
        let notices = Notices::default();
        let coordinator = Coordinator::open(settings_at(&gate.url(), &notices), &Control::new()).unwrap();
        if *killed.lock().unwrap() {
            wait_for("a word about it", || notices.text().contains("cannot be reached"));
            continue;
        }
        // So many questions are not asked at the beginning: the server was there all the time.
        assert!(questions > 10, "{questions}");
        let url = server.lock().unwrap().url();
        let worker = WorkerSettings::new(url.parse().unwrap(), notices.observer());
        let _worker = LocalWorker::with(worker);
        assert_eq!(played(&coordinator, light_tasks(20)), locally(light_tasks(20)));
        return;
    }
}

/// Tasks that are offered while the server is away are offered when it is back.
#[test]
fn a_server_that_is_away_when_games_begin() {
    let Some(mut server) = server() else { return };
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    server.kill();
    std::thread::scope(|scope| {
        let games = scope.spawn(|| played(&coordinator, light_tasks(20)));
        wait_for("a word about it", || {
            notices.text().contains("cannot offer tasks")
        });
        server.restart();
        let _worker = LocalWorker::start(&server, "late", &notices);
        assert_eq!(games.join().unwrap(), locally(light_tasks(20)));
    });
}

/// So long that it does not end before the test does.
const LONG: Duration = Duration::from_hours(1);

/// A server that comes a little later than who needs it.
#[test]
fn a_server_that_is_late() {
    let Some(mut server) = server() else { return };
    server.kill();
    let (notices, url) = (Notices::default(), server.url());
    let late = || Settings {
        grace: LONG,
        ..settings(&server, &notices)
    };
    let opening = late();
    let worker = LocalWorker::with(WorkerSettings {
        grace: LONG,
        ..WorkerSettings::new(url.parse().unwrap(), notices.observer())
    });
    std::thread::scope(|scope| {
        let coordinator = scope.spawn(|| Coordinator::open(opening, &Control::new()).unwrap());
        wait_for("both to miss it", || {
            notices.text().matches("no NATS server answers at").count() == 2
        });
        server.restart();
        let coordinator = coordinator.join().unwrap();
        assert_eq!(played(&coordinator, light_tasks(6)), locally(light_tasks(6)));
    });
    drop(worker);
}

/// Whoever waits for a server can be stopped.
#[test]
fn waiting_for_a_server_can_be_stopped() {
    let nobody = "nats://127.0.0.1:1";
    let (notices, control) = (Notices::default(), Control::new());
    std::thread::scope(|scope| {
        let coordinator = scope.spawn(|| {
            let settings = Settings {
                grace: LONG,
                ..settings_at(nobody, &notices)
            };
            Coordinator::open(settings, &control).map(drop)
        });
        let worker = scope.spawn(|| {
            let settings = WorkerSettings {
                grace: LONG,
                ..WorkerSettings::new(nobody.parse().unwrap(), notices.observer())
            };
            serve(settings, &control).map(drop)
        });
        wait_for("both to miss it", || {
            notices.text().matches("no NATS server answers at").count() == 2
        });
        control.stop();
        for ended in [coordinator.join(), worker.join()] {
            assert!(matches!(ended.unwrap(), Err(FleetError::Stopped)));
        }
    });
}
