//! `vidmar move`: one move of any player, and why.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use clap::Args;
use serde::Serialize;
use vidmar_chess::{CastlingNotation, Game, Position, Score};
use vidmar_engine::explanation::Lines;
use vidmar_engine::{Control, Explanation, Limits};
use vidmar_players::{MoveLimits, PlayerSpec, Reply, explain};

use crate::{arguments, output};

/// Let a player choose one move
///
/// The player is given as in a match: KIND or KIND:KEY=VALUE,KEY=VALUE. Every player can be asked why.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar move --player engine:depth=12
  vidmar move --player evolve:genes=6,generations=200,chromosomes=3,seed=1 --explain
  vidmar move --player uci:cmd=stockfish,nodes=100000 --fen FEN --json")]
pub(crate) struct MoveCommand {
    /// Who is to move
    #[arg(long, value_name = "SPEC", default_value = "engine")]
    player: PlayerSpec,
    /// Where the game begins (default: the start position)
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Moves that were played since, in UCI notation
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,
    /// Plies at the most
    #[arg(long, value_name = "N", value_parser = arguments::depth::<u32>())]
    depth: Option<u32>,
    /// Positions at the most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time at the most; 1 if nothing else is a limit, here or in the specification
    #[arg(long, value_name = "S", value_parser = arguments::seconds)]
    seconds: Option<Duration>,
    /// The seed of the game, for players with random parts
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// Also tell why: lines and terms, cases, what evolved, the book, or chance
    #[arg(long)]
    explain: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    player: String,
    fen: String,
    /// None where the player gives the game up.
    bestmove: Option<String>,
    san: Option<String>,
    score: Option<Score>,
    depth: u32,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explanation>,
}

impl MoveCommand {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let game = self.game()?;
        let position = game.position();
        anyhow::ensure!(
            position.count_legal_moves() > 0,
            "the game is over: there is no legal move"
        );
        let chess960 = game.start().castling_notation() == CastlingNotation::Chess960;
        self.player.check_limits(&MoveLimits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.seconds,
        })?;
        let mut player = self.player.player().map_err(|fault| anyhow!("{fault}"))?;
        let begun = player.new_game(chess960, self.seed);
        let mut lines = Lines::default();
        let reply = begun.and_then(|()| {
            player.think_aloud(&game, &self.limits(), &Control::new(), &mut |info| {
                lines.note(info);
            })
        });
        let reply = reply.map_err(|fault| anyhow!("{fault}"))?;
        let explanation = self.explain.then(|| {
            explain(
                player.as_ref(),
                position,
                &reply.leads_from(position),
                &lines,
                &reply,
            )
        });
        let text = if self.json {
            serde_json::to_string(&self.answer(position, &reply, explanation))? + "\n"
        } else {
            let notation = position.castling_notation();
            let best = reply
                .best
                .map_or_else(|| "resigns".to_owned(), |m| m.uci(notation).to_string());
            explanation.map_or_else(String::new, |explanation| format!("{explanation}\n\n")) + &best + "\n"
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    fn game(&self) -> anyhow::Result<Game> {
        let mut game = Game::new(arguments::position(self.fen.as_deref())?);
        for word in &self.moves {
            game.play_uci(word).context("--moves")?;
        }
        Ok(game)
    }

    fn limits(&self) -> Limits {
        let is_limited =
            self.player.move_limits().is_finite() || self.depth.is_some() || self.nodes.is_some();
        let usual = (!is_limited).then_some(Duration::from_secs(1));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.seconds.or(usual),
            ..Limits::none()
        }
    }

    fn answer(&self, position: &Position, reply: &Reply, explanation: Option<Explanation>) -> Answer {
        let notation = position.castling_notation();
        Answer {
            player: self.player.to_string(),
            fen: position.setup().to_string(),
            bestmove: reply.best.map(|m| m.uci(notation).to_string()),
            san: reply.best.map(|m| position.san(m).to_string()),
            score: reply.info.score,
            depth: reply.info.depth,
            nodes: reply.info.nodes,
            seconds: reply.info.time.as_secs_f64(),
            explanation,
        }
    }
}
