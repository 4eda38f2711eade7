//! The words of a PGN file.
//!
//! Lenient where files are: move numbers, stray dots and `%` lines are passed over; evaluation signs
//! are glyphs. A token is a small value, its text stays in the window until the next one is asked for.

use std::io::{self, Read};

use memchr::{memchr, memchr2};
use vidmar_chess::Outcome;
use vidmar_text::Excerpt;

use super::buffer::{Buffer, Location};
use super::bytes::{CLASSES, Class, ENDS_WORD, plain_bytes};
use super::error::Fault;
use super::nag::Nag;
use super::result::{NotAResult, parse_result};
use super::tag::starts_game;

/// Longer words are junk; the window always shows this much of a word.
const MAX_WORD: usize = 255;
const LOOKAHEAD: usize = MAX_WORD + 1;
/// One comment stands in memory as a whole; a longer one is a `{` that somebody forgot to close.
const MAX_COMMENT: usize = 1 << 20;
/// The same for a line of tags.
const MAX_TAG: usize = 1 << 16;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word that should be a move.
    Word,
    /// The number of a first move of White at the beginning of a line: a new game perhaps.
    FirstMove,
    Comment,
    Nag(Nag),
    OpenVariation,
    CloseVariation,
    Result(Option<Outcome>),
    /// The `[` of a tag; [`Lexer::line`] shows it with what follows.
    Bracket,
    End,
}

#[derive(Debug)]
pub(super) enum LexError {
    Io(io::Error),
    Fault(Fault),
}

impl From<io::Error> for LexError {
    fn from(error: io::Error) -> LexError {
        LexError::Io(error)
    }
}

/// The length of a move number with its dots; 0 if it is none, or may be more than that.
#[inline(always)]
fn move_number(text: &[u8], at_line_start: bool) -> usize {
    let mut length = 1;
    while matches!(text.get(length), Some(b'0'..=b'9')) && length < 5 {
        length += 1;
    }
    if text.get(length) != Some(&b'.') || (at_line_start && length == 1 && text[0] == b'1') {
        return 0;
    }
    length + 1
}

#[derive(Debug)]
pub(super) struct Lexer<R> {
    buffer: Buffer<R>,
    /// Where in the window the token begins.
    begin: usize,
    /// The text of the token, in the window.
    from: usize,
    to: usize,
    /// How much of the window the token takes.
    consumed: usize,
    newlines: u32,
    /// The line ends before a token that was put back.
    put_back: u32,
}

impl<R: Read> Lexer<R> {
    pub(super) fn new(source: R) -> Lexer<R> {
        Lexer {
            buffer: Buffer::new(source),
            begin: 0,
            from: 0,
            to: 0,
            consumed: 0,
            newlines: 0,
            // The beginning of the file is the beginning of a line.
            put_back: 1,
        }
    }

    /// The text of the last token: of a comment what stands in the braces.
    #[inline(always)]
    pub(super) fn text(&self) -> &[u8] {
        &self.buffer.rest()[self.from..self.to]
    }

    /// Where the last token stands.
    pub(super) fn location(&self) -> Location {
        self.buffer.location(self.begin)
    }

    /// The line ends between the last token and the one before.
    #[inline(always)]
    pub(super) fn newlines(&self) -> u32 {
        self.newlines
    }

    /// The last token will be read again.
    pub(super) fn put_back(&mut self) {
        self.consumed = self.begin;
        self.put_back = self.newlines;
    }

    /// The next token will be looked for this far behind the beginning of the last one.
    pub(super) fn consume(&mut self, bytes: usize) {
        self.consumed = self.begin + bytes;
    }

    #[inline(always)]
    fn token(&mut self, token: Token, from: usize, to: usize) -> Token {
        (self.begin, self.from, self.to, self.consumed) = (from, from, to, to);
        token
    }

    /// A comment, whose text is less than the whole.
    #[inline(always)]
    fn comment_token(&mut self, begin: usize, to: usize, consumed: usize) -> Token {
        (self.begin, self.from, self.to, self.consumed) = (begin, begin + 1, to, consumed);
        Token::Comment
    }

    fn fault(&mut self, fault: Fault, from: usize, to: usize) -> LexError {
        (self.begin, self.from, self.to, self.consumed) = (from, from, to, to);
        LexError::Fault(fault)
    }

    /// Shows more of the file behind what the window shows already.
    fn fill_more(&mut self) -> Result<(), LexError> {
        let shown = self.buffer.rest().len();
        Ok(self.buffer.fill(shown + LOOKAHEAD)?)
    }

    /// Takes the last token out of the window.
    #[inline(always)]
    fn leave_token(&mut self) {
        self.buffer.advance(self.consumed);
        self.consumed = 0;
    }

