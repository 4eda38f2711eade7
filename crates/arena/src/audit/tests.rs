use std::time::Duration;

use vidmar_chess::{ByColor, Color, MoveInfo, MoveRecord, Score};
use vidmar_engine::Control;
use vidmar_players::Fault;

use super::*;
use crate::executor::Worker;
use crate::record::GameFault;
use crate::rules::Rules;
use crate::task::{GameSetup, TaskPlayer};
use crate::time_control::TimeControl;

fn task(rules: Rules) -> GameTask {
    let player = |index| TaskPlayer::new(index, "random:seed=3".parse().expect("a player"));
    GameTask {
        number: 0,
        round: 0,
        players: ByColor::new(player(0), player(1)),
        setup: GameSetup {
            rules,
            seed: 11,
            ..GameSetup::default()
        },
    }
}

fn played(task: &GameTask) -> GameRecord {
    let record = Worker::default().play(task, &Control::new());
    record.expect("a game")
}

fn check(task: &GameTask, record: &GameRecord) -> Result<(), AuditError> {
    Auditor::default().check(task, record)
}

#[test]
fn what_was_played_is_true_and_every_change_of_it_is_not() {
    let rules = Rules {
        max_moves: Some(40),
        ..Rules::default()
    };
    for rules in [Rules::default(), rules] {
        let task = task(rules);
        let record = played(&task);
        assert_eq!(check(&task, &record), Ok(()));
        let changed = |change: &dyn Fn(&mut GameRecord)| {
            let mut other = record.clone();
            change(&mut other);
            assert_ne!(other, record);
            assert!(!other.is_same_game(&record));
            check(&task, &other).expect_err("it is not true")
        };
        changed(&|record| {
            record.moves.pop();
        });
        changed(&|record| {
            record.moves.remove(0);
        });
        changed(&|record| record.moves.truncate(5));
        changed(&|record| record.moves.clear());
        changed(&|record| record.moves.extend(record.moves.last().copied()));
        changed(&|record| record.outcome = None);
        for termination in Termination::ALL {
            if termination != record.termination {
                changed(&|record| record.termination = termination);
            }
        }
        for outcome in Outcome::ALL {
            if Some(outcome) != record.outcome {
                changed(&|record| record.outcome = Some(outcome));
            }
        }
    }
}

#[test]
fn scores_decide_as_they_did() {
    let task = task(Rules::published());
    let ply = |text: &str, cp| MoveRecord {
        m: {
            let mut position = vidmar_chess::Position::default();
            if text == "e7e5" {
                position.play(position.parse_uci("e2e4").expect("legal"));
            }
            position.parse_uci(text).expect("legal")
        },
        info: MoveInfo {
            score: Some(Score::Centipawns(cp)),
            ..MoveInfo::default()
        },
    };
    let mut record = GameRecord {
        outcome: Some(Outcome::win(Color::White)),
        termination: Termination::Resignation,
        moves: vec![ply("e2e4", 500), ply("e7e5", -500)],
        ..GameRecord::stopped()
    };
    assert_eq!(check(&task, &record), Ok(()));
    // Black to move after it could only give up itself.
    record.moves[1].info.score = Some(Score::Centipawns(-400));
    assert_eq!(
        check(&task, &record),
        Err(AuditError::OtherEnd {
            found: "nothing".to_owned(),
            told: "1-0 (resignation)".to_owned()
        })
    );
    record.outcome = Some(Outcome::win(Color::Black));
    assert_eq!(check(&task, &record), Ok(()));
}

#[test]
fn faults_need_somebody_to_blame() {
    let mut task = task(Rules::default());
    let mut record = GameRecord {
        termination: Termination::TimeForfeit(Color::White),
        ..GameRecord::stopped()
    };
    assert!(check(&task, &record).is_err(), "there is no clock");
    task.setup.limits = ByColor::from_fn(|_| TimeControl {
        base: Some(Duration::from_secs(1)),
        ..TimeControl::default()
    });
    assert_eq!(
        check(&task, &record),
        Err(AuditError::NoFault(Termination::TimeForfeit(Color::White)))
    );
    record.faults.push(GameFault {
        side: Color::White,
        attempt: 0,
        fault: Fault::new(FaultKind::TimeLoss, "slow"),
    });
    assert_eq!(check(&task, &record), Ok(()));
    record.termination = Termination::TimeForfeit(Color::Black);
    assert!(check(&task, &record).is_err(), "it was not Black's turn");
    record.termination = Termination::Fault(Color::Black);
    assert!(check(&task, &record).is_err(), "Black did nothing wrong");
    record.faults[0] = GameFault {
        side: Color::Black,
        attempt: 0,
        fault: Fault::new(FaultKind::Start, "not there"),
    };
    assert_eq!(check(&task, &record), Ok(()));
    assert!(check(&task, &GameRecord::stopped()).is_err());
}

#[test]
fn only_clocks_are_scaled_and_not_by_anything() {
    let mut task = task(Rules::default());
    let resigned = |clock_scale| GameRecord {
        outcome: Some(Outcome::win(Color::Black)),
        termination: Termination::Resignation,
        clock_scale,
        ..GameRecord::stopped()
    };
    assert_eq!(
        check(&task, &resigned(Some(1000))),
        Err(AuditError::ClockScale(1000))
    );
    task.setup.limits = ByColor::from_fn(|_| TimeControl {
        base: Some(Duration::from_secs(1)),
        ..TimeControl::default()
    });
    for scale in [None, Some(50), Some(20_000)] {
        assert_eq!(check(&task, &resigned(scale)), Ok(()));
    }
    for scale in [0, 49, 20_001, u32::MAX] {
        assert_eq!(
            check(&task, &resigned(Some(scale))),
            Err(AuditError::ClockScale(scale))
        );
    }
}
