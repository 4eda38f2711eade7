//! What an xboard engine says of itself: `feature ping=1 myname="Phalanx XXV" done=1`.

/// The features that matter here, with the values that the protocol gives to those that are not announced.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)]
pub(super) struct Features {
    pub(super) name: Option<String>,
    pub(super) ping: bool,
    pub(super) setboard: bool,
    pub(super) usermove: bool,
    pub(super) san: bool,
    pub(super) time: bool,
    pub(super) reuse: bool,
    pub(super) memory: bool,
    pub(super) smp: bool,
    pub(super) variants: String,
    /// The names of its options.
    pub(super) options: Vec<String>,
    /// Whether it has said all, or asked for more time to do so.
    pub(super) done: Option<bool>,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            name: None,
            ping: false,
            setboard: false,
            usermove: false,
            san: false,
            time: true,
            reuse: true,
            memory: false,
            smp: false,
            variants: String::new(),
            options: Vec::new(),
            done: None,
        }
    }
}

/// Features that are of no matter here, and in order.
const OF_NO_MATTER: &[&str] = &[
    "analyze",
    "colors",
    "debug",
    "draw",
    "egt",
    "ics",
    "name",
    "nps",
    "pause",
    "playother",
    "sigint",
    "sigterm",
];

impl Features {
    /// Takes the words after `feature`; the answers that the engine gets.
    pub(super) fn hear(&mut self, text: &str) -> Vec<String> {
        pairs(text)
            .into_iter()
            .map(|(name, value)| {
                let verdict = if self.take(name, value) {
                    "accepted"
                } else {
                    "rejected"
                };
                format!("{verdict} {name}")
            })
            .collect()
    }

    fn take(&mut self, name: &str, value: &str) -> bool {
        let on = value == "1";
        match name {
            "myname" => self.name = Some(value.to_owned()),
            "ping" => self.ping = on,
            "setboard" => self.setboard = on,
            "usermove" => self.usermove = on,
            "san" => self.san = on,
            "time" => self.time = on,
            "reuse" => self.reuse = on,
            "memory" => self.memory = on,
            "smp" => self.smp = on,
            "variants" => value.clone_into(&mut self.variants),
            "option" => {
                let (option, _) = value.split_once(" -").unwrap_or((value, ""));
                self.options.push(option.trim().to_owned());
            }
            "done" => self.done = Some(on),
            other => return OF_NO_MATTER.contains(&other),
        }
        true
    }
}

/// `name=value` and `name="a value"`.
fn pairs(text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, left) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        pairs.push((name.trim(), value));
        rest = left.trim_start();
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_and_answered() {
        let mut features = Features::default();
        let answers = features.hear(
            r#"myname="Phalanx XXV" analyze=1 setboard=1 option="Randomizer (0-50) -slider 0 0 50" ping=1 exclude=1"#,
        );
        assert_eq!(
            answers,
            [
                "accepted myname",
                "accepted analyze",
                "accepted setboard",
                "accepted option",
                "accepted ping",
                "rejected exclude"
            ]
        );
        assert_eq!(features.name.as_deref(), Some("Phalanx XXV"));
        assert!(features.setboard && features.ping && !features.usermove && features.done.is_none());
        assert_eq!(features.options, ["Randomizer (0-50)"]);
        features.hear("done=0");
        assert_eq!(features.done, Some(false));
        features.hear(r#"variants="normal,fischerandom" reuse=0 myname="unclosed"#);
        assert!(!features.reuse);
        assert_eq!(features.name.as_deref(), Some("unclosed"));
        assert!(features.hear("junk").is_empty());
    }
}
