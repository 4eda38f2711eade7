//! What every player must do, whatever it is made of: the suite that each row of the players gets for free.
//!
//! Legal moves in odd positions, an answer when it is told to stop, clocks kept, and the same seed the same game.
//!
//! Time is that of the processor, as far as the player works in the thread that asks it: what a busy machine adds is nobody's
//! fault. How late answers come on the wall is a figure of a benchmark.

use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;
use vidmar_chess::{ByColor, CastlingNotation, Game, Move, Position};
use vidmar_cpu::ThreadInstant;
use vidmar_engine::{Clock, Control, Limits};

use crate::fault::Fault;
use crate::player::{Player, Reply};

/// What may be expected of a player.
#[derive(Copy, Clone, Debug)]
pub struct Expectations {
    /// The same seed and limits that are not of time give the same moves.
    pub repeatable: bool,
    /// It can castle by the rules of Chess960.
    pub chess960: bool,
    /// Positions can be limited by number.
    pub counts_nodes: bool,
    /// Processor time that may be used beyond every limit.
    pub slack: Duration,
}

/// Whoever has not answered after so long on the wall hangs, however busy the machine is.
const HANGS: Duration = Duration::from_mins(2);

impl Default for Expectations {
    fn default() -> Expectations {
        Expectations {
            repeatable: true,
            chess960: true,
            counts_nodes: true,
            slack: Duration::from_millis(500),
        }
    }
}

/// What a player did not do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Violation {
    /// It committed a fault.
    #[error("{check}: {fault}")]
    Fault {
        /// In which part of the suite.
        check: &'static str,
        /// What it was.
        fault: Fault,
    },
    /// It did something else than it should.
    #[error("{check}: {detail}")]
    Wrong {
        /// In which part of the suite.
        check: &'static str,
        /// What it was.
        detail: String,
    },
}

