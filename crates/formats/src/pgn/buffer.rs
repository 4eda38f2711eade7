//! A window on a byte stream that slides forward, and knows its location in the file.
//!
//! The window is refilled when little is left in it and grows only when one comment or tag does not
//! fit, up to the limit that the caller states; a file of any size is read in constant memory. Lines
//! are counted only when bytes leave the window or an error asks for its location.

use std::fmt;
use std::io::{self, Read};

use memchr::{memchr_iter, memrchr};

/// The window's first size.
const CAPACITY: usize = 32 * 1024;

/// A location in a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The line, from 1.
    pub line: u64,
    /// The byte in the line, from 1.
    pub column: u64,
    /// The byte in the file, from 0.
    pub offset: u64,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}, byte {}",
            self.line, self.column, self.offset
        )
    }
}

#[derive(Debug)]
pub(super) struct Buffer<R> {
    source: R,
    bytes: Box<[u8]>,
    start: usize,
    end: usize,
    ended: bool,
    /// The location of the window's first byte.
    base: Location,
}

impl<R: Read> Buffer<R> {
    pub(super) fn new(source: R) -> Buffer<R> {
        Buffer {
            source,
            bytes: vec![0; CAPACITY].into(),
            start: 0,
            end: 0,
            ended: false,
            base: Location {
                line: 1,
                column: 1,
                offset: 0,
            },
        }
    }

    /// What the window shows.
    #[inline(always)]
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Whether the window shows all that is left of the file.
    #[inline(always)]
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// Moves on; never past the end of what the window shows.
    #[inline(always)]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.start = self.end.min(self.start + bytes);
    }

    /// Reads until the window shows `wanted` bytes or the file ends.
    #[inline(always)]
    pub(super) fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if self.end - self.start < wanted && !self.ended {
            self.refill(wanted)
        } else {
            Ok(())
        }
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self, wanted: usize) -> io::Result<()> {
        self.slide();
        if self.bytes.len() < wanted {
            let mut larger = vec![0; wanted.next_power_of_two()];
            larger[..self.end].copy_from_slice(&self.bytes[..self.end]);
            self.bytes = larger.into();
        }
        while self.end < wanted && !self.ended {
            match self.source.read(&mut self.bytes[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    // No endless loop over a source that fails for good.
                    self.ended = true;
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Forgets what has been read.
    fn slide(&mut self) {
        self.base = self.location(0);
        self.bytes.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
    }

    /// The location of a byte of the window.
    pub(super) fn location(&self, ahead: usize) -> Location {
        let passed = &self.bytes[..self.end.min(self.start + ahead)];
        let column = match memrchr(b'\n', passed) {
            Some(newline) => (passed.len() - newline) as u64,
            None => self.base.column + passed.len() as u64,
        };
        Location {
            line: self.base.line + memchr_iter(b'\n', passed).count() as u64,
            column,
            offset: self.base.offset + passed.len() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes a few at a time.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = into.len().min(self.0.len()).min(3);
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn places_survive_sliding() {
        let text: Vec<u8> = b"abc\nde\n\nf".repeat(20_000);
        let mut buffer = Buffer::new(Drip(&text));
        let (mut line, mut column) = (1, 1);
        for (offset, &byte) in text.iter().enumerate() {
            buffer.fill(1).unwrap();
            assert_eq!(buffer.rest()[0], byte);
            if offset % 101 == 0 {
                let offset = offset as u64;
                assert_eq!(buffer.location(0), Location { line, column, offset });
            }
            buffer.advance(1);
            (line, column) = if byte == b'\n' {
                (line + 1, 1)
            } else {
                (line, column + 1)
            };
        }
        buffer.fill(1).unwrap();
        assert!(buffer.rest().is_empty() && buffer.ended());
        assert_eq!(buffer.bytes.len(), CAPACITY);
    }

    #[test]
    fn the_window_grows_when_asked() {
        let text = vec![b'x'; 3 * CAPACITY];
        let mut buffer = Buffer::new(&text[..]);
        buffer.fill(1).unwrap();
        buffer.advance(7);
        buffer.fill(2 * CAPACITY).unwrap();
        assert!(buffer.rest().len() >= 2 * CAPACITY);
        assert_eq!(buffer.location(0).offset, 7);
    }
}
