use std::time::Duration;

use vidmar_arena::{GameRecord, GameSetup, GameTask, TaskPlayer, Worker};
use vidmar_chess::ByColor;
use vidmar_engine::Control;

use super::*;

fn task(number: u64) -> GameTask {
    let player = |index, text: &str| TaskPlayer::new(index, text.parse().unwrap());
    GameTask {
        number,
        round: 3,
        players: ByColor::new(player(0, "random:seed=3"), player(1, "engine:depth=1,hash=1")),
        setup: GameSetup {
            seed: 11,
            ..GameSetup::default()
        },
    }
}

fn build() -> Build {
    Build {
        version: "1".to_owned(),
        signature: 2,
        measured: 3,
    }
}

fn record() -> GameRecord {
    Worker::default().play(&task(0), &Control::new()).unwrap()
}

fn answer() -> Answer {
    let id = TaskId::of(&RunKey::random(), &task(0), 0);
    Answer {
        run: RunKey::random(),
        worker: "w".parse().unwrap(),
        build: build(),
        entries: vec![
            Entry::Played(Box::new(PlayedEntry {
                task: id,
                seconds: 0.5,
                record: record(),
            })),
            Entry::Returned(id),
            Entry::Failed {
                task: id,
                reason: "no".to_owned(),
            },
        ],
    }
}

#[test]
fn answers_come_back_and_are_small() {
    let answer = answer();
    let bytes = answer.encode();
    assert_eq!(Answer::decode(&bytes).unwrap(), answer);
    let Entry::Played(played) = &answer.entries[0] else {
        panic!("a game")
    };
    let each = bytes.len() / played.record.moves.len();
    assert!(each < 24, "{each} bytes a move");
    let json = serde_json::to_vec(&played.record).unwrap().len();
    assert!(bytes.len() * 4 < json, "{} against {json} as JSON", bytes.len());
}

#[test]
fn every_byte_of_an_answer_counts() {
    let mut small = answer();
    if let Entry::Played(played) = &mut small.entries[0] {
        played.record.moves.truncate(3);
    }
    let bytes = small.encode().to_vec();
    for index in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[index] ^= 0x10;
        assert!(Answer::decode(&damaged).is_err(), "byte {index}");
        assert!(Answer::decode(&bytes[..index]).is_err(), "{index} bytes");
    }
}

