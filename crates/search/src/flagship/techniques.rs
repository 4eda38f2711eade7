//! The techniques of the flagship search as switches.
//!
//! In a build with the feature `switches` each can be turned off, to measure its worth; in every other build the
//! question whether it is on is a constant, and costs nothing.
//!
//! What each is worth stands in docs/flagship.md, with the command that plays it.

vidmar_text::named_enum! {
    /// A technique that can be switched off in a development build.
    pub enum Technique: "technique";
    Aspiration, "aspiration", "a narrow window around the last value at the root";
    MateDistance, "mate-distance", "bounds from the distance to mate";
    ReverseFutility, "reverse-futility", "a static value far above beta is believed";
    Razoring, "razoring", "a static value far below alpha is checked by quiescence only";
    NullMove, "null-move", "passing and still being above beta";
    ProbCut, "probcut", "a capture that holds well above beta at a reduced depth";
    InternalReduction, "internal-reduction", "nodes without a table move are searched a ply shallower";
    LateMovePruning, "late-move-pruning", "late quiet moves near the leaves are not tried";
    Futility, "futility", "quiet moves that cannot reach alpha are not tried";
    HistoryPruning, "history-pruning", "quiet moves with a bad history are not tried";
    SeePruning, "see-pruning", "moves that lose material on their square are not tried";
    LateMoveReduction, "late-move-reduction", "late moves are searched shallower first";
    SingularExtension, "singular-extension", "a table move that alone holds the value is searched deeper";
    CheckExtension, "check-extension", "moves out of check are searched deeper";
    DeltaPruning, "delta-pruning", "captures that cannot reach alpha are left out of quiescence";
    Killers, "killers", "two quiet moves that cut at this ply";
    CounterMoves, "counter-moves", "the quiet move that refuted the opponent's move before";
    ButterflyHistory, "butterfly-history", "how quiet moves did by side and squares";
    CaptureHistory, "capture-history", "how captures did by piece, square and victim";
    ContinuationHistory, "continuation-history", "how moves did after the moves before them";
    CorrectionHistory, "correction-history", "the static value is corrected by what searches of like pawns found";
    QuietChecks, "quiet-checks", "the first ply of quiescence tries quiet checks";
    ReducedDepth, "reduced-depth", "pruning of quiet moves goes by the depth that a late move would be searched to";
    MeasuredResearch, "measured-research", "a late move that proved better than thought is searched again a ply deeper or shallower by how much";
    CutoffCount, "cutoff-count", "where the children keep failing high, late moves are reduced more";
    ThreatHistory, "threat-history", "the history of quiet moves knows whether they leave or enter an attacked square";
    Tablebases, "tablebases", "tablebases are looked up below the root";
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
