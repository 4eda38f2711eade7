//! What an external engine lets us tune: the spin options that it announces after `uci`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use vidmar_players::{Fault, FaultKind};

use crate::parameters::SpinOption;

/// How long an engine may take to introduce itself.
const PATIENCE: Duration = Duration::from_secs(10);

/// Starts the program, listens, and ends it.
pub(crate) fn spin_options(command: &str, arguments: &[&str]) -> Result<Vec<SpinOption>, Fault> {
    let fault = |detail: String| Fault::new(FaultKind::Start, detail);
    let mut child = Command::new(command)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| fault(error.to_string()))?;
    let (sender, lines) = channel();
    if let Some(output) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
    }
    let mut input = child.stdin.take();
    if let Some(input) = &mut input {
        // An engine that does not listen will not answer either.
        let _ = input.write_all(b"uci\n").and_then(|()| input.flush());
    }
    let deadline = Instant::now() + PATIENCE;
    let mut options = Vec::new();
    let answer = loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) if line.trim() == "uciok" => break Ok(options),
            Ok(line) => options.extend(spin(&line)),
            Err(_) => break Err(fault("no uciok in time".into())),
        }
    };
    if let Some(input) = &mut input {
        let _ = input.write_all(b"quit\n");
    }
    drop(input);
    // It was asked nicely; what it is doing now is of no use to anybody.
    let _ = child.kill();
    let _ = child.wait();
    answer
}

/// `option name NAME type spin default D min A max B`.
fn spin(line: &str) -> Option<SpinOption> {
    let rest = line.trim().strip_prefix("option name ")?;
    let (name, rest) = rest.split_once(" type spin")?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let number = |key: &str| {
        let at = words.iter().position(|word| *word == key)?;
        words.get(at + 1)?.parse::<i64>().ok()
    };
    let (min, max) = (number("min")?, number("max")?);
    Some(SpinOption {
        name: name.trim().to_owned(),
        min,
        max,
        default: number("default").unwrap_or(min).clamp(min, max.max(min)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcements_are_read() {
        let found = spin("option name Pawn Structure Weight type spin default 100 min 0 max 200").unwrap();
        assert_eq!(
            (found.name.as_str(), found.min, found.max, found.default),
            ("Pawn Structure Weight", 0, 200, 100)
        );
        assert_eq!(spin("option name Hash type check default true"), None);
        assert_eq!(spin("id name Toga"), None);
    }

    #[test]
    fn a_missing_engine_is_a_fault() {
        let fault = spin_options("no-such-engine-here", &[]).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Start);
    }
}
