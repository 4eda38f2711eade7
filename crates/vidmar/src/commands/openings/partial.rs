//! What was found so far, beside the file that will hold it all: a command that was ended goes on from there.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use vidmar_formats::epd::parse_line;
use vidmar_formats::openings::Opening;

use crate::output;

/// Openings found, and how many lines were drawn for them.
#[derive(Default)]
pub(super) struct Partial {
    pub(super) drawn: u64,
    pub(super) openings: Vec<Opening>,
}

/// Where it is kept for a file.
fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

impl Partial {
    /// What an earlier run of the same command left; another command's is an error, and none is nothing.
    pub(super) fn read(file: &Path, command: &str) -> anyhow::Result<Partial> {
        let path = beside(file);
        let Ok(text) = std::fs::read_to_string(&path) else {
            return Ok(Partial::default());
        };
        let shown = path.display();
        let mut lines = text.lines();
        let of = lines
            .next()
            .and_then(|line| line.strip_prefix("# "))
            .unwrap_or_default();
        if of != command {
            bail!("{shown} was left by another command ({of}): remove it, or go on with that one");
        }
        let drawn = lines.next().and_then(|line| line.strip_prefix("# drawn: "));
        let drawn = drawn.and_then(|number| number.parse().ok());
        let drawn = drawn.with_context(|| format!("{shown}: line 2: expected '# drawn: N'"))?;
        let read = |(at, line): (usize, &str)| {
            let wrong = |error: String| anyhow::anyhow!("{shown}: line {}: {error}", at + 3);
            let (epd, _) = parse_line(line).map_err(|error| wrong(error.to_string()))?;
            Opening::from_epd(&epd).map_err(|error| wrong(error.to_string()))
        };
        Ok(Partial {
            drawn,
            openings: lines.enumerate().map(read).collect::<anyhow::Result<_>>()?,
        })
    }

    pub(super) fn write(&self, file: &Path, command: &str) -> anyhow::Result<()> {
        let records = self
            .openings
            .iter()
            .map(|opening| opening.to_epd().to_string() + "\n");
        let text = format!("# {command}\n# drawn: {}\n", self.drawn) + &records.collect::<String>();
        output::write_file(&beside(file), text)
    }

    /// There is nothing to go on with any more.
    pub(super) fn remove(file: &Path) {
        // It may never have been written.
        let _ = std::fs::remove_file(beside(file));
    }
}

#[cfg(test)]
mod tests {
    use vidmar_chess::Position;

    use super::*;

    #[test]
    fn what_was_left_is_read_back_by_the_same_command_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("o.epd");
        assert_eq!(Partial::read(&file, "make 1").expect("nothing").drawn, 0);
        let m = Position::default().parse_uci("e2e4").expect("legal");
        let left = Partial {
            drawn: 70,
            openings: vec![Opening::new(Position::default(), vec![m])],
        };
        left.write(&file, "make 1").expect("written");
        let read = Partial::read(&file, "make 1").expect("readable");
        assert_eq!((read.drawn, read.openings), (70, left.openings));
        let error = Partial::read(&file, "make 2").err().expect("another command");
        assert!(error.to_string().contains("(make 1)"), "{error}");
        Partial::remove(&file);
        assert_eq!(Partial::read(&file, "make 2").expect("nothing").drawn, 0);
    }
}
