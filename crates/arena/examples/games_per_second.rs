//! How many games a second of processor time holds: self-play of one player under the published rules, from openings of
//! random moves.
//!
//! `cargo run --release -p vidmar-arena --example games_per_second -- engine:depth=6 100` plays in one thread. What is
//! counted is this process's own time: of an external engine (`uci:cmd=stockfish,depth=1`), only what talking to it costs.

#![allow(clippy::print_stdout)]

use vidmar_arena::{GameSetup, Openings, RandomWalks, Rules, play};
use vidmar_chess::{ByColor, Outcome};
use vidmar_cpu::total_time;
use vidmar_engine::Control;
use vidmar_players::PlayerSpec;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let spec: PlayerSpec = arguments
        .next()
        .unwrap_or_else(|| "engine:depth=6".to_owned())
        .parse()?;
    let games: u64 = arguments.next().map_or(Ok(100), |text| text.parse())?;
    let (mut white, mut black) = (spec.player()?, spec.player()?);
    let openings = Openings::walk(RandomWalks { plies: 8, seed: 1 });
    let begun = total_time();
    let (mut plies, mut nodes, mut decided) = (0, 0, 0);
    for number in 0..games {
        let setup = GameSetup {
            opening: openings.get(number),
            rules: Rules::published(),
            seed: number,
            ..GameSetup::default()
        };
        let players = ByColor::new(white.as_mut(), black.as_mut());
        let record = play(&setup, players, None, &Control::new());
        if let Some(fault) = record.faults.first() {
            return Err(format!("game {number}: {}: {}", fault.side, fault.fault).into());
        }
        plies += record.moves.len();
        nodes += record.moves.iter().map(|ply| ply.info.nodes).sum::<u64>();
        decided += u64::from(record.outcome.is_some_and(|outcome| outcome != Outcome::Draw));
    }
    let seconds = total_time().saturating_sub(begun).as_secs_f64();
    println!(
        "{games} games, {decided} decided, {:.1} plies and {:.0} nodes a game, {:.2} games/s, {:.0} nodes/s, {:.1} µs a ply",
        plies as f64 / games as f64,
        nodes as f64 / games as f64,
        games as f64 / seconds,
        nodes as f64 / seconds,
        seconds * 1e6 / plies as f64
    );
    Ok(())
}
