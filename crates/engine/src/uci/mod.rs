//! The UCI protocol over any reader and writer.
//!
//! Three threads: a reader turns input into lines; [`serve`] acts on them and is never busy for long, so that
//! `isready` is answered at once; the player's thread thinks. What `serve` and the player say goes through one
//! lock, a whole line at a time.
//!
//! The invariants, held by the tests in `tests/all/uci.rs`: every `go` gets exactly one `bestmove`, under `infinite` and
//! `ponder` not before `stop` or `ponderhit`; a `go` during a search ends that search first; a line that is not
//! understood gets one `info string` and changes nothing; the end of input is `quit`.
//!
//! Where the protocol is silent: without a legal move the answer is `bestmove 0000`, the protocol's null move
//! (Stockfish and others write `(none)`, some nothing at all); so it is, after an `info string` with the reason, when the player
//! lacks something without which it cannot play; a bare `go` is infinite; `setoption` during
//! a search waits for its end.

mod command;
mod go;
mod lines;
mod output;
mod player;
mod text;

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;
use vidmar_chess::{CastlingNotation, Game};

use crate::control::Control;
use crate::limits::Limits;
use crate::settings::{Kind, Role, Setting, SettingError, Unset, Value, find_option};
use crate::thinker::Thinker;
use command::Command;
use go::Go;
use output::Output;
use player::{Job, Player, Task};

/// How a server behaves before anybody sets an option.
#[derive(Copy, Clone, Debug, Default)]
pub struct ServerSettings {
    /// Whether the hundreds of options for tuners are listed.
    pub parameters: bool,
}

/// Why a server ended early.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Nobody reads what is said.
    #[error("cannot write an answer: {0}")]
    Output(#[from] io::Error),
    /// The player failed.
    #[error("the player's thread has failed")]
    Player,
}

/// What reaches the server.
enum Event {
    Line(String),
    /// A line too long to be one.
    Overlong,
    End,
    Ready,
    /// The player begins or ends what nothing can stop: tables are made or cleared, files read.
    Unstoppable(bool),
    /// A job with a control is done; a `go` has an answer.
    Done(Option<String>),
    /// Everything that was asked of the player is done.
    Finished,
    Failed,
}

/// How long a player may be silent once the server has been told to quit, unless it has said that it cannot be stopped.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Serves a graphical interface, or whoever speaks UCI, until `quit` or the end of input.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    thinker: Box<dyn Thinker>,
    settings: ServerSettings,
) -> Result<(), ServeError> {
    let (events, inbox) = mpsc::channel();
    let (jobs, queue) = mpsc::channel();
    let output = Output::new(output);
    let server = Server {
        name: thinker.name(),
        settings: thinker.settings().to_vec(),
        own: OwnOptions {
            parameters: settings.parameters,
            ..OwnOptions::default()
        },
        output: output.clone(),
        jobs,
        game: Game::default(),
        running: VecDeque::new(),
        is_unstoppable: false,
    };
    let lines_to = events.clone();
    thread::spawn(move || lines::read(input, &lines_to));
    thread::spawn(move || Player::new(thinker, output, events).work(&queue));
    server.run(&inbox)
}

/// The options that are the server's own.
struct OwnOptions {
    chess960: bool,
    show_wdl: bool,
    parameters: bool,
    overhead: Duration,
}

impl Default for OwnOptions {
    fn default() -> OwnOptions {
        OwnOptions {
            chess960: false,
            show_wdl: false,
            parameters: false,
            overhead: Limits::DEFAULT_OVERHEAD,
        }
    }
}

const PONDER: &str = "Ponder";
const CHESS960: &str = "UCI_Chess960";
const SHOW_WDL: &str = "UCI_ShowWDL";
const OVERHEAD: &str = "Move Overhead";
const PARAMETERS: &str = "Parameters";

