//! The course of one game: moves, clocks, draws, its end. No threads and no requests here; every function is told the
//! time.
//!
//! The rules are those of the boards ([`Board::termination`](vidmar_chess::Board::termination)): mate, stalemate, material that
//! cannot mate, the fifth occurrence of a position and 75 moves end a game. The third occurrence and 50 moves are claims:
//! people may make them, and between players they count at once, as in the arena.

use std::time::{Duration, Instant};

use vidmar_chess::{Board as _, ByColor, Color, Game, Move, MoveInfo, Outcome, Role, Score, Termination};
use vidmar_engine::{Clock, Limits};

use super::types::{ClockSetting, Clocks, GameState, GameStatus, Ply};
use crate::position::MoveText;

/// A game in progress.
pub(super) struct Play {
    pub(super) game: Game,
    pub(super) plies: Vec<Ply>,
    /// Plies that were there before the players took over.
    pub(super) given: usize,
    pub(super) status: GameStatus,
    pub(super) clock: Option<ClockSetting>,
    pub(super) remaining: ByColor<Duration>,
    /// When the side to move began its thought; none while it waits for a slot to think in.
    turn_began: Option<Instant>,
    pub(super) draw_offer: Option<Color>,
    pub(super) note: Option<String>,
    pub(super) persons: ByColor<bool>,
}

/// A player does not agree to a draw before so many plies.
const EARLIEST_DRAW: usize = 20;

impl Play {
    /// A game that begins where `game` stands.
    pub(super) fn new(
        game: &Game,
        persons: ByColor<bool>,
        clock: Option<ClockSetting>,
        now: Instant,
    ) -> Play {
        let base = Duration::from_millis(clock.map_or(0, |clock| clock.base_ms));
        let mut play = Play {
            game: Game::new(game.start().clone()),
            plies: Vec::new(),
            given: 0,
            status: GameStatus::playing(),
            clock,
            remaining: ByColor::from_fn(|_| base),
            turn_began: None,
            draw_offer: None,
            note: None,
            persons,
        };
        for &m in game.moves() {
            play.push(m, None);
        }
        play.given = play.plies.len();
        play.end_by_rules();
        play.begin_turn(now);
        play
    }

    pub(super) fn turn(&self) -> Color {
        self.game.position().turn()
    }

    pub(super) fn is_playing(&self) -> bool {
        self.status.state == GameState::Playing
    }

    pub(super) fn is_over(&self) -> bool {
        self.status.state == GameState::Over
    }

    /// What a thought is about: the game is somewhere else, or does not go on, when this has changed.
    pub(super) fn stage(&self) -> (usize, GameState) {
        (self.plies.len(), self.status.state)
    }

    /// Whether a person is to move.
    pub(super) fn awaits_person(&self) -> bool {
        self.persons[self.turn()]
    }

    fn has_person(&self) -> bool {
        self.persons[Color::White] || self.persons[Color::Black]
    }

    /// A draw that may be claimed.
    pub(super) fn claimable(&self) -> Option<String> {
        if self.is_over() {
            return None;
        }
        self.game
            .board()
            .termination_with_claims()
            .map(|termination| termination.to_string())
    }

    /// A person's turn begins at once, a player's when it begins to think.
    pub(super) fn begin_turn(&mut self, now: Instant) {
        self.turn_began = (self.is_playing() && self.awaits_person()).then_some(now);
    }

    /// The player to move begins to think.
    pub(super) fn begin_thought(&mut self, now: Instant) {
        self.turn_began = self.is_playing().then_some(now);
    }

    /// Whether time is being used up: each side's first move is free.
    fn clock_runs(&self) -> bool {
        self.clock.is_some() && self.is_playing() && self.plies.len() >= self.given + 2
    }

    /// When the flag of the side to move falls.
    pub(super) fn flag_at(&self) -> Option<Instant> {
        let began = self.turn_began.filter(|_| self.clock_runs())?;
        began.checked_add(self.remaining[self.turn()])
    }

    /// The limits of the player to move, as far as the clock sets them.
    pub(super) fn limits(&self) -> Limits {
        let increment = Duration::from_millis(self.clock.map_or(0, |clock| clock.increment_ms));
        let clock = |side| {
            self.clock.map(|_| Clock {
                remaining: self.remaining[side],
                increment,
            })
        };
        Limits {
            clocks: ByColor::from_fn(clock),
            ..Limits::none()
        }
    }

    /// What the clocks show.
    pub(super) fn clocks(&self, now: Instant) -> Option<Clocks> {
        self.clock?;
        let running = self.turn_began.filter(|_| self.clock_runs());
        let left = |side: Color| {
            let used = match running {
                Some(began) if side == self.turn() => now.saturating_duration_since(began),
                _ => Duration::ZERO,
            };
            self.remaining[side].saturating_sub(used).as_millis() as u64
        };
        Some(Clocks {
            white_ms: left(Color::White),
            black_ms: left(Color::Black),
            running: running.map(|_| self.turn()),
        })
    }

