//! The longest ordering: a sequence in which each beat all later ones.
//!
//! Such a sequence is a transitive part of the graph of "beat", and finding the longest is exact here: depth first over
//! sets of candidates, which for seven behaviours are at most 128.

/// The longest sequence in which each beat all later ones; of several the lexicographically first.
///
/// `beat[a][b]` says whether `a` beat `b`.
///
/// # Panics
/// If there are more than 64 players, or the table is not square.
pub fn longest_ordering(beat: &[Vec<bool>]) -> Vec<usize> {
    let players = beat.len();
    assert!(players <= 64, "at most 64 players");
    let beaten: Vec<u64> = beat
        .iter()
        .map(|row| {
            assert_eq!(row.len(), players, "a square table");
            (0..players)
                .filter(|&other| row[other])
                .fold(0, |set, other| set | 1 << other)
        })
        .collect();
    let everybody = if players == 64 {
        u64::MAX
    } else {
        (1 << players) - 1
    };
    let mut best = Vec::new();
    extend(&beaten, everybody, &mut Vec::new(), &mut best);
    best
}

/// Tries every candidate as the next of the sequence, the lowest number first, so that the first of the longest is found first.
fn extend(beaten: &[u64], candidates: u64, sequence: &mut Vec<usize>, best: &mut Vec<usize>) {
    if sequence.len() > best.len() {
        best.clone_from(sequence);
    }
    if sequence.len() + candidates.count_ones() as usize <= best.len() {
        return;
    }
    for (next, &losers) in beaten.iter().enumerate() {
        if candidates >> next & 1 == 1 {
            sequence.push(next);
            extend(beaten, candidates & losers & !(1 << next), sequence, best);
            sequence.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(players: usize, wins: &[(usize, usize)]) -> Vec<Vec<bool>> {
        let mut beat = vec![vec![false; players]; players];
        for &(winner, loser) in wins {
            beat[winner][loser] = true;
        }
        beat
    }

    #[test]
    fn orderings_by_hand() {
        assert_eq!(longest_ordering(&table(3, &[])), [0]);
        assert_eq!(longest_ordering(&table(3, &[(0, 1), (1, 2), (0, 2)])), [0, 1, 2]);
        // A circle: any two in a row, the first of them.
        assert_eq!(longest_ordering(&table(3, &[(0, 1), (1, 2), (2, 0)])), [0, 1]);
        assert_eq!(
            longest_ordering(&table(4, &[(3, 1), (3, 2), (1, 2), (0, 3)])),
            [3, 1, 2]
        );
        assert!(longest_ordering(&[]).is_empty());
    }

    /// Every permutation of every subset.
    fn by_force(beat: &[Vec<bool>]) -> usize {
        fn grow(beat: &[Vec<bool>], sequence: &mut Vec<usize>) -> usize {
            let mut longest = sequence.len();
            for next in 0..beat.len() {
                if !sequence.contains(&next) && sequence.iter().all(|&earlier| beat[earlier][next]) {
                    sequence.push(next);
                    longest = longest.max(grow(beat, sequence));
                    sequence.pop();
                }
            }
            longest
        }
        grow(beat, &mut Vec::new())
    }

    #[test]
    fn the_longest_is_the_longest() {
        let mut rng = vidmar_rng::Rng::from_seed(7);
        for _ in 0..300 {
            let pairs = (0..7).flat_map(|one| (one + 1..7).map(move |other| (one, other)));
            let wins: Vec<(usize, usize)> = pairs
                .filter_map(|(one, other)| match rng.index(5) {
                    0 => None,
                    1 | 2 => Some((one, other)),
                    _ => Some((other, one)),
                })
                .collect();
            let beat = table(7, &wins);
            let found = longest_ordering(&beat);
            assert_eq!(found.len(), by_force(&beat));
            for (index, &earlier) in found.iter().enumerate() {
                assert!(found[index + 1..].iter().all(|&later| beat[earlier][later]));
            }
        }
    }
}
