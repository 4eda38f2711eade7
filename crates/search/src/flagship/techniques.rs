//! The techniques of the flagship search as switches.
//!
//! In a build with the feature `switches` each can be turned off, to measure its worth; in every other build the
//! question whether it is on is a constant, and costs nothing.
//!
//! The worth beside each is what the search loses without it: 600 games at 8,000 nodes a move, 300 balanced openings of 8
//! random plies played from both sides, 95 % intervals, `guess` evaluation; for the last four, which are younger, 10,000 nodes and
//! the `fitted` evaluation (docs/flagship.md has the commands).

vidmar_text::named_enum! {
    /// A technique that can be switched off in a development build.
    pub enum Technique: "technique";
    /// Worth +111 ± 25 Elo.
    Aspiration, "aspiration", "a narrow window around the last value at the root";
    /// Worth +0 ± 8 Elo.
    MateDistance, "mate-distance", "bounds from the distance to mate";
    /// Worth +105 ± 25 Elo.
    ReverseFutility, "reverse-futility", "a static value far above beta is believed";
    /// Worth +13 ± 24 Elo.
    Razoring, "razoring", "a static value far below alpha is checked by quiescence only";
    /// Worth +51 ± 25 Elo.
    NullMove, "null-move", "passing and still being above beta";
    /// Worth -5 ± 24 Elo.
    ProbCut, "probcut", "a capture that holds well above beta at a reduced depth";
    /// Worth -15 ± 22 Elo.
    InternalReduction, "internal-reduction", "nodes without a table move are searched a ply shallower";
    /// Worth +92 ± 26 Elo.
    LateMovePruning, "late-move-pruning", "late quiet moves near the leaves are not tried";
    /// Worth +11 ± 24 Elo.
    Futility, "futility", "quiet moves that cannot reach alpha are not tried";
    /// Worth +1 ± 20 Elo.
    HistoryPruning, "history-pruning", "quiet moves with a bad history are not tried";
    /// Worth +62 ± 25 Elo.
    SeePruning, "see-pruning", "moves that lose material on their square are not tried";
    /// Worth +60 ± 24 Elo.
    LateMoveReduction, "late-move-reduction", "late moves are searched shallower first";
    /// Worth +23 ± 23 Elo.
    SingularExtension, "singular-extension", "a table move that alone holds the value is searched deeper";
    /// Worth +6 ± 25 Elo.
    CheckExtension, "check-extension", "moves out of check are searched deeper";
    /// Worth +44 ± 24 Elo.
    DeltaPruning, "delta-pruning", "captures that cannot reach alpha are left out of quiescence";
    /// Worth +22 ± 23 Elo.
    Killers, "killers", "two quiet moves that cut at this ply";
    /// Worth +4 ± 25 Elo.
    CounterMoves, "counter-moves", "the quiet move that refuted the opponent's move before";
    /// Worth +53 ± 23 Elo.
    ButterflyHistory, "butterfly-history", "how quiet moves did by side and squares";
    /// Worth -8 ± 24 Elo.
    CaptureHistory, "capture-history", "how captures did by piece, square and victim";
    /// Worth +29 ± 25 Elo.
    ContinuationHistory, "continuation-history", "how moves did after the moves before them";
    /// Worth -10 ± 24 Elo.
    CorrectionHistory, "correction-history", "the static value is corrected by what searches of like pawns found";
    /// Worth +33 ± 23 Elo.
    QuietChecks, "quiet-checks", "the first ply of quiescence tries quiet checks";
    /// Worth +10 ± 22 Elo.
    ReducedDepth, "reduced-depth", "pruning of quiet moves goes by the depth that a late move would be searched to";
    /// Worth +6 ± 23 Elo.
    MeasuredResearch, "measured-research", "a late move that proved better than thought is searched again a ply deeper or shallower by how much";
    /// Worth +22 ± 25 Elo.
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