    /// Plays a legal move of the side to move; a flag that has fallen ends the game instead. Players bring the time that
    /// they took.
    pub(super) fn make(&mut self, m: Move, info: Option<&MoveInfo>, now: Instant) {
        let side = self.turn();
        let waited = self
            .turn_began
            .map_or(Duration::ZERO, |began| now.saturating_duration_since(began));
        let elapsed = info.map_or(waited, |info| info.time);
        if self.clock_runs() {
            let left = self.remaining[side];
            if elapsed > left {
                self.remaining[side] = Duration::ZERO;
                return self.flag(side);
            }
            let increment = Duration::from_millis(self.clock.map_or(0, |clock| clock.increment_ms));
            self.remaining[side] = left.saturating_sub(elapsed).saturating_add(increment);
        }
        self.push(m, Some(elapsed));
        let clock_ms = self.clock.map(|_| self.remaining[side].as_millis() as u64);
        if let Some(ply) = self.plies.last_mut() {
            ply.clock_ms = clock_ms;
            if let Some(info) = info {
                ply.score = info.score.map(|score| score.for_white(side));
                ply.why = true;
            }
        }
        // An offer is answered by moving on.
        if self.draw_offer == Some(!side) {
            self.draw_offer = None;
        }
        self.note = None;
        self.end_by_rules();
        self.begin_turn(now);
    }

    /// Appends a ply as it was kept.
    pub(super) fn replay(&mut self, m: Move, ply: Ply) {
        self.game.play(m);
        self.plies.push(ply);
    }

    fn push(&mut self, m: Move, spent: Option<Duration>) {
        let text = MoveText::new(self.game.position(), m);
        self.game.play(m);
        let position = self.game.position();
        self.plies.push(Ply {
            uci: text.uci,
            san: text.san,
            fen: position.to_string(),
            check: position.in_check(),
            clock_ms: None,
            spent_ms: spent.map(|spent| spent.as_millis() as u64),
            score: None,
            why: false,
        });
    }

    fn end_by_rules(&mut self) {
        let termination = if self.has_person() {
            self.game.board().termination()
        } else {
            self.game.board().termination_with_claims()
        };
        if let Some(termination) = termination {
            self.end(
                termination.outcome().unwrap_or(Outcome::Draw),
                termination.to_string(),
            );
        }
    }

    /// The game is over.
    pub(super) fn end(&mut self, outcome: Outcome, reason: String) {
        self.status = GameStatus {
            state: GameState::Over,
            result: outcome.to_string(),
            reason: Some(reason),
        };
        self.turn_began = None;
        self.draw_offer = None;
    }

    /// A flag has fallen. Whoever has nothing but a king cannot win by it.
    fn flag(&mut self, side: Color) {
        let position = self.game.position();
        let opponent = !side;
        if position.color(opponent) == position.pieces(opponent, Role::King) {
            self.end(
                Outcome::Draw,
                format!("{side} has no time, {opponent} no piece to win with"),
            );
        } else {
            self.end(Outcome::win(opponent), Termination::TimeForfeit(side).to_string());
        }
    }

    /// Ends the game if the time of a person's turn is up.
    pub(super) fn check_flag(&mut self, now: Instant) -> bool {
        let has_fallen = self.awaits_person() && self.flag_at().is_some_and(|at| now > at);
        if has_fallen {
            let side = self.turn();
            self.remaining[side] = Duration::ZERO;
            self.flag(side);
        }
        has_fallen
    }

    /// Stops the clocks.
    pub(super) fn pause(&mut self, note: Option<String>, now: Instant) {
        if let Some(began) = self
            .turn_began
            .filter(|_| self.clock_runs() && self.awaits_person())
        {
            let side = self.turn();
            let used = now.saturating_duration_since(began);
            self.remaining[side] = self.remaining[side].saturating_sub(used);
        }
        self.status.state = GameState::Paused;
        self.turn_began = None;
        self.note = note;
    }

    /// Goes on.
    pub(super) fn go_on(&mut self, now: Instant) {
        self.status.state = GameState::Playing;
        self.note = None;
        self.begin_turn(now);
    }

    /// Takes back plies until a person is to move again; false if there is nothing to take back.
    pub(super) fn take_back(&mut self, now: Instant) -> bool {
        let both = self.persons[Color::White] && self.persons[Color::Black];
        // While a player thinks, one ply leads back to the person; otherwise its answer goes too.
        let count = if both || !self.awaits_person() { 1 } else { 2 };
        if !self.has_person() || self.plies.len() < self.given + count {
            return false;
        }
        for _ in 0..count {
            self.plies.pop();
            self.game.take_back();
        }
        if let Some(clock) = self.clock {
            self.remaining = ByColor::from_fn(|side| self.clock_after(side, clock));
        }
        self.status = GameStatus::playing();
        self.draw_offer = None;
        self.note = None;
        self.begin_turn(now);
        true
    }

