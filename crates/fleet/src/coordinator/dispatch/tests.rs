//! The dispatch alone: no server, no time but what is said.

use vidmar_arena::{
    Executor, FaultPolicy, Feed, GameSetup, MissingPlayers, PlayedGame, Runner, TaskPlayer, Worker,
};
use vidmar_engine::Control;

use super::*;
use crate::protocol::{Entry, PlayedEntry, VERSION, WorkerState};

fn build() -> Build {
    Build {
        version: "1".to_owned(),
        signature: 2,
        measured: 3,
    }
}

fn task(number: u64) -> GameTask {
    let player = |index| TaskPlayer::new(index, "random:seed=3".parse().unwrap());
    GameTask {
        number,
        round: 0,
        players: ByColor::new(player(0), player(1)),
        setup: GameSetup {
            seed: number,
            ..GameSetup::default()
        },
    }
}

fn queue(delivered: u64, (first, last): (u64, u64)) -> Queue {
    Queue {
        delivered,
        first,
        last,
    }
}

/// Drives a dispatch by hand.
struct Script<F>(f64, F);

impl<F: Fn(&mut Table<'_, '_>) + Sync> Executor for Script<F> {
    fn execute(&self, feed: &Feed<'_>, _: &Control) {
        let mut table = Table {
            dispatch: Dispatch::new(RunKey::random(), build(), self.0),
            feed,
            now: Instant::now(),
            arbitrations: Vec::new(),
            shut_out: Vec::new(),
            published: 0,
            queue: queue(0, (1, 0)),
        };
        while let Some(assignment) = feed.next() {
            table.dispatch.add(assignment);
        }
        (self.1)(&mut table);
    }
}

struct Table<'f, 'a> {
    dispatch: Dispatch,
    feed: &'f Feed<'a>,
    now: Instant,
    arbitrations: Vec<(TaskId, GameTask)>,
    shut_out: Vec<(String, usize)>,
    /// Batches that were published, and how they stand at the server.
    published: u64,
    queue: Queue,
}

fn truth(task: &GameTask) -> GameRecord {
    Worker::default().play(task, &Control::new()).unwrap()
}

fn lie(task: &GameTask) -> GameRecord {
    let mut record = truth(task);
    record.moves[0].info.nodes += 1;
    record
}

impl Table<'_, '_> {
    fn join(&mut self, name: &str) {
        let presence = Presence {
            version: VERSION,
            name: name.parse().unwrap(),
            cores: 1,
            threads: 1,
            build: build(),
            nps: 1,
            engines: Vec::new(),
            state: WorkerState::Playing,
            playing: 0,
            queued: 0,
            games: 0,
            games_per_second: 0.0,
            runs: Vec::new(),
            refused: Vec::new(),
        };
        self.dispatch.beat(presence, self.now);
    }

    fn take(&mut self, most: usize) -> Vec<(TaskId, GameTask)> {
        let Some((_, ids, batch)) = self.dispatch.batch(most, self.now) else {
            return Vec::new();
        };
        self.published += 1;
        self.dispatch.published(&ids, self.published);
        batch.tasks().map(|(id, task)| (id, task.unwrap().0)).collect()
    }

    fn say(&mut self, worker: &str, id: TaskId, record: GameRecord) {
        let entry = Entry::Played(Box::new(PlayedEntry {
            task: id,
            seconds: 1.0,
            record,
        }));
        self.dispatch
            .answer(&worker.parse().unwrap(), &build(), entry, self.now);
        self.act();
    }

    fn act(&mut self) {
        for action in std::mem::take(&mut self.dispatch.actions) {
            match action {
                Action::Answer(assignment, record) => {
                    assert!(self.feed.answer(assignment, Ok(record)).is_none());
                }
                Action::Fail(assignment, error) => {
                    assert!(self.feed.answer(assignment, Err(error)).is_none());
                }
                Action::Arbitrate(id, task) => self.arbitrations.push((id, *task)),
                Action::Look(class) => self.dispatch.taken(&class, &self.queue, self.now),
                Action::ShutOut { worker, again, .. } => self.shut_out.push((worker.to_string(), again)),
            }
        }
    }

    fn tick(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
        self.dispatch.tick(self.now, true, true, Duration::from_secs(1));
        self.act();
    }

    /// Time passes while there are more games to come.
    fn tick_on_the_way(&mut self) {
        self.dispatch.tick(self.now, true, false, Duration::from_secs(1));
        self.act();
    }

    fn open(&self) -> usize {
        self.dispatch.len()
    }
}

