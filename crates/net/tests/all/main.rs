//! Tests of nets from outside.

mod format;
mod inference;
mod walks;
