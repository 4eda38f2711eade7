//! What the simple evaluation weighs, declared once: name, default, interval. Settings of players, UCI options, the tuner's dimensions
//! and the documentation come from these rows.

use vidmar_text::named_numbers;

named_numbers! {
    /// The weights of the simple evaluation, in hundredths of a pawn of [maribor-2004]; a weight of 0 is off.
    #[derive(Copy, Clone)]
    pub struct SimpleWeights;

    /// What a pawn is worth.
    pawn = 100 in 0..=2000;
    /// What a knight is worth.
    knight = 300 in 0..=2000;
    /// What a bishop is worth.
    bishop = 300 in 0..=2000;
    /// What a rook is worth.
    rook = 500 in 0..=2000;
    /// What a queen is worth.
    queen = 900 in 0..=2000;
    /// What a legal move of a side is worth.
    mobility = 10 in 0..=100;
    /// What is lost by a pawn with another one of its side before it on its file.
    doubled = 0 in 0..=200;
}
