//! The options that an engine announces, and whether a value fits one.

use vidmar_text::{Excerpt, did_you_mean};

/// An option of somebody else's engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Offered {
    pub(super) name: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Check,
    Spin {
        min: i64,
        max: i64,
    },
    Combo(Vec<String>),
    Button,
    /// A text, or a kind that this protocol does not have.
    Text,
}

/// The words that part an announcement, each with the text that follows it.
const WORDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

impl Offered {
    /// Reads `name … type …`, what follows `option`; none without a name.
    pub(super) fn parse(text: &str) -> Option<Offered> {
        let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in text.split_whitespace() {
            // A name may hold every word but `type`, a default every one but `min`, `max` and `var`.
            let opens = WORDS.contains(&word)
                && match fields.last() {
                    Some(("name", _)) => word == "type",
                    Some(("default" | "var", _)) => matches!(word, "min" | "max" | "var" | "default"),
                    _ => true,
                };
            match fields.last_mut() {
                Some((_, words)) if !opens => words.push(word),
                _ if opens => fields.push((word, Vec::new())),
                _ => {}
            }
        }
        let all = |wanted: &'static str| {
            fields
                .iter()
                .filter(move |(word, _)| *word == wanted)
                .map(|(_, words)| words.join(" "))
        };
        let first = |wanted| all(wanted).next().unwrap_or_default();
        let number = |wanted, otherwise| first(wanted).parse().unwrap_or(otherwise);
        let name = Some(first("name")).filter(|name| !name.is_empty())?;
        let kind = match first("type").as_str() {
            "check" => Kind::Check,
            "spin" => Kind::Spin {
                min: number("min", i64::MIN),
                max: number("max", i64::MAX),
            },
            "combo" => Kind::Combo(all("var").collect()),
            "button" => Kind::Button,
            _ => Kind::Text,
        };
        Some(Offered { name, kind })
    }

    /// Whether to set it is to do something, not to choose a value.
    pub(super) fn is_button(&self) -> bool {
        self.kind == Kind::Button
    }

    /// The line that sets it.
    fn line(&self, value: &str) -> Result<String, String> {
        let (name, shown) = (&self.name, Excerpt::from(value));
        let refused = |expected: String| Err(format!("option {name}: '{shown}' is not {expected}"));
        let value = value.trim();
        match &self.kind {
            Kind::Button => return Ok(format!("setoption name {name}")),
            Kind::Check if value != "true" && value != "false" => {
                return refused("true or false".to_owned());
            }
            Kind::Spin { min, max }
                if !value
                    .parse::<i64>()
                    .is_ok_and(|number| (*min..=*max).contains(&number)) =>
            {
                return refused(format!("a number from {min} to {max}"));
            }
            Kind::Combo(values) if !values.iter().any(|word| word.eq_ignore_ascii_case(value)) => {
                return refused(format!("one of {}", values.join(", ")));
            }
            _ => {}
        }
        if value.contains('\n') {
            return refused("one line".to_owned());
        }
        Ok(format!("setoption name {name} value {value}"))
    }
}

/// The option of that name.
pub(super) fn find<'a>(offered: &'a [Offered], name: &str) -> Option<&'a Offered> {
    offered
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The line that sets an option; `Ok(None)` if it is not offered and that is to be passed over.
pub(super) fn set(
    offered: &[Offered],
    name: &str,
    value: &str,
    ignores_unknown: bool,
) -> Result<Option<String>, String> {
    match find(offered, name) {
        Some(option) => option.line(value).map(Some),
        None if ignores_unknown => Ok(None),
        None => {
            let hint = did_you_mean(name, offered.iter().map(|option| option.name.as_str()));
            Err(format!("offers no option '{}'{hint}", Excerpt::from(name)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered() -> Vec<Offered> {
        [
            "name Hash type spin default 16 min 1 max 33554432",
            "name Clear Hash type button",
            "name Ponder type check default false",
            "name Style type combo default Very Solid var Very Solid var Wild",
            "name Debug Log File type string default",
            "name NalimovPath type string default <empty>",
            "name var type of it type check default true",
        ]
        .iter()
        .map(|line| Offered::parse(line).unwrap())
        .collect()
    }

    #[test]
    fn announcements_are_read_with_all_their_spaces() {
        let names: Vec<String> = offered().into_iter().map(|option| option.name).collect();
        assert_eq!(names[1], "Clear Hash");
        assert_eq!(names[4], "Debug Log File");
        let style = &offered()[3];
        assert_eq!(
            style.kind,
            Kind::Combo(vec!["Very Solid".to_owned(), "Wild".to_owned()])
        );
        assert_eq!(Offered::parse(""), None);
        assert_eq!(Offered::parse("type spin"), None);
    }

    #[test]
    fn values_are_held_against_the_announcement() {
        let rows = offered();
        let line = |name, value| set(&rows, name, value, false);
        assert_eq!(
            line("hash", "64"),
            Ok(Some("setoption name Hash value 64".to_owned()))
        );
        assert_eq!(
            line("Clear Hash", ""),
            Ok(Some("setoption name Clear Hash".to_owned()))
        );
        assert_eq!(
            line("style", "wild"),
            Ok(Some("setoption name Style value wild".to_owned()))
        );
        assert_eq!(
            line("Hash", "0").unwrap_err(),
            "option Hash: '0' is not a number from 1 to 33554432"
        );
        assert_eq!(
            line("Style", "Calm").unwrap_err(),
            "option Style: 'Calm' is not one of Very Solid, Wild"
        );
        assert!(line("Ponder", "1").is_err());
        assert_eq!(
            line("Hsh", "16").unwrap_err(),
            "offers no option 'Hsh' (did you mean 'Hash'?)"
        );
        assert_eq!(set(&rows, "Threads", "2", true), Ok(None));
    }
}
