//! p-values adjusted for asking many questions at once.
//!
//! Each function takes unadjusted p-values in any order and gives the adjusted ones in the same order,
//! none above 1 (the published tables let Nemenyi's exceed it).

/// Places of the p-values from small to large.
fn rising(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    order
}

/// Going from the smallest p-value to the largest, each is multiplied by its factor and is at least as
/// large as the one before.
fn step_down(p: &[f64], factors: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut largest: f64 = 0.0;
    for (step, &index) in rising(p).iter().enumerate() {
        largest = largest.max(factors(step) * p[index]).min(1.0);
        adjusted[index] = largest;
    }
    adjusted
}

/// Bonferroni and Dunn: times the number of comparisons. Over all pairs this is what García and Herrera
/// (2008) call Nemenyi's procedure.
pub fn bonferroni(p: &[f64]) -> Vec<f64> {
    let count = p.len() as f64;
    p.iter().map(|p| (p * count).min(1.0)).collect()
}

/// Holm (1979): the smallest times m, the next times m - 1, and so on.
pub fn holm(p: &[f64]) -> Vec<f64> {
    step_down(p, |step| (p.len() - step) as f64)
}

/// Hochberg (1988): Holm's factors, but going up from the largest p-value.
pub fn hochberg(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut smallest: f64 = 1.0;
    for (step, &index) in rising(p).iter().enumerate().rev() {
        smallest = smallest.min((p.len() - step) as f64 * p[index]);
        adjusted[index] = smallest;
    }
    adjusted
}

/// Shaffer's static procedure (1986) for all pairs of `algorithms`: the factor is the largest number of
/// equalities that can still be true together once so many are known false.
pub fn shaffer(p: &[f64], algorithms: usize) -> Vec<f64> {
    debug_assert_eq!(p.len(), algorithms * (algorithms - 1) / 2);
    let possible = possible_counts(algorithms);
    step_down(p, |step| {
        let left = p.len() - step;
        let most = (0..=left).rev().find(|&count| possible[count]).unwrap_or(0);
        most as f64
    })
}

/// Which numbers of equal pairs can occur among `algorithms`: those of the partitions into classes of
/// equals, S(k) = union over j of { j (j - 1) / 2 + s : s in S(k - j) }.
fn possible_counts(algorithms: usize) -> Vec<bool> {
    let pairs = |count: usize| count * count.saturating_sub(1) / 2;
    let most = pairs(algorithms);
    let mut by_size = vec![vec![false; most + 1]; algorithms + 1];
    by_size[0][0] = true;
    for size in 1..=algorithms {
        for class in 1..=size {
            for rest in 0..=pairs(size - class) {
                if by_size[size - class][rest] {
                    by_size[size][rest + pairs(class)] = true;
                }
            }
        }
    }
    by_size.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn possible_counts_of_the_paper() {
        // García and Herrera 2008, section 2.1: for k = 4, S = {0, 1, 2, 3, 6}; k = 5: {0,1,2,3,4,6,10}.
        let as_list = |k| -> Vec<usize> {
            possible_counts(k)
                .iter()
                .enumerate()
                .filter(|(_, is)| **is)
                .map(|(count, _)| count)
                .collect()
        };
        assert_eq!(as_list(4), [0, 1, 2, 3, 6]);
        assert_eq!(as_list(5), [0, 1, 2, 3, 4, 6, 10]);
    }

    #[test]
    fn each_procedure_is_at_least_as_sharp_as_the_one_before() {
        let p = [0.001, 0.04, 0.02, 0.3, 0.011, 0.9];
        let (plain, holm, shaffer) = (bonferroni(&p), holm(&p), shaffer(&p, 4));
        let hochberg = hochberg(&p);
        for index in 0..p.len() {
            assert!(
                plain[index] >= holm[index] && holm[index] >= shaffer[index] && shaffer[index] >= p[index]
            );
            assert!(holm[index] >= hochberg[index] && hochberg[index] >= p[index]);
        }
    }

    #[test]
    fn holm_and_hochberg_of_a_worked_example() {
        // R: p.adjust(c(0.01, 0.02, 0.03, 0.04), "holm") and "hochberg".
        let p = [0.03, 0.01, 0.04, 0.02];
        let close = |a: Vec<f64>, b: [f64; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
        assert!(close(holm(&p), [0.06, 0.04, 0.06, 0.06]));
        assert!(close(hochberg(&p), [0.04, 0.04, 0.04, 0.04]));
    }
}
