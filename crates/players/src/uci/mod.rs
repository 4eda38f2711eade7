//! An external engine that speaks UCI.

mod heard;
mod info;
mod options;
mod text;

use std::time::{Duration, Instant};

use vidmar_chess::{CastlingNotation, Game, UciMoveError};
use vidmar_engine::{Control, Info, Limits};
use vidmar_text::Excerpt;

use crate::fault::{Fault, FaultKind};
use crate::move_limits::MoveLimits;
use crate::player::{Introduction, Player, Reply};
use crate::process::{EngineCommand, Line, Process, Stop, Wait, first_word};
use crate::spec::PlayerSpec;
use crate::table::{Build, Protocol};
use crate::thoughts::Thoughts;
pub(crate) use heard::heard;
use options::Offered;

const STOP: Stop = Stop {
    line: "stop",
    answer: "bestmove",
};
const CHESS960: &str = "UCI_Chess960";

/// A UCI engine as a player. After a fault its process is killed; the next game, or [`restart`](Player::restart), starts
/// another.
pub struct UciPlayer {
    name: String,
    is_named: bool,
    introduction: Introduction,
    command: EngineCommand,
    move_limits: MoveLimits,
    process: Option<Process>,
    offered: Vec<Offered>,
    castling: CastlingNotation,
    question: String,
}

impl UciPlayer {
    /// Starts an engine, learns its options, and sets those that are asked for. Without a name it is called what it calls
    /// itself.
    pub fn start(
        command: EngineCommand,
        move_limits: MoveLimits,
        name: Option<String>,
    ) -> Result<UciPlayer, Fault> {
        let mut player = UciPlayer {
            is_named: name.is_some(),
            name: name.unwrap_or_else(|| command.program.display().to_string()),
            introduction: Introduction::default(),
            command,
            move_limits,
            process: None,
            offered: Vec::new(),
            castling: CastlingNotation::Standard,
            question: String::new(),
        };
        player.restart()?;
        Ok(player)
    }

    /// The number of the process, while there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    fn introduce(&mut self) -> Result<(), Fault> {
        self.process = Some(Process::start(&self.command)?);
        self.castling = CastlingNotation::Standard;
        self.offered.clear();
        self.introduction = Introduction::default();
        let deadline = Instant::now() + self.command.timeouts.start;
        let late = |last: Option<Excerpt>| {
            let last = last.map_or_else(String::new, |last| format!(", only '{last}'"));
            Fault::new(FaultKind::Start, format!("no uciok in time{last}"))
        };
        // Whatever goes wrong before the first word is understood is a failure to start.
        let unstarted = |fault: Fault| match fault.kind {
            FaultKind::Flood => fault,
            _ => Fault::new(FaultKind::Start, fault.detail),
        };
        self.process()?.send("uci").map_err(unstarted)?;
        let mut last = None;
        loop {
            let Some(line) = self.process()?.line(deadline).map_err(unstarted)? else {
                return Err(late(last));
            };
            let (word, rest) = first_word(&line.text);
            match word {
                "uciok" => break,
                "id" => {
                    if let ("name", name) = first_word(rest) {
                        name.clone_into(&mut self.introduction.name);
                        if !self.is_named {
                            name.clone_into(&mut self.name);
                        }
                    }
                }
                "option" => {
                    self.offered.extend(Offered::parse(rest));
                    self.introduction.options.push(rest.to_owned());
                }
                _ => last = Some(Excerpt::from(line.text.as_str())),
            }
        }
        self.set_options()?;
        self.wait_until_ready()
    }

    fn set_options(&mut self) -> Result<(), Fault> {
        let ignores_unknown = self.command.ignores_unknown_options;
        let multipv =
            (self.command.multipv > 1).then(|| ("MultiPV".to_owned(), self.command.multipv.to_string()));
        let wanted = self.command.options.iter().chain(&multipv);
        let lines: Result<Vec<Option<String>>, String> = wanted
            .map(|(name, value)| options::set(&self.offered, name, value, ignores_unknown))
            .collect();
        let lines = lines.map_err(|detail| Fault::new(FaultKind::Start, detail))?;
        for line in lines.into_iter().flatten() {
            self.process()?.send(&line)?;
        }
        Ok(())
    }

    /// Sets the options of another command, if they are the same ones; false if a new process is needed.
    fn set_other_options(&mut self, command: EngineCommand) -> Result<bool, Fault> {
        let plain = |command: &EngineCommand| EngineCommand {
            options: Vec::new(),
            ..command.clone()
        };
        let pairs = || self.command.options.iter().zip(&command.options);
        let is_same = self.command.options.len() == command.options.len()
            && pairs().all(|(one, other)| one.0 == other.0)
            && plain(&self.command) == plain(&command);
        let changed: Vec<&(String, String)> = pairs()
            .filter(|(one, other)| one.1 != other.1)
            .map(|(_, other)| other)
            .collect();
        let is_button = |name: &str| options::find(&self.offered, name).is_some_and(Offered::is_button);
        if !is_same || self.process.is_none() || changed.iter().any(|(name, _)| is_button(name)) {
            return Ok(false);
        }
        let ignores_unknown = self.command.ignores_unknown_options;
        let lines: Result<Vec<Option<String>>, String> = changed
            .iter()
            .map(|(name, value)| options::set(&self.offered, name, value, ignores_unknown))
            .collect();
        let lines = lines.map_err(|detail| Fault::new(FaultKind::Start, detail))?;
        for line in lines.into_iter().flatten() {
            self.process()?.send(&line)?;
        }
        self.command = command;
        Ok(true)
    }

    fn wait_until_ready(&mut self) -> Result<(), Fault> {
        let timeouts = self.command.timeouts.ready;
        self.process()?.send("isready")?;
        let deadline = Instant::now() + timeouts;
        while let Some(line) = self.process()?.line(deadline)? {
            if line.text == "readyok" {
                return Ok(());
            }
        }
        let detail = format!("no readyok within {timeouts:?}");
        Err(Fault::new(FaultKind::NotReady, detail))
    }

    fn begin(&mut self, chess960: bool) -> Result<(), Fault> {
        if self.process.is_none() {
            self.introduce()?;
        }
        let castling = if chess960 {
            CastlingNotation::Chess960
        } else {
            CastlingNotation::Standard
        };
        if castling != self.castling {
            let Some(option) = options::find(&self.offered, CHESS960) else {
                let detail = format!("offers no option '{CHESS960}' and cannot play this game");
                return Err(Fault::new(FaultKind::Start, detail));
            };
            let line = format!("setoption name {} value {chess960}", option.name);
            self.process()?.send(&line)?;
            self.castling = castling;
        }
        self.process()?.send("ucinewgame")?;
        self.wait_until_ready()
    }

    fn process(&mut self) -> Result<&mut Process, Fault> {
        self.process
            .as_mut()
            .ok_or_else(|| Fault::new(FaultKind::Crash, "it is not running"))
    }

    /// Asks for a move. Only where somebody listens is every line of its thinking read.
    fn ask(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        mut listener: Option<&mut dyn FnMut(&Info)>,
    ) -> Result<Reply, Fault> {
        let limits = self.move_limits.over(limits);
        text::question(&mut self.question, game, &limits, self.castling);
        let question = std::mem::take(&mut self.question);
        let process = self.process()?;
        process.forget_lines()?;
        let sent = process.send(&question);
        self.question = question;
        sent?;
        let started = Instant::now();
        let mut wait = Wait::new(started, game, &limits, self.command.timeouts);
        let mut thoughts = Thoughts::default();
        loop {
            let Some(line) = wait.line(self.process()?, control, &STOP)? else {
                continue;
            };
            let (word, rest) = first_word(&line.text);
            match word {
                "info" => {
                    thoughts.hear_info(rest);
                    if let Some(listener) = &mut listener
                        && let Some(told) = info::told(rest, game.position(), started.elapsed())
                    {
                        listener(&told);
                    }
                }
                "bestmove" => {
                    let taken = self.process()?.elapsed(started, line.at);
                    return answer(game, rest, &line, taken, &thoughts);
                }
                "readyok" | "id" | "option" | "uciok" | "copyprotection" | "registration" => {}
                _ => wait.not_understood(&line),
            }
        }
    }

    /// Whatever has gone wrong, the process is of no more use.
    fn or_killed<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        if result.is_err() {
            self.process = None;
        }
        result
    }
}

