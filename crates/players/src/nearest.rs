//! The known word that somebody may have meant.

/// The word that begins like this one, or the one with the fewest changed letters; none if every one is quite different.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let far = |candidate: &str| {
        let candidate = candidate.to_ascii_lowercase();
        let distance = distance(word.as_bytes(), candidate.as_bytes());
        (!candidate.starts_with(&word), distance)
    };
    known
        .map(|candidate| (far(candidate), candidate))
        .min_by_key(|&(far, _)| far)
        .filter(|&((differs, distance), _)| !differs || distance <= word.len().div_ceil(2))
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance: insertions, deletions and replacements that lead from one word to the other.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_keys_is_seen_and_another_word_is_not() {
        let known = ["engine", "random", "search", "uci", "xboard"];
        let near = |word| nearest(word, known.into_iter());
        assert_eq!(near("egnine"), Some("engine"));
        assert_eq!(near("rand"), Some("random"));
        assert_eq!(near("UCI"), Some("uci"));
        assert_eq!(near("stockfish"), None);
    }
}