/// Positions in which careless players stumble: a name and a FEN.
pub const ODD_POSITIONS: &[(&str, &str)] = &[
    ("only promotions", "1r5k/4P3/8/8/8/8/6r1/K7 w - - 0 1"),
    ("promotion by capture", "8/8/8/8/k7/8/1p6/2R3K1 b - - 0 1"),
    ("only en passant", "6r1/k7/4p3/3pP3/8/8/r7/7K w - d6 0 2"),
    (
        "en passant uncovers the king",
        "8/8/8/1Ppp3r/RK3p1k/8/4P1P1/8 w - c6 0 3",
    ),
    ("one legal move", "7k/8/8/8/8/8/1q6/K7 w - - 0 1"),
    ("check twice", "4k3/8/8/8/4r3/5n2/8/4K2R w K - 0 1"),
    ("mate in one", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"),
    ("mated next", "7k/8/6KQ/8/8/8/8/8 b - - 0 1"),
    ("one ply before 50 moves", "8/8/4k3/8/8/4K3/4R3/8 w - - 99 90"),
    (
        "218 moves",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ),
    ("castling both ways", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20"),
];

/// Positions of Chess960, where castling has other squares.
pub const CHESS960_POSITIONS: &[(&str, &str)] = &[
    ("king passes its rook", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"),
    ("king and rook change places", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1"),
    ("nobody moves far", "4k3/8/8/8/8/8/8/2KR4 w D - 0 1"),
];

const NODES: u64 = 3_000;
const DEPTH: u32 = 2;

/// Runs the whole suite; `make` gives a new player each time.
pub fn check(make: &dyn Fn() -> Box<dyn Player>, expectations: &Expectations) -> Result<(), Violation> {
    let suite = Suite { make, expectations };
    suite.moves_are_legal()?;
    suite.hears_stop()?;
    suite.keeps_its_time()?;
    if expectations.repeatable {
        suite.repeats_itself()?;
    }
    Ok(())
}

struct Suite<'a> {
    make: &'a dyn Fn() -> Box<dyn Player>,
    expectations: &'a Expectations,
}

impl Suite<'_> {
    fn work(&self) -> Limits {
        Limits {
            nodes: self.expectations.counts_nodes.then_some(NODES),
            ..Limits::depth(DEPTH)
        }
    }

    fn moves_are_legal(&self) -> Result<(), Violation> {
        let check = "legal moves";
        let mut player = (self.make)();
        for &(name, fen) in ODD_POSITIONS {
            let position = read(fen);
            player
                .new_game(false, 1)
                .map_err(|fault| Violation::Fault { check, fault })?;
            self.one_move(check, name, player.as_mut(), &Game::new(position))?;
        }
        if self.expectations.chess960 {
            for &(name, fen) in CHESS960_POSITIONS {
                let position = read(fen);
                player
                    .new_game(true, 1)
                    .map_err(|fault| Violation::Fault { check, fault })?;
                self.one_move(check, name, player.as_mut(), &Game::new(position))?;
            }
        }
        self.plays_on_after_repetitions(player.as_mut())
    }

    fn plays_on_after_repetitions(&self, player: &mut dyn Player) -> Result<(), Violation> {
        let check = "repetitions";
        let mut game = Game::default();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"] {
            game.play_uci(text).expect("knights go out and back");
        }
        player
            .new_game(false, 1)
            .map_err(|fault| Violation::Fault { check, fault })?;
        self.one_move(check, "a position seen twice", player, &game)
    }

    fn one_move(
        &self,
        check: &'static str,
        name: &str,
        player: &mut dyn Player,
        game: &Game,
    ) -> Result<(), Violation> {
        let reply = choose(check, player, game, &self.work(), &Control::new())?;
        legal(check, game, &reply).map_err(|detail| Violation::Wrong {
            check,
            detail: format!("{name}: {detail}"),
        })?;
        Ok(())
    }

    /// Without any limit, only `stop` ends the thinking.
    fn hears_stop(&self) -> Result<(), Violation> {
        let check = "stop";
        let mut player = (self.make)();
        let wait = Duration::from_millis(30);
        player
            .new_game(false, 1)
            .map_err(|fault| Violation::Fault { check, fault })?;
        for already in [false, true] {
            let control = Arc::new(Control::new());
            if already {
                control.stop();
            }
            let other = Arc::clone(&control);
            let watch = Stopwatch::start();
            let stopper = std::thread::spawn(move || {
                if !already {
                    std::thread::sleep(wait);
                    other.stop();
                }
                watch.begun.elapsed()
            });
            let game = Game::default();
            let reply = choose(check, player.as_mut(), &game, &Limits::none(), &control)?;
            let took = watch.took();
            let asked = stopper.join().unwrap_or_default();
            legal(check, &game, &reply).map_err(|detail| Violation::Wrong { check, detail })?;
            // What it worked until it was asked is less than what passed until then on the wall.
            let asked = if already { Duration::ZERO } else { asked };
            self.in_time(check, asked, &took)?;
        }
        Ok(())
    }

    fn in_time(&self, check: &'static str, allowed: Duration, took: &Took) -> Result<(), Violation> {
        if took.worked > allowed + self.expectations.slack {
            let detail = format!("{:?} of {allowed:?}", took.worked);
            return Err(Violation::Wrong { check, detail });
        }
        if took.passed > HANGS {
            let detail = format!("an answer after {:?}", took.passed);
            return Err(Violation::Wrong { check, detail });
        }
        Ok(())
    }

    fn keeps_its_time(&self) -> Result<(), Violation> {
        let check = "time";
        let ms = Duration::from_millis;
        let clock = |remaining, increment, moves_to_go| Limits {
            clocks: ByColor::from_fn(|_| {
                Some(Clock {
                    remaining: ms(remaining),
                    increment: ms(increment),
                })
            }),
            moves_to_go,
            ..Limits::none()
        };
        let move_time = |time| Limits {
            move_time: Some(ms(time)),
            ..Limits::none()
        };
        let mut player = (self.make)();
        player
            .new_game(false, 1)
            .map_err(|fault| Violation::Fault { check, fault })?;
        let game = Game::default();
        for (allowed, limits) in [
            (ms(100), move_time(100)),
            (ms(1), move_time(1)),
            (ms(10), clock(10, 0, None)),
            (ms(1), clock(1, 0, Some(40))),
            (ms(0), clock(0, 100, None)),
            (ms(200), clock(200, 0, Some(1))),
        ] {
            let watch = Stopwatch::start();
            let reply = choose(check, player.as_mut(), &game, &limits, &Control::new())?;
            let took = watch.took();
            legal(check, &game, &reply).map_err(|detail| Violation::Wrong { check, detail })?;
            self.in_time(check, allowed, &took)?;
        }
        Ok(())
    }

    /// Two players, and one of them again after another game, play the same moves from the same seed.
    fn repeats_itself(&self) -> Result<(), Violation> {
        let check = "repeatability";
        let (mut first, mut second) = ((self.make)(), (self.make)());
        let moves = self.self_play(check, first.as_mut(), 5)?;
        self.self_play(check, second.as_mut(), 6)?;
        for player in [second.as_mut(), first.as_mut()] {
            let again = self.self_play(check, player, 5)?;
            if again != moves {
                let detail = format!("{} and then {}", shown(&moves), shown(&again));
                return Err(Violation::Wrong { check, detail });
            }
        }
        Ok(())
    }

    fn self_play(
        &self,
        check: &'static str,
        player: &mut dyn Player,
        seed: u64,
    ) -> Result<Vec<Move>, Violation> {
        let mut game = Game::default();
        player
            .new_game(false, seed)
            .map_err(|fault| Violation::Fault { check, fault })?;
        for _ in 0..12 {
            if game.position().count_legal_moves() == 0 {
                break;
            }
            let reply = choose(check, player, &game, &self.work(), &Control::new())?;
            let m = legal(check, &game, &reply).map_err(|detail| Violation::Wrong { check, detail })?;
            game.play(m);
        }
        Ok(game.moves().to_vec())
    }
}

/// Runs while a player is asked.
#[derive(Copy, Clone)]
struct Stopwatch {
    begun: Instant,
    worked: ThreadInstant,
}

/// How long an answer took.
struct Took {
    /// Processor time of this thread.
    worked: Duration,
    /// By the clock on the wall.
    passed: Duration,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch {
            begun: Instant::now(),
            worked: ThreadInstant::now(),
        }
    }

    fn took(&self) -> Took {
        Took {
            worked: self.worked.elapsed(),
            passed: self.begun.elapsed(),
        }
    }
}