fn run(games: u64, share: f64, script: impl Fn(&mut Table<'_, '_>) + Sync) -> Vec<PlayedGame> {
    let executor = Script(share, script);
    let runner = Runner {
        executor: &executor,
        faults: FaultPolicy::Drop,
        missing: MissingPlayers::AreFaults,
    };
    let played = runner.collect((0..games).map(task), &Control::new(), &mut |_| {});
    let games = played.unwrap().unwrap();
    for game in &games {
        assert!(
            game.record.is_same_game(&truth(&game.task)),
            "game {}",
            game.task.number
        );
    }
    games
}

#[test]
fn what_comes_twice_counts_once() {
    run(3, 0.0, |table| {
        table.join("a");
        for (id, task) in table.take(10) {
            table.say("a", id, truth(&task));
            table.say("a", id, truth(&task));
            table.say("b", id, lie(&task));
        }
        assert_eq!(
            (table.open(), table.dispatch.games, table.dispatch.dropped),
            (0, 3, 6)
        );
    });
}

/// No more is compared than the share says, as long as there are games to come, however many workers there are and however often time is
/// looked at.
#[test]
fn nobody_is_compared_more_often_than_need_be() {
    let workers: Vec<String> = (0..20).map(|number| format!("w{number}")).collect();
    run(80, 1e-9, |table| {
        for worker in &workers {
            table.join(worker);
        }
        let tasks = table.take(64);
        for (index, (id, task)) in tasks.iter().enumerate() {
            table.say(&workers[index % 20], *id, truth(task));
            table.tick_on_the_way();
        }
        let rest = table.take(80);
        assert_eq!(
            (rest.len(), table.open()),
            (16, 80),
            "none of them is a comparison"
        );
        for (id, task) in &rest {
            table.say("w0", *id, truth(task));
        }
        // Where no more can be held one game of each worker is compared.
        table.dispatch.most_held = 80;
        table.tick_on_the_way();
        table.tick_on_the_way();
        let checks = table.take(80);
        assert_eq!(checks.len(), 20);
        for (id, task) in checks {
            table.say("w0", id, truth(&task));
            table.say("w1", id, truth(&task));
        }
        assert_eq!((table.open(), table.dispatch.compared), (0, 20));
    });
}

/// Where much is held a worker is compared before its turn, with one game at a time.
#[test]
fn at_the_end_nobody_is_compared_before_there_is_nothing_else_to_do() {
    run(20, 1e-12, |table| {
        table.join("a");
        let mut tasks = table.take(20);
        let (last, last_task) = tasks.pop().unwrap();
        for (id, task) in tasks {
            table.say("a", id, truth(&task));
            table.tick(0);
        }
        assert_eq!((table.arbitrations.len(), table.open()), (0, 20));
        table.say("a", last, truth(&last_task));
        table.tick(0);
        // One game vouches for all.
        let compared = std::mem::take(&mut table.arbitrations);
        assert_eq!(compared.len(), 1);
        for (id, task) in compared {
            table.dispatch.arbitrated(id, Ok(truth(&task)));
        }
        table.act();
        assert_eq!((table.open(), table.dispatch.compared), (0, 1));
    });
}

#[test]
fn one_game_at_a_time_is_hurried() {
    run(40, 1e-9, |table| {
        table.join("a");
        table.join("b");
        table.dispatch.most_held = 10;
        for (id, task) in table.take(40) {
            table.say("a", id, truth(&task));
        }
        let checks = table.take(40);
        assert_eq!(checks.len(), 1);
        for (id, task) in checks {
            table.say("b", id, truth(&task));
        }
        table.tick(0);
        for (id, task) in table.take(40) {
            table.say("b", id, truth(&task));
        }
        assert_eq!(table.open(), 0);
        assert!(table.dispatch.compared <= 2, "{}", table.dispatch.compared);
    });
}

#[test]
fn answers_are_held_until_their_worker_has_passed() {
    run(4, 1e-9, |table| {
        table.join("a");
        table.join("b");
        let tasks = table.take(10);
        for (id, task) in &tasks[..3] {
            table.say("a", *id, truth(task));
        }
        assert_eq!((table.open(), table.dispatch.unanswered()), (4, 1));
        let (id, task) = &tasks[3];
        table.say("b", *id, truth(task));
        assert_eq!((table.open(), table.dispatch.unanswered()), (4, 0));
        // Nothing else is to be done: the last game of each is played again.
        table.tick(0);
        let checks = table.take(10);
        assert_eq!(checks.len(), 2);
        for (id, task) in checks {
            // The same worker says nothing new; another one does.
            table.say("a", id, truth(&task));
            table.say("b", id, truth(&task));
        }
        table.tick(0);
        for (id, task) in table.take(10) {
            table.say("a", id, truth(&task));
            table.say("b", id, truth(&task));
        }
        assert_eq!(table.open(), 0);
        assert!(table.shut_out.is_empty() && table.arbitrations.is_empty());
    });
}

