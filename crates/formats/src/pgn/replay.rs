//! The positions of a game while it is read: one for each open variation.

use vidmar_chess::{Position, SanError};
use vidmar_text::Excerpt;

use super::error::Fault;
use super::visitor::Visitor;

/// Deeper nesting is junk; annotated games stay below a dozen.
const MAX_DEPTH: usize = 128;

#[derive(Debug)]
pub(super) struct Replay {
    standard: Position,
    pub(super) position: Position,
    /// The position before the last move, kept only for visitors that read variations.
    before: Position,
    moved: bool,
    first_number: u16,
    /// The lines that the open variations left: their last two positions.
    left: Vec<(Position, Position)>,
}

impl Default for Replay {
    fn default() -> Replay {
        let standard = Position::default();
        Replay {
            position: standard.clone(),
            before: standard.clone(),
            moved: false,
            first_number: 1,
            left: Vec::new(),
            standard,
        }
    }
}

impl Replay {
    pub(super) fn start_standard(&mut self) {
        self.position.clone_from(&self.standard);
        self.restart();
    }

    pub(super) fn start(&mut self, position: Position) {
        self.position = position;
        self.restart();
    }

    fn restart(&mut self) {
        self.moved = false;
        self.first_number = self.position.fullmoves().get();
        self.left.clear();
    }

    /// How many variations are open.
    pub(super) fn depth(&self) -> usize {
        self.left.len()
    }

    /// Whether the present line has a move.
    pub(super) fn has_moved(&self) -> bool {
        self.moved
    }

    /// Whether the present line has got past the first move number of the game.
    pub(super) fn has_finished_a_move(&self) -> bool {
        self.position.fullmoves().get() > self.first_number
    }

    #[inline(always)]
    pub(super) fn play_word<V: Visitor>(&mut self, word: &[u8], visitor: &mut V) -> Result<(), Fault> {
        match self.position.parse_san_bytes(word) {
            Ok(m) => {
                visitor.played(&self.position, Some(m));
                if V::VARIATIONS {
                    self.before.clone_from(&self.position);
                }
                self.position.play(m);
                self.moved = true;
                Ok(())
            }
            Err(error) => self.play_odd_word(word, error, visitor),
        }
    }

    /// A null move, or a word that says nothing.
    #[cold]
    fn play_odd_word<V: Visitor>(
        &mut self,
        word: &[u8],
        error: SanError,
        visitor: &mut V,
    ) -> Result<(), Fault> {
        match word {
            b"--" | b"Z0" | b"0000" | b"@@@@" | b"null" | b"pass" => {
                if self.position.in_check() {
                    return Err(Fault::NullMove(Excerpt::from(word)));
                }
                visitor.played(&self.position, None);
                self.before.clone_from(&self.position);
                self.position.play_null();
                self.moved = true;
                Ok(())
            }
            b"e.p." | b"e.p" | b"ep" | b"ch" | b"mate" => Ok(()),
            _ => Err(error.into()),
        }
    }

    pub(super) fn begin_variation<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), Fault> {
        if !self.moved {
            return Err(Fault::EarlyVariation);
        }
        Replay::deeper(self.left.len())?;
        self.left.push((self.position.clone(), self.before.clone()));
        self.position.clone_from(&self.before);
        self.moved = false;
        visitor.begin_variation();
        Ok(())
    }

    pub(super) fn end_variation<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), Fault> {
        (self.position, self.before) = self.left.pop().ok_or(Fault::UnopenedVariation)?;
        self.moved = true;
        visitor.end_variation();
        Ok(())
    }

    /// One level more, if that is still sane.
    pub(super) fn deeper(depth: usize) -> Result<usize, Fault> {
        if depth < MAX_DEPTH {
            Ok(depth + 1)
        } else {
            Err(Fault::TooDeep(MAX_DEPTH))
        }
    }
}
