//! Whose games: a player's name as files write it, in all its forms.
//!
//! Two names are the same if their surnames are and their given names do not contradict each other: `Vidmar,M`,
//! `Vidmar, Milan` and `Milan Vidmar` are one player, `Vidmar,J` is another. Case, blanks and full stops do not matter.
//! A name without given names stands for everybody of that surname. A number of at least five digits is a FIDE
//! identity and is looked for in the tags `WhiteFideId` and `BlackFideId`.

use vidmar_chess::{ByColor, Color};

/// The player that is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerName {
    text: String,
    wanted: Wanted,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    Fide(String),
    /// The ways in which the name can be read.
    Named(Vec<Name>),
}

/// A name taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    surname: String,
    given: Vec<String>,
}

/// What the tags of a game say about a side.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct TaggedPlayer<'a> {
    pub(crate) name: &'a str,
    pub(crate) fide: &'a str,
}

const LEAST_FIDE_DIGITS: usize = 5;

impl PlayerName {
    /// The player of this name or FIDE number; none if the text has no letter or digit.
    pub fn new(text: &str) -> Option<PlayerName> {
        let trimmed = text.trim();
        if !trimmed.chars().any(char::is_alphanumeric) {
            return None;
        }
        let is_number =
            trimmed.len() >= LEAST_FIDE_DIGITS && trimmed.bytes().all(|byte| byte.is_ascii_digit());
        let wanted = if is_number {
            Wanted::Fide(trimmed.to_owned())
        } else {
            Wanted::Named(readings(trimmed))
        };
        Some(PlayerName {
            text: trimmed.to_owned(),
            wanted,
        })
    }

    /// As it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The sides that this player has in a game.
    pub(crate) fn sides(&self, players: &ByColor<TaggedPlayer<'_>>) -> Vec<Color> {
        Color::ALL
            .into_iter()
            .filter(|&side| self.is(players[side]))
            .collect()
    }

    fn is(&self, player: TaggedPlayer<'_>) -> bool {
        match &self.wanted {
            Wanted::Fide(number) => player.fide.trim() == number,
            Wanted::Named(wanted) => readings(player.name)
                .iter()
                .any(|name| wanted.iter().any(|wanted| wanted.agrees_with(name))),
        }
    }
}

impl Name {
    fn agrees_with(&self, other: &Name) -> bool {
        let agrees = |(one, other): (&String, &String)| {
            one.starts_with(other.as_str()) || other.starts_with(one.as_str())
        };
        self.surname == other.surname && self.given.iter().zip(&other.given).all(agrees)
    }
}

/// With a comma the surname stands before it; without one it may be the last word, or all of them.
fn readings(text: &str) -> Vec<Name> {
    if let Some((surname, given)) = text.split_once(',') {
        return vec![Name {
            surname: words(surname).join(" "),
            given: words(given),
        }];
    }
    let words = words(text);
    let mut readings = vec![Name {
        surname: words.join(" "),
        given: Vec::new(),
    }];
    if let Some((surname, given)) = words.split_last().filter(|(_, given)| !given.is_empty()) {
        readings.push(Name {
            surname: surname.clone(),
            given: given.to_vec(),
        });
    }
    readings
}

fn words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| c.is_whitespace() || matches!(c, '.' | ','))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(wanted: &str, name: &str) -> bool {
        PlayerName::new(wanted)
            .unwrap()
            .is(TaggedPlayer { name, fide: "" })
    }

    #[test]
    fn one_player_has_many_names() {
        let forms = [
            "Vidmar,M",
            "Vidmar, Milan",
            "Milan Vidmar",
            "vidmar, m.",
            "VIDMAR,Milan",
            "M. Vidmar",
            "Vidmar",
        ];
        for one in forms {
            for other in forms {
                assert!(same(one, other), "{one} is {other}");
            }
        }
        for (one, other) in [
            ("Vidmar,M", "Vidmar,J"),
            ("Vidmar,Milan", "Vidmar,Marjan"),
            ("Vidmar", "Vidmarovic,M"),
            ("Polgar,J", "Polgar,S"),
            ("De La Riva,O", "Riva,O"),
            ("Vidmar", ""),
        ] {
            assert!(
                !same(one, other) && (other.is_empty() || !same(other, one)),
                "{one} is not {other}"
            );
        }
        assert!(same("Vidmar,Milan", "Vidmar,Milan A"));
    }

    #[test]
    fn numbers_are_identities() {
        let name = PlayerName::new(" 14102536 ").unwrap();
        let player = |fide| TaggedPlayer {
            name: "Fedorchuk,S",
            fide,
        };
        assert!(name.is(player("14102536")) && !name.is(player("14102537")) && !name.is(player("")));
        assert_eq!(PlayerName::new(" , "), None);
    }
}
