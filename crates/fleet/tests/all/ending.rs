//! What a test starts ends with it, also where it is killed.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use crate::fleet::{WorkerProcess, server, wait_for};

/// The test below, which is killed.
const KILLED: &str = "ending::holds_a_server_and_a_worker";
/// What it says before the processes that it has started.
const PROCESSES: &str = "processes ";

#[test]
fn nothing_outlives_a_test_that_is_killed() {
    let Some(_) = server() else { return };
    let mut test = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", KILLED, "--ignored", "--nocapture"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(test.stdout.take().unwrap()).lines();
    let told = lines
        .map_while(Result::ok)
        .find_map(|line| Some(line.split_once(PROCESSES)?.1.to_owned()))
        .unwrap();
    let there = || told.split(' ').filter(|process| lives(process)).count();
    assert_eq!(there(), 2, "{told}");
    test.kill().unwrap();
    test.wait().unwrap();
    wait_for("the end of both", || there() == 0);
}

/// Whether a process is there, and is not one that has ended and nobody has asked after.
fn lives(process: &str) -> bool {
    let told = std::fs::read_to_string(format!("/proc/{process}/stat"));
    told.is_ok_and(|told| {
        told.rsplit(") ")
            .next()
            .is_some_and(|rest| !rest.starts_with('Z'))
    })
}

#[test]
#[ignore = "started and killed by the test above"]
#[allow(clippy::print_stdout, reason = "it is read")]
fn holds_a_server_and_a_worker() {
    let Some(server) = server() else { return };
    let worker = WorkerProcess::start(&server, "held");
    println!("{PROCESSES}{} {}", server.process(), worker.id());
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