    /// What a side's clock showed after its last move.
    fn clock_after(&self, side: Color, clock: ClockSetting) -> Duration {
        let mut mover = !self.turn();
        for ply in self.plies.iter().rev() {
            if mover == side
                && let Some(left) = ply.clock_ms
            {
                return Duration::from_millis(left);
            }
            mover = !mover;
        }
        Duration::from_millis(clock.base_ms)
    }

    /// Whether a player agrees to a draw: it must not see itself ahead, and the opening be over.
    pub(super) fn player_agrees(&self, side: Color) -> bool {
        let newest = self.plies.iter().rev().find_map(|ply| ply.score);
        self.plies.len() >= EARLIEST_DRAW && newest.is_none_or(|score| !is_ahead(score.for_side(side)))
    }
}

/// Whether a side sees itself ahead.
fn is_ahead(score: Score) -> bool {
    match score {
        Score::Centipawns(value) | Score::Mate(value) => value > 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(fen: &str, persons: (bool, bool), clock: Option<(u64, u64)>, now: Instant) -> Play {
        let game = Game::new(fen.parse().expect("legal"));
        let clock = clock.map(|(base_ms, increment_ms)| ClockSetting {
            base_ms,
            increment_ms,
        });
        Play::new(&game, ByColor::new(persons.0, persons.1), clock, now)
    }

    fn moves(play: &mut Play, moves: &[&str], now: Instant) {
        for text in moves {
            let m = play.game.position().parse_uci(text).expect(text);
            play.make(m, None, now);
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_first_moves_are_free_and_then_time_runs() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut play = play(START, (true, true), Some((1000, 100)), start);
        moves(&mut play, &["e2e4"], at(5_000));
        moves(&mut play, &["e7e5"], at(9_000));
        let shown = play.clocks(at(9_400)).expect("a clock");
        assert_eq!(
            (shown.white_ms, shown.black_ms, shown.running),
            (600, 1000, Some(Color::White))
        );
        moves(&mut play, &["g1f3"], at(9_400));
        assert_eq!(play.plies[2].clock_ms, Some(700));
        assert_eq!(play.flag_at(), Some(at(10_400)));
        assert!(!play.check_flag(at(10_400)));
        assert!(play.check_flag(at(10_401)));
        let ended = (play.status.result.as_str(), play.status.reason.as_deref());
        assert_eq!(ended, ("1-0", Some("black loses on time")));
    }

    #[test]
    fn a_bare_king_does_not_win_on_time() {
        let now = Instant::now();
        let mut play = play(
            "4k3/8/8/8/8/8/8/4KQ2 b - - 0 1",
            (true, true),
            Some((100, 0)),
            now,
        );
        moves(&mut play, &["e8d7", "f1f2", "d7c6"], now);
        assert!(play.check_flag(now + Duration::from_millis(101)));
        assert_eq!(play.status.result, "1/2-1/2");
    }

    #[test]
    fn claims_are_for_people_and_count_at_once_between_players() {
        let now = Instant::now();
        let dance = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"];
        let mut people = play(START, (true, false), None, now);
        moves(&mut people, &dance, now);
        assert!(people.is_playing());
        assert_eq!(people.claimable().as_deref(), Some("threefold repetition"));
        let mut players = play(START, (false, false), None, now);
        moves(&mut players, &dance[..7], now);
        assert!(players.is_playing());
        moves(&mut players, &dance[7..], now);
        assert_eq!(players.status.reason.as_deref(), Some("threefold repetition"));
    }

    #[test]
    fn taking_back_gives_the_position_and_the_clock_of_then() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut play = play(START, (true, false), Some((10_000, 0)), start);
        assert!(!play.take_back(start));
        moves(&mut play, &["e2e4", "e7e5"], start);
        let fen = play.game.position().to_string();
        moves(&mut play, &["g1f3"], at(4_000));
        assert_eq!(play.remaining[Color::White], Duration::from_secs(6));
        // The player is thinking: one ply.
        assert!(play.take_back(at(4_000)));
        assert_eq!(play.game.position().to_string(), fen);
        assert_eq!(play.remaining[Color::White], Duration::from_secs(10));
        // The person is to move: the answer goes too.
        assert!(play.take_back(at(4_000)));
        assert!(play.plies.is_empty() && !play.take_back(at(4_000)));
        // Mate is not the end of it.
        moves(&mut play, &["f2f3", "e7e5", "g2g4", "d8h4"], at(4_000));
        assert_eq!(play.status.result, "0-1");
        assert!(play.take_back(start) && play.is_playing() && play.plies.len() == 2);
    }

    #[test]
    fn a_pause_keeps_what_was_left() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut play = play(START, (true, true), Some((1_000, 0)), start);
        moves(&mut play, &["e2e4", "e7e5"], start);
        play.pause(None, at(400));
        assert_eq!(play.flag_at(), None);
        play.go_on(at(60_000));
        assert_eq!(play.flag_at(), Some(at(60_600)));
    }
}
