//! Reading files of records.

use std::io::{BufRead, Read};

use super::Epd;
use super::parse::{EpdError, Warning, parse_line};
use crate::text::Text;

/// A longer line is no record.
const MAX_LINE: usize = 1 << 20;

/// The records of a file, with their line numbers. Blank lines and lines that begin with `#` are
/// passed over; line ends, encoding and a byte order mark are of no matter.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    line: u64,
    bytes: Vec<u8>,
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader of records.
    pub const fn new(source: R) -> Reader<R> {
        Reader {
            source,
            line: 0,
            bytes: Vec::new(),
            failed: false,
        }
    }

    /// Reads a line into `bytes`; `false` at the end of the file.
    fn read_line(&mut self) -> Result<bool, EpdError> {
        self.bytes.clear();
        let mut limited = self.source.by_ref().take(MAX_LINE as u64 + 1);
        limited.read_until(b'\n', &mut self.bytes)?;
        if self.bytes.is_empty() {
            return Ok(false);
        }
        self.line += 1;
        if self.bytes.len() > MAX_LINE && !self.bytes.ends_with(b"\n") {
            self.source.skip_until(b'\n')?;
            return Err(EpdError::TooLong(MAX_LINE));
        }
        Ok(true)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = (u64, Result<(Epd, Vec<Warning>), EpdError>);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            match self.read_line() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.failed = matches!(error, EpdError::Io(_));
                    return Some((self.line, Err(error)));
                }
            }
            let text = Text::new(&self.bytes).decode();
            let text = text.trim_start_matches('\u{feff}').trim();
            if !text.is_empty() && !text.starts_with('#') {
                return Some((self.line, parse_line(text)));
            }
        }
        None
    }
}
