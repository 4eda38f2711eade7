//! Games to and from a store, and to and from PGN.
//!
//! A store keeps text (FEN, UCI moves) and knows no rules; here the text is made and read back. What a store gives is
//! checked move by move: a file can be damaged or edited.

mod details;

use std::fmt::Write as _;

use thiserror::Error;
use vidmar_chess::{Color, Move, MoveDetail, MoveInfo, Outcome, Position, Termination};
use vidmar_formats::pgn;
use vidmar_store as store;

use crate::record::{CLOCK_SCALES, GameRecord};
use crate::task::GameTask;

pub use details::Detail;

/// A stored game makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArchiveError {
    /// Its start is no position.
    #[error("game {number}: the start position '{start}' is wrong: {reason}")]
    Start {
        /// The game.
        number: u64,
        /// Its start.
        start: String,
        /// What is wrong with it.
        reason: String,
    },
    /// One of its moves is none.
    #[error("game {number}: {reason}")]
    Move {
        /// The game.
        number: u64,
        /// What is wrong.
        reason: String,
    },
    /// A player that its run does not have.
    #[error("game {number}: there is no player {player}")]
    Player {
        /// The game.
        number: u64,
        /// The index.
        player: u32,
    },
}

/// Nobody reads further.
const LONGEST_PV: usize = 128;

/// A game as a store keeps it.
pub fn stored_game(task: &GameTask, record: &GameRecord) -> store::Game {
    let opening = &task.setup.opening;
    let start = &opening.start;
    let notation = start.castling_notation();
    let moves: Vec<String> = opening
        .moves
        .iter()
        .copied()
        .chain(record.moves.iter().map(|ply| ply.m))
        .map(|m| m.uci(notation).to_string())
        .collect();
    store::Game {
        number: task.number,
        round: task.round,
        white: task.players[Color::White].index as u32,
        black: task.players[Color::Black].index as u32,
        result: record.outcome,
        termination: record.termination.to_string(),
        opening: opening.name.clone(),
        start: if *start == Position::default() {
            String::new()
        } else {
            start.to_string()
        },
        given: opening.moves.len() as u32,
        clock_scale: record.clock_scale,
        moves: moves.join(" "),
        thoughts: record.moves.iter().map(|ply| ply.info).collect(),
        pvs: record
            .pvs
            .iter()
            .zip(&record.details)
            .map(|(pv, detail)| {
                let moves = pv.iter().take(LONGEST_PV).map(|m| m.uci(notation).to_string());
                let moves = moves.collect::<Vec<_>>().join(" ");
                format!("{moves}{}", details::text(detail))
            })
            .collect(),
    }
}

/// The faults of a game as a store keeps them.
pub fn stored_faults(task: &GameTask, record: &GameRecord) -> impl Iterator<Item = store::Fault> {
    record.faults.iter().map(|fault| store::Fault {
        game: task.number,
        attempt: fault.attempt,
        player: task.players[fault.side].index as u32,
        kind: fault.fault.kind.name().to_owned(),
        detail: fault.fault.detail.clone(),
    })
}

/// The moves of a stored game.
pub fn moves(game: &store::Game) -> Result<(Position, Vec<Move>), ArchiveError> {
    let start: Position = if game.start.is_empty() {
        Position::default()
    } else {
        game.start
            .parse()
            .map_err(|reason: vidmar_chess::FenError| ArchiveError::Start {
                number: game.number,
                start: game.start.clone(),
                reason: reason.to_string(),
            })?
    };
    let mut position = start.clone();
    let mut moves = Vec::new();
    for text in game.moves.split_ascii_whitespace() {
        let m = position.parse_uci(text).map_err(|reason| ArchiveError::Move {
            number: game.number,
            reason: reason.to_string(),
        })?;
        position.play(m);
        moves.push(m);
    }
    Ok((start, moves))
}

/// What the games of a file have in common, and how they are written.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct PgnStyle {
    /// The tag `Event`.
    pub event: String,
    /// The tag `Site`.
    pub site: String,
    /// The tag `Date`; unknown if empty.
    pub date: String,
    /// The tag `TimeControl` of every player, by index; left out if the two sides differ or it is empty.
    pub time_controls: Vec<String>,
    /// Leave out the comments.
    pub plain: bool,
    /// Leave out what differs from one playing of the same game to the next.
    pub no_times: bool,
    /// Add the positions visited to the comments.
    pub nodes: bool,
    /// Add the positions a second.
    pub nps: bool,
    /// Add the principal variation, where the game has them.
    pub pv: bool,
    /// Add these, where the game has them.
    pub details: Vec<Detail>,
}