fn choose(
    check: &'static str,
    player: &mut dyn Player,
    game: &Game,
    limits: &Limits,
    control: &Control,
) -> Result<Reply, Violation> {
    player
        .choose(game, limits, control)
        .map_err(|fault| Violation::Fault { check, fault })
}

fn legal(check: &str, game: &Game, reply: &Reply) -> Result<Move, String> {
    let position = game.position();
    match reply.best {
        Some(m) if position.is_legal(m) => Ok(m),
        Some(m) => Err(format!("{} in {position}", m.uci(CastlingNotation::Chess960))),
        None => Err(format!("gives up in {position} ({check})")),
    }
}

fn shown(moves: &[Move]) -> String {
    let words: Vec<String> = moves
        .iter()
        .map(|m| m.uci(CastlingNotation::Standard).to_string())
        .collect();
    words.join(" ")
}

fn read(fen: &str) -> Position {
    fen.parse().expect("a position of the suite, read in a test")
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_chess::MoveInfo;

    #[test]
    fn the_positions_are_what_they_say() {
        let moves = |name: &str| {
            let all = ODD_POSITIONS.iter().chain(CHESS960_POSITIONS);
            let (_, fen) = all.clone().find(|(known, _)| *known == name).expect(name);
            read(fen).legal_moves()
        };
        assert_eq!(moves("only promotions").len(), 4);
        assert!(moves("only promotions").iter().all(|m| m.promotion().is_some()));
        assert_eq!(moves("only en passant").len(), 1);
        assert!(moves("only en passant")[0].is_en_passant());
        assert_eq!(moves("one legal move").len(), 1);
        assert_eq!(moves("218 moves").len(), 218);
        for &(name, fen) in CHESS960_POSITIONS {
            assert!(moves(name).iter().any(|m| m.is_castling()), "{fen}");
        }
        for &(name, fen) in ODD_POSITIONS {
            assert!(!moves(name).is_empty(), "{fen}");
        }
    }

    /// The suite must be able to fail.
    struct Careless(u64);

    impl Player for Careless {
        fn name(&self) -> &'static str {
            "careless"
        }

        fn new_game(&mut self, _: bool, _: u64) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, game: &Game, limits: &Limits, _: &Control) -> Result<Reply, Fault> {
            self.0 += 1;
            let moves = game.position().legal_moves();
            let is_late = limits.move_time.is_some() && self.0 > 1000;
            let begun = ThreadInstant::now();
            while is_late && begun.elapsed() < Duration::from_millis(800) {
                std::hint::spin_loop();
            }
            Ok(Reply {
                best: Some(moves[self.0 as usize % moves.len()]),
                info: MoveInfo::default(),
            })
        }
    }

    #[test]
    fn what_a_player_does_wrong_is_found() {
        let violation = |begin: u64| {
            let careless = move || Box::new(Careless(begin)) as Box<dyn Player>;
            check(&careless, &Expectations::default())
                .unwrap_err()
                .to_string()
        };
        assert!(violation(0).starts_with("repeatability: "), "{}", violation(0));
        let late = violation(2000);
        assert!(
            late.starts_with("time: ") && late.ends_with(" of 100ms"),
            "{late}"
        );
    }
}
