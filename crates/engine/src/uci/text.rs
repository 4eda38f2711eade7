//! What the server says of positions, lines and decisions.

use std::fmt::Write as _;

use vidmar_chess::{Bound, CastlingNotation, File, Game, Position, Rank, Score, Square};
use vidmar_eval::{Chances, phase};

use crate::thinker::{Info, Thought};

/// A line of `info`; a line of play that is not legal to its end is cut where it stops being so.
pub(super) fn info(info: &Info, position: &Position, notation: CastlingNotation, show_wdl: bool) -> String {
    let milliseconds = info.elapsed.as_millis();
    let nps = (info.nodes as f64 / info.elapsed.as_secs_f64().max(1e-6)) as u64;
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {}",
        info.depth,
        info.seldepth.max(info.depth.min(1)),
        info.multipv
    );
    if let Some(score) = info.score {
        let _ = write!(line, " score {score}{bound}");
        if show_wdl {
            let [win, draw, loss] = chances(score, position);
            let _ = write!(line, " wdl {win} {draw} {loss}");
        }
    }
    let _ = write!(
        line,
        " nodes {} nps {nps} hashfull {} tbhits {} time {milliseconds} pv",
        info.nodes, info.hashfull, info.tbhits
    );
    let mut now = position.clone();
    for &m in info.pv.iter().take_while(|&&m| {
        let legal = now.is_legal(m);
        if legal {
            now.play(m);
        }
        legal
    }) {
        let _ = write!(line, " {}", m.uci(notation));
    }
    line
}

/// In 1/1000.
fn chances(score: Score, position: &Position) -> [u32; 3] {
    match score {
        Score::Centipawns(cp) => Chances::of(cp, phase(position)).per_mille(),
        Score::Mate(moves) if moves > 0 => [1000, 0, 0],
        Score::Mate(_) => [0, 0, 1000],
    }
}

/// The answer to `go`.
pub(super) fn best_move(thought: &Thought, position: &Position, notation: CastlingNotation) -> String {
    let Some(best) = thought.best else {
        return "bestmove 0000".to_owned();
    };
    let mut answer = format!("bestmove {}", best.uci(notation));
    if let Some(ponder) = thought.ponder {
        let mut next = position.clone();
        next.play(best);
        if next.is_legal(ponder) {
            let _ = write!(answer, " ponder {}", ponder.uci(notation));
        }
    }
    answer
}

/// The board, its FEN, its key and what is legal.
pub(super) fn display(game: &Game, chess960: bool) -> String {
    let position = game.position();
    let edge = "  +---+---+---+---+---+---+---+---+\n";
    let mut text = String::from(edge);
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{} |", rank.char());
        for file in File::ALL {
            let piece = position.piece_at(Square::at(file, rank));
            let _ = write!(text, " {} |", piece.map_or(' ', vidmar_chess::Piece::char));
        }
        text.push('\n');
        text += edge;
    }
    let fen = if chess960 {
        position.setup().shredder_fen()
    } else {
        position.to_string()
    };
    let checkers: Vec<String> = position
        .checkers()
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    let moves: Vec<String> = position
        .sans()
        .into_iter()
        .map(|(_, san)| san.to_string())
        .collect();
    text + "    a   b   c   d   e   f   g   h\n\n"
        + &format!(
            "Fen: {fen}\nKey: {}\nCheckers: {}\nLegal moves ({}): {}\n",
            position.key(),
            checkers.join(" "),
            moves.len(),
            moves.join(" ")
        )
}
