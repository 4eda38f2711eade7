//! An external engine that speaks the Chess Engine Communication Protocol, version 2 (Mann and Muller, *Chess Engine
//! Communication Protocol*, GNU xboard).
//!
//! An engine that has announced nothing for a while is nudged by empty lines, and once it says something to one of them it is asked
//! to introduce itself again. GNU Chess 6.2.7 needs both, for what it does with its standard input: a thread that waits in `fgets`
//! holds the lock of the stream, and the thread that begins to work calls `setbuf(stdin, NULL)` (`adapter/util.cpp`), which needs that
//! lock and gets it, if at all, in the moment in which a line comes in (of twelve starts, nobody else using the machine or
//! several, each needed between 3 and 44 lines). What was read ahead by then is thrown away: most often `protover 2`. Without it
//! no feature is known, not even `ping`, so that `sd` was refused unheard and the engine thought without a limit. From then on
//! nothing is read ahead and nothing is lost. Engines that introduce themselves at once never see such a line.
//!
//! The engine keeps a game of its own, so this keeps book of what it was told: moves are sent as they come, and a game
//! that is not the one it knows is set up again.

mod answer;
mod features;
mod heard;
mod pace;
mod thinking;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use vidmar_chess::{CastlingNotation, Game, Move, Position};
use vidmar_engine::{Control, Info, Limits};
use vidmar_text::{Excerpt, did_you_mean};

use crate::fault::{Fault, FaultKind};
use crate::move_limits::MoveLimits;
use crate::player::{Introduction, Player, Reply};
use crate::process::{EngineCommand, Process, Stop, Wait, first_word};
use crate::thoughts::Thoughts;
use answer::Answer;
use features::Features;
pub(crate) use heard::heard;
use pace::Pace;
pub(crate) use pace::check_limits;
use thinking::Thinking;

/// An engine that announces nothing for so long has nothing to announce.
const SILENT_START: Duration = Duration::from_secs(3);
/// After so long it is nudged, and then again and again.
const FIRST_NUDGE: Duration = Duration::from_millis(300);
const NUDGES: Duration = Duration::from_millis(20);
const INTRODUCTION: &str = "protover 2";
const CHESS960: &str = "fischerandom";
const STOP: Stop = Stop {
    line: "?",
    answer: "move",
};

/// An xboard engine as a player.
pub struct XboardPlayer {
    name: String,
    is_named: bool,
    command: EngineCommand,
    move_limits: MoveLimits,
    process: Option<Process>,
    features: Features,
    pings: u32,
    chess960: bool,
    /// Whether it stands at the beginning of a game.
    is_clear: bool,
    /// The game as the engine knows it; none when another is to be set up.
    known: Option<Known>,
}

struct Known {
    start: Position,
    moves: Vec<Move>,
    pace: Pace,
    /// Whether it answers a move by itself.
    plays: bool,
}

impl XboardPlayer {
    /// Starts an engine, learns its features, and sets the options that are asked for.
    pub fn start(
        command: EngineCommand,
        move_limits: MoveLimits,
        name: Option<String>,
    ) -> Result<XboardPlayer, Fault> {
        check_limits(&move_limits)?;
        let mut player = XboardPlayer {
            is_named: name.is_some(),
            name: name.unwrap_or_else(|| command.program.display().to_string()),
            command,
            move_limits,
            process: None,
            features: Features::default(),
            pings: 0,
            chess960: false,
            is_clear: false,
            known: None,
        };
        player.restart()?;
        Ok(player)
    }

