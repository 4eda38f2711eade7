//! Files of packed games: written, stopped, cut, damaged, read.

use std::path::Path;

use vidmar_train::packed::{PackedError, PackedGame, PackedReader, PackedWriter};

use crate::games::random_game;

const DESCRIPTION: &str = "{\"seed\":1}";

/// Enough for several chunks.
const GAMES: u64 = 600;

fn write(path: &Path, games: std::ops::Range<u64>) {
    let mut writer = PackedWriter::open(path, DESCRIPTION).unwrap();
    assert_eq!(writer.games(), games.start);
    for seed in games {
        writer.add(&random_game(seed)).unwrap();
        writer.commit().unwrap();
    }
    // Never finished: as if it were killed.
}

fn read(path: &Path) -> Result<(Vec<PackedGame>, u64), PackedError> {
    let mut reader = PackedReader::open(path)?;
    assert_eq!(reader.description(), DESCRIPTION);
    let mut games = Vec::new();
    loop {
        let offset = reader.offset();
        let Some(chunk) = reader.next_chunk()? else { break };
        games.extend(chunk.decode().map_err(|flaw| reader.damaged(offset, flaw))?);
    }
    Ok((games, reader.unfinished()))
}

#[test]
fn a_writer_that_was_stopped_often_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    write(&whole, 0..GAMES);
    for part in [0..1, 1..7, 7..7, 7..333, 333..GAMES] {
        write(&parts, part);
    }
    let bytes = std::fs::read(&whole).unwrap();
    assert!(bytes == std::fs::read(&parts).unwrap());
    let (games, unfinished) = read(&whole).unwrap();
    assert_eq!((games.len() as u64, unfinished), (GAMES, 0));
    assert_eq!(games[GAMES as usize - 1], random_game(GAMES - 1));
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();
    let each = bytes.len() as f64 / positions as f64;
    assert!(each < 3.0, "{each} bytes a position");
}

#[test]
fn what_a_killed_writer_left_is_passed_over_and_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut) = (folder.path().join("whole"), folder.path().join("cut"));
    write(&whole, 0..GAMES);
    let bytes = std::fs::read(&whole).unwrap();
    for length in [
        bytes.len() - 1,
        bytes.len() - 20_000,
        bytes.len() - 60_000,
        40,
        31,
    ] {
        std::fs::write(&cut, &bytes[..length]).unwrap();
        let (games, unfinished) = read(&cut).unwrap();
        assert!((games.len() as u64) < GAMES && unfinished > 0, "{length}");
        let known = games.len() as u64;
        assert!(
            games
                .iter()
                .zip(0..)
                .all(|(game, seed)| *game == random_game(seed))
        );
        write(&cut, known..GAMES);
        assert!(std::fs::read(&cut).unwrap() == bytes, "{length}");
    }
    // The last chunk half-written over a shorter one.
    let mut torn = bytes.clone();
    *torn.last_mut().unwrap() ^= 1;
    std::fs::write(&cut, &torn).unwrap();
    assert!(read(&cut).unwrap().1 > 0);
}

#[test]
fn damage_is_named_and_nothing_is_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    write(&path, 0..GAMES);
    let bytes = std::fs::read(&path).unwrap();
    let broken = |at: usize, with: u8| {
        let mut bytes = bytes.clone();
        bytes[at] ^= with;
        let other = folder.path().join("broken");
        std::fs::write(&other, bytes).unwrap();
        (
            read(&other).unwrap_err().to_string(),
            PackedWriter::open(&other, DESCRIPTION).is_err(),
        )
    };
    for (at, expected) in [
        (0, "not a file of packed games"),
        (8, "version"),
        (13, "description"),
        (21, "description"),
        (100, "checksum"),
        (33, "too large"),
    ] {
        let (error, is_refused) = broken(at, 0xff);
        assert!(error.contains(expected) && is_refused, "{at}: {error}");
    }
    let other = PackedWriter::open(&path, "{\"seed\":2}").unwrap_err();
    assert!(other.to_string().contains("other settings"), "{other}");
    let writer = PackedWriter::open(&path, DESCRIPTION).unwrap();
    let second = PackedWriter::open(&path, DESCRIPTION).unwrap_err();
    assert!(matches!(second, PackedError::InUse(_)), "{second}");
    drop(writer);
    PackedWriter::open(&path, DESCRIPTION).unwrap();
    assert!(bytes == std::fs::read(&path).unwrap());
}