    /// The next token.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Token, Box<LexError>> {
        self.leave_token();
        self.newlines = self.put_back;
        self.put_back = 0;
        loop {
            self.buffer.fill(LOOKAHEAD).map_err(LexError::Io)?;
            let rest = self.buffer.rest();
            // Where a token may begin: a word from there on ends inside the window.
            let begins = if self.buffer.ended() {
                rest
            } else {
                &rest[..=rest.len() - LOOKAHEAD]
            };
            let mut at = 0;
            let class = loop {
                match begins.get(at).map(|&byte| CLASSES[byte as usize]) {
                    Some(Class::Blank | Class::Dot) => at += 1,
                    Some(Class::Newline) => {
                        self.newlines += 1;
                        at += 1;
                    }
                    Some(Class::Digit) => match move_number(&rest[at..], self.newlines > 0) {
                        0 => break Some(Class::Digit),
                        length => at += length,
                    },
                    class => break class,
                }
            };
            match class {
                Some(Class::Letter) => return Ok(self.word(at)),
                Some(Class::OpenBrace) => return self.comment(at),
                Some(class) => {
                    if let Some(token) = self.other(at, class)? {
                        return Ok(token);
                    }
                }
                None if self.buffer.ended() => return Ok(self.token(Token::End, at, at)),
                None => self.buffer.advance(at),
            }
        }
    }

    /// A word up to a blank or a sign that cannot stand in one.
    #[inline(always)]
    fn word_end(&self, at: usize) -> usize {
        let rest = self.buffer.rest();
        let limit = rest.len().min(at + MAX_WORD);
        let mut to = match rest[at..limit].first_chunk() {
            Some(eight) => at + plain_bytes(*eight),
            None => at,
        };
        while to < limit && !ENDS_WORD[rest[to] as usize] {
            to += 1;
        }
        to
    }

    #[inline(always)]
    fn word(&mut self, at: usize) -> Token {
        let mut to = self.word_end(at);
        let rest = self.buffer.rest();
        // The parentheses of `e8(Q)` open no variation.
        if let Some(b'(') = rest.get(to)
            && let [b'(', b'N' | b'B' | b'R' | b'Q', b')', ..] = rest[to..]
        {
            to += 3;
            to += usize::from(matches!(rest.get(to), Some(b'+' | b'#')));
        }
        let token = self.token(Token::Word, at, to);
        // Nearly every word is followed by one blank.
        self.consumed += usize::from(self.buffer.rest().get(to) == Some(&b' '));
        token
    }

    /// An evaluation sign, a result with a fraction, a null move, or a byte order mark.
    fn sign(&mut self, at: usize) -> Option<Token> {
        let to = self.word_end(at);
        let text = &self.buffer.rest()[at..to];
        if text.starts_with(b"\xef\xbb\xbf") {
            self.buffer.advance(at + 3);
            return None;
        }
        let token = match (Nag::from_glyph(text), parse_result(text)) {
            (Some(nag), _) => Token::Nag(nag),
            (None, Ok(outcome)) => Token::Result(outcome),
            (None, Err(NotAResult)) => Token::Word,
        };
        Some(self.token(token, at, to))
    }

    /// A result, castling with zeros, or a number that may begin a game; other numbers say nothing.
    fn number(&mut self, at: usize) -> Option<Token> {
        let rest = self.buffer.rest();
        let is_digit = |byte: &&u8| byte.is_ascii_digit();
        let digits = rest[at..].iter().take(MAX_WORD).take_while(is_digit).count();
        let mut to = at + digits;
        if matches!(rest.get(to), Some(b'-' | b'/')) || &rest[at..to] == b"0000" {
            let to = self.word_end(at);
            let token = match parse_result(&self.buffer.rest()[at..to]) {
                Ok(outcome) => Token::Result(outcome),
                Err(NotAResult) => Token::Word,
            };
            return Some(self.token(token, at, to));
        }
        let is_dot = |byte: &&u8| **byte == b'.';
        let dots = rest[to..].iter().take(MAX_WORD).take_while(is_dot).count();
        to += dots;
        if self.newlines > 0 && dots < 2 && digits == 1 && rest[at] == b'1' {
            return Some(self.token(Token::FirstMove, at, to));
        }
        self.buffer.advance(to);
        None
    }

    fn too_long(&mut self, what: &'static str, limit: usize, from: usize, to: usize) -> LexError {
        self.fault(Fault::TooLong { what, limit }, from, to)
    }

    /// A comment in braces. A line inside that begins a game shows that its end was forgotten.
    #[inline(always)]
    fn comment(&mut self, at: usize) -> Result<Token, Box<LexError>> {
        let mut to = at + 1;
        let mut line = to;
        loop {
            let rest = self.buffer.rest();
            match memchr2(b'}', b'\n', &rest[to..]) {
                Some(ahead) if rest[to + ahead] == b'}' => {
                    to += ahead;
                    return Ok(self.comment_token(at, to, to + 1));
                }
                Some(ahead) => {
                    to += ahead + 1;
                    if rest.len() - to < LOOKAHEAD && !self.buffer.ended() {
                        self.fill_more()?;
                    }
                    let rest = self.buffer.rest();
                    let blank_before = rest[line..to].trim_ascii().is_empty();
                    if starts_game(&rest[to..], blank_before) {
                        return Err(self.fault(Fault::UnclosedComment, at, at + 1).into());
                    }
                    line = to;
                }
                None => {
                    to = rest.len();
                    if self.buffer.ended() {
                        return Err(self.fault(Fault::UnclosedComment, at, at + 1).into());
                    }
                    self.fill_more()?;
                }
            }
            if to - at > MAX_COMMENT {
                return Err(self.too_long("comment", MAX_COMMENT, at, at + 1).into());
            }
        }
    }

    /// The rest of the line, from a location in the window, without its end.
    fn line_end(&mut self, at: usize, limit: usize) -> Result<Option<usize>, LexError> {
        let mut searched = at;
        loop {
            let rest = self.buffer.rest();
            if let Some(ahead) = memchr(b'\n', &rest[searched..]) {
                return Ok(Some(searched + ahead));
            }
            if self.buffer.ended() {
                return Ok(Some(rest.len()));
            }
            if rest.len() - at > limit {
                return Ok(None);
            }
            searched = rest.len();
            self.fill_more()?;
        }
    }

    /// After a [`Token::Bracket`], what the window shows from there: enough to tell a tag.
    pub(super) fn ahead(&self) -> &[u8] {
        &self.buffer.rest()[self.begin..]
    }

    /// After a [`Token::Bracket`], the line from there.
    pub(super) fn line(&mut self) -> Result<&[u8], LexError> {
        let at = self.begin;
        match self.line_end(at, MAX_TAG)? {
            Some(to) => Ok(&self.buffer.rest()[at..to]),
            None => Err(self.too_long("tag", MAX_TAG, at, at + 1)),
        }
    }

    /// All that is neither a common word nor a comment in braces; `None` for what says nothing.
    #[inline(never)]
    fn other(&mut self, at: usize, class: Class) -> Result<Option<Token>, LexError> {
        let rest = self.buffer.rest();
        Ok(Some(match class {
            Class::Sign => return Ok(self.sign(at)),
            Class::Digit => return Ok(self.number(at)),
            Class::Percent if self.newlines > 0 => {
                self.buffer.advance(at);
                self.skip_line()?;
                return Ok(None);
            }
            Class::OpenParenthesis => self.token(Token::OpenVariation, at, at + 1),
            Class::CloseParenthesis => self.token(Token::CloseVariation, at, at + 1),
            Class::Star => self.token(Token::Result(None), at, at + 1),
            Class::Bracket => self.token(Token::Bracket, at, at + 1),
            Class::Mark => {
                let pair = matches!(rest.get(at + 1), Some(b'!' | b'?'));
                let to = at + 1 + usize::from(pair);
                let nag = Nag::from_glyph(&rest[at..to]).unwrap_or(Nag(0));
                self.token(Token::Nag(nag), at, to)
            }
            Class::Dollar => {
                let to = self.word_end(at + 1);
                let number = str::from_utf8(&self.buffer.rest()[at + 1..to]).map(str::parse);
                let Ok(Ok(number)) = number else {
                    let shown = Excerpt::from(&self.buffer.rest()[at..to]);
                    return Err(self.fault(Fault::Nag(shown), at, to));
                };
                self.token(Token::Nag(Nag(number)), at, to)
            }
            Class::Semicolon => {
                let Some(end) = self.line_end(at, MAX_COMMENT)? else {
                    return Err(self.too_long("comment", MAX_COMMENT, at, at + 1));
                };
                self.comment_token(at, end, end)
            }
            _ => {
                let shown = Excerpt::from(&rest[at..rest.len().min(at + 1)]);
                return Err(self.fault(Fault::Unexpected(shown), at, at + 1));
            }
        }))
    }

    /// Moves on to the end of the line.
    pub(super) fn skip_line(&mut self) -> io::Result<()> {
        self.leave_token();
        loop {
            self.buffer.fill(1)?;
            let rest = self.buffer.rest();
            if let Some(ahead) = memchr(b'\n', rest) {
                self.buffer.advance(ahead);
                return Ok(());
            }
            let all = rest.len();
            self.buffer.advance(all);
            if self.buffer.ended() {
                return Ok(());
            }
        }
    }

    /// Moves on to the next line that begins a game.
    pub(super) fn skip_to_game(&mut self) -> io::Result<()> {
        let mut blank = false;
        loop {
            self.skip_line()?;
            self.buffer.advance(1);
            self.buffer.fill(LOOKAHEAD)?;
            let rest = self.buffer.rest();
            if rest.is_empty() || starts_game(rest, blank) {
                self.put_back = 2;
                return Ok(());
            }
            blank = rest
                .iter()
                .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))
                .is_some_and(|&byte| byte == b'\n');
        }
    }
}
