//! What an optimiser and its owner say to each other.
//!
//! An optimiser has one duty: it proposes a [`Batch`] and is told the answers. The owner has all the others: games,
//! threads, store, budget, Ctrl-C. A batch is a table of vectors (`players`) and a list of independent jobs over that
//! table, each known by its index in the list:
//!
//! | [`Ask`] | a job is | its [`Answer`] |
//! | --- | --- | --- |
//! | `Values` | "what is player p worth?" | `Value`: a finite number, more is better |
//! | `Gradients` | "what is player p worth, and which way is up?" | `Derivatives`: the number, its gradient, its hessian |
//! | `Games` | "let w (White) play b (Black) with this seed" | `Game`: who won, or void |
//! | `Rate` | "rate so many players from this cross table" | `Ratings`: one finite number per player |
//!
//! Values, gradients or games: that is the owner's choice ([`Evidence`]), made once for the run; every optimiser works
//! with all, because between them and the optimiser stands one translation ([`crate::contest`]); only those that live on
//! gradients ([`crate::newton`]) need them. `Rate` is asked
//! by optimisers that rank by rating; the model behind the ratings stays outside this crate.
//!
//! Jobs of a batch may be done in any order, in parallel, anywhere, and be told one by one: answers are filed under
//! their job and read only when the last one is in. So the order cannot matter, and a checkpoint may be taken after
//! every single answer.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::space::Vector;

/// What the owner can offer as evidence of a vector's worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", deny_unknown_fields)]
pub enum Evidence {
    /// A number per vector, more is better.
    Values {
        /// Whether asking again may give another number; if not, no vector of a population is asked for twice.
        #[serde(default)]
        noisy: bool,
    },
    /// A number per vector, always the same, with its gradient and hessian.
    Gradients,
    /// Games between vectors.
    Games {
        /// How many games a vector plays to be evaluated once.
        games: u32,
        /// Games 2k and 2k+1 have the same opponent and seed with colours swapped.
        #[serde(default)]
        paired: bool,
    },
}

impl Evidence {
    /// Whether a vector's value is the same whenever it is asked for.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Values { noisy: false } | Self::Gradients)
    }
}

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// White's index in the batch's table of players.
    pub white: usize,
    /// Black's index in the table.
    pub black: usize,
    /// For everything about the game that is left to chance (its opening).
    pub seed: u64,
}

/// All games so far between two players with these colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrossEntry {
    /// White's index in the table of players.
    pub white: usize,
    /// Black's index.
    pub black: usize,
    /// Games that White won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games that Black won.
    pub losses: u32,
}

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ask {
    /// The worth of these players; job k is the k-th of them.
    Values(Vec<usize>),
    /// The worth of these players with its gradient and hessian; job k is the k-th of them.
    Gradients(Vec<usize>),
    /// These games; job k is the k-th of them.
    Games(Vec<Pairing>),
    /// The ratings of so many players from these results: a single job. The batch has no table of players then: a
    /// cross table is all that a rating needs, and the players may be tens of thousands.
    Rate {
        /// How many there are.
        players: usize,
        /// Their games.
        games: Vec<CrossEntry>,
    },
}

impl Ask {
    /// How many jobs this is.
    pub fn jobs(&self) -> usize {
        match self {
            Self::Values(players) | Self::Gradients(players) => players.len(),
            Self::Games(pairings) => pairings.len(),
            Self::Rate { .. } => 1,
        }
    }
}

/// What an optimiser proposes: a table of players and jobs over it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// The number of the batch in its run, from 0.
    pub round: u64,
    /// Settled vectors; one vector may stand in several places.
    pub players: Vec<Vector>,
    /// The jobs.
    pub ask: Ask,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// White won.
    White,
    /// Drawn.
    Draw,
    /// Black won.
    Black,
    /// No result (an engine fault): it counts for nobody.
    Void,
}

/// A value and how it changes near its vector x: worth(x + d) ≈ value + gradient · d − ½ d · hessian · d.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Derivatives {
    /// What the vector is worth.
    pub value: f64,
    /// One number per dimension; those of frozen dimensions are not read.
    pub gradient: Vec<f64>,
    /// The lower triangle, row by row, of a matrix without negative eigenvalues.
    pub hessian: Vec<f64>,
}

/// The answer to one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// To a job of [`Ask::Values`].
    Value(f64),
    /// To a job of [`Ask::Gradients`].
    Derivatives(Derivatives),
    /// To a job of [`Ask::Games`].
    Game(GameResult),
    /// To the job of [`Ask::Rate`].
    Ratings(Vec<f64>),
}

