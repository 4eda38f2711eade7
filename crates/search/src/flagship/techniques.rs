//! The techniques of the flagship search as switches.
//!
//! In a build with the feature `switches` each can be turned off, to measure its worth; in every other build the
//! question whether it is on is a constant, and costs nothing.

macro_rules! techniques {
    ($($(#[$doc:meta])* $variant:ident = $name:literal;)*) => {
        /// A technique that can be switched off in a development build.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Technique { $($(#[$doc])* $variant),* }

        impl Technique {
            /// All of them.
            pub const ALL: &[Technique] = &[$(Technique::$variant),*];

            /// The name on a command line.
            pub const fn name(self) -> &'static str {
                match self { $(Technique::$variant => $name),* }
            }
        }
    };
}

techniques! {
    /// A narrow window around the last value at the root.
    Aspiration = "aspiration";
    /// Bounds from the distance to mate.
    MateDistance = "mate-distance";
    /// A static value far above beta is believed.
    ReverseFutility = "reverse-futility";
    /// A static value far below alpha is checked by quiescence only.
    Razoring = "razoring";
    /// Passing and still being above beta.
    NullMove = "null-move";
    /// A capture that holds well above beta at a reduced depth.
    ProbCut = "probcut";
    /// Nodes without a table move are searched a ply shallower.
    InternalReduction = "internal-reduction";
    /// Late quiet moves near the leaves are not tried.
    LateMovePruning = "late-move-pruning";
    /// Quiet moves that cannot reach alpha are not tried.
    Futility = "futility";
    /// Quiet moves with a bad history are not tried.
    HistoryPruning = "history-pruning";
    /// Moves that lose material on their square are not tried.
    ExchangePruning = "exchange-pruning";
    /// Late moves are searched shallower first.
    LateMoveReduction = "late-move-reduction";
    /// A table move that alone holds the value is searched deeper.
    SingularExtension = "singular-extension";
    /// Moves out of check are searched deeper.
    CheckExtension = "check-extension";
    /// Captures that cannot reach alpha are left out of quiescence.
    DeltaPruning = "delta-pruning";
    /// Two quiet moves that cut at this ply.
    Killers = "killers";
    /// The quiet move that refuted the opponent's move before.
    CounterMoves = "counter-moves";
    /// How quiet moves did by side and squares.
    ButterflyHistory = "butterfly-history";
    /// How captures did by piece, square and victim.
    CaptureHistory = "capture-history";
    /// How moves did after the moves before them.
    ContinuationHistory = "continuation-history";
    /// The static value is corrected by what searches of like pawns found.
    CorrectionHistory = "correction-history";
}

/// Which techniques a search uses.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Techniques(u32);

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques(u32::MAX)
    }
}

impl Techniques {
    /// The same without one.
    pub fn without(self, technique: Technique) -> Techniques {
        Techniques(self.0 & !(1 << technique as u32))
    }

    /// Whether one is on.
    #[inline(always)]
    pub fn has(self, technique: Technique) -> bool {
        !cfg!(feature = "switches") || self.0 >> technique as u32 & 1 != 0
    }
}
