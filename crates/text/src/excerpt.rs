//! The offending piece of a text, for an error message.

use std::fmt;

/// At most forty characters of a text, with control characters made visible: what an error message
/// may quote from input that can be ten kilobytes of anything.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Excerpt(String);

const LIMIT: usize = 40;

impl From<&str> for Excerpt {
    fn from(text: &str) -> Excerpt {
        let mut shown: String = text.chars().take(LIMIT).flat_map(char::escape_debug).collect();
        if text.chars().nth(LIMIT).is_some() {
            shown.push('…');
        }
        Excerpt(shown)
    }
}

impl From<&[u8]> for Excerpt {
    fn from(text: &[u8]) -> Excerpt {
        let head = &text[..text.len().min(4 * (LIMIT + 1))];
        Excerpt::from(String::from_utf8_lossy(head).as_ref())
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.0)
    }
}