/// A stored game as PGN.
pub fn pgn_of(
    game: &store::Game,
    players: &[store::Player],
    style: &PgnStyle,
) -> Result<pgn::Game, ArchiveError> {
    let (start, moves) = moves(game)?;
    let mut made = pgn::Game::new(start);
    let name = |number: u32| {
        let found = players.iter().find(|player| player.number == number);
        found
            .map(|player| player.name.as_str())
            .ok_or(ArchiveError::Player {
                number: game.number,
                player: number,
            })
    };
    made.result = game.result;
    let tags = &mut made.tags;
    let known = |text: &str, unknown: &str| {
        if text.is_empty() {
            unknown.to_owned()
        } else {
            text.to_owned()
        }
    };
    tags.set("Event", &known(&style.event, "?"));
    tags.set("Site", &known(&style.site, "?"));
    tags.set(
        "Date",
        &known(if style.no_times { "" } else { &style.date }, "????.??.??"),
    );
    tags.set("Round", &(game.round + 1).to_string());
    tags.set("White", name(game.white)?);
    tags.set("Black", name(game.black)?);
    tags.set("Result", Outcome::text(made.result));
    if !game.opening.is_empty() {
        match eco_code(&game.opening) {
            Some((eco, name)) => {
                tags.set("ECO", eco);
                tags.set("Opening", name);
            }
            None => tags.set("Opening", &game.opening),
        }
    }
    tags.set("PlyCount", &moves.len().to_string());
    let control = |player: u32| {
        style
            .time_controls
            .get(player as usize)
            .filter(|text| !text.is_empty())
    };
    if let (Some(white), Some(black)) = (control(game.white), control(game.black))
        && white == black
    {
        tags.set("TimeControl", white);
    }
    if let Some(scale) = game.clock_scale {
        tags.set(CLOCK_SCALE, &format!("{:.3}", f64::from(scale) / 1000.0));
    }
    // Imported games have words of their own.
    let termination: Option<Termination> = game.termination.parse().ok();
    if let Some(value) = termination.and_then(Termination::pgn_tag) {
        tags.set("Termination", value);
    }
    let given = game.given as usize;
    let mut position = made.start().clone();
    for (at, m) in moves.iter().enumerate() {
        let mut ply = pgn::Ply::new(Some(*m));
        if !style.plain {
            let thought = at.checked_sub(given).and_then(|at| game.thoughts.get(at));
            let mut comment = match thought {
                Some(thought) => {
                    let (pv, detail) = details::split(game.pvs.get(at - given).map_or("", String::as_str));
                    let pv = if style.pv {
                        pv_in_san(&position, pv)
                    } else {
                        String::new()
                    };
                    comment(thought, style, &pv, &detail)
                }
                None if at < given => "book".to_owned(),
                None => String::new(),
            };
            if at + 1 == moves.len() {
                let separator = if comment.is_empty() { "" } else { ", " };
                comment.extend([separator, &game.termination]);
            }
            if !comment.is_empty() {
                ply.comments.push(pgn::Comment::new(&comment));
            }
        }
        made.main.plies.push(ply);
        position.play(*m);
    }
    Ok(made)
}

/// `+0.31/12 0.450s`, as match runners write it.
fn comment(thought: &MoveInfo, style: &PgnStyle, pv: &str, detail: &MoveDetail) -> String {
    let time = (!style.no_times).then_some(thought.time);
    let mut text = match thought.score {
        Some(score) => pgn::EngineScore {
            score,
            depth: thought.depth,
            time,
        }
        .to_string(),
        None => time.map_or(String::new(), |time| format!("{:.3}s", time.as_secs_f64())),
    };
    if style.nodes && thought.nodes > 0 {
        let _ = write!(text, ", n={}", thought.nodes);
    }
    let seconds = thought.time.as_secs_f64();
    if style.nps && !style.no_times && thought.nodes > 0 && seconds > 0.0 {
        let _ = write!(text, ", nps={:.0}", thought.nodes as f64 / seconds);
    }
    let wanted = |kind: &Detail| style.details.contains(kind) && !(style.no_times && kind.is_timed());
    for said in Detail::ALL
        .iter()
        .filter(|kind| wanted(kind))
        .filter_map(|kind| kind.comment(detail))
    {
        let _ = write!(text, ", {said}");
    }
    if !pv.is_empty() {
        let _ = write!(text, ", pv=\"{pv}\"");
    }
    text
}