#[test]
fn who_differs_from_the_truth_is_shut_out_with_all_that_is_held_of_it() {
    run(5, 1e-9, |table| {
        table.join("liar");
        table.join("honest");
        let tasks = table.take(10);
        for (id, task) in &tasks {
            table.say("liar", *id, lie(task));
        }
        assert_eq!(table.open(), 5);
        table.tick(0);
        let checks = table.take(10);
        assert_eq!(checks.len(), 1);
        let (id, task) = &checks[0];
        table.say("honest", *id, truth(task));
        assert_eq!(table.arbitrations.len(), 1);
        let (id, task) = table.arbitrations.remove(0);
        table.dispatch.arbitrated(id, Ok(truth(&task)));
        table.act();
        assert_eq!(table.shut_out, [("liar".to_owned(), 4)]);
        let again = table.take(10);
        assert_eq!(again.len(), 4);
        for (id, task) in &again {
            table.say("liar", *id, lie(task));
            table.say("honest", *id, truth(task));
        }
        // What the liar gave up for nothing need not be issued again; with it gone there is nobody to compare with but ourselves.
        assert!(table.take(10).is_empty());
        table.tick(0);
        assert_eq!(table.open(), 4);
        let (id, task) = table.arbitrations.remove(0);
        table.dispatch.arbitrated(id, Ok(truth(&task)));
        table.act();
        assert_eq!(table.open(), 0);
    });
}

/// With many workers each of them rarely has a game compared by chance: what is held of them has an end all the same.
#[test]
fn much_that_is_held_is_compared_at_once() {
    run(4, 1e-9, |table| {
        table.join("a");
        table.join("b");
        table.dispatch.most_held = 4;
        for (id, task) in table.take(10) {
            assert!(table.dispatch.has_room(10));
            table.say("a", id, truth(&task));
        }
        assert!(
            !table.dispatch.has_room(10),
            "nothing is unanswered, but much is held"
        );
        // Nobody had to look at the clock for it.
        let (id, task) = table.take(10).remove(0);
        table.say("b", id, truth(&task));
        assert_eq!(table.open(), 0);
        assert!(table.dispatch.has_room(10));
    });
}

/// A game that is right says nothing of those that came after it.
#[test]
fn who_begins_to_lie_is_not_vouched_for_by_what_it_said_before() {
    run(3, 1e-9, |table| {
        table.join("turncoat");
        table.join("honest");
        // Somebody has nothing to do: it is compared at once.
        table.join("idle");
        let tasks = table.take(10);
        let (id, task) = &tasks[0];
        table.say("turncoat", *id, truth(task));
        table.tick(0);
        let check = table.take(10).remove(0);
        for (id, task) in &tasks[1..] {
            table.say("turncoat", *id, lie(task));
        }
        table.say("honest", check.0, truth(&check.1));
        assert_eq!(table.open(), 2, "only what came before it counts");
        table.tick(0);
        let (id, task) = table.take(10).remove(0);
        table.say("honest", id, truth(&task));
        let (id, task) = table.arbitrations.remove(0);
        table.dispatch.arbitrated(id, Ok(truth(&task)));
        table.act();
        assert_eq!(table.shut_out, [("turncoat".to_owned(), 1)]);
        let (id, task) = table.take(10).remove(0);
        table.say("honest", id, truth(&task));
        table.tick(0);
        let (id, task) = table.take(10).remove(0);
        table.say("idle", id, truth(&task));
        assert_eq!(table.open(), 0);
    });
}

/// A liar that is alone is found out as well.
#[test]
fn one_worker_is_compared_with_ourselves() {
    run(3, 1e-9, |table| {
        table.join("alone");
        for (id, task) in table.take(10) {
            table.say("alone", id, lie(&task));
        }
        table.tick(0);
        let (id, task) = table.arbitrations.remove(0);
        table.dispatch.arbitrated(id, Ok(truth(&task)));
        table.act();
        assert_eq!(table.shut_out, [("alone".to_owned(), 2)]);
        for (id, task) in table.take(10) {
            table.say("late", id, truth(&task));
        }
        table.tick(0);
        let (id, task) = table.arbitrations.remove(0);
        table.dispatch.arbitrated(id, Ok(truth(&task)));
        table.act();
        assert_eq!(table.open(), 0);
    });
}

