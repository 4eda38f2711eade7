//! The tags of a game, in order.

use std::collections::HashMap;

/// The tags that every game should have, in this order (PGN standard, 8.1.1), with what to write for
/// an unknown value.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Names and values: the seven tags of the roster first, the others as they came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.as_str())
    }

    /// Sets a tag; a value that was there is replaced.
    ///
    /// What a tag cannot hold is changed: control characters in the value become blanks; blanks, quotes,
    /// brackets and all that is not ASCII become `_` in the name.
    pub fn set(&mut self, name: &str, value: &str) {
        let name = clean_name(name);
        let value = clean_value(value);
        if let Some((_, old)) = self.0.iter_mut().find(|(other, _)| *other == name) {
            *old = value;
        } else {
            let rank = rank(&name);
            let at = self.0.partition_point(|(other, _)| self::rank(other) <= rank);
            self.0.insert(at, (name, value));
        }
    }

    /// Removes a tag and gives its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(other, _)| other == name)?;
        Some(self.0.remove(at).1)
    }

    /// Adds those of the seven tags that are missing, with the values for "unknown".
    pub fn complete_roster(&mut self) {
        for (name, unknown) in ROSTER {
            if self.get(name).is_none() {
                self.set(name, unknown);
            }
        }
    }

    /// All tags.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How many tags there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What one [`Tags::set`] after the other would give, in time that grows with the number of tags and not with its square:
/// a file may hold hundreds of thousands.
impl<N: AsRef<str>, V: AsRef<str>> FromIterator<(N, V)> for Tags {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(tags: I) -> Tags {
        let mut all: Vec<(String, String)> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (name, value) in tags {
            let (name, value) = (clean_name(name.as_ref()), clean_value(value.as_ref()));
            if let Some(&at) = known.get(&name) {
                all[at].1 = value;
            } else {
                known.insert(name.clone(), all.len());
                all.push((name, value));
            }
        }
        all.sort_by_key(|(name, _)| rank(name));
        Tags(all)
    }
}

fn rank(name: &str) -> usize {
    ROSTER
        .iter()
        .position(|(other, _)| *other == name)
        .unwrap_or(ROSTER.len())
}

fn clean_name(name: &str) -> String {
    if name.is_empty() {
        return "_".to_owned();
    }
    let forbidden = |c: char| !c.is_ascii_graphic() || matches!(c, '"' | '[' | ']' | '{' | '}');
    name.replace(forbidden, "_")
}

fn clean_value(value: &str) -> String {
    value.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_at_once_are_what_one_after_the_other_is() {
        let names = [
            "ECO", "Black", "White", "ECO", "a b", "Event", "a_b", "", "Result", "White",
        ];
        let mut one_by_one = Tags::default();
        for (number, name) in names.iter().enumerate() {
            one_by_one.set(name, &format!("{number}\t"));
        }
        let at_once: Tags = names
            .iter()
            .enumerate()
            .map(|(number, name)| (name, format!("{number}\t")))
            .collect();
        assert_eq!(at_once, one_by_one);
    }

    #[test]
    fn the_roster_comes_first() {
        let mut tags = Tags::default();
        for name in ["ECO", "Black", "White", "Annotator", "Event"] {
            tags.set(name, name);
        }
        tags.set("ECO", "A00");
        let names: Vec<&str> = tags.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["Event", "White", "Black", "ECO", "Annotator"]);
        assert_eq!(tags.get("ECO"), Some("A00"));
        tags.complete_roster();
        assert_eq!((tags.len(), tags.get("Date")), (9, Some("????.??.??")));
        assert_eq!(tags.remove("Date").as_deref(), Some("????.??.??"));
    }
}
