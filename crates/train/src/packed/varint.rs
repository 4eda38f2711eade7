//! Numbers in as many bytes as they need.

use super::error::Flaw;

/// Appends a number.
pub(super) fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number from the front.
pub(super) fn take(bytes: &mut &[u8]) -> Result<u32, Flaw> {
    let mut number = 0_u32;
    for shift in (0..32).step_by(7) {
        let byte = byte(bytes)?;
        let part = u32::from(byte & 0x7f);
        if part.leading_zeros() < shift {
            return Err(Flaw::Number);
        }
        number |= part << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(Flaw::Number)
}

/// Takes a byte from the front.
pub(super) fn byte(bytes: &mut &[u8]) -> Result<u8, Flaw> {
    let (&first, rest) = bytes.split_first().ok_or(Flaw::Short)?;
    *bytes = rest;
    Ok(first)
}

/// A signed number as an unsigned one that is small where it is near 0.
pub(super) fn zigzag(number: i16) -> u16 {
    ((number << 1) ^ (number >> 15)) as u16
}

/// The way back.
pub(super) fn unzigzag(number: u16) -> i16 {
    (number >> 1) as i16 ^ -((number & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_broken_ones_are_refused() {
        let mut bytes = Vec::new();
        let numbers = [0, 1, 127, 128, 16_383, 16_384, u32::from(u16::MAX), u32::MAX];
        for number in numbers {
            put(&mut bytes, number);
        }
        let mut rest = &bytes[..];
        for number in numbers {
            assert_eq!(take(&mut rest).unwrap(), number);
        }
        assert!(matches!(take(&mut rest), Err(Flaw::Short)));
        assert!(matches!(take(&mut &[0xff; 6][..]), Err(Flaw::Number)));
        assert!(matches!(
            take(&mut &[0xff, 0xff, 0xff, 0xff, 0x1f][..]),
            Err(Flaw::Number)
        ));
        for number in i16::MIN..=i16::MAX {
            assert_eq!(unzigzag(zigzag(number)), number);
        }
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
    }
}
