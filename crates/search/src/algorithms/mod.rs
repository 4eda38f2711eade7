//! The algorithms, one file and one row each.
//!
//! A [`Driver`] finds the root's value at one depth, given a guess. [`deepening`](crate::deepening) calls it depth by
//! depth; commands, tests and menus read the table.

mod alpha_beta;
mod aspiration;
mod combined;
mod minimax;
mod mtdf;
mod negamax;
mod negascout;
mod pvs;
mod zero_window;

use vidmar_chess::{Board, Bound};
use vidmar_eval::Evaluation;

use crate::limits::Interrupted;
use crate::node::{self, Node, Scout};
use crate::parallel;
use crate::report::{Iteration, Report};
use crate::value::Value;
use crate::worker::{Shared, Worker};

/// How the value of the root is found at one depth.
pub(crate) trait Driver {
    /// How its nodes search later children: what young brothers' helpers need to know.
    type Scout: Scout;

    /// The root's value, or a bound on it; `guess` is what to expect.
    fn iteration<B: Board, E: Evaluation<B>>(
        worker: &mut Worker<'_, B, E>,
        depth: u32,
        guess: Value,
    ) -> Result<(Value, Bound), Interrupted>;
}

/// The root searched with a window by the nodes of a scout.
fn search_root<S: Scout, B: Board, E: Evaluation<B>>(
    worker: &mut Worker<'_, B, E>,
    depth: u32,
    alpha: Value,
    beta: Value,
) -> Result<Value, Interrupted> {
    node::search::<S, B, E>(worker, Node::root(depth, alpha, beta))
}

macro_rules! algorithms {
    ($($variant:ident, $driver:ty, $name:literal, exact: $exact:literal, splits: $splits:literal,
       soft: $soft:literal, $help:literal;)*) => {
        vidmar_text::named_enum! {
            /// The search algorithms.
            pub enum Algorithm: "algorithm";
            $($variant, $name, $help;)*
        }

        impl Algorithm {
            /// Whether it returns the value of minimax when nothing prunes (and not a bound on it).
            pub const fn exact(self) -> bool {
                match self { $(Algorithm::$variant => $exact),* }
            }

            /// Whether its nodes can be split among threads.
            pub const fn splits(self) -> bool {
                match self { $(Algorithm::$variant => $splits),* }
            }

            /// Whether it lives on bounds outside the window.
            pub const fn needs_soft_bounds(self) -> bool {
                match self { $(Algorithm::$variant => $soft),* }
            }

            /// The one place where a name becomes code.
            pub(crate) fn run<B: Board, E: Evaluation<B>>(
                self,
                board: &B,
                shared: &Shared<'_, B, E>,
                observe: &mut dyn FnMut(&Iteration),
            ) -> Report {
                match self {
                    $(Algorithm::$variant => parallel::run::<$driver, B, E>(board, shared, observe)),*
                }
            }
        }
    };
}

algorithms! {
    Minimax, minimax::Minimax, "minimax", exact: true, splits: false, soft: false,
        "the definition: White maximises, Black minimises, every move is searched";
    Negamax, negamax::Negamax, "negamax", exact: true, splits: false, soft: false,
        "minimax with one rule for both sides: the negated value of the opponent";
    AlphaBeta, alpha_beta::AlphaBeta, "alpha-beta", exact: true, splits: true, soft: false,
        "negamax without the branches that cannot matter";
    Pvs, pvs::Pvs, "pvs", exact: true, splits: true, soft: false,
        "later moves with a minimal window, searched again in full if they are better";
    NegaScout, negascout::NegaScout, "negascout", exact: true, splits: true, soft: false,
        "like pvs; searches again from the value found, and not near the leaves";
    ZeroWindow, zero_window::ZeroWindow, "zero-window", exact: false, splits: true, soft: false,
        "one search with a minimal window: tells only on which side of the guess the value lies";
    Mtdf, mtdf::Mtdf, "mtdf", exact: true, splits: true, soft: true,
        "zero-window searches that converge on the value from the last iteration's";
    Aspiration, aspiration::Aspiration<alpha_beta::AlphaBeta>, "aspiration", exact: true, splits: true, soft: false,
        "alpha-beta with a window of 50 around the last value, opened where it fails";
    AspirationNegaScout, aspiration::Aspiration<negascout::NegaScout>, "aspiration-negascout",
        exact: true, splits: true, soft: false,
        "the same around negascout";
    Combined, combined::Combined, "combined", exact: true, splits: true, soft: true,
        "aspiration and mtdf: zero-window steps inside the window, leaps outside";
}
