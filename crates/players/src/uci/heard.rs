//! Every reader of an engine's lines at once.

use std::time::Duration;

use vidmar_chess::Position;

use super::info;
use super::options::Offered;
use crate::process::first_word;
use crate::thoughts::Thoughts;

/// Reads a line in every way in which it can be meant.
pub(crate) fn heard(line: &str) {
    let (start, words) = (Position::default(), first_word(line).1);
    let _ = (Offered::parse(words), info::told(words, &start, Duration::ZERO));
    let mut thoughts = Thoughts::default();
    thoughts.hear_info(words);
    let _ = thoughts.move_info(Duration::ZERO);
}