impl Answer {
    /// The worth that it tells.
    pub(crate) fn value(&self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(*value),
            Self::Derivatives(derivatives) => Some(derivatives.value),
            Self::Game(_) | Self::Ratings(_) => None,
        }
    }
}

/// What an answer did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// So many answers of its batch are still missing; none where an earlier batch has to be learned from first.
    Waiting(usize),
    /// It was the last one: the optimiser has learned, and can propose again.
    Complete,
}

/// Why an answer was not taken. The optimiser is unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TellError {
    /// Nothing is asked.
    #[error("told of job {job}, but no batch is open")]
    NothingOpen {
        /// The job.
        job: usize,
    },
    /// An answer to another batch.
    #[error("told of round {told}, but round {open} is open")]
    WrongRound {
        /// The round told.
        told: u64,
        /// The round that is open.
        open: u64,
    },
    /// No such job.
    #[error("told of job {job}, but round {round} has jobs 0..{jobs}")]
    UnknownJob {
        /// The job.
        job: usize,
        /// The round.
        round: u64,
        /// How many jobs there are.
        jobs: usize,
    },
    /// Told before.
    #[error("job {job} of round {round} has its answer already")]
    AlreadyTold {
        /// The job.
        job: usize,
        /// The round.
        round: u64,
    },
    /// An answer of another kind than asked.
    #[error("job {job} of round {round} asks for {asked}, told {told}")]
    WrongKind {
        /// The job.
        job: usize,
        /// The round.
        round: u64,
        /// What was asked.
        asked: &'static str,
        /// What was told.
        told: &'static str,
    },
    /// NaN or infinite.
    #[error("candidate {candidate} of round {round} was told {value}, not a finite number")]
    NotFinite {
        /// The candidate's index in the table of players.
        candidate: usize,
        /// The round.
        round: u64,
        /// The number told.
        value: f64,
    },
    /// Not one rating per player.
    #[error("round {round} asks for {players} ratings, told {told}")]
    WrongLength {
        /// The round.
        round: u64,
        /// How many players there are.
        players: usize,
        /// How many ratings came.
        told: usize,
    },
    /// A gradient or hessian of another space.
    #[error(
        "round {round} asks for derivatives in {dimensions} dimensions, told {gradient} and {hessian} numbers"
    )]
    WrongDerivatives {
        /// The round.
        round: u64,
        /// How many dimensions there are.
        dimensions: usize,
        /// The length of the gradient.
        gradient: usize,
        /// The length of the hessian.
        hessian: usize,
    },
}

impl Batch {
    /// Whether this answers that job.
    pub(crate) fn check(&self, job: usize, answer: &Answer) -> Result<(), TellError> {
        let round = self.round;
        let finite = |candidate, value: f64| {
            if value.is_finite() {
                Ok(())
            } else {
                Err(TellError::NotFinite {
                    candidate,
                    round,
                    value,
                })
            }
        };
        match (&self.ask, answer) {
            (Ask::Values(players), &Answer::Value(value)) => finite(players[job], value),
            (Ask::Gradients(players), Answer::Derivatives(derivatives)) => {
                let dimensions = self.players[players[job]].len();
                let (gradient, hessian) = (derivatives.gradient.len(), derivatives.hessian.len());
                if gradient != dimensions || hessian != dimensions * (dimensions + 1) / 2 {
                    return Err(TellError::WrongDerivatives {
                        round,
                        dimensions,
                        gradient,
                        hessian,
                    });
                }
                let numbers = std::iter::once(&derivatives.value).chain(&derivatives.gradient);
                numbers
                    .chain(&derivatives.hessian)
                    .try_for_each(|&value| finite(players[job], value))
            }
            (Ask::Games(_), Answer::Game(_)) => Ok(()),
            (&Ask::Rate { players, .. }, Answer::Ratings(ratings)) if ratings.len() != players => {
                Err(TellError::WrongLength {
                    round,
                    players,
                    told: ratings.len(),
                })
            }
            (Ask::Rate { .. }, Answer::Ratings(ratings)) => ratings
                .iter()
                .enumerate()
                .try_for_each(|(candidate, &value)| finite(candidate, value)),
            (ask, answer) => Err(TellError::WrongKind {
                job,
                round,
                asked: asked(ask),
                told: told(answer),
            }),
        }
    }
}

fn asked(ask: &Ask) -> &'static str {
    match ask {
        Ask::Values(_) => "a value",
        Ask::Gradients(_) => "derivatives",
        Ask::Games(_) => "a game",
        Ask::Rate { .. } => "ratings",
    }
}

fn told(answer: &Answer) -> &'static str {
    match answer {
        Answer::Value(_) => "a value",
        Answer::Derivatives(_) => "derivatives",
        Answer::Game(_) => "a game",
        Answer::Ratings(_) => "ratings",
    }
}
