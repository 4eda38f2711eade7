//! Case bases from PGN files, in parallel.
//!
//! A file is cut where games begin into pieces of about a mebibyte that are read independently and joined in order,
//! so the result is that of one reader whatever the number of threads. A broken game costs that game only.

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use memchr::memmem;
use rayon::prelude::*;
use thiserror::Error;
use vidmar_chess::{ByColor, Color, Move, Outcome, Position};
use vidmar_formats::Text;
use vidmar_formats::pgn::{GameError, Moves, PgnError, Reader, TagValue, Visitor};

use crate::base::{CaseBase, ReplayError, SourceGame};
use crate::names::{PlayerName, TaggedPlayer};

/// A base cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// Nobody of that name.
    #[error("no game of '{name}' among {games} games{}", hint(.frequent))]
    NoSuchPlayer {
        /// The name that was looked for.
        name: String,
        /// Games that were looked at.
        games: u64,
        /// The most frequent names there, as a hint.
        frequent: Vec<String>,
    },
    /// The games do not replay.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

fn hint(frequent: &[String]) -> String {
    if frequent.is_empty() {
        String::new()
    } else {
        format!(" (most frequent there: {})", frequent.join("; "))
    }
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildReport {
    /// All games of the files.
    pub games: u64,
    /// The names that matched, each with the games as White and as Black.
    pub names: BTreeMap<String, ByColor<u64>>,
    /// Games in which both players match; they are left out.
    pub both_sides: u64,
    /// Games of the expert that are broken, each with the file's name; they are left out.
    pub broken: Vec<(String, GameError)>,
}

impl BuildReport {
    /// The expert's games with a colour.
    pub fn games_with(&self, color: Color) -> u64 {
        self.names.values().map(|count| count[color]).sum()
    }
}

/// A base of a player's games in some files, given as names and contents.
pub fn build(
    files: &[(String, Vec<u8>)],
    player: &PlayerName,
) -> Result<(CaseBase, BuildReport), BuildError> {
    let mut joined = Collector::new(player);
    let mut broken = Vec::new();
    for (name, bytes) in files {
        let pieces = pieces(bytes);
        let collected: Vec<(Collector<'_>, Vec<GameError>, u64)> = pieces
            .par_iter()
            .map(|piece| collect(&bytes[piece.from..piece.to], player))
            .collect();
        let mut games_before = 0;
        for (piece, (collector, errors, games)) in pieces.iter().zip(collected) {
            broken.extend(errors.into_iter().map(|mut error| {
                error.game += games_before;
                error.location.line += piece.lines_before;
                error.location.offset += piece.from as u64;
                (name.clone(), error)
            }));
            games_before += games;
            joined.join(collector);
        }
        joined.report.games += games_before;
    }
    joined.report.broken = broken;
    let Collector {
        games, report, seen, ..
    } = joined;
    if games.is_empty() {
        return Err(BuildError::NoSuchPlayer {
            name: player.as_str().to_owned(),
            games: report.games,
            frequent: most_frequent(&seen),
        });
    }
    let expert = most_used_name(&report).unwrap_or_else(|| player.as_str().to_owned());
    Ok((CaseBase::new(&expert, games)?, report))
}

/// The name that occurs most often in the White and Black tags of a file: the player that a collection is about.
pub fn most_frequent_player(bytes: &[u8]) -> Option<String> {
    struct Everybody(BTreeMap<String, u64>);
    impl Visitor for Everybody {
        fn tag(&mut self, name: Text<'_>, value: TagValue<'_>) {
            if matches!(name.bytes(), b"White" | b"Black") {
                *self.0.entry(value.decode().into_owned()).or_default() += 1;
            }
        }

        fn begin_moves(&mut self, _start: &Position) -> Moves {
            Moves::Skip
        }
    }
    let mut everybody = Everybody(BTreeMap::new());
    let mut reader = Reader::new(bytes);
    while !matches!(reader.read_game(&mut everybody), Ok(false) | Err(PgnError::Io(_))) {}
    most_frequent(&everybody.0).into_iter().next()
}

/// Up to three names, the most frequent first.
fn most_frequent(seen: &BTreeMap<String, u64>) -> Vec<String> {
    let mut names: Vec<(&String, &u64)> = seen.iter().filter(|(name, _)| !name.is_empty()).collect();
    names.sort_by(|one, other| other.1.cmp(one.1).then(one.0.cmp(other.0)));
    names.into_iter().take(3).map(|(name, _)| name.clone()).collect()
}

fn most_used_name(report: &BuildReport) -> Option<String> {
    let games = |count: &ByColor<u64>| count[Color::White] + count[Color::Black];
    let mut best: Option<(&String, u64)> = None;
    for (name, count) in &report.names {
        if best.is_none_or(|(_, most)| games(count) > most) {
            best = Some((name, games(count)));
        }
    }
    best.map(|(name, _)| name.clone())
}

/// A part of a file that begins with a game.
struct Piece {
    from: usize,
    to: usize,
    lines_before: u64,
}

/// A piece is at least this long, if the file is.
const PIECE: usize = 1 << 20;
/// A blank line and a new game: no reader takes this for anything else.
const SEAM: &[u8] = b"\n\n[Event \"";

fn pieces(bytes: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut from, mut lines_before) = (0, 0);
    while from < bytes.len() {
        let to = bytes
            .get(from + PIECE..)
            .and_then(|rest| memmem::find(rest, SEAM))
            .map_or(bytes.len(), |at| from + PIECE + at + 2);
        pieces.push(Piece {
            from,
            to,
            lines_before,
        });
        lines_before += memchr::memchr_iter(b'\n', &bytes[from..to]).count() as u64;
        from = to;
    }
    pieces
}

/// Reads a piece: what was collected, the broken games of the expert, and the number of games.
fn collect<'p>(bytes: &[u8], player: &'p PlayerName) -> (Collector<'p>, Vec<GameError>, u64) {
    let mut collector = Collector::new(player);
    let mut errors = Vec::new();
    let mut reader = Reader::new(bytes);
    loop {
        match reader.read_game(&mut collector) {
            Ok(true) => {}
            Err(PgnError::Game(error)) => {
                if collector.current.take().is_some() {
                    errors.push(error);
                }
            }
            // A slice can always be read.
            Ok(false) | Err(PgnError::Io(_)) => return (collector, errors, reader.games_read()),
        }
    }
}

