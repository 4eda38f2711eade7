//! Engines that speak the protocol of xboard in a way of their own.

#![cfg(unix)]

use vidmar_players::{EngineCommand, MoveLimits, Player as _, XboardPlayer};

/// As GNU Chess 6.2.7 does by accident: whatever it is told, it begins to work when so many lines have come in.
const LATE: &str = "\
lines=0
while read -r word rest; do
  lines=$((lines + 1))
  [ $lines = 12 ] && echo 'feature myname=\"Late\" ping=1 usermove=1 done=1'
  [ $lines -lt 12 ] && continue
  case $word in
    ping) echo \"pong $rest\" ;;
    quit) exit 0 ;;
  esac
done
";

#[test]
fn an_engine_that_says_nothing_is_nudged_until_it_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("late.sh");
    std::fs::write(&script, LATE).expect("written");
    let command = EngineCommand::new("sh").argument(script.display().to_string());
    let mut player = XboardPlayer::start(command, MoveLimits::default(), None).expect("it starts");
    assert_eq!(player.name(), "Late");
    player.new_game(false, 1).expect("it is ready");
}

/// As GNU Chess 6.2.7 does: what came before it began to read is lost, and what it does not know is a move that is none.
const FORGETFUL: &str = "\
lines=0
while read -r word rest; do
  lines=$((lines + 1))
  [ $lines -lt 5 ] && continue
  case $word in
    protover) echo 'feature myname=\"Forgetful\" ping=1 done=1' ;;
    ping) echo \"pong $rest\" ;;
    quit) exit 0 ;;
    *) echo 'Invalid move: ' ;;
  esac
done
";

#[test]
fn an_engine_that_lost_its_first_lines_is_asked_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("forgetful.sh");
    std::fs::write(&script, FORGETFUL).expect("written");
    let command = EngineCommand::new("sh").argument(script.display().to_string());
    let player = XboardPlayer::start(command, MoveLimits::default(), None).expect("it starts");
    assert_eq!(player.name(), "Forgetful");
}
