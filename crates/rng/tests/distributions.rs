//! The draws are distributed as they say.

use vidmar_rng::Rng;

fn rng() -> Rng {
    Rng::new(20, b"fairness", 3, 1)
}

/// Chi-square over the faces of a die that does not divide 2⁶⁴: 6 degrees of freedom, 99.9 % of fair ones stay below.
#[test]
fn integers_are_uniform() {
    let mut s = rng();
    let mut count = [0_u32; 7];
    for _ in 0..70_000 {
        count[s.index(7)] += 1;
    }
    let chi2: f64 = count
        .iter()
        .map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0)
        .sum();
    assert!(chi2 < 22.46, "{count:?}");
    assert_eq!(s.pick::<u8>(&[]), None);
}

#[test]
fn normal_has_its_moments() {
    let mut s = rng();
    let draws: Vec<f64> = (0..100_000).map(|_| s.normal()).collect();
    let mean = draws.iter().sum::<f64>() / 1e5;
    let variance = draws.iter().map(|x| x * x).sum::<f64>() / 1e5;
    let beyond = draws.iter().filter(|x| x.abs() > 1.959964).count();
    assert!(mean.abs() < 0.013, "{mean}");
    assert!((variance - 1.0).abs() < 0.018, "{variance}");
    assert!((4750..5250).contains(&beyond), "{beyond}");
}

#[test]
fn distinct_draws_are_distinct_and_skip_the_excluded() {
    for round in 0..200 {
        let mut drawn = Rng::new(1, b"distinct", round, 0).distinct::<5>(6, 2);
        drawn.sort_unstable();
        assert_eq!(drawn, [0, 1, 3, 4, 5]);
    }
}

#[test]
fn roulette_keeps_proportions_and_falls_back_to_uniform() {
    let mut s = rng();
    let mut count = [0; 3];
    for _ in 0..30_000 {
        count[s.roulette(&[1.0, 0.0, 2.0])] += 1;
    }
    assert_eq!(count[1], 0);
    assert!((9_600..10_400).contains(&count[0]), "{count:?}");
    let mut seen = [false; 3];
    for _ in 0..100 {
        seen[s.roulette(&[0.0; 3])] = true;
    }
    assert_eq!(seen, [true; 3]);
}