#[test]
fn what_is_lost_is_issued_again_but_less_and_less_often() {
    run(2, 0.0, |table| {
        table.join("a");
        assert_eq!(table.take(10).len(), 2);
        table.tick(0);
        assert_eq!(table.take(10).len(), 0);
        // That somebody has it is found out after a second; that it does not come back, another one later.
        table.tick(2);
        table.tick(1);
        assert_eq!(table.take(10).len(), 0);
        table.tick(1);
        let again = table.take(10);
        assert_eq!(again.len(), 2);
        table.tick(2);
        table.tick(2);
        assert_eq!(table.take(10).len(), 0);
        table.tick(1);
        assert_eq!(table.take(10).len(), 2);
        for (id, task) in again {
            table.say("a", id, truth(&task));
        }
    });
}

#[test]
fn what_waits_for_a_worker_is_not_lost() {
    run(2, 0.0, |table| {
        table.join("a");
        let (first, second) = (table.take(1), table.take(1));
        table.queue = queue(1, (1, 2));
        for _ in 0..100 {
            table.tick(1);
        }
        // The second one was waiting all the time; nothing was played twice but the first.
        let again = table.take(10);
        assert_eq!(again.len(), 1);
        assert_eq!(again[0].0, first[0].0);
        // A server that was killed has it no more, and does not know that somebody was given it.
        table.queue = queue(1, (3, 3));
        for _ in 0..5 {
            table.tick(1);
        }
        assert_eq!(table.take(10)[0].0, second[0].0);
        for (id, task) in first.into_iter().chain(second) {
            table.say("a", id, truth(&task));
        }
    });
}

#[test]
fn what_the_server_does_not_say_it_has_is_issued_again() {
    run(1, 0.0, |table| {
        table.join("a");
        assert!(table.dispatch.batch(1, table.now).is_some());
        table.tick(2);
        let again = table.take(10);
        assert_eq!(again.len(), 1);
        for (id, task) in again {
            table.say("a", id, truth(&task));
        }
    });
}

#[test]
fn a_long_game_by_the_clock_is_not_lost() {
    let expected = |change: &dyn Fn(&mut GameTask)| {
        let mut task = task(1);
        change(&mut task);
        expected_seconds(&task)
    };
    assert!(expected(&|_| {}).abs() < 1e-9);
    let clocked = expected(&|task| {
        for side in Color::ALL {
            task.setup.limits[side].base = Some(Duration::from_mins(5));
            task.setup.limits[side].increment = Duration::from_secs(1);
        }
    });
    assert!((clocked - 760.0).abs() < 1e-9, "{clocked}");
    let nodes = expected(&|task| {
        task.players[Color::White].spec = "engine:nodes=200000".parse().unwrap();
        task.setup.limits[Color::Black].nodes = Some(200_000);
    });
    assert!((nodes - 160.0).abs() < 1e-9, "{nodes}");
}

#[test]
fn what_is_handed_back_or_cannot_be_played_goes_to_others() {
    run(1, 0.0, |table| {
        table.join("a");
        let (id, task) = table.take(10).remove(0);
        let worker = "a".parse().unwrap();
        let failed = || Entry::Failed {
            task: id,
            reason: "no".to_owned(),
        };
        for entry in [Entry::Returned(id), failed(), failed()] {
            let now = table.now;
            table.dispatch.answer(&worker, &build(), entry, now);
            table.act();
            assert_eq!(table.take(10).len(), 1);
        }
        table.say("a", id, truth(&task));
    });
    let executor = Script(0.0, |table: &mut Table<'_, '_>| {
        let (id, _) = table.take(1).remove(0);
        for _ in 0..MOST_FAILURES {
            let entry = Entry::Failed {
                task: id,
                reason: "no such engine".to_owned(),
            };
            let now = table.now;
            table.dispatch.answer(&"a".parse().unwrap(), &build(), entry, now);
        }
        table.act();
    });
    let runner = Runner {
        executor: &executor,
        faults: FaultPolicy::Drop,
        missing: MissingPlayers::AreFaults,
    };
    let error = runner
        .collect([task(0)], &Control::new(), &mut |_| {})
        .unwrap_err();
    assert_eq!(error.to_string(), "a worker is lost: no such engine");
}

/// Whatever workers say, the memory for it is bounded.
#[test]
fn nobody_fills_the_memory() {
    run(1, 0.0, |table| {
        let (id, task) = table.take(1).remove(0);
        let record = GameRecord {
            moves: Vec::new(),
            termination: vidmar_chess::Termination::Resignation,
            ..GameRecord::stopped()
        };
        for number in 0..3 * MOST_EARLY as u64 {
            let other = GameTask {
                number,
                ..task.clone()
            };
            let id = TaskId::of(&table.dispatch.secret, &other, 0);
            table.say("a", id, record.clone());
        }
        assert!(table.dispatch.early.len() <= MOST_EARLY);
        table.say("a", id, truth(&task));
    });
}
