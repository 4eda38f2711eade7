//! The flat file of positions, read back as its description says.

use std::collections::HashSet;

use vidmar_chess::{Color, Square};
use vidmar_engine::Control;
use vidmar_train::export::{ExportError, Nearby, export};
use vidmar_train::packed::{PackedReader, PackedWriter};
use vidmar_train::{Counts, Dataset, Filter, Teacher};

use crate::games::random_game;

/// Squares with pieces, the pieces, score, half points.
type Seen = (u64, [u8; 16], i16, u8);

fn exported(folder: &std::path::Path, epochs: u64) -> (Counts, Vec<u8>) {
    let dataset = Dataset::open(folder, Filter::default(), 0.2, 3).unwrap();
    let (mut file, mut told) = (Vec::new(), 0);
    let nearby = Nearby {
        teacher: Teacher::hand_crafted(),
        epochs,
    };
    export(&dataset, &nearby, &Control::new(), &mut file, &mut |written| {
        told = written;
    })
    .unwrap();
    let counts = dataset.counts();
    assert_eq!(told, counts.training * (1 + epochs) + counts.validation);
    (counts, file)
}

#[test]
fn every_position_stands_in_the_file_as_its_side_to_move_sees_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.packed");
    let mut writer = PackedWriter::open(&path, "{}").unwrap();
    for seed in 0..40 {
        writer.add(&random_game(seed)).unwrap();
    }
    writer.finish().unwrap();

    let mut played = HashSet::new();
    let mut reader = PackedReader::open(&path).unwrap();
    while let Some(chunk) = reader.next_chunk().unwrap() {
        let replayed = chunk.replay(|_, replayed| {
            let (position, turn) = (replayed.position, replayed.position.turn());
            let (mut occupied, mut pieces, mut count) = (0, [0; 16], 0);
            for square in Square::ALL {
                let seen = match turn {
                    Color::White => square,
                    Color::Black => square.flip_vertical(),
                };
                if let Some(piece) = position.piece_at(seen) {
                    occupied |= 1_u64 << square as u8;
                    let code = piece.role as u8 + 6 * u8::from(piece.color != turn);
                    pieces[count / 2] |= code << (4 * (count % 2));
                    count += 1;
                }
            }
            let score = replayed.played.score.centipawns().unwrap();
            let half_points = replayed.head.outcome.unwrap().half_points(turn);
            played.insert((occupied, pieces, score, half_points));
        });
        replayed.unwrap();
    }

    let (counts, file) = exported(folder.path(), 2);
    let word = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    assert_eq!(&file[..8], b"VidmarSA");
    assert_eq!(word(8), 1 | 32 << 32);
    assert_eq!(
        [word(16), word(24), word(32)],
        [counts.training, 2 * counts.training, counts.validation]
    );
    let (contents, sum) = file.split_last_chunk::<4>().unwrap();
    assert_eq!(crc32fast::hash(contents), u32::from_le_bytes(*sum));
    let samples: Vec<Seen> = contents[40..]
        .chunks_exact(32)
        .map(|sample| {
            assert!(sample[27] <= 1 && sample[28..] == [0; 4]);
            (
                u64::from_le_bytes(sample[..8].try_into().unwrap()),
                sample[8..24].try_into().unwrap(),
                i16::from_le_bytes(sample[24..26].try_into().unwrap()),
                sample[26],
            )
        })
        .collect();
    let all = 3 * counts.training + counts.validation;
    assert_eq!(samples.len() as u64, all);
    let (games, others) = samples.split_at(counts.training as usize);
    let (nearby, validation) = others.split_at(2 * counts.training as usize);
    let distinct: HashSet<_> = games.iter().chain(validation).collect();
    assert!(distinct.iter().all(|seen| played.contains(seen)));
    assert!(distinct.len() as u64 > (counts.training + counts.validation) * 9 / 10);
    // Most positions nearby are some moves away, and the teacher says something else of the others.
    let same = nearby.iter().filter(|seen| played.contains(seen)).count();
    assert!(same < nearby.len() / 10, "{same} of {}", nearby.len());

    assert_eq!(exported(folder.path(), 2).1, file, "the same every time");
}

#[test]
fn whoever_is_stopped_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = PackedWriter::open(&folder.path().join("a.packed"), "{}").unwrap();
    for seed in 0..20 {
        writer.add(&random_game(seed)).unwrap();
    }
    writer.finish().unwrap();
    let dataset = Dataset::open(folder.path(), Filter::default(), 0.2, 3).unwrap();
    let control = Control::new();
    control.stop();
    let nearby = Nearby {
        teacher: Teacher::hand_crafted(),
        epochs: 0,
    };
    let stopped = export(&dataset, &nearby, &control, &mut Vec::new(), &mut |_| ());
    assert!(matches!(stopped, Err(ExportError::Stopped)), "{stopped:?}");
}
