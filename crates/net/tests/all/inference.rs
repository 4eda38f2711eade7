//! Scores: by definition, by every kernel, and along games.

use std::sync::Arc;

use vidmar_chess::{BitboardBoard, Board as _, Color, Position, Square};
use vidmar_net::{Accumulators, FEATURES, Kernel, Network, Parts, QA, QB, SCALE, bucket, feature};
use vidmar_rng::Rng;

use crate::walks::{STARTS, walk};

/// The score as the documentation defines it, in numbers that nothing overflows.
fn by_definition(parts: &Parts, position: &Position) -> i32 {
    let hidden = parts.feature_biases.len();
    let layer = |side: Color| -> Vec<i64> {
        let mut layer: Vec<i64> = parts.feature_biases.iter().map(|&bias| bias.into()).collect();
        for square in Square::ALL {
            if let Some(piece) = position.piece_at(square) {
                let row = &parts.feature_weights[feature(side, piece, square) * hidden..][..hidden];
                for (value, &weight) in layer.iter_mut().zip(row) {
                    *value += i64::from(weight);
                }
            }
        }
        layer
    };
    let pieces = position.occupied().len() as usize;
    let bucket = bucket(parts.output_biases.len(), pieces);
    let weights = &parts.output_weights[bucket * 2 * hidden..][..2 * hidden];
    let values = [layer(position.turn()), layer(!position.turn())].concat();
    let clipped = values.iter().map(|&value| value.clamp(0, QA.into()));
    let sum: i64 = clipped.zip(weights).map(|(v, &w)| v * v * i64::from(w)).sum();
    let output = sum / i64::from(QA) + i64::from(parts.output_biases[bucket]);
    (output * i64::from(parts.scale) / (i64::from(QA) * i64::from(QB))).clamp(-20_000, 20_000) as i32
}

/// A net whose weights are as large as nets may have them, with signs and zeros at random.
fn extreme(hidden: usize, rng: &mut Rng) -> Network {
    let mut draw = |count: usize, most: i16| -> Vec<i16> {
        (0..count).map(|_| (rng.below(3) as i16 - 1) * most).collect()
    };
    Network::from_parts(&Parts {
        scale: SCALE,
        feature_weights: draw(FEATURES * hidden, 1000),
        feature_biases: draw(hidden, 767),
        output_weights: draw(2 * hidden, (32_000 / hidden).min(127) as i16),
        output_biases: vec![-20_000],
    })
    .expect("within bounds")
}

#[test]
fn every_kernel_gives_the_score_that_is_defined_at_every_node_of_a_game() {
    let mut rng = Rng::from_seed(1);
    let mut nets: Vec<Network> = [(32, 1), (96, 3), (256, 8), (1024, 1)]
        .into_iter()
        .map(|(hidden, buckets)| Network::random(hidden, buckets, &mut rng).expect("a shape of nets"))
        .collect();
    nets.push(extreme(64, &mut rng));
    nets.push(extreme(512, &mut rng));
    for (seed, network) in (2..).zip(nets) {
        let network = Arc::new(network);
        let parts = network.parts();
        let mut kernels: Vec<Accumulators> = Kernel::all()
            .map(|kernel| Accumulators::with(Arc::clone(&network), kernel))
            .collect();
        let mut scores = std::collections::HashSet::new();
        let made = walk(seed, 40, &mut |board: &mut BitboardBoard| {
            let position = board.current();
            let expected = by_definition(&parts, position);
            scores.insert(expected);
            assert_eq!(network.evaluate(position), expected, "{network} {position}");
            for accumulators in &mut kernels {
                let found = accumulators.evaluate(position, board.history().plies());
                assert_eq!(found, expected, "{accumulators:?} {position}");
            }
        });
        assert!(scores.len() > 100, "the score depends on the position");
        let all = [made.castling, made.en_passant, made.promotions, made.passes];
        assert!(all.iter().all(|&count| count > 0), "{made:?}");
    }
}

#[test]
fn what_was_asked_before_and_at_which_ply_changes_nothing() {
    let mut rng = Rng::from_seed(3);
    let network = Arc::new(Network::random(64, 2, &mut rng).expect("a shape of nets"));
    let mut accumulators = Accumulators::new(Arc::clone(&network));
    let mut nodes = 0;
    walk(4, 200, &mut |board| {
        nodes += 1;
        // Most positions of a search are never evaluated, and the ply may be anything.
        if rng.chance(0.3) {
            let ply = board.history().plies() + rng.index(3) * 255;
            assert_eq!(
                accumulators.evaluate(board.current(), ply),
                network.evaluate(board.current())
            );
        }
        if rng.chance(0.02) {
            // Another thread's copy goes on from here.
            accumulators = accumulators.clone();
            let other: Position = STARTS[rng.index(STARTS.len())].parse().expect("legal");
            assert_eq!(accumulators.evaluate(&other, 0), network.evaluate(&other));
        }
    });
    assert!(nodes > 1000, "{nodes}");
}

#[test]
fn both_sides_see_the_same_board() {
    let network = Network::random(32, 1, &mut Rng::from_seed(5)).expect("a shape of nets");
    let score = |fen: &str| network.evaluate(&fen.parse().expect("legal"));
    assert_eq!(
        score("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        score("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1"),
    );
}

#[test]
fn a_share_is_the_score_with_a_piece_less_the_score_without_it() {
    let network = Network::random(64, 4, &mut Rng::from_seed(6)).expect("a shape of nets");
    let with: Position = "4k3/p7/8/8/8/8/8/RN2K3 b Q - 0 1".parse().expect("legal");
    let shares = network.shares(&with);
    let squares: Vec<Square> = shares.iter().map(|share| share.square).collect();
    assert_eq!(squares, [Square::A1, Square::B1, Square::A7], "kings have none");
    let without = [
        "4k3/p7/8/8/8/8/8/1N2K3 b - - 0 1",
        "4k3/p7/8/8/8/8/8/R3K3 b Q - 0 1",
        "4k3/8/8/8/8/8/8/RN2K3 b Q - 0 1",
    ];
    for (share, fen) in shares.iter().zip(without) {
        let without = network.evaluate(&fen.parse().expect("legal"));
        assert_eq!(share.share, without - network.evaluate(&with), "{share:?}");
    }
    assert!(shares.iter().any(|share| share.share != 0));
}
