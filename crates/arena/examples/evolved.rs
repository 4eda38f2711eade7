//! The games of the player that evolves lines of moves, for `docs/evolved.md`.
//!
//!     cargo run --release -p vidmar-arena --example evolved -- PLAYER OPPONENT GAMES [FIRST-OPENING]
//!
//! plays from the built-in openings, each with both colours, and prints a row of a table: wins, draws, losses of PLAYER,
//! its Elo difference with a 95 % interval, the mean time of its moves.

#![allow(clippy::print_stdout, reason = "a table is what it is for")]

use std::error::Error;
use std::time::Duration;

use rayon::prelude::*;
use vidmar_arena::{Job, Opening, Record, Rules, play};
use vidmar_chess::{ByColor, Color, Outcome};
use vidmar_engine::Control;
use vidmar_formats::openings::built_in;
use vidmar_players::PlayerSpec;

/// Games that have not ended by then are drawn.
const MOST_MOVES: u32 = 200;

#[derive(Default)]
struct Tally {
    wins: u32,
    draws: u32,
    losses: u32,
    time: Duration,
    plies: u32,
}

impl Tally {
    fn add(&mut self, record: &Record, color: Color) {
        match record.result {
            Some(Outcome::Decisive { winner }) if winner == color => self.wins += 1,
            Some(Outcome::Decisive { .. }) => self.losses += 1,
            Some(Outcome::Draw) => self.draws += 1,
            None => {}
        }
        // All built-in openings have an even number of plies.
        let own = record
            .plies
            .iter()
            .skip(usize::from(color == Color::Black))
            .step_by(2);
        for ply in own {
            self.time += ply.info.time;
            self.plies += 1;
        }
    }

    fn games(&self) -> f64 {
        f64::from(self.wins + self.draws + self.losses)
    }

    /// The Elo difference of the score, and of the ends of its 95 % interval (Wilson 1927, as if every game were won or
    /// lost: somewhat too wide where games are drawn, and right where all are won).
    fn elo(&self) -> [f64; 3] {
        const Z: f64 = 1.96;
        let games = self.games();
        let score = (f64::from(self.wins) + f64::from(self.draws) / 2.0) / games;
        let spread = Z * (score * (1.0 - score) / games + Z * Z / (4.0 * games * games)).sqrt();
        let end = |sign: f64| (score + Z * Z / (2.0 * games) + sign * spread) / (1.0 + Z * Z / games);
        // The end on the side of a score of nothing or everything is that score, but for rounding.
        let least = if self.wins + self.draws == 0 {
            0.0
        } else {
            end(-1.0)
        };
        let most = if self.draws + self.losses == 0 {
            1.0
        } else {
            end(1.0)
        };
        [score, least, most].map(|score| -400.0 * (1.0 / score - 1.0).log10())
    }
}

fn game(number: usize, player: &PlayerSpec, opponent: &PlayerSpec) -> Option<(Record, Color)> {
    let color = if number.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    };
    let openings = built_in();
    let line = &openings[number / 2 % openings.len()];
    let job = Job {
        number: number as u64,
        players: ByColor::new(0, 1),
        opening: Opening {
            start: line.start.clone(),
            moves: line.moves.clone(),
            name: String::new(),
        },
        control: ByColor::default(),
        seed: number as u64,
    };
    let (mut one, mut other) = (player.player().ok()?, opponent.player().ok()?);
    let players = match color {
        Color::White => ByColor::new(one.as_mut() as _, other.as_mut() as _),
        Color::Black => ByColor::new(other.as_mut() as _, one.as_mut() as _),
    };
    let rules = Rules {
        max_moves: Some(MOST_MOVES),
        ..Rules::default()
    };
    Some((play(&job, players, &rules, &Control::new()), color))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [player, opponent, games, rest @ ..] = arguments.as_slice() else {
        return Err("expected PLAYER OPPONENT GAMES [FIRST-OPENING]".into());
    };
    let (player, opponent): (PlayerSpec, PlayerSpec) = (player.parse()?, opponent.parse()?);
    let games: usize = games.parse()?;
    let first: usize = rest.first().map_or(Ok(0), |text| text.parse())?;
    let records: Option<Vec<(Record, Color)>> = (2 * first..2 * first + games)
        .into_par_iter()
        .with_max_len(1)
        .map(|number| game(number, &player, &opponent))
        .collect();
    let mut tally = Tally::default();
    for (record, color) in records.ok_or("a player does not start")? {
        tally.add(&record, color);
    }
    let [elo, least, most] = tally.elo();
    println!(
        "| `{player}` | `{opponent}` | {} | {} | {} | {elo:+.0} [{least:+.0}, {most:+.0}] | {:.1} ms |",
        tally.wins,
        tally.draws,
        tally.losses,
        1000.0 * tally.time.as_secs_f64() / f64::from(tally.plies.max(1))
    );
    Ok(())
}
