//! Games and pairs of games, counted by result.

/// Games by result, from one player's side.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// All of them.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A win is one, a draw a half.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Drawn games among all, 0 without games.
    pub fn draw_ratio(&self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }

    /// Counts by points, the fewest first.
    pub const fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// The same from the other side.
    pub const fn mirrored(&self) -> Tally {
        Tally {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

/// Pairs of games by the points of one player: 0, ½, 1, 1½, 2.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// How many pairs.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds a pair in which the player made so many half points.
    ///
    /// # Panics
    /// If a pair cannot have so many.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Drawn pairs among all, 0 without pairs.
    pub fn draw_ratio(&self) -> f64 {
        self.0[2] as f64 / self.total().max(1) as f64
    }

    /// The same from the other side.
    pub fn mirrored(mut self) -> Pairs {
        self.0.reverse();
        self
    }
}