    /// The number of the process, while there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    fn process(&mut self) -> Result<&mut Process, Fault> {
        self.process
            .as_mut()
            .ok_or_else(|| Fault::new(FaultKind::Crash, "it is not running"))
    }

    fn introduce(&mut self) -> Result<(), Fault> {
        self.process = Some(Process::start(&self.command)?);
        self.features = Features::default();
        self.known = None;
        let started = Instant::now();
        let unstarted = |fault: Fault| match fault.kind {
            FaultKind::Flood => fault,
            _ => Fault::new(FaultKind::Start, fault.detail),
        };
        self.process()?
            .send(&format!("xboard\n{INTRODUCTION}"))
            .map_err(unstarted)?;
        let mut nudge = started + FIRST_NUDGE;
        let (mut is_nudged, mut is_awake) = (false, false);
        while self.features.done != Some(true) {
            let is_silent = self.features.done.is_none();
            let time = if is_silent {
                SILENT_START.min(self.command.timeouts.start)
            } else {
                self.command.timeouts.start
            };
            let deadline = started + time;
            let until = if is_silent { deadline.min(nudge) } else { deadline };
            let Some(line) = self.process()?.line(until).map_err(unstarted)? else {
                if !is_silent {
                    return Err(Fault::new(FaultKind::Start, "no done=1 in time"));
                }
                if Instant::now() >= deadline {
                    break;
                }
                // Who answers nudges reads, and has lost what was said before.
                let text = if is_awake { INTRODUCTION } else { "" };
                self.process()?.send(text).map_err(unstarted)?;
                (is_nudged, is_awake) = (true, false);
                nudge = Instant::now() + NUDGES;
                continue;
            };
            is_awake |= is_nudged;
            if let ("feature", rest) = first_word(&line.text) {
                for answer in self.features.hear(rest) {
                    self.process()?.send(&answer).map_err(unstarted)?;
                }
            }
        }
        if let (Some(name), false) = (&self.features.name, self.is_named) {
            self.name.clone_from(name);
        }
        self.set_options()?;
        self.wait_until_ready()
    }

    fn set_options(&mut self) -> Result<(), Fault> {
        for (name, value) in self.command.options.clone() {
            let offered = self
                .features
                .options
                .iter()
                .find(|option| option.eq_ignore_ascii_case(&name));
            let line = match (name.to_ascii_lowercase().as_str(), offered) {
                (_, Some(option)) => format!("option {option}={value}"),
                ("memory" | "hash", None) if self.features.memory => format!("memory {value}"),
                ("cores" | "threads", None) if self.features.smp => format!("cores {value}"),
                _ if self.command.ignores_unknown_options => continue,
                _ => {
                    let known = self.features.options.iter().map(String::as_str);
                    let hint = did_you_mean(&name, known);
                    let detail = format!("offers no option '{}'{hint}", Excerpt::from(name.as_str()));
                    return Err(Fault::new(FaultKind::Start, detail));
                }
            };
            self.process()?.send(&line)?;
        }
        Ok(())
    }

    /// Waits for `pong`, and gives back what was complained about meanwhile. Without `ping` one can only hope.
    fn wait_until_ready(&mut self) -> Result<(), Fault> {
        self.complaints().map(|_| ())
    }

    fn complaints(&mut self) -> Result<Vec<String>, Fault> {
        if !self.features.ping {
            return Ok(Vec::new());
        }
        self.pings += 1;
        let (number, timeouts) = (self.pings, self.command.timeouts.ready);
        self.process()?.send(&format!("ping {number}"))?;
        let deadline = Instant::now() + timeouts;
        let expected = format!("pong {number}");
        let mut complaints = Vec::new();
        while let Some(line) = self.process()?.line(deadline)? {
            if line.text == expected {
                return Ok(complaints);
            }
            let (word, _) = first_word(&line.text);
            if matches!(word, "Error" | "Illegal" | "Invalid") {
                complaints.push(line.text);
            }
        }
        let detail = format!("no pong within {timeouts:?}");
        Err(Fault::new(FaultKind::NotReady, detail))
    }

    fn begin(&mut self, chess960: bool) -> Result<(), Fault> {
        if self.known.is_some() && !self.features.reuse {
            self.process = None;
        }
        if self.process.is_none() {
            self.introduce()?;
        }
        let offers_chess960 = self
            .features
            .variants
            .split(',')
            .any(|variant| variant == CHESS960);
        if chess960 && !offers_chess960 {
            let detail = format!("does not offer the variant {CHESS960} and cannot play this game");
            return Err(Fault::new(FaultKind::Start, detail));
        }
        self.known = None;
        self.chess960 = chess960;
        self.clear_board()?;
        self.wait_until_ready()
    }

    /// The start position, and an engine that thinks aloud, but only when it is asked to.
    fn clear_board(&mut self) -> Result<(), Fault> {
        let variant = if self.chess960 {
            format!("variant {CHESS960}\n")
        } else {
            String::new()
        };
        self.is_clear = true;
        self.process()?.send(&format!("new\n{variant}force\neasy\npost"))
    }

    /// Sets a game up from its start, and its pace; the engine waits for moves.
    fn set_up(&mut self, game: &Game, limits: &Limits) -> Result<Known, Fault> {
        let pace = Pace::of(limits, game.position().turn())?;
        if !std::mem::take(&mut self.is_clear) {
            self.clear_board()?;
            self.is_clear = false;
        }
        if *game.start() != Position::default() {
            if !self.features.setboard {
                let detail = "cannot set up a position (it lacks the feature setboard)";
                return Err(Fault::new(FaultKind::Start, detail));
            }
            let line = format!("setboard {}", game.start());
            self.process()?.send(&line)?;
        }
        if let Some(line) = &pace.line {
            self.process()?.send(line)?;
        }
        if let Some(depth) = pace.depth {
            self.limit_depth(depth)?;
        }
        Ok(Known {
            start: game.start().clone(),
            moves: Vec::new(),
            pace,
            plays: false,
        })
    }

    /// `sd` as the protocol has it, or `depth` as engines before it had it.
    fn limit_depth(&mut self, depth: u32) -> Result<(), Fault> {
        for word in ["sd", "depth"] {
            self.process()?.send(&format!("{word} {depth}"))?;
            if self.complaints()?.is_empty() {
                return Ok(());
            }
        }
        let detail = "understands neither sd nor depth and cannot be held to a depth";
        Err(Fault::new(FaultKind::Start, detail))
    }

    fn ask(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Result<Reply, Fault> {
        let limits = self.move_limits.over(limits);
        self.process()?.forget_lines()?;
        let known = self.known.take().filter(|known| known.leads_to(game, &limits));
        let mut known = match known {
            Some(known) => known,
            None => self.set_up(game, &limits)?,
        };
        let question = self.question(&known, game, &limits);
        self.process()?.send(&question)?;
        let started = Instant::now();
        game.moves().clone_into(&mut known.moves);
        known.plays = true;
        self.known = Some(known);
        let mut wait = Wait::new(started, game, &limits, self.command.timeouts);
        let mut thoughts = Thoughts::default();
        loop {
            let Some(line) = wait.line(self.process()?, control, &STOP)? else {
                continue;
            };
            if let Some(thinking) = Thinking::read(&line.text) {
                thoughts.hear_thinking(&thinking);
                if let Some(told) = thinking.told(game.position(), started.elapsed()) {
                    info(&told);
                }
                continue;
            }
            match answer::read(&line.text, game)? {
                Answer::Decided(best) => {
                    let taken = self.process()?.elapsed(started, line.at);
                    if let (Some(known), Some(m)) = (&mut self.known, best) {
                        known.moves.push(m);
                    }
                    return Ok(Reply {
                        best,
                        info: thoughts.move_info(taken),
                    });
                }
                Answer::SmallTalk => {}
                Answer::Unknown => wait.not_understood(&line),
            }
        }
    }

    /// The moves that the engine does not know, the clocks, and `go` unless it answers by itself.
    fn question(&self, known: &Known, game: &Game, limits: &Limits) -> String {
        let mut text = String::new();
        let news = &game.moves()[known.moves.len()..];
        let answers_by_itself = known.plays && news.len() == 1;
        if known.plays && !answers_by_itself {
            text.push_str("force\n");
        }
        let clocks = pace::clocks(limits, game.position().turn())
            .filter(|_| self.features.time)
            .map_or_else(String::new, |clocks| clocks + "\n");
        if answers_by_itself {
            text.push_str(&clocks);
        }
        let mut now = known.start.clone();
        for &m in &known.moves {
            now.play(m);
        }
        for &m in news {
            let _ = writeln!(text, "{}", self.move_text(&now, m));
            now.play(m);
        }
        if answers_by_itself {
            text.pop();
        } else {
            text.push_str(&clocks);
            text.push_str("go");
        }
        text
    }

    fn move_text(&self, position: &Position, m: Move) -> String {
        let text = if self.features.san || (self.chess960 && m.is_castling()) {
            position
                .san(m)
                .to_string()
                .trim_end_matches(['+', '#'])
                .to_owned()
        } else {
            m.uci(CastlingNotation::Standard).to_string()
        };
        if self.features.usermove {
            format!("usermove {text}")
        } else {
            text
        }
    }

    /// Whatever has gone wrong, the process is of no more use.
    fn or_killed<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        if result.is_err() {
            self.process = None;
            self.known = None;
        }
        result
    }
}

impl Known {
    /// Whether a game goes on where this one stands, at the same pace.
    fn leads_to(&self, game: &Game, limits: &Limits) -> bool {
        self.start == *game.start()
            && game.moves().starts_with(&self.moves)
            && self.pace.depth == limits.depth
    }
}

impl Player for XboardPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn introduction(&self) -> Introduction {
        Introduction {
            name: self.features.name.clone().unwrap_or_default(),
            options: self.features.options.clone(),
        }
    }

    fn new_game(&mut self, chess960: bool, _seed: u64) -> Result<(), Fault> {
        let begun = self.begin(chess960);
        self.or_killed(begun)
    }

    fn choose(&mut self, game: &Game, limits: &Limits, control: &Control) -> Result<Reply, Fault> {
        self.think_aloud(game, limits, control, &mut |_| {})
    }

    fn think_aloud(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Info),
    ) -> Result<Reply, Fault> {
        let reply = self.ask(game, limits, control, info);
        self.or_killed(reply)
    }

    fn restart(&mut self) -> Result<(), Fault> {
        self.process = None;
        let introduced = self.introduce();
        self.or_killed(introduced)
    }
}

impl Drop for XboardPlayer {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit(self.command.timeouts.quit);
        }
    }
}
