//! The draws are those of every other machine and version. Saved runs and recorded games depend on every one.

use vidmar_rng::Rng;

/// The stream that optimisers open for a mutation (purpose 2) in round 3, individual 1, game 4.
fn rng() -> Rng {
    Rng::new(20, &2_u64.to_le_bytes(), 3, 4 << 32 | 1)
}

fn draws<const N: usize>(rng: &mut Rng, n: u64) -> [u64; N] {
    [(); N].map(|()| rng.below(n))
}

/// From a separate implementation of `ChaCha8` and of these functions, written in Python.
#[test]
fn every_function() {
    let mut s = rng();
    assert_eq!([s.bits(), s.bits()], [15395111133726249947, 10223969157557239014]);
    assert_eq!(draws(&mut rng(), 10), [8, 5, 8, 8, 0, 9, 0, 5]);
    let mut s = rng();
    assert_eq!(
        [s.unit(), s.normal(), s.cauchy(0.5, 0.1)].map(f64::to_bits),
        [4605692363653541186, 4597512623867209544, 4604475207332341782]
    );
    let mut s = rng();
    let mut deck: Vec<u8> = (0..10).collect();
    s.shuffle(&mut deck);
    assert_eq!(deck, [3, 2, 1, 7, 9, 0, 5, 6, 4, 8]);
    assert_eq!(s.distinct::<5>(9, 4), [6, 5, 7, 3, 1]);
    assert_eq!(
        [(); 8].map(|()| s.roulette(&[1.0, 0.0, 3.0, 2.0])),
        [2, 0, 0, 0, 3, 0, 3, 3]
    );
}

/// Half of 64 bits, the lower one first.
#[test]
fn short_draws() {
    let mut s = rng();
    assert_eq!(
        [s.bits32(), s.bits32()],
        [
            15395111133726249947_u64 as u32,
            (15395111133726249947_u64 >> 32) as u32
        ]
    );
    let mut s = rng();
    assert_eq!(s.below32(1 << 8), (15395111133726249947_u64 as u32) >> 24);
    assert_eq!(Rng::from_seed(1).bits(), FROM_SEED);
}

const FROM_SEED: u64 = 7424550030962593201;

/// The streams of a book and of players that reason from cases.
#[test]
fn other_addresses() {
    let book = draws(&mut Rng::new(1, b"golden--", 1, 2), 100);
    assert_eq!(book, [23, 8, 2, 1, 81, 39, 16, 59, 73, 43]);
    assert_eq!(
        draws(&mut Rng::new(0, b"cbr pick", 3, 4), 100),
        [30, 2, 22, 74, 88, 6, 88, 5]
    );
    assert_eq!(
        draws(&mut Rng::new(1, b"cbr vary", 3, 4), 100),
        [0, 54, 36, 10, 12, 10, 12, 79]
    );
    let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
    Rng::new(2, b"cbr boot", 0, 0).shuffle(&mut order);
    assert_eq!(order, [5, 1, 4, 3, 6, 0, 2, 7]);
}

#[test]
fn every_part_of_the_address_matters() {
    let mut firsts = [
        Rng::new(20, b"mutation", 3, 1),
        Rng::new(21, b"mutation", 3, 1),
        Rng::new(20, b"mutatioN", 3, 1),
        Rng::new(20, b"mutation", 4, 1),
        Rng::new(20, b"mutation", 3, 2),
    ]
    .map(|mut rng| rng.bits());
    firsts.sort_unstable();
    assert!(firsts.windows(2).all(|pair| pair[0] != pair[1]), "{firsts:?}");
}