/// A variation in UCI notation as PGN writes moves, as far as it is legal.
fn pv_in_san(position: &Position, pv: &str) -> String {
    let mut now = position.clone();
    let mut words = Vec::new();
    for text in pv.split_ascii_whitespace() {
        let Ok(m) = now.parse_uci(text) else { break };
        words.push(now.san(m).to_string());
        now.play(m);
    }
    words.join(" ")
}

/// The code that a name of an opening begins with (`C50 Italian Game`), and the rest.
fn eco_code(opening: &str) -> Option<(&str, &str)> {
    let (code, name) = opening.split_once(' ')?;
    let is_code = matches!(code.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
    is_code.then_some((code, name))
}

/// A PGN game as a store keeps it; the players are for the caller to number.
pub fn game_of_pgn(game: &pgn::Game, number: u64) -> Result<store::Game, ArchiveError> {
    let start = game.start();
    let notation = start.castling_notation();
    let mut moves = Vec::new();
    let mut thoughts = Vec::new();
    let mut told = false;
    for (at, ply) in game.main.plies.iter().enumerate() {
        let m = ply.played.ok_or_else(|| ArchiveError::Move {
            number,
            reason: format!("ply {} is a null move", at + 1),
        })?;
        moves.push(m.uci(notation).to_string());
        let annotations = ply
            .comments
            .first()
            .map(pgn::Comment::annotations)
            .unwrap_or_default();
        let thought = annotations.move_info(if at % 2 == 0 { start.turn() } else { !start.turn() });
        told |= thought != MoveInfo::default();
        thoughts.push(thought);
    }
    let standard = *start == Position::default();
    Ok(store::Game {
        number,
        result: game.result,
        termination: game.tags.get("Termination").unwrap_or_default().to_owned(),
        opening: ["ECO", "Opening", "Variation"]
            .iter()
            .filter_map(|tag| game.tags.get(tag))
            .collect::<Vec<_>>()
            .join(" "),
        start: if standard {
            String::new()
        } else {
            start.to_string()
        },
        clock_scale: game.tags.get(CLOCK_SCALE).and_then(thousandths),
        moves: moves.join(" "),
        thoughts: if told { thoughts } else { Vec::new() },
        ..store::Game::default()
    })
}

/// The tag of a game whose clocks were scaled by the speed of a machine.
const CLOCK_SCALE: &str = "ClockScale";

/// A factor in thousandths, if it can be one of clocks.
fn thousandths(text: &str) -> Option<u32> {
    let factor: f64 = text.parse().ok()?;
    let scale = (factor * 1000.0).round() as u32;
    CLOCK_SCALES.contains(&scale).then_some(scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::Opening;
    use crate::task::{GameSetup, TaskPlayer};
    use std::time::Duration;
    use vidmar_chess::{ByColor, MoveRecord, Score};

    fn played(fen: &str, opening: &[&str], moves: &[&str]) -> (GameTask, GameRecord) {
        let start: Position = fen.parse().expect("a position");
        let mut now = start.clone();
        let mut read = |text: &&str| {
            let m = now.parse_uci(text).expect("a move");
            now.play(m);
            m
        };
        let opening_moves = opening.iter().map(&mut read).collect();
        let plies = moves
            .iter()
            .map(&mut read)
            .enumerate()
            .map(|(at, m)| MoveRecord {
                m,
                info: MoveInfo {
                    score: match at {
                        0 => Some(Score::Centipawns(31)),
                        1 => None,
                        2 => Some(Score::Mate(2)),
                        _ => Some(Score::Mate(-1)),
                    },
                    depth: 12,
                    nodes: 1000,
                    time: Duration::from_millis(450),
                },
            })
            .collect();
        let player = |index| TaskPlayer::new(index, "random".parse().expect("a player"));
        let task = GameTask {
            number: 6,
            round: 3,
            players: ByColor::new(player(1), player(0)),
            setup: GameSetup {
                opening: Opening {
                    start,
                    moves: opening_moves,
                    name: "Grob".to_owned(),
                },
                ..GameSetup::default()
            },
        };
        let record = GameRecord {
            outcome: Some(Outcome::BLACK_WINS),
            termination: Termination::Checkmate { winner: Color::Black },
            moves: plies,
            pvs: Vec::new(),
            details: Vec::new(),
            faults: Vec::new(),
            unavailable: None,
            clock_scale: None,
        };
        (task, record)
    }

    fn players() -> Vec<store::Player> {
        vec![store::Player::new(0, "Anna"), store::Player::new(1, "Boris")]
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn comments_are_those_of_match_runners() {
        let (task, mut record) = played(START, &["g2g4"], &["e7e5", "f2f3", "d8h4"]);
        record.clock_scale = Some(1250);
        let stored = stored_game(&task, &record);
        let style = PgnStyle {
            event: "Test".to_owned(),
            date: "2024.01.02".to_owned(),
            time_controls: vec!["10+0.1".to_owned(); 2],
            ..PgnStyle::default()
        };
        let text = pgn_of(&stored, &players(), &style).map(|game| game.to_pgn(0).expect("legal"));
        let expected = "[Event \"Test\"]\n[Site \"?\"]\n[Date \"2024.01.02\"]\n[Round \"4\"]\n[White \"Boris\"]\n[Black \"Anna\"]\n\
             [Result \"0-1\"]\n[Opening \"Grob\"]\n[PlyCount \"4\"]\n[TimeControl \"10+0.1\"]\n[ClockScale \"1.250\"]\n\n\
             1. g4 {book} 1... e5 {+0.31/12 0.450s} 2. f3 {0.450s} 2... Qh4# {+M2/12 0.450s, black mates} 0-1\n";
        assert_eq!(
            text.expect("a game").split_whitespace().collect::<Vec<_>>(),
            expected.split_whitespace().collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_code_is_a_tag_of_its_own_and_speed_is_written_where_it_is_asked_for() {
        let (mut task, record) = played(START, &["g2g4"], &["e7e5"]);
        "A00 Grob Opening".clone_into(&mut task.setup.opening.name);
        let stored = stored_game(&task, &record);
        let text = |nps| {
            let style = PgnStyle {
                nps,
                ..PgnStyle::default()
            };
            let game = pgn_of(&stored, &players(), &style).expect("a game");
            game.to_pgn(200).expect("legal")
        };
        let with = text(true);
        assert!(
            with.contains("[ECO \"A00\"]\n[Opening \"Grob Opening\"]"),
            "{with}"
        );
        assert!(with.contains("0.450s, nps=2222"), "{with}");
        assert!(!text(false).contains("nps"));
    }

    #[test]
    fn what_is_written_is_read_back() {
        for (fen, opening, moves) in [
            (START, &["g2g4"][..], &["e7e5", "f2f3", "d8h4"][..]),
            (
                "4k3/8/8/8/8/8/8/5K1R w H - 0 1",
                &[][..],
                &["f1h1", "e8e7", "g1g2"][..],
            ),
        ] {
            let (task, record) = played(fen, opening, moves);
            let stored = stored_game(&task, &record);
            let made = pgn_of(&stored, &players(), &PgnStyle::default()).expect("a game");
            let text = made.to_pgn(79).expect("legal");
            let read = pgn::Reader::new(text.as_bytes())
                .games()
                .next()
                .expect("a game")
                .expect("readable");
            let again = game_of_pgn(&read, 6).expect("a game");
            assert_eq!(
                (&again.moves, &again.start, again.result),
                (&stored.moves, &stored.start, stored.result)
            );
            let given = stored.given as usize;
            assert_eq!(again.thoughts[given].score, stored.thoughts[0].score);
            assert_eq!(again.thoughts[given].time, stored.thoughts[0].time);
        }
    }

    #[test]
    fn damage_is_named() {
        let game = |start: &str, moves: &str| store::Game {
            number: 5,
            start: start.to_owned(),
            moves: moves.to_owned(),
            ..store::Game::default()
        };
        assert!(matches!(
            moves(&game("nonsense", "")),
            Err(ArchiveError::Start { number: 5, .. })
        ));
        let error = moves(&game("", "e2e4 e7e4")).expect_err("illegal");
        assert_eq!(error.to_string(), "game 5: the move e7e4 is not legal here");
        let error = pgn_of(&game("", "e2e4"), &[], &PgnStyle::default()).expect_err("nobody");
        assert_eq!(error, ArchiveError::Player { number: 5, player: 0 });
    }
}