impl Player for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn introduction(&self) -> Introduction {
        self.introduction.clone()
    }

    fn new_game(&mut self, chess960: bool, _seed: u64) -> Result<(), Fault> {
        let begun = self.begin(chess960);
        self.or_killed(begun)
    }

    fn choose(&mut self, game: &Game, limits: &Limits, control: &Control) -> Result<Reply, Fault> {
        let reply = self.ask(game, limits, control, None);
        self.or_killed(reply)
    }

    fn think_aloud(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Result<Reply, Fault> {
        let reply = self.ask(game, limits, control, Some(info));
        self.or_killed(reply)
    }

    fn adapt(&mut self, spec: &PlayerSpec) -> Result<bool, Fault> {
        let own_name = self.is_named.then(|| self.name.clone());
        let is_uci = matches!(spec.player_type().build, Build::Program(Protocol::Uci));
        match spec.command() {
            Ok(mut command) if is_uci && spec.given_name() == own_name => {
                command.log.clone_from(&self.command.log);
                let set = self.set_other_options(command);
                if matches!(set, Ok(true)) {
                    self.move_limits = spec.move_limits();
                }
                self.or_killed(set)
            }
            _ => Ok(false),
        }
    }

    fn restart(&mut self) -> Result<(), Fault> {
        self.process = None;
        let introduced = self.introduce();
        self.or_killed(introduced)
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit(self.command.timeouts.quit);
        }
    }
}

/// Reads what follows `bestmove`.
fn answer(
    game: &Game,
    rest: &str,
    line: &Line,
    taken: Duration,
    thoughts: &Thoughts,
) -> Result<Reply, Fault> {
    let (word, _) = first_word(rest);
    let position = game.position();
    let best = position.parse_uci(word).map_err(|error| {
        let is_none = matches!(word, "" | "0000" | "(none)" | "NULL");
        let kind = match error {
            UciMoveError::Syntax(_) if !is_none => FaultKind::Garbage,
            _ => FaultKind::IllegalMove,
        };
        Fault::new(
            kind,
            format!("'{}' in {position}", Excerpt::from(line.text.as_str())),
        )
    })?;
    Ok(Reply {
        best: Some(best),
        info: thoughts.move_info(taken),
    })
}
