//! The hidden layers of the positions on the way to the present one.
//!
//! A move changes two or three inputs of 768, so that the hidden layer of a position is best had from that of a position near it. Nobody
//! tells of moves here: a layer is kept with the pieces that it stands for, and when a position is to be evaluated, its pieces are compared with
//! those of the layers at its ply and before. What differs is added and taken away, whatever has happened in between: moves made and
//! taken back, passes, castling of any kind, another thread's position. So a layer is computed when it is needed and not before,
//! positions that are cut off by a table cost nothing, and it equals the one computed from nothing by construction.
//!
//! An empty board is a layer as well, that of the biases: to compute from nothing is to begin there.

use std::fmt;
use std::sync::Arc;

use arrayvec::ArrayVec;
use vidmar_chess::{Bitboard, Color, Piece, Position, Role, Square};

use crate::block::Block;
use crate::features::feature;
use crate::kernel::Kernel;
use crate::network::Network;

/// Layers that are kept, one a ply: more than a search is deep.
const PLIES: usize = 256;
/// How many plies back the nearest layer is looked for.
const BACK: usize = 4;
/// So few squares differ after any one move.
const ONE_MOVE: u32 = 4;

/// A thread's access to a net.
#[derive(Clone)]
pub struct Accumulators {
    network: Arc<Network>,
    kernel: Kernel,
    /// By ply: which pieces its layers stand for.
    pieces: Box<[Pieces]>,
    /// By ply: White's layer, then Black's.
    layers: Box<[Block]>,
}

/// Which net and how, without the layers.
impl fmt::Debug for Accumulators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Accumulators({}, {:?})", self.network, self.kernel)
    }
}

/// Which pieces stand where.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Pieces {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
}

/// A piece that came or went.
type Changed = ArrayVec<(Piece, Square), 32>;

impl Pieces {
    const NONE: Pieces = Pieces {
        roles: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
    };

    #[inline]
    fn of(position: &Position) -> Pieces {
        Pieces {
            roles: Role::ALL.map(|role| position.role(role)),
            colors: Color::ALL.map(|color| position.color(color)),
        }
    }

    /// The squares on which different things stand.
    #[inline]
    fn difference(&self, other: &Pieces) -> Bitboard {
        let mut squares = 0;
        for (one, two) in self.roles.iter().zip(&other.roles) {
            squares |= one.0 ^ two.0;
        }
        for (one, two) in self.colors.iter().zip(&other.colors) {
            squares |= one.0 ^ two.0;
        }
        Bitboard(squares)
    }

    #[inline]
    fn at(&self, square: Square) -> Option<Piece> {
        let color = Color::ALL
            .into_iter()
            .find(|&color| self.colors[color as usize].contains(square))?;
        let is_there = |role: &Role| self.roles[*role as usize].contains(square);
        Role::ALL.into_iter().find(is_there).map(|role| role.of(color))
    }
}

impl Accumulators {
    /// Nothing is known yet.
    pub fn new(network: Arc<Network>) -> Accumulators {
        Accumulators::with(network, Kernel::best())
    }

    /// The same by a kernel of choice.
    pub fn with(network: Arc<Network>, kernel: Kernel) -> Accumulators {
        let both = [&*network.feature_biases, &*network.feature_biases].concat();
        Accumulators {
            kernel,
            pieces: vec![Pieces::NONE; PLIES].into_boxed_slice(),
            layers: both.repeat(PLIES).into_boxed_slice(),
            network,
        }
    }

    /// The net.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The same number as [`Network::evaluate`], sooner. The ply is that of the game or of the search, and tells where the position before may be
    /// found; it changes the speed and nothing else.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let now = Pieces::of(position);
        let at = ply % PLIES;
        self.update(position, &now, at);
        let long = self.network.feature_biases.len();
        let (white, black) = self.layers[2 * long * at..][..2 * long].split_at(long);
        let layers = match position.turn() {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        let pieces = (now.colors[0].0 | now.colors[1].0).count_ones() as usize;
        self.network.output(self.kernel, layers, pieces)
    }

    /// Makes the layers of an index those of a position, whose pieces are given once more.
    fn update(&mut self, position: &Position, now: &Pieces, at: usize) {
        let (from, squares) = self.nearest(now, at);
        if squares.is_empty() && from == Some(at) {
            return;
        }
        let before = from.map_or(Pieces::NONE, |from| self.pieces[from]);
        let (mut added, mut removed) = (Changed::new(), Changed::new());
        for square in squares {
            removed.extend(before.at(square).map(|piece| (piece, square)));
            added.extend(position.piece_at(square).map(|piece| (piece, square)));
        }
        let network = &*self.network;
        let long = network.feature_biases.len();
        for side in Color::ALL {
            let rows = |changed: &Changed| -> ArrayVec<&[Block], 32> {
                let row = |&(piece, square): &(Piece, Square)| network.row(feature(side, piece, square));
                changed.iter().map(row).collect()
            };
            let offset = side as usize * long;
            let (to, from) = match from {
                Some(from) => two(
                    &mut self.layers,
                    2 * long * at + offset,
                    2 * long * from + offset,
                    long,
                ),
                None => (
                    &mut self.layers[2 * long * at + offset..][..long],
                    Some(&*network.feature_biases),
                ),
            };
            self.kernel.change(to, from, &rows(&added), &rows(&removed));
        }
        self.pieces[at] = *now;
    }

    /// The index of the layers that differ least, and where they do; no index stands for the empty board.
    #[inline]
    fn nearest(&self, now: &Pieces, at: usize) -> (Option<usize>, Bitboard) {
        let before = |back: usize| (at + PLIES - back) % PLIES;
        let parent = self.pieces[before(1)].difference(now);
        if parent.len() <= ONE_MOVE {
            return (Some(before(1)), parent);
        }
        self.search_nearest(now, at, parent)
    }

    #[inline(never)]
    fn search_nearest(&self, now: &Pieces, at: usize, parent: Bitboard) -> (Option<usize>, Bitboard) {
        let before = |back: usize| (at + PLIES - back) % PLIES;
        let mut best = (None, now.difference(&Pieces::NONE));
        let others = [(before(1), parent), (at, self.pieces[at].difference(now))];
        let further = (2..=BACK).map(|back| (before(back), self.pieces[before(back)].difference(now)));
        for (index, squares) in others.into_iter().chain(further) {
            if squares.len() < best.1.len() {
                best = (Some(index), squares);
            }
        }
        best
    }
}

/// A part of the layers to be written, and another one to be read unless it is the same.
fn two(layers: &mut [Block], to: usize, from: usize, long: usize) -> (&mut [Block], Option<&[Block]>) {
    if to == from {
        return (&mut layers[to..][..long], None);
    }
    let (low, high) = layers.split_at_mut(to.max(from));
    if to < from {
        (&mut low[to..][..long], Some(&high[..long]))
    } else {
        (&mut high[..long], Some(&low[from..][..long]))
    }
}
