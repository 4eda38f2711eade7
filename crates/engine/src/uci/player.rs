//! The player's thread: does one job after another and tells the server when each is done.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Instant;

use vidmar_chess::{BitboardBoard, Board, CastlingNotation, Game, Position, openings};

use super::output::Output;
use super::text;
use super::{Event, option};
use crate::bench::{self, BenchSettings};
use crate::control::Control;
use crate::limits::Limits;
use crate::settings::Value;
use crate::thinker::{Thinker, Thought};

/// What the server asks of the player.
pub(super) enum Job {
    Set {
        uci: Cow<'static, str>,
        key: Cow<'static, str>,
        value: Value,
    },
    NewGame,
    /// Answer when everything before is done.
    Prepare,
    Think(Box<Task>),
    Perft {
        position: Box<Position>,
        depth: u32,
        notation: CastlingNotation,
        control: Arc<Control>,
    },
    Bench {
        depth: Option<u32>,
        threads: Option<usize>,
        control: Arc<Control>,
    },
    Explain(Box<Position>),
    /// Say when everything before is done.
    Finish,
}

/// A `go`, with the options as they were when it was said.
pub(super) struct Task {
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) notation: CastlingNotation,
    pub(super) show_wdl: bool,
    pub(super) control: Arc<Control>,
}

pub(super) struct Player {
    thinker: Box<dyn Thinker>,
    output: Output,
    events: Sender<Event>,
    /// What the interface knows to have no effect.
    without_effect: BTreeSet<String>,
}

impl Player {
    pub(super) fn new(thinker: Box<dyn Thinker>, output: Output, events: Sender<Event>) -> Player {
        Player {
            thinker,
            output,
            events,
            without_effect: BTreeSet::new(),
        }
    }

    /// Works until nobody has anything to do.
    pub(super) fn work(mut self, queue: &Receiver<Job>) {
        for job in queue {
            match job {
                Job::Set { uci, key, value } => {
                    if let Err(error) = self.unstoppable(|thinker| thinker.set(&key, &value)) {
                        self.output.complain(&error.named(option(&uci)).to_string());
                    }
                }
                Job::NewGame => self.unstoppable(|thinker| thinker.new_game()),
                Job::Prepare => {
                    self.tell_without_effect();
                    if let Err(reason) = self.unstoppable(|thinker| thinker.prepare()) {
                        self.output.complain(&reason);
                    }
                    self.tell(Event::Ready);
                }
                Job::Think(task) => {
                    let answer = self.think(&task);
                    self.tell(Event::Done(Some(answer)));
                }
                Job::Perft {
                    position,
                    depth,
                    notation,
                    control,
                } => {
                    self.perft(&position, depth, notation, &control);
                    self.tell(Event::Done(None));
                }
                Job::Bench {
                    depth,
                    threads,
                    control,
                } => {
                    self.bench(depth, threads, &control);
                    self.tell(Event::Done(None));
                }
                Job::Explain(position) => self.explain(&position),
                Job::Finish => self.tell(Event::Finished),
            }
        }
    }

    fn explain(&self, position: &Position) {
        match (self.thinker.check(), self.thinker.explain(position)) {
            (Err(reason), _) => self.output.complain(&reason),
            (Ok(()), Some(explanation)) => self.output.text(&explanation.to_string()),
            (Ok(()), None) => self.output.complain("this player has no evaluation to show"),
        }
    }

    /// What was set and has no effect is said once, before a move is thought about with it.
    fn tell_without_effect(&mut self) {
        let now: BTreeSet<String> = self.thinker.without_effect().into_iter().collect();
        for new in now.difference(&self.without_effect) {
            self.output.complain(new);
        }
        self.without_effect = now;
    }

    /// Does what nothing can stop, and tells the server, which must not take it for silence when it is to end.
    fn unstoppable<T>(&mut self, work: impl FnOnce(&mut dyn Thinker) -> T) -> T {
        self.tell(Event::Unstoppable(true));
        let done = work(self.thinker.as_mut());
        self.tell(Event::Unstoppable(false));
        done
    }

    fn tell(&self, event: Event) {
        // Without a server there is nobody to tell; the queue ends with it.
        let _ = self.events.send(event);
    }

    /// The answer to a `go`, given not before it is wanted.
    fn think(&mut self, task: &Task) -> String {
        self.tell_without_effect();
        let position = task.game.position();
        let thought = if position.count_legal_moves() == 0 {
            let over = Thought::game_over(position);
            self.output.line(&format!("info depth 0 score {}", over.score));
            over
        } else if let Err(reason) = self.thinker.check() {
            // Nothing it could answer would be its own.
            self.output.complain(&reason);
            Thought::unsearched(None)
        } else {
            // Tables are made before the first thought; where there is no memory for one it thinks with less.
            let _ = self.unstoppable(|thinker| thinker.prepare());
            let (output, limits) = (&self.output, &task.limits);
            self.thinker
                .think(&task.game, limits, &task.control, &mut |info| {
                    output.line(&text::info(info, position, task.notation, task.show_wdl));
                })
        };
        task.control.wait_for_leave(&task.limits);
        text::best_move(&thought, position, task.notation)
    }

    /// Counts piece by piece, so that `stop` is heard between two pieces.
    fn perft(&self, position: &Position, depth: u32, notation: CastlingNotation, control: &Control) {
        let begun = Instant::now();
        let mut board = BitboardBoard::new(position);
        let mut total = u64::from(depth == 0);
        let plies = depth.min(3);
        let lines = if depth == 0 {
            Vec::new()
        } else {
            openings(&mut board, plies)
        };
        for first in position.legal_moves() {
            let mut nodes = 0;
            for line in lines.iter().filter(|line| line.first() == Some(&first)) {
                if control.is_stopped() {
                    self.output.complain("perft stopped");
                    return;
                }
                let mut end = position.clone();
                for &m in line {
                    end.play(m);
                }
                nodes += end.perft(depth - plies);
            }
            if depth > 0 {
                self.output.line(&format!("{}: {nodes}", first.uci(notation)));
            }
            total += nodes;
        }
        let seconds = begun.elapsed().as_secs_f64();
        self.output
            .text(&format!("\nNodes searched: {total}\ninfo string {seconds:.3} s"));
    }

    fn bench(&self, depth: Option<u32>, threads: Option<usize>, control: &Control) {
        let usual = self.thinker.bench();
        let settings = BenchSettings {
            depth: depth.unwrap_or(usual.depth),
            threads: threads.unwrap_or(usual.threads),
            ..usual
        };
        let report = bench::run(&settings, control, |index, position| {
            let count = bench::POSITIONS.len();
            self.output.line(&format!(
                "{}/{count} {} nodes  {}",
                index + 1,
                position.nodes,
                position.fen
            ));
        });
        match report {
            Some(report) => self.output.text(&bench::summary(&report)),
            None => self.output.complain("bench stopped"),
        }
    }
}

/// A player that fails must not leave the other side waiting.
impl Drop for Player {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.tell(Event::Failed);
        }
    }
}
