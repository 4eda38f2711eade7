//! Files and weights: what is read back, and what is refused with which words.

use vidmar_net::{FEATURES, Kings, MAX_BYTES, Network, NetworkError, Parts, SCALE};
use vidmar_rng::Rng;

fn network(hidden: usize, buckets: usize) -> Network {
    with_kings(0, hidden, buckets)
}

fn with_kings(kings: usize, hidden: usize, buckets: usize) -> Network {
    let kings = Kings::new(kings).expect("a number of king buckets");
    Network::random(kings, hidden, buckets, &mut Rng::from_seed(hidden as u64)).expect("a shape of nets")
}

/// With a checksum that fits.
fn sealed(mut file: Vec<u8>) -> Vec<u8> {
    let end = file.len() - 4;
    let checksum = crc32fast::hash(&file[..end]);
    file[end..].copy_from_slice(&checksum.to_le_bytes());
    file
}

fn error(file: &[u8]) -> String {
    Network::from_bytes(file).expect_err("not a net").to_string()
}

#[test]
fn nets_survive_being_written_and_read() {
    for (kings, hidden, buckets) in [(0, 32, 1), (4, 32, 2), (0, 256, 8), (8, 1024, 8)] {
        let network = with_kings(kings, hidden, buckets);
        let file = network.to_bytes();
        assert_eq!(Network::from_bytes(&file), Ok(network.clone()));
        assert_eq!(Network::from_parts(&network.parts()), Ok(network));
        assert!(file.len() <= MAX_BYTES);
    }
    assert_eq!(with_kings(8, 1024, 8).to_bytes().len(), MAX_BYTES);
    assert_eq!(network(256, 1).to_string(), "(768 → 256) × 2 → 1");
    assert_eq!(with_kings(4, 32, 8).to_string(), "(4 · 768 → 32) × 2 → 8");
}

#[test]
fn bad_files_are_refused_by_what_is_wrong_with_them() {
    let good = network(32, 2).to_bytes();
    let expected = good.len();
    for length in [8, 15, 16, 100, expected - 1] {
        let wants = if length < 16 { 16 } else { expected };
        assert_eq!(
            error(&good[..length]),
            format!("a truncated net: {length} bytes of {wants}")
        );
    }
    assert_eq!(error(b""), "not a net: it does not begin with 'VidmarNN'");
    assert_eq!(error(b"VidmarN"), "not a net: it does not begin with 'VidmarNN'");
    assert_eq!(
        error(b"PawnValueOpening = 80"),
        "not a net: it does not begin with 'VidmarNN'"
    );
    let mut kings = good.clone();
    kings[13] = 3;
    assert_eq!(
        error(&sealed(kings)),
        "a net with 3 king buckets (expected 0, 1, 2, 4 or 8)"
    );
    let longer = [good.clone(), vec![0]].concat();
    assert_eq!(
        error(&longer),
        format!(
            "a net of the wrong size: {} bytes (expected {expected} by its header)",
            expected + 1
        )
    );
    assert_eq!(
        error(&vec![0; MAX_BYTES + 1]),
        format!("too large for a net: more than {MAX_BYTES} bytes")
    );
    let changed = |at: usize, value: u16| {
        let mut file = good.clone();
        file[at..at + 2].copy_from_slice(&value.to_le_bytes());
        error(&sealed(file))
    };
    assert_eq!(
        changed(8, 2),
        "a net of format version 2 (this program reads version 1)"
    );
    for hidden in [0, 16, 33, 1056, 65_535] {
        assert_eq!(
            changed(10, hidden),
            format!("a net with {hidden} hidden neurons (expected a multiple of 32 from 32 to 1024)")
        );
    }
    assert_eq!(changed(12, 9), "a net with 9 output buckets (expected 1 to 8)");
    assert_eq!(changed(12, 0), "a net with 0 output buckets (expected 1 to 8)");
    assert_eq!(changed(14, 0), "a net with the scale 0 (expected 1 to 4096)");
    let mut damaged = good.clone();
    damaged[1000] ^= 1;
    assert!(
        error(&damaged).starts_with("a damaged net: its CRC-32 is "),
        "{}",
        error(&damaged)
    );
    assert!(Network::from_bytes(&good).is_ok());
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let zero = Parts {
        scale: SCALE,
        kings: Kings::PLAIN,
        feature_weights: vec![0; FEATURES * 32],
        feature_biases: vec![0; 32],
        output_weights: vec![0; 64],
        output_biases: vec![0],
    };
    let refused = |change: &dyn Fn(&mut Parts)| {
        let mut parts = zero.clone();
        change(&mut parts);
        Network::from_parts(&parts).expect_err("refused").to_string()
    };
    assert!(Network::from_parts(&zero).is_ok());
    // Neuron 3 gets 1024 from every own pawn, on 32 squares at most.
    let many = |parts: &mut Parts, weight: i16| {
        (0..64).for_each(|square| parts.feature_weights[square * 32 + 3] = weight);
    };
    assert_eq!(
        refused(&|parts| many(parts, 1024)),
        "the sum of hidden neuron 3 can reach 32768, which 16 bits do not hold"
    );
    let mut full = zero.clone();
    many(&mut full, -1024);
    assert!(Network::from_parts(&full).is_ok());
    full.feature_biases[3] = -1;
    assert_eq!(
        Network::from_parts(&full),
        Err(NetworkError::HiddenSum {
            neuron: 3,
            reach: -32_769
        })
    );
    let mut second = Parts {
        kings: Kings::new(2).expect("two regions"),
        feature_weights: vec![0; 2 * FEATURES * 32],
        ..zero.clone()
    };
    second.feature_weights[FEATURES * 32..][..64 * 32].fill(1025);
    assert!(
        Network::from_parts(&second).is_err(),
        "the second region counts, too"
    );
    assert_eq!(
        refused(&|parts| parts.output_weights[7] = -128),
        "output weight 7 is -128 (at most 127 either way)"
    );
    assert_eq!(
        refused(&|parts| parts.output_biases[0] = i32::MIN),
        "output bias 0 is -2147483648 (at most 268435456 either way)"
    );
    assert_eq!(
        refused(&|parts| parts.feature_weights.truncate(24_575)),
        "24575 input weights (expected 24576)"
    );
    assert_eq!(
        refused(&|parts| parts.output_weights.push(0)),
        "65 output weights (expected 64)"
    );
    let wide = Parts {
        feature_weights: vec![0; FEATURES * 256],
        feature_biases: vec![0; 256],
        output_weights: vec![100; 512],
        ..zero.clone()
    };
    assert_eq!(
        Network::from_parts(&wide).expect_err("refused").to_string(),
        "the sum of output bucket 0 can reach 3329280000, which 32 bits do not hold"
    );
}

#[test]
fn random_damage_never_panics() {
    let good = network(32, 1).to_bytes();
    let mut rng = Rng::from_seed(9);
    for _ in 0..300 {
        let mut file = good.clone();
        file.truncate(1 + rng.index(good.len()));
        for _ in 0..rng.index(4) {
            let at = if rng.chance(0.5) {
                rng.index(file.len().min(16))
            } else {
                rng.index(file.len())
            };
            file[at] = rng.bits32() as u8;
        }
        if file.len() > 20 && rng.chance(0.5) {
            file = sealed(file);
        }
        if let Ok(network) = Network::from_bytes(&file) {
            assert_eq!(network.to_bytes(), file);
        }
    }
}
