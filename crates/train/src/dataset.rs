//! The positions of all packed games of a directory, in a new order every epoch, with bounded memory.
//!
//! The files are read once to see which positions are learnt from: a bit for each. After that an epoch takes the chunks in random order,
//! as many as fill a pool, and shuffles the pool. Whole games are set apart for validation, since positions of one game resemble
//! each other. Everything depends on the seed and on the files alone.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use vidmar_rng::Rng;

use crate::filter::Filter;
use crate::nearby::Teacher;
use crate::packed::{Chunk, EXTENSION, Flaw, PackedError, PackedMove, PackedReader, Replayed};
use crate::sample::Sample;

/// Positions that are shuffled together.
const POOL: usize = 1 << 20;
/// Positions that are remembered to find repeated ones.
const MEMORY: usize = 1 << 22;
/// Chunks that are decoded side by side.
const TOGETHER: usize = 8;
/// A mate counts as this, where mates are kept.
const MATE_CENTIPAWNS: i16 = 3_000;

/// Packed games, ready to be learnt from.
#[derive(Debug)]
pub struct Dataset {
    files: Vec<PathBuf>,
    chunks: Vec<ChunkIndex>,
    counts: Counts,
    seed: u64,
    validation: f64,
}

/// Where a chunk lies, and what of it is learnt from.
#[derive(Clone, Debug)]
struct ChunkIndex {
    file: usize,
    offset: u64,
    /// The number of its first game among all games.
    first_game: u64,
    /// A bit for each position.
    kept: Vec<u64>,
}

/// How much there is.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Positions to learn from.
    pub training: u64,
    /// Positions to validate with.
    pub validation: u64,
    /// Positions that are left out because they were seen before.
    pub repeated: u64,
}

/// Why a directory cannot be learnt from.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// It cannot be listed.
    #[error("{}: {error}", path.display())]
    Folder {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// There are no games.
    #[error("{}: no packed games (*.{EXTENSION}): expected a directory of `vidmar net games`", .0.display())]
    Empty(PathBuf),
    /// A file cannot be read.
    #[error(transparent)]
    Packed(#[from] PackedError),
    /// Nothing is left to learn from.
    #[error(
        "{games} games leave {training} positions to learn from and {validation} to validate with: expected some of each"
    )]
    TooFew {
        /// Games.
        games: u64,
        /// Positions to learn from.
        training: u64,
        /// Positions to validate with.
        validation: u64,
    },
}

/// Which part of the games, and what is learnt of it.
#[derive(Copy, Clone, Debug)]
enum Part<'a> {
    /// What the games say of the positions to learn from.
    Training,
    /// What the teacher says of as many positions near these, others in every epoch.
    Nearby { teacher: &'a Teacher, epoch: u64 },
    /// What the games say of the positions to validate with.
    Validation,
}

impl Dataset {
    /// Reads all packed games of a directory once. Of the games a share is set apart for validation.
    pub fn open(folder: &Path, filter: Filter, validation: f64, seed: u64) -> Result<Dataset, DatasetError> {
        let mut dataset = Dataset {
            files: packed_files(folder)?,
            chunks: Vec::new(),
            counts: Counts::default(),
            seed,
            validation,
        };
        let mut memory = Memory::new(filter.repeated);
        for file in 0..dataset.files.len() {
            dataset.index(file, filter, &mut memory)?;
        }
        let Counts {
            games,
            training,
            validation,
            ..
        } = dataset.counts;
        if training == 0 || validation == 0 {
            return Err(DatasetError::TooFew {
                games,
                training,
                validation,
            });
        }
        Ok(dataset)
    }

