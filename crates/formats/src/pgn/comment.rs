//! Comments of a game.

use std::fmt;

use super::annotation::Annotations;

/// A comment: one line of text.
///
/// Files break long comments where they like, so a line break is no part of it: each, with the blanks
/// around it, is one blank. All other characters stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Comment(String);

impl Comment {
    /// A comment with this text.
    pub fn new(text: &str) -> Comment {
        let lines = text
            .split(['\n', '\r'])
            .map(|line| line.trim_matches([' ', '\t']))
            .filter(|line| !line.is_empty());
        Comment(lines.collect::<Vec<_>>().join(" "))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The clock, evaluation and score that programs put into it.
    pub fn annotations(&self) -> Annotations {
        Annotations::parse(&self.0)
    }
}

impl From<&Annotations> for Comment {
    fn from(annotations: &Annotations) -> Comment {
        Comment(annotations.to_string())
    }
}

impl fmt::Display for Comment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
