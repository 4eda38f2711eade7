//! Text between people and the program, free of chess: every crate may use it.
//!
//! | to | use |
//! | --- | --- |
//! | declare an enum whose values users choose by name | [`named_enum!`], and [`serde_by_name!`] for files and JSON |
//! | declare numbers with names, defaults and intervals | [`named_numbers!`] |
//! | find the name that a misspelt one meant | [`nearest`], [`did_you_mean`] |
//! | split a line of arguments, write a word of one | [`quoted_words`], [`shell_word`] |
//! | say how long something took | [`duration`] |
//! | quote input in an error message | [`Excerpt`] |
//! | draw | [`svg`] |

mod duration;
mod excerpt;
mod named_enum;
mod named_numbers;
pub mod svg;
mod words;

pub use duration::duration;
pub use excerpt::Excerpt;
pub use named_enum::{Named, UnknownName};
pub use named_numbers::NumberRow;
pub use words::{UnclosedQuote, did_you_mean, nearest, quoted_words, shell_word};
