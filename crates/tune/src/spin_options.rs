//! What an external engine lets us tune: the spin options that it announces after `uci`.

use crate::parameters::SpinOption;

/// Those among the options that an engine offers, each as it announces it behind the word `option`.
pub(crate) fn read(offered: &[String]) -> Vec<SpinOption> {
    offered.iter().filter_map(|option| spin(option)).collect()
}

/// `name NAME type spin default D min A max B`.
fn spin(line: &str) -> Option<SpinOption> {
    let rest = line.trim().strip_prefix("name ")?;
    let (name, rest) = rest.split_once(" type spin")?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let number = |key: &str| {
        let at = words.iter().position(|word| *word == key)?;
        words.get(at + 1)?.parse::<i64>().ok()
    };
    let (min, max) = (number("min")?, number("max")?);
    Some(SpinOption {
        name: name.trim().to_owned(),
        min,
        max,
        default: number("default").unwrap_or(min).clamp(min, max.max(min)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcements_are_read() {
        let found = spin("name Pawn Structure Weight type spin default 100 min 0 max 200").unwrap();
        assert_eq!(
            (found.name.as_str(), found.min, found.max, found.default),
            ("Pawn Structure Weight", 0, 200, 100)
        );
        assert_eq!(spin("name Hash type check default true"), None);
        assert_eq!(spin("name Toga"), None);
    }
}
