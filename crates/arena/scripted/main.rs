//! A UCI engine that misbehaves as it is told, for the tests of those who must live with it.
//!
//! `scripted-engine MODE N FILE` plays the first legal move, and misbehaves at its move N, from 1, once in its lives: FILE
//! remembers that it has. Modes are the rows of `misbehave`, and a few in `main`.

#![allow(clippy::unwrap_used, clippy::zombie_processes)]

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Command, exit};
use std::time::Duration;

use vidmar_chess::{CastlingNotation, Position};

fn say(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn sleep(seconds: u64) {
    std::thread::sleep(Duration::from_secs(seconds));
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (mode, ply, memory) = (
        arguments[1].as_str(),
        arguments[2].parse::<u32>().unwrap(),
        &arguments[3],
    );
    let mut position = Position::default();
    let mut moves = 0;
    let mut was_ready = false;
    if mode == "grandchild" {
        // It outlives its parent unless somebody ends the whole group.
        Command::new("sleep").arg("300").spawn().unwrap();
    }
    if mode == "mute" {
        sleep(300);
    }
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "uci" => say("id name Scripted\noption name Hash type spin default 16 min 1 max 64\nuciok"),
            "isready" => {
                if mode == "slow-ready" && was_ready && is_first_time(memory) {
                    sleep(300);
                }
                was_ready = true;
                say("readyok");
            }
            "position" => position = set_up(rest),
            "go" => {
                moves += 1;
                if moves == ply && is_first_time(memory) {
                    misbehave(mode);
                }
                let best = position.legal_moves()[0];
                say(&format!(
                    "info depth 1 score cp 0 nodes 1\nbestmove {}",
                    best.uci(CastlingNotation::Standard)
                ));
            }
            "quit" => return,
            _ => {}
        }
    }
    if mode == "ignores-the-end" {
        sleep(300);
    }
}

/// Whether the memory is empty; now it is not.
fn is_first_time(memory: &str) -> bool {
    let first = !Path::new(memory).exists();
    std::fs::write(memory, "done").unwrap();
    first
}

fn set_up(text: &str) -> Position {
    let words: Vec<&str> = text.split(' ').collect();
    let end = words
        .iter()
        .position(|&word| word == "moves")
        .unwrap_or(words.len());
    let mut position = match words[0] {
        "startpos" => Position::default(),
        _ => words[1..end].join(" ").parse().unwrap(),
    };
    for word in words.iter().skip(end + 1) {
        let m = position.parse_uci(word).unwrap();
        position.play(m);
    }
    position
}

fn misbehave(mode: &str) {
    match mode {
        "crash" => exit(3),
        "abort" => std::process::abort(),
        "hang" | "ignores-the-end" => sleep(300),
        "illegal" => say("bestmove e1e5"),
        "null" => say("bestmove 0000"),
        "nonsense" => say("bestmove \u{1F600}zz9"),
        "garbage" => {
            say("lorem ipsum dolor\n\u{7}\u{1}sit amet");
            sleep(300);
        }
        "flood" => loop {
            say("info string and another thing, and another thing, and another thing, and another thing");
        },
        "long-line" => {
            let mut out = io::stdout().lock();
            while out.write_all(&[b'x'; 4096]).is_ok() {}
            exit(0);
        }
        "no-bestmove" => loop {
            say("info depth 1 score cp 0");
            std::thread::sleep(Duration::from_millis(20));
        },
        "late" => sleep(3),
        _ => {}
    }
}
