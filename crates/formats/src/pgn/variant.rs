//! The `Variant` tag: which names mean chess.

/// Names of chess with any start position, in lower case without blanks, hyphens and underscores.
const CHESS: [&str; 12] = [
    "",
    "?",
    "chess",
    "standard",
    "normal",
    "regular",
    "fromposition",
    "chess960",
    "960",
    "fischerandom",
    "fischerrandom",
    "fischerrandomchess",
];

/// Whether the rules of a variant are those of chess or Chess960.
pub(super) fn is_chess(name: &str) -> bool {
    let plain: String = name
        .chars()
        .filter(|c| !matches!(c, ' ' | '-' | '_'))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    CHESS.contains(&plain.as_str())
}

#[cfg(test)]
mod tests {
    use super::is_chess;

    #[test]
    fn names_as_programs_write_them() {
        for name in [
            "Standard",
            "Chess960",
            "chess 960",
            "fischerandom",
            "Fischer-Random",
            "From Position",
            "",
        ] {
            assert!(is_chess(name), "{name}");
        }
        for name in ["Crazyhouse", "atomic", "Antichess", "King of the Hill", "3check"] {
            assert!(!is_chess(name), "{name}");
        }
    }
}
