//! Tag pairs: `[White "Vidmar, Milan"]`.

use std::borrow::Cow;
use std::fmt;

use memchr::memchr2;

use crate::text::Text;

/// The value of a tag, as it stands in the file.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct TagValue<'a>(&'a [u8]);

impl<'a> TagValue<'a> {
    pub(super) const fn new(raw: &'a [u8]) -> TagValue<'a> {
        TagValue(raw)
    }

    /// The bytes between the quotes, backslashes and all.
    pub const fn raw(self) -> &'a [u8] {
        self.0
    }

    /// The characters, without the backslashes that protect quotes and backslashes.
    pub fn decode(self) -> Cow<'a, str> {
        let text = Text::new(self.0).decode();
        if !text.contains('\\') {
            return text;
        }
        let mut plain = String::with_capacity(text.len());
        let mut characters = text.chars().peekable();
        while let Some(c) = characters.next() {
            match (c, characters.peek()) {
                ('\\', Some(&next @ ('"' | '\\'))) => {
                    plain.push(next);
                    characters.next();
                }
                _ => plain.push(c),
            }
        }
        Cow::Owned(plain)
    }
}

impl fmt::Display for TagValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.decode())
    }
}

impl fmt::Debug for TagValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.decode())
    }
}

/// A tag pair at the beginning of a line's rest.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct RawTag<'a> {
    pub(super) name: &'a [u8],
    pub(super) value: &'a [u8],
    /// How many bytes of the line it takes.
    pub(super) length: usize,
}

impl<'a> RawTag<'a> {
    /// Reads a tag pair. A quote inside the value may lack its backslash, as long as no `]` follows it.
    pub(super) fn parse(line: &'a [u8]) -> Option<RawTag<'a>> {
        let name_from = 1 + blanks(line.get(1..)?);
        let name_to = name_from + name_length(&line[name_from..])?;
        let quote = name_to + blanks(&line[name_to..]);
        if line.get(quote) != Some(&b'"') {
            return None;
        }
        let from = quote + 1;
        let (to, length) = closing_quote(line, from).or_else(|| last_closing_quote(line, from))?;
        Some(RawTag {
            name: &line[name_from..name_to],
            value: &line[from..to],
            length,
        })
    }
}

fn blanks(text: &[u8]) -> usize {
    text.iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

fn name_length(text: &[u8]) -> Option<usize> {
    let length = text
        .iter()
        .take_while(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'[' | b']' | b'{' | b'}'))
        .count();
    (length > 0).then_some(length)
}

/// Where the value ends, and the tag with it.
fn closing_quote(line: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        at += memchr2(b'"', b'\\', line.get(at..)?)?;
        if line[at] == b'\\' {
            let protects = matches!(line.get(at + 1), Some(b'"' | b'\\'));
            at += 1 + usize::from(protects);
        } else if let Some(length) = bracket_after(line, at) {
            return Some((at, length));
        } else {
            at += 1;
        }
    }
}

/// A value may end in a backslash that was not doubled: then the last `"]` of the line must do.
fn last_closing_quote(line: &[u8], from: usize) -> Option<(usize, usize)> {
    let last = from + memchr::memrchr(b'"', line.get(from..)?)?;
    Some((last, bracket_after(line, last)?))
}

fn bracket_after(line: &[u8], quote: usize) -> Option<usize> {
    let at = quote + 1 + blanks(&line[quote + 1..]);
    (line.get(at) == Some(&b']')).then_some(at + 1)
}

/// Whether this is the beginning of a tag. Used where a game may have lost its end, so it asks for
/// the usual form: letters, a blank, a quote.
pub(super) fn looks_like_tag(text: &[u8]) -> bool {
    name_of_usual_tag(text).is_some()
}

/// Whether the line is the first of a game: a tag after a blank line, or the tag that begins the
/// seven of every game.
pub(super) fn starts_game(line: &[u8], blank_before: bool) -> bool {
    match name_of_usual_tag(&line[blanks(line)..]) {
        Some(name) => blank_before || name == b"Event",
        None => false,
    }
}

fn name_of_usual_tag(text: &[u8]) -> Option<&[u8]> {
    let (b'[', text) = text.split_first()? else {
        return None;
    };
    let length = text
        .iter()
        .take(100)
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    let gap = blanks(&text[length..text.len().min(length + 100)]);
    (length > 0 && text.get(length + gap) == Some(&b'"')).then(|| &text[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Option<(String, usize)> {
        let tag = RawTag::parse(line.as_bytes())?;
        let name = Text::new(tag.name);
        let value = TagValue::new(tag.value);
        Some((format!("{name}={value}"), line.len() - tag.length))
    }

    #[test]
    fn tags_good_and_odd() {
        for (line, expected, left) in [
            (r#"[White "Vidmar"]"#, "White=Vidmar", 0),
            (r#"[ White   "Vidmar" ] 1. e4"#, "White=Vidmar", 6),
            (r#"[White"Vidmar"]"#, "White=Vidmar", 0),
            (r#"[A "b\"c\\d"]"#, r#"A=b"c\d"#, 0),
            (r#"[A "a "quoted" word"]"#, r#"A=a "quoted" word"#, 0),
            (r#"[A "C:\"]"#, r"A=C:\", 0),
            (r#"[A "x]]["] [B "y"]"#, "A=x]][", 8),
            (r#"[A ""]"#, "A=", 0),
        ] {
            assert_eq!(parsed(line), Some((expected.to_owned(), left)), "{line}");
        }
        for line in [
            "[",
            "[]",
            "[A]",
            "[A b]",
            r#"[A "b"#,
            r#"[A "b" c]"#,
            r#"["b"]"#,
            r#"[A "b"yl]"#,
        ] {
            assert_eq!(parsed(line), None, "{line}");
        }
    }
}
