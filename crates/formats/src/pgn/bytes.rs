//! What each byte means between the words of a PGN file.

/// What a byte begins.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Class {
    Letter,
    Digit,
    Blank,
    Newline,
    Dot,
    OpenBrace,
    Semicolon,
    Dollar,
    Mark,
    Sign,
    OpenParenthesis,
    CloseParenthesis,
    Star,
    Bracket,
    Percent,
    Other,
}

/// The class of every byte.
pub(super) const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'@' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => Class::Blank,
            b'\n' => Class::Newline,
            b'.' => Class::Dot,
            b'{' => Class::OpenBrace,
            b';' => Class::Semicolon,
            b'$' => Class::Dollar,
            b'!' | b'?' => Class::Mark,
            b'+' | b'-' | b'=' | 0x80.. => Class::Sign,
            b'(' => Class::OpenParenthesis,
            b')' => Class::CloseParenthesis,
            b'*' => Class::Star,
            b'[' => Class::Bracket,
            b'%' => Class::Percent,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Which bytes cannot stand in a word.
pub(super) const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let enders = b" \t\r\n\x0b\x0c{}();$!?[]*";
    let mut i = 0;
    while i < enders.len() {
        ends[enders[i] as usize] = true;
        i += 1;
    }
    ends
};