/// Whoever knows the digest can write anything: it is refused all the same, and nothing is allocated for it.
#[test]
fn contents_that_lie_about_their_size_are_refused() {
    use sha2::{Digest as _, Sha256};
    let sealed = |contents: &[u8]| {
        let mut bytes = VERSION.to_le_bytes().to_vec();
        bytes.extend_from_slice(contents);
        let digest = Sha256::digest(&bytes);
        bytes.extend_from_slice(&digest[..8]);
        Answer::decode(&bytes)
    };
    // A run, a name of no bytes; then a list of 2^63 entries.
    let mut contents = vec![7; 16];
    contents.extend([1, b'w', 1, b'1', 2, 3]);
    contents.extend([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    assert!(matches!(sealed(&contents), Err(ProtocolError::Malformed(_))));
    // All short contents of some bytes.
    for length in 0..40 {
        for fill in [0, 1, 0x7f, 0x80, 0xff] {
            let _ = sealed(&vec![fill; length]);
        }
    }
    assert_eq!(
        Answer::decode(&vec![0; LARGEST_MESSAGE + 1]),
        Err(ProtocolError::TooLarge(LARGEST_MESSAGE + 1))
    );
}

#[test]
fn another_version_is_refused() {
    use sha2::{Digest as _, Sha256};
    let mut bytes = answer().encode().to_vec();
    bytes.truncate(bytes.len() - 8);
    bytes[0] = 9;
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest[..8]);
    assert_eq!(Answer::decode(&bytes), Err(ProtocolError::Version(9)));
}

#[test]
fn batches_come_back_and_say_once_what_is_shared() {
    let key = RunKey::random();
    let mut batch = Batch::new(key);
    let wire = |text: &str| WirePlayer {
        spec: text.parse().unwrap(),
        engine: None,
    };
    let (white, black) = (wire("random:seed=3"), wire("engine:depth=1,hash=1"));
    let tasks: Vec<GameTask> = (0..20).map(task).collect();
    for task in &tasks {
        batch.add(TaskId::of(&key, task, 0), task, ByColor::new(&white, &black));
    }
    let bytes = batch.encode();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    assert_eq!(text.matches("random").count(), 1);
    let again = Batch::decode(&bytes).unwrap();
    let read: Vec<(TaskId, GameTask)> = again.tasks().map(|(id, task)| (id, task.unwrap().0)).collect();
    let expected: Vec<(TaskId, GameTask)> = tasks
        .iter()
        .map(|task| (TaskId::of(&key, task, 0), task.clone()))
        .collect();
    assert_eq!(read, expected);
    for (from, to) in [
        ("\"player\":1", "\"player\":7"),
        ("\"limits\":0", "\"limits\":1"),
        ("\"rules\":0", "\"rules\":18446744073709551615"),
    ] {
        let wrong = Batch::decode(text.replacen(from, to, 1).as_bytes()).unwrap();
        assert!(wrong.tasks().any(|(_, task)| task.is_err()), "{to}");
    }
    for wrong in [
        "",
        "{}",
        "[]",
        &text[..text.len() / 2],
        &text.replace(
            &format!("\"version\":{VERSION}"),
            &format!("\"version\":{}", VERSION + 1),
        ),
    ] {
        assert!(Batch::decode(wrong.as_bytes()).is_err());
    }
    let empty = Batch::new(key).encode();
    assert_eq!(
        Batch::decode(&empty).err(),
        Some(ProtocolError::Malformed("no tasks".to_owned()))
    );
    let deep = "[".repeat(100_000);
    assert!(Batch::decode(deep.as_bytes()).is_err());
}

#[test]
fn identities_are_those_of_contents() {
    let (key, other) = (RunKey::random(), RunKey::random());
    let id = |key: &RunKey, number, attempt| TaskId::of(key, &task(number), attempt);
    assert_eq!(id(&key, 1, 0), id(&key, 1, 0));
    let all = [id(&key, 1, 0), id(&key, 2, 0), id(&key, 1, 1), id(&other, 1, 0)];
    for (index, one) in all.iter().enumerate() {
        assert!(!all[..index].contains(one));
        let text = serde_json::to_string(one).unwrap();
        assert_eq!(text.len(), 34);
        assert_eq!(serde_json::from_str::<TaskId>(&text).unwrap(), *one);
        assert!((0.0..=1.0).contains(&one.share(&key)));
    }
    assert!(serde_json::from_str::<TaskId>("\"0g\"").is_err());
}

#[test]
fn names_are_parts_of_subjects() {
    for good in ["a", "narrow-1a2b", "A_b-9"] {
        assert_eq!(good.parse::<RunName>().unwrap().to_string(), good);
    }
    for wrong in ["", "a.b", "a b", "*", ">", "ä", "workers", &"x".repeat(49)] {
        assert!(wrong.parse::<RunName>().is_err(), "{wrong}");
        assert!(serde_json::from_str::<WorkerName>(&format!("\"{wrong}\"")).is_err());
    }
    let of = |path: &str, part: &str| RunName::of_path(std::path::Path::new(path), part);
    let name = of("/tmp/my runs/narrow.1", "tune");
    assert!(name.to_string().starts_with("narrow-"), "{name}");
    assert_eq!(name, of("/tmp/my runs/narrow.1", "tune"));
    assert_ne!(name, of("/tmp/my runs/narrow.1", "match 1"));
    assert_ne!(name, of("/tmp/other/narrow.1", "tune"));
    let subjects = Subjects(name.clone());
    assert_eq!(Subjects::run_of_stream(&subjects.tasks_stream()), Some(name));
    assert_eq!(Subjects::run_of_stream("vidmar--tasks"), None);
    assert_eq!(Subjects::run_of_stream("other"), None);
    let worker = WorkerName::default();
    assert_eq!(worker_of(&subjects.answers(&worker)), Some(worker));
}

#[test]
fn cards_and_orders_are_json() {
    let order = Order::ShutOut {
        worker: "w".parse().unwrap(),
        reason: "r".to_owned(),
    };
    let text = serde_json::to_string(&order).unwrap();
    assert_eq!(text, r#"{"order":"shut-out","worker":"w","reason":"r"}"#);
    assert_eq!(serde_json::from_str::<Order>(&text).unwrap(), order);
    let card = RunCard {
        version: VERSION,
        key: RunKey::random(),
        build: build(),
        nps: 5,
        patience: Duration::from_secs(1),
        classes: vec![crate::engines::class_of(std::iter::empty())],
        binaries: vec![Binary {
            sha256: "00".to_owned(),
            bytes: 7,
        }],
    };
    let bytes = write_json(&card);
    assert_eq!(read_json::<RunCard>(&bytes).unwrap(), card);
    assert_eq!(card.classes[0].name, "plain");
}
