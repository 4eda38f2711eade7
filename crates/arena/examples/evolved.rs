//! The games of the player that evolves lines of moves, for `docs/evolved.md`.
//!
//!     cargo run --release -p vidmar-arena --example evolved -- PLAYER OPPONENT GAMES [FIRST-OPENING]
//!
//! plays from the built-in openings, each with both colours, and prints a row of a table: wins, draws, losses of PLAYER,
//! its Elo difference with a 95 % interval, the mean time of its moves.

#![allow(clippy::print_stdout, reason = "a table is what it is for")]

use std::error::Error;
use std::time::Duration;

use vidmar_arena::{
    FaultPolicy, GameRecord, GameSetup, GameTask, MissingPlayers, Opening, Rules, Runner, TaskPlayer,
    ThreadExecutor,
};
use vidmar_chess::{ByColor, Color, Outcome};
use vidmar_engine::Control;
use vidmar_formats::openings::BuiltIn;
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
    fn add(&mut self, record: &GameRecord, color: Color) {
        match record.outcome {
            Some(Outcome::Decisive { winner }) if winner == color => self.wins += 1,
            Some(Outcome::Decisive { .. }) => self.losses += 1,
            Some(Outcome::Draw) => self.draws += 1,
            None => {}
        }
        // All built-in openings have an even number of plies.
        let own = record
            .moves
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

/// The colour of PLAYER, whose index is 0.
fn color_in(number: u64) -> Color {
    if number.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    }
}

fn task(number: u64, players: &[PlayerSpec; 2]) -> GameTask {
    let openings = BuiltIn::Random.openings();
    let line = &openings[number as usize / 2 % openings.len()];
    let [player, opponent] = [0, 1].map(|index| TaskPlayer::new(index, players[index].clone()));
    GameTask {
        number,
        round: number / 2,
        players: match color_in(number) {
            Color::White => ByColor::new(player, opponent),
            Color::Black => ByColor::new(opponent, player),
        },
        setup: GameSetup {
            opening: Opening::from(line),
            rules: Rules {
                max_moves: Some(MOST_MOVES),
                ..Rules::default()
            },
            seed: number,
            ..GameSetup::default()
        },
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [player, opponent, games, rest @ ..] = arguments.as_slice() else {
        return Err("expected PLAYER OPPONENT GAMES [FIRST-OPENING]".into());
    };
    let players: [PlayerSpec; 2] = [player.parse()?, opponent.parse()?];
    let games: u64 = games.parse()?;
    let first: u64 = rest.first().map_or(Ok(0), |text| text.parse())?;
    let executor = ThreadExecutor::new(std::thread::available_parallelism()?);
    let runner = Runner {
        executor: &executor,
        faults: FaultPolicy::Drop,
        missing: MissingPlayers::EndTheRun,
    };
    let tasks = (2 * first..2 * first + games).map(|number| task(number, &players));
    let played = runner.collect(tasks, &Control::new(), &mut |_| {})?;
    let mut tally = Tally::default();
    for game in played.unwrap_or_default() {
        tally.add(&game.record, color_in(game.task.number));
    }
    let [elo, least, most] = tally.elo();
    println!(
        "| `{}` | `{}` | {} | {} | {} | {elo:+.0} [{least:+.0}, {most:+.0}] | {:.1} ms |",
        players[0],
        players[1],
        tally.wins,
        tally.draws,
        tally.losses,
        1000.0 * tally.time.as_secs_f64() / f64::from(tally.plies.max(1))
    );
    Ok(())
}
