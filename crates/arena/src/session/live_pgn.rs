//! The file of games while a match goes on: every game is written when it ends, so that a match that is killed leaves them.
//!
//! When the match ends, the file is made anew from the store, in the order of the schedule; that is also when an error in
//! writing it is told.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};

use vidmar_formats::pgn::Writer;
use vidmar_store::{Game, Player, RunId, Store};

use super::MatchConfig;
use super::files::{FileError, MatchFiles, WriteError};
use crate::archive::{self, PgnStyle};

/// The file, once the first game is in it.
pub(super) struct LivePgn<'a> {
    out: &'a super::OutputFile,
    style: PgnStyle,
    players: Vec<Player>,
    /// How much of the file stays, at most.
    keep: u64,
    file: Option<File>,
    has_failed: bool,
}

impl<'a> LivePgn<'a> {
    /// Nothing is written before the first game ends, except games of an earlier session.
    pub(super) fn new(
        files: &'a MatchFiles,
        config: &MatchConfig,
        store: &Store,
        run: RunId,
    ) -> Result<Option<LivePgn<'a>>, FileError> {
        let Some(out) = &files.pgn else {
            return Ok(None);
        };
        let mut live = LivePgn {
            out,
            style: out.style(config, store.run(run)?.begun),
            players: store.players(run)?,
            keep: config.pgn_before.as_ref().map_or(0, |before| before.1),
            file: None,
            has_failed: false,
        };
        if store.finished(run)?.is_empty() {
            return Ok(Some(live));
        }
        // Should this sitting be killed too, the games of the earlier ones are still there.
        out.write(config.pgn_before.as_ref(), |file| {
            store.for_each_game(run, |game| {
                Ok::<(), WriteError>(file.write_all(&live.text(&game)?)?)
            })
        })?;
        live.keep = u64::MAX;
        Ok(Some(live))
    }

    /// A game has ended.
    pub(super) fn add(&mut self, game: &Game) {
        // What cannot be written now is told when the file is made anew.
        self.has_failed = self.has_failed || self.write(game).is_err();
    }

    fn text(&self, game: &Game) -> Result<Vec<u8>, WriteError> {
        let mut text = Vec::new();
        Writer::new(&mut text).write(&archive::pgn_of(game, &self.players, &self.style)?)?;
        Ok(text)
    }

    fn write(&mut self, game: &Game) -> Result<(), WriteError> {
        let text = self.text(game)?;
        let mut file = match self.file.take() {
            Some(file) => file,
            None => self.open()?,
        };
        file.write_all(&text)?;
        self.file = Some(file);
        Ok(())
    }

    /// At the end of what is to stay.
    fn open(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        let mut file = options
            .create(true)
            .truncate(false)
            .write(true)
            .open(&self.out.file)?;
        if file.metadata()?.len() > self.keep {
            file.set_len(self.keep)?;
        }
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    }
}