    /// How much there is.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Sees which positions of a file are learnt from.
    fn index(&mut self, file: usize, filter: Filter, memory: &mut Memory) -> Result<(), DatasetError> {
        let mut reader = PackedReader::open(&self.files[file])?;
        loop {
            let offset = reader.offset();
            let Some(chunk) = reader.next_chunk()? else {
                return Ok(());
            };
            let mut index = ChunkIndex {
                file,
                offset,
                first_game: self.counts.games,
                kept: Vec::new(),
            };
            let validated = self.validated(index.first_game, &chunk);
            let mut counts = self.counts;
            let mut positions = 0;
            let replayed = chunk.replay(|game, replayed| {
                let Replayed {
                    head,
                    position,
                    plies,
                    played,
                } = *replayed;
                let is_candidate = head.outcome.is_some() && filter.keeps(position, plies, played);
                let is_new = is_candidate && memory.is_new(position.key().0);
                let is_validated = is_new && validated[game as usize];
                if positions % 64 == 0 {
                    index.kept.push(0);
                }
                index.kept[positions / 64] |= u64::from(is_new) << (positions % 64);
                positions += 1;
                counts.repeated += u64::from(is_candidate && !is_new);
                counts.training += u64::from(is_new && !is_validated);
                counts.validation += u64::from(is_validated);
            });
            replayed.map_err(|flaw| reader.damaged(offset, flaw))?;
            counts.games += u64::from(chunk.games());
            counts.positions += positions as u64;
            self.counts = counts;
            self.chunks.push(index);
        }
    }

    /// The positions to learn from in the order of an epoch, in batches of this size; only the last may be smaller.
    /// With `mirrors`, half of those that have a mirror image are seen in it. With a teacher, it is as many positions near these, and its answers.
    pub(crate) fn epoch<'a>(
        &'a self,
        epoch: u64,
        batch: usize,
        mirrors: bool,
        teacher: Option<&'a Teacher>,
    ) -> Batches<'a> {
        let mut order: Vec<usize> = (0..self.chunks.len()).collect();
        let mut rng = Rng::new(self.seed, b"epochs--", epoch, 0);
        rng.shuffle(&mut order);
        Batches {
            source: Source::new(
                self,
                order,
                teacher.map_or(Part::Training, |teacher| Part::Nearby { teacher, epoch }),
            ),
            rng,
            pool: Vec::new(),
            batch,
            mirrors: mirrors.then_some(epoch),
        }
    }

    /// The positions to validate with, in the order of the files.
    pub(crate) fn validation(&self, batch: usize) -> Ordered<'_> {
        let order = (0..self.chunks.len()).collect();
        Ordered {
            source: Source::new(self, order, Part::Validation),
            pending: Vec::new(),
            batch,
        }
    }
}

fn packed_files(folder: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let fails = |error| DatasetError::Folder {
        path: folder.to_owned(),
        error,
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fails)? {
        let path = entry.map_err(fails)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(DatasetError::Empty(folder.to_owned()));
    }
    Ok(files)
}

/// Keys of positions seen before; where two share a place the later one is remembered.
struct Memory(Option<Vec<u64>>);

impl Memory {
    fn new(keeps_repeated: bool) -> Memory {
        Memory((!keeps_repeated).then(|| vec![0; MEMORY]))
    }

    fn is_new(&mut self, key: u64) -> bool {
        let Some(keys) = &mut self.0 else { return true };
        let place = &mut keys[key as usize % MEMORY];
        std::mem::replace(place, key) != key
    }
}

/// Chunks in an order, and what is learnt from each.
struct Source<'a> {
    dataset: &'a Dataset,
    order: std::vec::IntoIter<usize>,
    readers: Vec<Option<PackedReader>>,
    part: Part<'a>,
}

impl<'a> Source<'a> {
    fn new(dataset: &'a Dataset, order: Vec<usize>, part: Part<'a>) -> Source<'a> {
        Source {
            dataset,
            order: order.into_iter(),
            readers: dataset.files.iter().map(|_| None).collect(),
            part,
        }
    }

    /// Adds the positions of the next chunks; false if there are none.
    fn add_to(&mut self, samples: &mut Vec<Sample>) -> Result<bool, DatasetError> {
        let chunks: Vec<(usize, Chunk)> = std::iter::from_fn(|| self.next_chunk())
            .take(TOGETHER)
            .collect::<Result<_, _>>()?;
        let (dataset, part) = (self.dataset, self.part);
        let learnt: Vec<Result<Vec<Sample>, DatasetError>> = chunks
            .par_iter()
            .map(|(number, chunk)| dataset.learn(*number, chunk, part))
            .collect();
        for learnt in learnt {
            samples.append(&mut learnt?);
        }
        Ok(!chunks.is_empty())
    }

    fn next_chunk(&mut self) -> Option<Result<(usize, Chunk), DatasetError>> {
        let number = self.order.next()?;
        Some(self.read(number).map(|chunk| (number, chunk)))
    }

    fn read(&mut self, number: usize) -> Result<Chunk, DatasetError> {
        let index = &self.dataset.chunks[number];
        let reader = match &mut self.readers[index.file] {
            Some(reader) => reader,
            empty => empty.insert(PackedReader::open(&self.dataset.files[index.file])?),
        };
        reader.seek(index.offset)?;
        let chunk = reader.next_chunk()?;
        chunk.ok_or_else(|| reader.damaged(index.offset, Flaw::Short).into())
    }
}

