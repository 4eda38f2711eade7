//! Games and what went wrong in them.

use crate::row;

row! {
    /// A game of a list.
    pub struct GameRow {
        /// Its number in the run.
        pub number: u64,
        /// The round of a match, the generation of a tuning run.
        pub round: u64,
        /// Who had White.
        pub white: String,
        /// Who had Black.
        pub black: String,
        /// `1-0`, `0-1`, `1/2-1/2` or `*`.
        pub result: String,
        /// Why it ended.
        pub termination: String,
        /// The name of its opening.
        pub opening: String,
        /// Half-moves, those of the opening included.
        pub plies: u32,
        /// How many of them the opening gave.
        pub given: u32,
        /// What its clocks were multiplied by, where a machine of another speed played it.
        pub clock_scale: Option<f64>,
    }
}

row! {
    /// A misbehaviour of a player.
    pub struct FaultRow {
        /// The number of the game.
        pub game: u64,
        /// Which attempt at the game, from 0.
        pub attempt: u32,
        /// Whose it was.
        pub player: String,
        /// `crash`, `hang`, `illegal-move`, ….
        pub kind: String,
        /// What was seen, in words.
        pub detail: String,
    }
}
