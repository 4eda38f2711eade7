//! Scores: by definition, by every kernel, and along games.

use std::sync::Arc;

use vidmar_chess::{BitboardBoard, Board as _, Color, Position, Square};
use vidmar_net::{Accumulators, Kernel, Kings, Network, Parts, QA, QB, SCALE, bucket};
use vidmar_rng::Rng;

use crate::walks::{STARTS, walk};

/// The score as the documentation defines it, in numbers that nothing overflows.
fn by_definition(parts: &Parts, position: &Position) -> i32 {
    let hidden = parts.feature_biases.len();
    let layer = |side: Color| -> Vec<i64> {
        let mut layer: Vec<i64> = parts.feature_biases.iter().map(|&bias| bias.into()).collect();
        let view = parts.kings.view(side, position.king(side));
        for square in Square::ALL {
            if let Some(piece) = position.piece_at(square) {
                let row = &parts.feature_weights[view.feature(piece, square) * hidden..][..hidden];
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

fn kings_of(buckets: usize) -> Kings {
    Kings::new(buckets).expect("a number of king buckets")
}

/// A net whose weights are as large as nets may have them, with signs and zeros at random.
fn extreme(kings: Kings, hidden: usize, rng: &mut Rng) -> Network {
    let mut draw = |count: usize, most: i16| -> Vec<i16> {
        (0..count).map(|_| (rng.below(3) as i16 - 1) * most).collect()
    };
    Network::from_parts(&Parts {
        scale: SCALE,
        kings,
        feature_weights: draw(kings.inputs() * hidden, 1000),
        feature_biases: draw(hidden, 767),
        output_weights: draw(2 * hidden, (32_000 / hidden).min(127) as i16),
        output_biases: vec![-20_000],
    })
    .expect("within bounds")
}

#[test]
fn every_kernel_gives_the_score_that_is_defined_at_every_node_of_a_game() {
    let mut rng = Rng::from_seed(1);
    let shapes = [
        (0, 32, 1),
        (0, 96, 3),
        (1, 64, 8),
        (2, 32, 1),
        (4, 256, 8),
        (8, 32, 1),
        (0, 1024, 1),
    ];
    let mut nets: Vec<Network> = shapes
        .into_iter()
        .map(|(kings, hidden, buckets)| {
            Network::random(kings_of(kings), hidden, buckets, &mut rng).expect("a shape of nets")
        })
        .collect();
    nets.push(extreme(kings_of(8), 64, &mut rng));
    nets.push(extreme(Kings::PLAIN, 512, &mut rng));
    let mut all_made = [0; 4];
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
        assert!(
            scores.len() > 100,
            "the score of {network} depends on the position"
        );
        for (all, made) in
            all_made
                .iter_mut()
                .zip([made.castling, made.en_passant, made.promotions, made.passes])
        {
            *all += made;
        }
    }
    assert!(all_made.iter().all(|&count| count > 0), "{all_made:?}");
}

#[test]
fn what_was_asked_before_and_at_which_ply_changes_nothing() {
    let mut rng = Rng::from_seed(3);
    let network = Arc::new(Network::random(kings_of(4), 64, 2, &mut rng).expect("a shape of nets"));
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
    let network = Network::random(kings_of(2), 32, 1, &mut Rng::from_seed(5)).expect("a shape of nets");
    let score = |fen: &str| network.evaluate(&fen.parse().expect("legal"));
    assert_eq!(
        score("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        score("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1"),
    );
}

#[test]
fn a_board_in_a_mirror_is_the_same_to_a_net_that_minds_kings() {
    let (one, mirrored) = (
        "6k1/5p1p/8/2q5/8/8/1P4PP/R5K1 w - - 0 1",
        "1k6/p1p5/8/5q2/8/8/PP4P1/1K5R w - - 0 1",
    );
    for buckets in [0, 1, 2, 4, 8] {
        let network =
            Network::random(kings_of(buckets), 32, 1, &mut Rng::from_seed(8)).expect("a shape of nets");
        let [one, mirrored] = [one, mirrored].map(|fen| network.evaluate(&fen.parse().expect("legal")));
        assert_eq!(one == mirrored, buckets > 0, "{network}");
    }
}

#[test]
fn regions_are_as_many_as_asked_for() {
    for buckets in [1, 2, 4, 8] {
        let kings = kings_of(buckets);
        for side in Color::ALL {
            let regions: std::collections::HashSet<usize> = Square::ALL
                .into_iter()
                .map(|square| kings.view(side, square).offset())
                .collect();
            assert_eq!(regions.len(), buckets);
            let seen = |square: Square| kings.view(side, square).offset();
            assert!(
                Square::ALL
                    .into_iter()
                    .all(|square| seen(square) == seen(square.flip_horizontal()))
            );
        }
    }
}

#[test]
fn a_share_is_the_score_with_a_piece_less_the_score_without_it() {
    let network = Network::random(kings_of(4), 64, 4, &mut Rng::from_seed(6)).expect("a shape of nets");
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
