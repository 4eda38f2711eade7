//! What players tell of a move beside its score: in a store behind the move's variation, in a PGN as fastchess writes it.
//!
//! A store keeps them in the line of the variation, behind a tab: `e2e4 e7e5<TAB>seldepth=12 hashfull=31 timeleft=59800`. What is zero
//! or unknown is left out.

use std::fmt::Write as _;
use std::time::Duration;

use vidmar_chess::MoveDetail;

/// One of them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What the clock shows after the move.
    TimeLeft,
    /// The longest line looked at.
    Seldepth,
    /// How full the table is.
    Hashfull,
    /// Positions read from tablebases.
    Tbhits,
}

impl Detail {
    /// All of them, in the order of fastchess's comments.
    pub const ALL: [Detail; 4] = [
        Detail::TimeLeft,
        Detail::Seldepth,
        Detail::Hashfull,
        Detail::Tbhits,
    ];

    /// Its name in a store, and as a key of `-pgnout`.
    pub const fn name(self) -> &'static str {
        match self {
            Detail::TimeLeft => "timeleft",
            Detail::Seldepth => "seldepth",
            Detail::Hashfull => "hashfull",
            Detail::Tbhits => "tbhits",
        }
    }

    /// Whether it differs from one playing of the same game to the next.
    pub(super) fn is_timed(self) -> bool {
        self == Detail::TimeLeft
    }

    /// The number that a store keeps.
    fn value(self, detail: &MoveDetail) -> Option<u64> {
        let known = |value: u64| (value > 0).then_some(value);
        match self {
            Detail::TimeLeft => detail.time_left.map(|left| left.as_millis() as u64),
            Detail::Seldepth => known(detail.seldepth.into()),
            Detail::Hashfull => known(detail.hashfull.into()),
            Detail::Tbhits => known(detail.tbhits),
        }
    }

    fn set(self, detail: &mut MoveDetail, value: u64) {
        let short = u32::try_from(value).unwrap_or(u32::MAX);
        match self {
            Detail::TimeLeft => detail.time_left = Some(Duration::from_millis(value)),
            Detail::Seldepth => detail.seldepth = short,
            Detail::Hashfull => detail.hashfull = short,
            Detail::Tbhits => detail.tbhits = value,
        }
    }

    /// As a comment of a PGN says it; nothing where it is unknown.
    pub(super) fn comment(self, detail: &MoveDetail) -> Option<String> {
        let value = self.value(detail)?;
        Some(match self {
            Detail::TimeLeft => format!("tl={:.3}s", value as f64 / 1000.0),
            Detail::Seldepth => format!("sd={value}"),
            Detail::Hashfull | Detail::Tbhits => format!("{}={value}", self.name()),
        })
    }
}

/// What a store keeps behind a variation; nothing where nothing is known.
pub(super) fn text(detail: &MoveDetail) -> String {
    let mut text = String::new();
    for kind in Detail::ALL {
        if let Some(value) = kind.value(detail) {
            let separator = if text.is_empty() { '\t' } else { ' ' };
            let _ = write!(text, "{separator}{}={value}", kind.name());
        }
    }
    text
}

/// The variation of a stored line, and what stands behind it. Whatever is no detail is passed over.
pub(super) fn split(line: &str) -> (&str, MoveDetail) {
    let (pv, rest) = line.split_once('\t').unwrap_or((line, ""));
    let mut detail = MoveDetail::default();
    for word in rest.split_ascii_whitespace() {
        let Some((name, value)) = word.split_once('=') else {
            continue;
        };
        let kind = Detail::ALL.into_iter().find(|kind| kind.name() == name);
        if let (Some(kind), Ok(value)) = (kind, value.parse()) {
            kind.set(&mut detail, value);
        }
    }
    (pv, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_come_back_from_a_line() {
        let all = MoveDetail {
            seldepth: 23,
            hashfull: 981,
            tbhits: 1 << 40,
            time_left: Some(Duration::from_millis(59_800)),
        };
        let some = MoveDetail {
            time_left: Some(Duration::ZERO),
            ..MoveDetail::default()
        };
        for detail in [all, some, MoveDetail::default()] {
            let line = format!("e2e4 e7e5{}", text(&detail));
            assert_eq!(split(&line), ("e2e4 e7e5", detail), "{line}");
        }
        assert_eq!(text(&MoveDetail::default()), "");
        assert_eq!(
            split("e2e4\tother=3 seldepth=x hashfull"),
            ("e2e4", MoveDetail::default())
        );
    }

    #[test]
    fn comments_are_fastchess_s() {
        let detail = MoveDetail {
            seldepth: 23,
            hashfull: 0,
            tbhits: 5,
            time_left: Some(Duration::from_millis(59_800)),
        };
        let said: Vec<Option<String>> = Detail::ALL.iter().map(|kind| kind.comment(&detail)).collect();
        let words = [Some("tl=59.800s"), Some("sd=23"), None, Some("tbhits=5")];
        assert_eq!(said, words.map(|word| word.map(str::to_owned)));
    }
}
