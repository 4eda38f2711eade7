//! The numbers of the flagship search, declared once: name, default, interval.
//!
//! They are parameters like those of the evaluation, so that the tuner can move them: UCI options, the tuner's
//! vector and the documentation come from these rows.

use vidmar_text::named_numbers;

named_numbers! {
    /// A value for each number of the search.
    #[derive(Clone)]
    pub struct SearchParameters;

    /// Half width of the first aspiration window.
    aspiration_window = 20 in 5..=100;
    /// Percent by which the window widens after a fail.
    aspiration_widening = 60 in 10..=200;
    /// Reverse futility: margin for each ply of depth.
    reverse_futility_margin = 75 in 20..=200;
    /// Reverse futility: what the margin loses while the side improves.
    reverse_futility_improving = 65 in 0..=200;
    /// Reverse futility: the deepest node.
    reverse_futility_depth = 8 in 2..=14;
    /// Razoring: margin at depth 0.
    razoring_base = 200 in 0..=600;
    /// Razoring: margin for each ply of depth.
    razoring_margin = 220 in 50..=600;
    /// Razoring: the deepest node.
    razoring_depth = 3 in 1..=6;
    /// Null move: the least reduction.
    null_base = 4 in 2..=6;
    /// Null move: plies of depth for one more ply of reduction.
    null_depth_divisor = 4 in 2..=8;
    /// Null move: points above beta for one more ply of reduction.
    null_value_divisor = 200 in 80..=400;
    /// Null move: from this depth on a fail high is verified.
    null_verification_depth = 14 in 8..=24;
    /// ProbCut: how far above beta a capture must stay.
    probcut_margin = 180 in 60..=400;
    /// ProbCut: the shallowest node.
    probcut_depth = 5 in 4..=8;
    /// Late move pruning: moves tried at depth 0.
    late_move_base = 4 in 1..=10;
    /// Late move pruning: the deepest node.
    late_move_depth = 8 in 3..=12;
    /// Futility: margin at depth 0.
    futility_base = 90 in 20..=300;
    /// Futility: margin for each ply of depth.
    futility_margin = 95 in 30..=250;
    /// Futility: the deepest node.
    futility_depth = 8 in 2..=12;
    /// Exchange pruning of quiet moves: loss allowed for each ply of depth.
    see_quiet_margin = 55 in 10..=150;
    /// Exchange pruning of captures: loss allowed for each ply of depth.
    see_capture_margin = 100 in 30..=250;
    /// Exchange pruning: the deepest node.
    see_depth = 9 in 3..=14;
    /// History pruning: the history for each ply of depth below which a quiet move is not tried.
    history_pruning_margin = 3500 in 1000..=8000;
    /// Late move reductions: hundredths of a ply for every late move.
    reduction_base = 70 in 0..=200;
    /// Late move reductions: hundredths by which ln(depth) ln(number) is divided.
    reduction_divisor = 225 in 120..=400;
    /// Late move reductions: history for a ply less.
    reduction_history_divisor = 8000 in 3000..=16000;
    /// Late move reductions: the most plies that history adds or takes.
    reduction_history_max = 3 in 0..=10;
    /// Late move reductions: how much better than the best so far a late move must be for a deeper second search.
    research_margin = 60 in 10..=200;
    /// Late move reductions: how many cutoffs of children count as many.
    cutoff_count = 3 in 1..=8;
    /// Late move reductions: hundredths of a ply less for a capture.
    reduction_capture = 100 in 0..=300;
    /// Late move reductions: hundredths of a ply more where a fail high is expected.
    reduction_cut = 100 in 0..=300;
    /// Late move reductions: hundredths of a ply more where one is expected and the table knows no move.
    reduction_cut_unknown = 50 in 0..=300;
    /// Late move reductions: hundredths of a ply more while the side does not improve.
    reduction_not_improving = 100 in 0..=300;
    /// Late move reductions: hundredths of a ply more where children keep failing high.
    reduction_cutoffs = 100 in 0..=300;
    /// Late move reductions: hundredths of a ply less on the principal variation.
    reduction_pv = 100 in 0..=300;
    /// Late move reductions: hundredths of a ply less for a move that checks.
    reduction_check = 100 in 0..=300;
    /// Late move reductions: hundredths of a ply less for an answer to a check.
    reduction_evasion = 100 in 0..=300;
    /// Late move reductions: hundredths of a ply less where the table remembers a principal variation.
    reduction_table_pv = 100 in 0..=300;
    /// Singular extension: the shallowest node.
    singular_depth = 7 in 5..=10;
    /// Singular extension: margin for each ply of depth, in halves of a point.
    singular_margin = 3 in 1..=8;
    /// Singular extension: how much lower still the others must be for a second ply.
    singular_double_margin = 20 in 5..=60;
    /// Quiescence: what a capture may miss alpha by.
    delta_margin = 150 in 50..=400;
    /// History: bonus for each ply of depth.
    history_bonus = 170 in 50..=400;
    /// History: the largest bonus.
    history_bonus_max = 1700 in 600..=3000;
    /// History: bonus for each ply of depth of the move that left the opponent without a good one.
    fail_low_bonus = 80 in 0..=400;
    /// History: tenths of a bonus for each point by which the static value falls for the opponent.
    static_bonus = 40 in 0..=150;
    /// History: the largest bonus by static values.
    static_bonus_max = 800 in 0..=2000;
    /// Correction history: hundredths of the difference learned of such pawns that are believed.
    correction_pawns = 60 in 0..=200;
    /// Correction history: hundredths of the difference learned of such pieces of a side that are believed.
    correction_pieces = 50 in 0..=200;
    /// Correction history: hundredths of the difference learned of such last moves that are believed.
    correction_moves = 40 in 0..=200;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_consistent_and_settable() {
        let mut parameters = SearchParameters::default();
        for row in SearchParameters::TABLE {
            assert!(row.min <= row.default && row.default <= row.max, "{}", row.name);
            assert_eq!(parameters.get(row.name), Some(row.default));
            assert!(parameters.set(row.name, i32::MAX));
            assert_eq!(parameters.get(row.name), Some(row.max));
            assert_eq!(
                SearchParameters::TABLE
                    .iter()
                    .filter(|other| other.name == row.name)
                    .count(),
                1
            );
        }
        assert!(!parameters.set("no such row", 1));
    }
}
