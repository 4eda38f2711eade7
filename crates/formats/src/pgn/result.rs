//! Result tokens, in any of the forms in use.

use vidmar_chess::Outcome;

/// Text that is not a result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotAResult;

/// Reads a result token; `*` is no outcome.
pub(crate) fn parse_result(text: &[u8]) -> Result<Option<Outcome>, NotAResult> {
    match text {
        b"1-0" => Ok(Some(Outcome::WHITE_WINS)),
        b"0-1" => Ok(Some(Outcome::BLACK_WINS)),
        b"1/2-1/2" | b"1/2" => Ok(Some(Outcome::Draw)),
        b"*" => Ok(None),
        _ => match str::from_utf8(text) {
            Ok("½-½" | "½") => Ok(Some(Outcome::Draw)),
            _ => Err(NotAResult),
        },
    }
}