impl OwnOptions {
    fn settings() -> [Setting; 5] {
        let switch = |uci, help| own(uci, help, Kind::Switch { default: false });
        let overhead = Kind::Integer {
            default: Limits::DEFAULT_OVERHEAD.as_millis() as i64,
            min: 0,
            max: 60_000,
        };
        [
            switch(
                PONDER,
                "says that pondering is possible; whether to is up to the interface",
            ),
            own(
                OVERHEAD,
                "milliseconds that a move takes to reach the opponent's clock",
                overhead,
            ),
            switch(CHESS960, "castling as in Chess960"),
            switch(SHOW_WDL, "chances of a win, a draw and a loss with every score"),
            switch(PARAMETERS, "lists the options for tuners"),
        ]
    }

    fn set(&mut self, name: &str, value: &Value) {
        match (name, value) {
            (CHESS960, &Value::Switch(on)) => self.chess960 = on,
            (SHOW_WDL, &Value::Switch(on)) => self.show_wdl = on,
            (PARAMETERS, &Value::Switch(on)) => self.parameters = on,
            (OVERHEAD, &Value::Integer(milliseconds)) => {
                self.overhead = Duration::from_millis(milliseconds.unsigned_abs());
            }
            _ => {}
        }
    }
}

/// An option of the server, not of a player: it has no key.
fn own(uci: &'static str, help: &'static str, kind: Kind) -> Setting {
    Setting {
        key: "".into(),
        uci: uci.into(),
        label: uci,
        help,
        kind,
        role: Role::Operator,
        unset: Unset::Default,
        needs: None,
    }
}

/// How a complaint names an option.
fn option(uci: &str) -> String {
    format!("option {uci}")
}

struct Server {
    name: String,
    /// What can be chosen about the thinker.
    settings: Vec<Setting>,
    own: OwnOptions,
    output: Output,
    jobs: Sender<Job>,
    game: Game,
    /// What the player was given and has not finished, the oldest first.
    running: VecDeque<Arc<Control>>,
    /// Whether the player does what nothing can stop.
    is_unstoppable: bool,
}

impl Server {
    fn run(mut self, inbox: &Receiver<Event>) -> Result<(), ServeError> {
        // The senders live as long as the reader and the player.
        while let Ok(event) = inbox.recv() {
            match event {
                Event::Line(line) => {
                    if self.line(&line) {
                        break;
                    }
                }
                Event::Overlong => self
                    .output
                    .complain("a line of more than a mebibyte is not a command"),
                Event::End => break,
                Event::Failed => return Err(ServeError::Player),
                event => self.report(event),
            }
            self.output.check()?;
        }
        self.end(inbox)
    }

    /// Searches that still run are stopped and answered, and so is all else that was asked before.
    fn end(mut self, inbox: &Receiver<Event>) -> Result<(), ServeError> {
        self.stop();
        self.give(Job::Finish);
        loop {
            let heard = if self.is_unstoppable {
                inbox.recv().map_err(RecvTimeoutError::from)
            } else {
                inbox.recv_timeout(TIMEOUT)
            };
            match heard {
                Ok(Event::Failed) => return Err(ServeError::Player),
                Ok(Event::Finished) | Err(_) => break,
                Ok(event) => self.report(event),
            }
        }
        self.output.check()?;
        Ok(())
    }

    /// What the player's thread has to say.
    fn report(&mut self, event: Event) {
        match event {
            Event::Ready => self.output.line("readyok"),
            Event::Unstoppable(begins) => self.is_unstoppable = begins,
            Event::Done(answer) => {
                self.running.pop_front();
                if let Some(answer) = answer {
                    self.output.line(&answer);
                }
            }
            _ => {}
        }
    }

