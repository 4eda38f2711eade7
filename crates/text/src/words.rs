//! Words that people type: the known one that a misspelt one may have meant, and words held together by quotes.

use thiserror::Error;

use crate::Excerpt;

/// The known word that begins like this one, or else the one with the fewest slips, or else the one that ends with it as a word
/// of its own (`Table`, `Search Table`); none if every one is quite different. Upper and lower case do not matter. A slip is an insertion, deletion, replacement or exchange of neighbours [damerau-1964].
///
/// ```
/// let known = ["engine", "random", "search"];
/// assert_eq!(vidmar_text::nearest("egnine", known), Some("engine"));
/// assert_eq!(vidmar_text::nearest("stockfish", known), None);
/// assert_eq!(vidmar_text::nearest("table", ["Search Table"]), Some("Search Table"));
/// ```
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let letters = word.chars().count();
    let most = (letters / 3).max(1);
    known
        .into_iter()
        .filter_map(|candidate| {
            Some((
                distance(&word, letters, &candidate.to_lowercase(), most)?,
                candidate,
            ))
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// How a known word is like another one, the nearest first, and its slips; none if it is too far.
///
/// A slip adds or takes away a letter at the most, so most words are not compared letter by letter: some programs have a
/// thousand names, and whoever says a mebibyte is not made to wait.
fn distance(word: &str, letters: usize, known: &str, most: usize) -> Option<(Likeness, usize)> {
    let difference = known.chars().count().abs_diff(letters);
    if known.starts_with(word) {
        return Some((Likeness::Beginning, difference));
    }
    if difference <= most {
        let slips = strsim::osa_distance(word, known);
        return (slips <= most).then_some((Likeness::Slips, slips));
    }
    let last = known.rsplit_once(' ').is_some_and(|(_, last)| last == word);
    last.then_some((Likeness::End, difference))
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Beginning,
    Slips,
    End,
}

/// The same as a hint for the end of an error message: ` (did you mean 'engine'?)`, or nothing.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!(" (did you mean '{near}'?)"))
}

/// A quote was opened and not closed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a quote is not closed in '{0}'")]
pub struct UnclosedQuote(Excerpt);

/// Words between spaces; quotes of either kind hold one together.
///
/// A backslash is a letter like any other, so that `C:\engines\e.exe` needs no care, and so is `#`: that is why the rules of a
/// POSIX shell (the crate `shlex`) are not used here.
pub fn quoted_words(text: &str) -> Result<Vec<String>, UnclosedQuote> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(UnclosedQuote(text.into()));
    }
    words.extend(word);
    Ok(words)
}

/// A word that a shell reads as one, quoted where it must be.
///
/// ```
/// assert_eq!(vidmar_text::shell_word("runs/a-1"), "runs/a-1");
/// assert_eq!(vidmar_text::shell_word("it's"), r"'it'\''s'");
/// ```
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:=@%,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_keys_is_seen_and_another_word_is_not() {
        let known = ["engine", "random", "search", "uci", "xboard", "-concurrency"];
        let near = |word| nearest(word, known);
        assert_eq!(near("egnine"), Some("engine"));
        assert_eq!(near("rand"), Some("random"));
        assert_eq!(near("UCI"), Some("uci"));
        assert_eq!(near("-concurency"), Some("-concurrency"));
        assert_eq!(near("stockfish"), None);
        assert_eq!(nearest("stockfish", ["stock", "bond"]), None, "far is not near");
        assert_eq!(nearest("anything", []), None);
    }

    /// Words of three letters with all of one to four: the same as by comparing every letter of every one.
    #[test]
    fn what_is_not_compared_letter_by_letter_would_not_be_near() {
        let words = |length: u32| {
            (0..3u32.pow(length)).map(move |number| {
                let letter = |index| ['a', 'B', 'c'][(number / 3u32.pow(index) % 3) as usize];
                (0..length).map(letter).collect::<String>()
            })
        };
        for word in words(3).chain(words(6).step_by(7)) {
            for group in words(1)
                .chain(words(2))
                .chain(words(4))
                .collect::<Vec<_>>()
                .chunks(5)
            {
                let lower = word.to_lowercase();
                let far = |known: &&String| {
                    let known = known.to_lowercase();
                    (!known.starts_with(&lower), strsim::osa_distance(&lower, &known))
                };
                let best = group.iter().min_by_key(far).unwrap();
                let is_near =
                    best.to_lowercase().starts_with(&lower) || far(&best).1 <= (word.len() / 3).max(1);
                let expected = is_near.then_some(best.as_str());
                assert_eq!(
                    nearest(&word, group.iter().map(String::as_str)),
                    expected,
                    "{word} in {group:?}"
                );
            }
        }
    }

    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(
            quoted_words(r#"  a 'b c'd "" "e'f" "#),
            Ok(vec!["a".into(), "b cd".into(), String::new(), "e'f".into()])
        );
        assert_eq!(
            quoted_words(r"C:\engines\e.exe #1"),
            Ok(vec![r"C:\engines\e.exe".into(), "#1".into()])
        );
        assert_eq!(quoted_words("a 'b"), Err(UnclosedQuote("a 'b".into())));
    }
}
