//! How near nets come to the searches of another player.
//!
//! `nearness GAMES.packed POSITIONS PLAYER NET…` takes positions of packed games, half of them one or two random moves further on as a search meets them,
//! asks a player for its score of each (`uci:cmd=stockfish,depth=10`), and prints the mean of (σ(net / k) − σ(score / 400))² for the hand-crafted evaluation and every
//! net, each with the *k* that suits it best. It says in a minute what a match says in an hour, and is no proof: matches are.
#![allow(clippy::print_stdout)]

use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use vidmar_chess::{Game, Position, Score};
use vidmar_engine::{Control, Limits};
use vidmar_eval::{FullEvaluation, Vector};
use vidmar_net::Network;
use vidmar_players::PlayerSpec;
use vidmar_rng::Rng;
use vidmar_train::packed::PackedReader;

/// What a mate is worth in hundredths of a pawn.
const MATE: i32 = 3_000;
const SCALE: f64 = 400.0;

/// A position and the score of its side to move.
type Judged = (Position, i32);

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, count, player, nets @ ..] = &arguments[..] else {
        bail!("expected GAMES.packed POSITIONS PLAYER NET...");
    };
    let count = count.parse().with_context(|| format!("'{count}' positions"))?;
    let nets = nets
        .iter()
        .map(|name| -> anyhow::Result<Network> {
            let bytes = std::fs::read(name).with_context(|| name.clone())?;
            Network::from_bytes(&bytes).with_context(|| name.clone())
        })
        .collect::<Result<Vec<_>, _>>()?;
    let judged = judge(positions(Path::new(games), count)?, &player.parse()?)?;
    println!("{} positions", judged.len());
    let tuned = FullEvaluation::new(&Vector::default());
    print("tuned", &judged, |position| tuned.evaluate(position));
    for (name, net) in arguments[3..].iter().zip(&nets) {
        print(name, &judged, |position| net.evaluate(position));
    }
    Ok(())
}

/// Positions at random, in which somebody can move and nobody is in check.
fn positions(path: &Path, count: usize) -> anyhow::Result<Vec<Position>> {
    let (mut reader, mut rng, mut found) = (PackedReader::open(path)?, Rng::from_seed(7), Vec::new());
    while let Some(chunk) = reader.next_chunk()? {
        let replayed = chunk.replay(|_, replayed| {
            let mut position = replayed.position.clone();
            for _ in 0..[0, 0, 1, 2][rng.index(4)] {
                let moves = position.legal_moves();
                if !moves.is_empty() {
                    position.play(moves[rng.index(moves.len())]);
                }
            }
            if !position.in_check() && !position.legal_moves().is_empty() {
                found.push(position);
            }
        });
        replayed.map_err(|flaw| anyhow!("{}: {flaw}", path.display()))?;
    }
    rng.shuffle(&mut found);
    found.truncate(count);
    Ok(found)
}

fn judge(positions: Vec<Position>, spec: &PlayerSpec) -> anyhow::Result<Vec<Judged>> {
    let mut player = spec.player()?;
    let mut judged = Vec::with_capacity(positions.len());
    for position in positions {
        player.new_game(false, 0)?;
        let game = Game::new(position.clone());
        let reply = player.choose(&game, &Limits::none(), &Control::new())?;
        let score = reply.info.score.context("the player tells no score")?;
        let score = match score {
            Score::Centipawns(centipawns) => centipawns,
            Score::Mate(moves) => MATE * moves.signum(),
        };
        judged.push((position, score));
    }
    Ok(judged)
}

fn print(name: &str, judged: &[Judged], evaluate: impl Fn(&Position) -> i32) {
    let sigma = |x: f64| 1.0 / (1.0 + (-x).exp());
    let scores: Vec<(f64, f64)> = judged
        .iter()
        .map(|(position, score)| (evaluate(position).into(), sigma(f64::from(*score) / SCALE)))
        .collect();
    let loss = |k: f64| {
        let errors = scores
            .iter()
            .map(|&(score, target)| (sigma(score / k) - target).powi(2));
        errors.sum::<f64>() / scores.len() as f64
    };
    let (loss, k) = (10..=80)
        .map(|step| f64::from(step * 20))
        .map(|k| (loss(k), k))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .expect("several scales");
    println!("{name}: {loss:.5} with k = {k}");
}
