//! One game in bytes.

use vidmar_chess::{Color, Move, Outcome, Position};

use super::error::Flaw;
use super::score::PackedScore;
use super::varint;

/// A game with the scores of its players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedGame {
    /// Where it begins.
    pub start: Position,
    /// Moves before the players took over.
    pub opening: Vec<Move>,
    /// Their moves.
    pub moves: Vec<PackedMove>,
    /// Who won; none if nobody knows.
    pub outcome: Option<Outcome>,
}

/// A move of a player.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PackedMove {
    /// The move.
    pub m: Move,
    /// What its player thought of the position before it, for itself.
    pub score: PackedScore,
}

/// What is known of a game besides its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHead {
    /// Where it begins.
    pub start: Position,
    /// Who won.
    pub outcome: Option<Outcome>,
    /// The moves before the players took over.
    pub opening: Vec<Move>,
}

const OUTCOME: u8 = 3;
const OTHER_START: u8 = 4;

fn outcome_bits(outcome: Option<Outcome>) -> u8 {
    outcome.map_or(OUTCOME, |outcome| outcome.half_points(Color::White))
}

fn outcome_of(bits: u8) -> Option<Outcome> {
    match bits & OUTCOME {
        0 => Some(Outcome::BLACK_WINS),
        1 => Some(Outcome::Draw),
        2 => Some(Outcome::WHITE_WINS),
        _ => None,
    }
}

impl PackedGame {
    /// Appends the game to bytes.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let usual = Position::default();
        let other_start = if self.start == usual { 0 } else { OTHER_START };
        bytes.push(outcome_bits(self.outcome) | other_start);
        if other_start != 0 {
            let fen = self.start.to_string();
            varint::put(bytes, fen.len() as u32);
            bytes.extend_from_slice(fen.as_bytes());
        }
        let mut now = self.start.clone();
        varint::put(bytes, self.opening.len() as u32);
        for &m in &self.opening {
            bytes.push(index_of(&now, m));
            now.play(m);
        }
        varint::put(bytes, self.moves.len() as u32);
        let mut last = 0;
        for &PackedMove { m, score } in &self.moves {
            bytes.push(index_of(&now, m));
            let score = whites(score, now.turn()).bits();
            varint::put(bytes, varint::zigzag(score.wrapping_sub(last)).into());
            last = score;
            now.play(m);
        }
    }

    /// Takes a game from the front of bytes.
    pub fn decode(bytes: &mut &[u8]) -> Result<PackedGame, Flaw> {
        let mut moves = Vec::new();
        let head = replay(bytes, |replayed| moves.push(replayed.played))?;
        Ok(PackedGame {
            start: head.start,
            opening: head.opening,
            moves,
            outcome: head.outcome,
        })
    }
}

/// A move of a game that is gone through.
pub struct Replayed<'a> {
    /// The game.
    pub head: &'a GameHead,
    /// The position before the move.
    pub position: &'a Position,
    /// The plies until then, those of the opening included.
    pub plies: u32,
    /// The move.
    pub played: PackedMove,
}