    /// Obeys a line; true if it is `quit`.
    fn line(&mut self, line: &str) -> bool {
        match command::parse(line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return true,
            Ok(Some(command)) => self.obey(command),
            Err(error) => self.output.complain(&error.to_string()),
        }
        false
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady if self.running.is_empty() => self.give(Job::Prepare),
            Command::IsReady => self.output.line("readyok"),
            Command::SetOption { name, value } => {
                if let Err(error) = self.set_option(&name, value.as_deref()) {
                    self.output.complain(&error.to_string());
                }
            }
            Command::NewGame => {
                self.game = Game::default();
                self.give(Job::NewGame);
            }
            Command::Position(game) => self.game = *game,
            Command::Go(words) => self.go(&words),
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(control) = self.running.back() {
                    control.ponder_hit();
                }
            }
            Command::Bench { depth, threads } => self.start(|control| Job::Bench {
                depth,
                threads,
                control,
            }),
            Command::Display => self.output.text(&text::display(&self.game, self.own.chess960)),
            Command::Eval => self.give(Job::Explain(Box::new(self.game.position().clone()))),
            Command::Help => self.output.text(command::HELP),
            Command::Nothing | Command::Quit => {}
        }
    }

    fn introduce(&self) {
        let own = OwnOptions::settings();
        let rows = own.iter().chain(&self.settings).filter(|row| !row.uci.is_empty());
        let shown = rows.filter(|row| self.own.parameters || row.role != Role::Tuning);
        let mut answer = format!("id name {}\nid author the Vidmar authors\n", self.name);
        for row in shown {
            let _ = writeln!(answer, "{row}");
        }
        self.output.text(&(answer + "uciok"));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), SettingError> {
        let value = match value.unwrap_or_default() {
            "<empty>" => "",
            text => text,
        };
        let read = |row: &Setting| row.read(value).map_err(|error| error.named(option(&row.uci)));
        let own = OwnOptions::settings();
        if let Some(row) = find_option(&own, name) {
            self.own.set(&row.uci, &read(row)?);
            return Ok(());
        }
        let Some(row) = find_option(&self.settings, name) else {
            let known = own.iter().chain(&self.settings).map(|row| row.uci.as_ref());
            return Err(SettingError::unknown(name, known.filter(|name| !name.is_empty())));
        };
        self.give(Job::Set {
            uci: row.uci.clone(),
            key: row.key.clone(),
            value: read(row)?,
        });
        Ok(())
    }

    fn go(&mut self, words: &str) {
        let started = Instant::now();
        let (go, faults) = go::parse(words, self.game.position(), self.own.overhead, started);
        if !faults.is_empty() {
            self.output.complain(&format!("go: {}", faults.join("; ")));
        }
        self.stop();
        let game = self.game.clone();
        let notation = self.notation();
        match go {
            Go::Perft(depth) => self.start(|control| Job::Perft {
                position: Box::new(game.position().clone()),
                depth,
                notation,
                control,
            }),
            Go::Think(limits) => {
                let show_wdl = self.own.show_wdl;
                self.start(|control| {
                    Job::Think(Box::new(Task {
                        game,
                        limits,
                        notation,
                        show_wdl,
                        control,
                    }))
                });
            }
        }
    }

    /// As the option says; a position that only Chess960 can have needs no saying.
    fn notation(&self) -> CastlingNotation {
        if self.own.chess960 {
            CastlingNotation::Chess960
        } else {
            self.game.start().castling_notation()
        }
    }

    fn start(&mut self, job: impl FnOnce(Arc<Control>) -> Job) {
        let control = Arc::new(Control::new());
        self.running.push_back(Arc::clone(&control));
        self.give(job(control));
    }

    /// Stops all that runs or waits. What was stopped before stands in front, and is not told again: thousands of searches may
    /// wait for their turn to be answered.
    fn stop(&self) {
        let not_yet = self
            .running
            .iter()
            .rev()
            .take_while(|control| !control.is_stopped());
        not_yet.for_each(|control| control.stop());
    }

    fn give(&self, job: Job) {
        // A player that is gone has told so by an event, which ends the server.
        let _ = self.jobs.send(job);
    }
}
