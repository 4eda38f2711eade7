//! The hidden layers of the positions on the way to the present one.
//!
//! A move changes two or three inputs of 768, so that the hidden layer of a position is best had from that of a position near it. Nobody
//! tells of moves here: a layer is kept with the pieces that it stands for, and when a position is to be evaluated, its pieces are compared with
//! those of the layers at its ply and before. What differs is added and taken away, whatever has happened in between: moves made and
//! taken back, passes, castling of any kind, another thread's position. So a layer is computed when it is needed and not before,
//! positions that are cut off by a table cost nothing, and it equals the one computed from nothing by construction.
//!
//! A net may see the board in a mirror or with other inputs while the own king stands elsewhere ([`Kings`](crate::Kings)). A layer is of no use
//! to a side that sees the board in another way, so that for every view of a side the layer it was last computed for from nothing is kept, with its
//! pieces; at first those of an empty board, which are the biases.

use std::fmt;
use std::sync::Arc;

use arrayvec::ArrayVec;
use vidmar_chess::{Bitboard, Color, Piece, Position, Role, Square};

use crate::block::Block;
use crate::features::View;
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
    /// By view, White's first: which pieces its layer stands for.
    viewed: Box<[Pieces]>,
    /// By view: its layer.
    views: Box<[Block]>,
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

    /// Where a side's king stands; anywhere if there is none.
    #[inline]
    fn king(&self, side: Color) -> Square {
        let king = self.roles[Role::King as usize].0 & self.colors[side as usize].0;
        Bitboard(king).into_iter().next().unwrap_or(Square::A1)
    }

    /// What differs from other pieces: what came, and what went.
    #[inline]
    fn changed(&self, now: &Pieces, squares: Bitboard) -> (Changed, Changed) {
        let (mut added, mut removed) = (Changed::new(), Changed::new());
        for square in squares {
            removed.extend(self.at(square).map(|piece| (piece, square)));
            added.extend(now.at(square).map(|piece| (piece, square)));
        }
        (added, removed)
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
        let views = 2 * network.kings.views();
        Accumulators {
            kernel,
            pieces: vec![Pieces::NONE; PLIES].into_boxed_slice(),
            layers: network.feature_biases.repeat(2 * PLIES).into_boxed_slice(),
            viewed: vec![Pieces::NONE; views].into_boxed_slice(),
            views: network.feature_biases.repeat(views).into_boxed_slice(),
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
        self.update(&now, at);
        let long = self.network.feature_biases.len();
        let (white, black) = self.layers[2 * long * at..][..2 * long].split_at(long);
        let layers = match position.turn() {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        let pieces = (now.colors[0].0 | now.colors[1].0).count_ones() as usize;
        self.network.output(self.kernel, layers, pieces)
    }

    /// Makes the layers of an index those of pieces.
    fn update(&mut self, now: &Pieces, at: usize) {
        let (from, squares) = self.nearest(now, at);
        if squares.is_empty() && from == Some(at) {
            return;
        }
        let Some(from) = from else {
            for side in Color::ALL {
                self.view_again(now, at, side);
            }
            self.pieces[at] = *now;
            return;
        };
        let before = self.pieces[from];
        let (added, removed) = before.changed(now, squares);
        for side in Color::ALL {
            let network = &*self.network;
            let view = network.kings.view(side, now.king(side));
            if network.kings.view(side, before.king(side)) != view {
                self.view_again(now, at, side);
                continue;
            }
            let long = network.feature_biases.len();
            let place = |at: usize| (2 * at + side as usize) * long;
            let (to, from) = two(&mut self.layers, place(at), place(from), long);
            let kernel = self.kernel;
            kernel.change(
                to,
                from,
                &rows(network, view, &added),
                &rows(network, view, &removed),
            );
        }
        self.pieces[at] = *now;
    }

    /// Makes a side's layer of an index that of pieces, from the last one that the side saw in this way.
    #[inline(never)]
    fn view_again(&mut self, now: &Pieces, at: usize, side: Color) {
        let network = &*self.network;
        let view = network.kings.view(side, now.king(side));
        let index = side as usize * network.kings.views() + view.index();
        let before = std::mem::replace(&mut self.viewed[index], *now);
        let (added, removed) = before.changed(now, before.difference(now));
        let long = network.feature_biases.len();
        let layer = &mut self.views[index * long..][..long];
        let kernel = self.kernel;
        kernel.change(
            layer,
            None,
            &rows(network, view, &added),
            &rows(network, view, &removed),
        );
        self.layers[(2 * at + side as usize) * long..][..long].copy_from_slice(layer);
    }

    /// The index of the layers that differ least, and where they do; no index if none is nearer than an empty board.
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

/// The weights of pieces as a side sees them.
#[inline]
fn rows<'a>(network: &'a Network, view: View, changed: &Changed) -> ArrayVec<&'a [Block], 32> {
    let row = |&(piece, square): &(Piece, Square)| network.row(view.feature(piece, square));
    changed.iter().map(row).collect()
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