impl Dataset {
    /// The positions of a chunk that belong to a part.
    fn learn(&self, number: usize, chunk: &Chunk, part: Part<'_>) -> Result<Vec<Sample>, DatasetError> {
        let index = &self.chunks[number];
        let validated = self.validated(index.first_game, chunk);
        let validates = matches!(part, Part::Validation);
        let mut nearby = match part {
            Part::Nearby { teacher, epoch } => {
                Some((teacher, Rng::new(self.seed, b"nearby--", epoch, number as u64)))
            }
            Part::Training | Part::Validation => None,
        };
        let (mut samples, mut at) = (Vec::new(), 0);
        let replayed = chunk.replay(|game, replayed| {
            // Games may have been added to the last chunk since.
            let is_kept = index
                .kept
                .get(at / 64)
                .is_some_and(|bits| bits >> (at % 64) & 1 == 1);
            at += 1;
            if is_kept && validated[game as usize] == validates {
                samples.push(match &mut nearby {
                    Some((teacher, rng)) => teacher.sample(replayed.position, rng),
                    None => sample(replayed),
                });
            }
        });
        replayed.map_err(|flaw| PackedError::Damaged {
            path: self.files[index.file].clone(),
            offset: index.offset,
            flaw,
        })?;
        Ok(samples)
    }

    /// Which games of a chunk are set apart for validation.
    fn validated(&self, first: u64, chunk: &Chunk) -> Vec<bool> {
        let games = first..first + u64::from(chunk.games());
        let is_validated = |game| Rng::new(self.seed, b"validate", game, 0).unit() < self.validation;
        games.map(is_validated).collect()
    }
}

/// What a game says of a position.
fn sample(replayed: &Replayed<'_>) -> Sample {
    let Replayed {
        head,
        position,
        played,
        ..
    } = *replayed;
    let half_points = head
        .outcome
        .map_or(1, |outcome| outcome.half_points(position.turn()));
    Sample::new(position, centipawns(played), half_points)
}

fn centipawns(played: PackedMove) -> i16 {
    let mate = MATE_CENTIPAWNS * played.score.bits().signum();
    played.score.centipawns().unwrap_or(mate)
}

/// Batches of an epoch.
pub(crate) struct Batches<'a> {
    source: Source<'a>,
    rng: Rng,
    pool: Vec<Sample>,
    batch: usize,
    /// The epoch, where positions are mirrored.
    mirrors: Option<u64>,
}

impl Batches<'_> {
    /// The next batch; none at the end of the epoch. It stands at the end of the pool, which is shuffled whenever it is filled.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<Sample>>, DatasetError> {
        if self.pool.len() < self.batch {
            let (mut is_more, old) = (true, self.pool.len());
            while is_more && self.pool.len() < POOL {
                is_more = self.source.add_to(&mut self.pool)?;
            }
            if let Some(epoch) = self.mirrors {
                self.pool[old..]
                    .iter_mut()
                    .for_each(|sample| sample.mirror(epoch));
            }
            self.rng.shuffle(&mut self.pool);
        }
        let size = self.batch.min(self.pool.len());
        let batch = self.pool.split_off(self.pool.len() - size);
        Ok((!batch.is_empty()).then_some(batch))
    }
}

/// Batches in the order of the files.
pub(crate) struct Ordered<'a> {
    source: Source<'a>,
    pending: Vec<Sample>,
    batch: usize,
}

impl Ordered<'_> {
    /// The next batch.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<Sample>>, DatasetError> {
        while self.pending.len() < self.batch && self.source.add_to(&mut self.pending)? {}
        let size = self.batch.min(self.pending.len());
        let batch: Vec<Sample> = self.pending.drain(..size).collect();
        Ok((!batch.is_empty()).then_some(batch))
    }
}
