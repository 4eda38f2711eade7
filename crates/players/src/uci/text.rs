//! The questions of the protocol: `position` and `go`.

use std::fmt::Write as _;
use std::time::Duration;

use vidmar_chess::{CastlingNotation, Color, Game, Move, Position};
use vidmar_engine::Limits;

/// Writes the game and the limits, two lines.
pub(super) fn question(text: &mut String, game: &Game, limits: &Limits, castling: CastlingNotation) {
    text.clear();
    if *game.start() == Position::default() {
        text.push_str("position startpos");
    } else {
        let _ = write!(text, "position fen {}", game.start());
    }
    if !game.moves().is_empty() {
        text.push_str(" moves");
        moves(text, game.moves(), castling);
    }
    text.push_str("\ngo");
    for (side, time, increment) in [(Color::White, "wtime", "winc"), (Color::Black, "btime", "binc")] {
        if let Some(clock) = limits.clocks[side] {
            let _ = write!(text, " {time} {}", milliseconds(clock.remaining).max(1));
            if !clock.increment.is_zero() {
                let _ = write!(text, " {increment} {}", milliseconds(clock.increment));
            }
        }
    }
    let move_time = limits.move_time.map(|time| milliseconds(time).max(1));
    for (word, number) in [
        ("movestogo", limits.moves_to_go.map(u64::from)),
        ("depth", limits.depth.map(u64::from)),
        ("nodes", limits.nodes),
        ("movetime", move_time),
        ("mate", limits.mate.map(u64::from)),
    ] {
        if let Some(number) = number {
            let _ = write!(text, " {word} {number}");
        }
    }
    if !limits.search_moves.is_empty() {
        text.push_str(" searchmoves");
        moves(text, &limits.search_moves, castling);
    }
    if !limits.are_finite() {
        text.push_str(" infinite");
    }
}

fn moves(text: &mut String, moves: &[Move], castling: CastlingNotation) {
    for m in moves {
        let _ = write!(text, " {}", m.uci(castling));
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use vidmar_chess::ByColor;
    use vidmar_engine::Clock;

    use super::*;

    fn asked(game: &Game, limits: &Limits) -> String {
        let mut text = String::from("left over");
        question(&mut text, game, limits, game.start().castling_notation());
        text
    }

    #[test]
    fn every_limit_is_written() {
        let mut game = Game::default();
        assert_eq!(asked(&game, &Limits::depth(5)), "position startpos\ngo depth 5");
        game.play_uci("e2e4").unwrap();
        let clock = |ms: u64, inc| {
            Some(Clock {
                remaining: Duration::from_micros(ms * 1000 + 900),
                increment: Duration::from_millis(inc),
            })
        };
        let limits = Limits {
            clocks: ByColor::new(clock(61_000, 50), clock(0, 0)),
            moves_to_go: Some(12),
            nodes: Some(9),
            move_time: Some(Duration::from_millis(250)),
            ..Limits::none()
        };
        assert_eq!(
            asked(&game, &limits),
            "position startpos moves e2e4\ngo wtime 61000 winc 50 btime 1 movestogo 12 nodes 9 movetime 250"
        );
        assert_eq!(
            asked(&game, &Limits::none()),
            "position startpos moves e2e4\ngo infinite"
        );
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let mut game = Game::new(fen.parse().unwrap());
        game.play_uci("e1g1").unwrap();
        assert_eq!(
            asked(&game, &Limits::depth(1)),
            format!("position fen {fen} moves e1g1\ngo depth 1")
        );
    }
}
