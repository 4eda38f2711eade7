//! Any bytes as a net: an error or a net, never a panic; a net survives being written and read, and its sums are the same by every
//! kernel.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use vidmar_chess::Position;
use vidmar_net::{Accumulators, FEATURES, Kernel, Kings, Network, Parts, SCALE};

/// A whole net is longer than an input: the beginning and the end of this one are replaced.
static EMPTY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let parts = Parts {
        scale: SCALE,
        kings: Kings::PLAIN,
        feature_weights: vec![0; FEATURES * 32],
        feature_biases: vec![0; 32],
        output_weights: vec![0; 64],
        output_biases: vec![0],
    };
    Network::from_parts(&parts).expect("zeros overflow nothing").to_bytes()
});

static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    ]
    .map(|fen| fen.parse().expect("legal"))
    .to_vec()
});

fuzz_target!(|bytes: &[u8]| {
    let _ = Network::from_bytes(bytes);
    let mut file = EMPTY.clone();
    let (head, tail) = bytes.split_at(bytes.len() / 2);
    file[..head.len()].copy_from_slice(head);
    let end = file.len() - 4;
    file[end - tail.len()..end].copy_from_slice(tail);
    let checksum = crc32fast::hash(&file[..end]);
    file[end..].copy_from_slice(&checksum.to_le_bytes());
    let Ok(network) = Network::from_bytes(&file) else {
        return;
    };
    assert_eq!(network.to_bytes(), file);
    let network = Arc::new(network);
    for kernel in Kernel::all() {
        let mut accumulators = Accumulators::with(Arc::clone(&network), kernel);
        for position in POSITIONS.iter() {
            assert_eq!(accumulators.evaluate(position, 0), network.evaluate(position), "{kernel:?}");
        }
    }
});
