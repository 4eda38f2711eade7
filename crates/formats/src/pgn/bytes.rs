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

/// How many of eight bytes, from the first on, are sure to be part of a word: all signs but `+`, `,`, `-`,
/// `.`, `/` and a few rare ones stop the count. Nearly every move ends at such a stop, found without a loop.
#[inline(always)]
pub(super) fn plain_bytes(bytes: [u8; 8]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_le_bytes(bytes);
    // Below '+', or not ASCII: bit 7 after adding what lifts '+' to 0x80.
    let low = !((word & (EACH * 0x7f)) + EACH * (0x80 - b'+' as u64)) | word;
    // ; = ? [ ] { } and the like have 0x1b or more in their last five bits; letters and digits less.
    let odd = ((word & (EACH * 0x1f)) + EACH * (0x20 - 0x1b)) << 2;
    ((low | odd) & (EACH * 0x80)).trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_bytes_end_no_word() {
        for byte in 0..=255_u8 {
            let counted = plain_bytes([b'e', b'4', byte, b'a', b'a', b'a', b'a', b'a']);
            assert!(counted == 2 || counted == 8, "{byte}");
            assert!(counted == 2 || !ENDS_WORD[byte as usize], "{byte}");
            assert!(
                counted == 8 || !byte.is_ascii_alphanumeric() && byte != b'+',
                "{byte}"
            );
        }
        assert_eq!(plain_bytes(*b"Nbxd7+ 1"), 6);
        assert_eq!(plain_bytes(*b" Nbxd7+ "), 0);
    }
}