/// The tags that matter.
#[derive(Default)]
struct CaseTags {
    names: ByColor<String>,
    fides: ByColor<String>,
    elos: ByColor<Option<NonZeroU16>>,
    event: String,
    date: String,
}

struct Collector<'p> {
    player: &'p PlayerName,
    tags: CaseTags,
    /// The game that is being read, if it is the expert's.
    current: Option<SourceGame>,
    games: Vec<SourceGame>,
    report: BuildReport,
    /// Everybody's games.
    seen: BTreeMap<String, u64>,
}

impl<'p> Collector<'p> {
    fn new(player: &'p PlayerName) -> Collector<'p> {
        Collector {
            player,
            tags: CaseTags::default(),
            current: None,
            games: Vec::new(),
            report: BuildReport::default(),
            seen: BTreeMap::new(),
        }
    }

    fn join(&mut self, next: Collector<'_>) {
        self.games.extend(next.games);
        self.report.both_sides += next.report.both_sides;
        for (name, count) in next.report.names {
            let sum = self.report.names.entry(name).or_default();
            for color in Color::ALL {
                sum[color] += count[color];
            }
        }
        for (name, count) in next.seen {
            *self.seen.entry(name).or_default() += count;
        }
    }
}

impl Visitor for Collector<'_> {
    fn begin_game(&mut self) {
        self.tags = CaseTags::default();
        self.current = None;
    }

    fn tag(&mut self, name: Text<'_>, value: TagValue<'_>) {
        let text = || value.decode().into_owned();
        let elo = || value.decode().trim().parse().ok();
        match name.bytes() {
            b"White" => self.tags.names[Color::White] = text(),
            b"Black" => self.tags.names[Color::Black] = text(),
            b"WhiteFideId" => self.tags.fides[Color::White] = text(),
            b"BlackFideId" => self.tags.fides[Color::Black] = text(),
            b"WhiteElo" => self.tags.elos[Color::White] = elo(),
            b"BlackElo" => self.tags.elos[Color::Black] = elo(),
            b"Event" => self.tags.event = text(),
            b"Date" => self.tags.date = text(),
            _ => {}
        }
    }

    fn begin_moves(&mut self, start: &Position) -> Moves {
        let tags = &mut self.tags;
        for color in Color::ALL {
            *self.seen.entry(tags.names[color].clone()).or_default() += 1;
        }
        let tagged = ByColor::from_fn(|color| TaggedPlayer {
            name: &tags.names[color],
            fide: &tags.fides[color],
        });
        let side = match self.player.sides(&tagged)[..] {
            [side] => side,
            [] => return Moves::Skip,
            _ => {
                self.report.both_sides += 1;
                return Moves::Skip;
            }
        };
        self.current = Some(SourceGame {
            players: std::mem::take(&mut tags.names),
            event: std::mem::take(&mut tags.event),
            date: std::mem::take(&mut tags.date),
            result: None,
            expert_is_black: side == Color::Black,
            elo: tags.elos[side],
            start: (*start != Position::default()).then(|| Box::new(start.clone())),
            moves: Vec::new(),
        });
        Moves::Read
    }

    fn played(&mut self, _position: &Position, played: Option<Move>) {
        if let Some(game) = &mut self.current {
            game.moves.push(played);
        }
    }

    fn result(&mut self, outcome: Option<Outcome>) {
        if let Some(game) = &mut self.current {
            game.result = outcome;
        }
    }

    fn end_game(&mut self, _last: &Position) {
        let Some(game) = self.current.take() else {
            return;
        };
        let name = game.players[game.expert()].clone();
        self.report.names.entry(name).or_default()[game.expert()] += 1;
        self.games.push(game);
    }
}
