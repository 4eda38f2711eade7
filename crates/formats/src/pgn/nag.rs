//! Numeric annotation glyphs: `$1` for `!`, `$14` for a slight advantage of White, and so on.

use std::fmt;

/// A numeric annotation glyph.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Nag(pub u8);

/// The glyphs in use as text, with their numbers (PGN standard, 8.2.3.8 and 10; the rest by custom).
const GLYPHS: [(&str, u8); 18] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("=+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
];

impl Nag {
    /// The number of a glyph written as text.
    pub fn from_glyph(glyph: &[u8]) -> Option<Nag> {
        let (_, number) = GLYPHS.iter().find(|(text, _)| text.as_bytes() == glyph)?;
        Some(Nag(*number))
    }

    /// The glyph as text, where there is a usual one.
    pub fn glyph(self) -> Option<&'static str> {
        GLYPHS
            .iter()
            .find(|(_, number)| *number == self.0)
            .map(|(text, _)| *text)
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
