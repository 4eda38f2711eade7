//! Text of unknown encoding, as old files have it.

use std::borrow::Cow;
use std::fmt;

/// Bytes that are UTF-8 if they are valid as such, else Latin-1.
///
/// Both decode without loss, so nothing that stands in a file disappears; a file may mix the two,
/// as collections joined from several sources do.
///
/// ```
/// # use vidmar_formats::Text;
/// assert_eq!(Text::new("Müller".as_bytes()).decode(), "Müller");
/// assert_eq!(Text::new(b"M\xfcller").decode(), "Müller");
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// The text in these bytes.
    #[inline]
    pub const fn new(bytes: &'a [u8]) -> Text<'a> {
        Text(bytes)
    }

    /// The bytes as they stand in the file.
    #[inline]
    pub const fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// The characters.
    pub fn decode(self) -> Cow<'a, str> {
        match str::from_utf8(self.0) {
            Ok(text) => Cow::Borrowed(text),
            // The first 256 characters of Unicode are Latin-1's.
            Err(_) => Cow::Owned(self.0.iter().map(|&byte| char::from(byte)).collect()),
        }
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.decode())
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.decode())
    }
}