/// Takes a game from the front of bytes and shows every move of its players.
pub(super) fn replay(bytes: &mut &[u8], mut visit: impl FnMut(&Replayed<'_>)) -> Result<GameHead, Flaw> {
    let (head, mut now) = head(bytes)?;
    let mut plies = head.opening.len() as u32;
    let mut last = 0_i16;
    for _ in 0..varint::take(bytes)? {
        let m = move_at(&now, varint::byte(bytes)?)?;
        let change = u16::try_from(varint::take(bytes)?).map_err(|_| Flaw::Number)?;
        last = last.wrapping_add(varint::unzigzag(change));
        let score = whites(PackedScore::from_bits(last), now.turn());
        visit(&Replayed {
            head: &head,
            position: &now,
            plies,
            played: PackedMove { m, score },
        });
        now.play(m);
        plies = plies.saturating_add(1);
    }
    Ok(head)
}

/// Takes what stands before the moves of the players, and gives the position in which they begin.
fn head(bytes: &mut &[u8]) -> Result<(GameHead, Position), Flaw> {
    let flags = varint::byte(bytes)?;
    if flags & !(OUTCOME | OTHER_START) != 0 {
        return Err(Flaw::Flags(flags));
    }
    let start = if flags & OTHER_START == 0 {
        Position::default()
    } else {
        start(bytes)?
    };
    let mut now = start.clone();
    let mut opening = Vec::new();
    for _ in 0..varint::take(bytes)? {
        let m = move_at(&now, varint::byte(bytes)?)?;
        now.play(m);
        opening.push(m);
    }
    let outcome = outcome_of(flags);
    Ok((
        GameHead {
            start,
            outcome,
            opening,
        },
        now,
    ))
}

fn start(bytes: &mut &[u8]) -> Result<Position, Flaw> {
    let length = varint::take(bytes)? as usize;
    let fen = bytes.get(..length).ok_or(Flaw::Short)?;
    *bytes = &bytes[length..];
    let text = std::str::from_utf8(fen).map_err(|_| Flaw::Start)?;
    text.parse().map_err(|_| Flaw::Start)
}

/// A score of the side to move as White's, and back.
fn whites(score: PackedScore, turn: Color) -> PackedScore {
    match turn {
        Color::White => score,
        Color::Black => score.reversed(),
    }
}

/// The index of a legal move among all in ascending order.
fn index_of(position: &Position, m: Move) -> u8 {
    let moves = position.legal_moves();
    moves.iter().filter(|other| other.word() < m.word()).count() as u8
}

/// The legal move of an index.
fn move_at(position: &Position, index: u8) -> Result<Move, Flaw> {
    let mut moves = position.legal_moves();
    let count = moves.len();
    if usize::from(index) >= count {
        return Err(Flaw::Move { index, moves: count });
    }
    let (_, m, _) = moves.select_nth_unstable(usize::from(index));
    Ok(*m)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use vidmar_chess::Score;
    use vidmar_rng::Rng;

    /// A game of random moves and scores.
    pub(crate) fn random_game(seed: u64) -> PackedGame {
        let mut rng = Rng::new(seed, b"tests---", 0, 0);
        let starts = [
            Position::default(),
            "rk5r/8/8/8/8/8/8/RK5R w KQkq - 3 9".parse().expect("a position"),
            "4k3/P7/8/8/8/8/7p/4K3 b - - 0 1".parse().expect("a position"),
        ];
        let start = starts[rng.index(3)].clone();
        let mut now = start.clone();
        let mut played = Vec::new();
        while played.len() < 8 + rng.index(120) {
            let Some(&m) = rng.pick(&now.legal_moves()) else {
                break;
            };
            now.play(m);
            let score = match rng.index(8) {
                0 => None,
                1 => Some(Score::Mate(rng.index(9) as i32 - 4)),
                _ => Some(Score::Centipawns(rng.index(2_000) as i32 - 1_000)),
            };
            played.push(PackedMove {
                m,
                score: score.into(),
            });
        }
        let moves = played.split_off(played.len().min(8));
        PackedGame {
            start,
            opening: played.iter().map(|played| played.m).collect(),
            moves,
            outcome: [
                Some(Outcome::Draw),
                Some(Outcome::win(Color::White)),
                Some(Outcome::win(Color::Black)),
                None,
            ][rng.index(4)],
        }
    }

    #[test]
    fn games_come_back_as_they_were() {
        let games: Vec<PackedGame> = (0..200).map(random_game).collect();
        let mut bytes = Vec::new();
        for game in &games {
            game.encode(&mut bytes);
        }
        let mut rest = &bytes[..];
        for game in &games {
            assert_eq!(&PackedGame::decode(&mut rest).unwrap(), game);
        }
        assert!(rest.is_empty());
    }

    #[test]
    fn the_bytes_of_a_game_are_these() {
        let start = Position::default();
        let e4 = start.parse_uci("e2e4").unwrap();
        let mut next = start.clone();
        next.play(e4);
        let e5 = next.parse_uci("e7e5").unwrap();
        let score = |cp| PackedScore::from(Some(Score::Centipawns(cp)));
        let game = PackedGame {
            start,
            opening: vec![e4],
            // 20 for Black is -20 for White.
            moves: vec![PackedMove {
                m: e5,
                score: score(20),
            }],
            outcome: Some(Outcome::WHITE_WINS),
        };
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        assert_eq!(bytes, [2, 1, E4, 1, E5, 39]);
    }

    /// Their indices, a golden value: files that were written must stay readable.
    const E4: u8 = 16;
    const E5: u8 = 4;

    #[test]
    fn nonsense_is_named() {
        for (bytes, flaw) in [
            (&[][..], Flaw::Short),
            (&[8], Flaw::Flags(8)),
            (&[1, 1, 20], Flaw::Move { index: 20, moves: 20 }),
            (&[1, 0, 2, 3], Flaw::Short),
            (&[1, 0, 1, 3, 0xff, 0xff, 0x7f], Flaw::Number),
            (&[4, 9, 0], Flaw::Short),
            (&[4, 1, b'x'], Flaw::Start),
        ] {
            assert_eq!(PackedGame::decode(&mut &*bytes).unwrap_err(), flaw, "{bytes:?}");
        }
    }
}
