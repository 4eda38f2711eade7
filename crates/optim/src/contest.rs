//! The one translation between what methods want and what owners can do.
//!
//! A method thinks in contests: *these* vectors are to be evaluated, against *those*. Depending on the run's
//! [`Evidence`] a contest becomes games or values, and the answers become a verdict that reads the same for
//! both. Two forms cover all methods of this crate:
//!
//! * a *field*: every subject plays `games` games against opponents drawn uniformly from a pool, colours alternating,
//!   White in games of even number ([boskovic-2010], Algorithm 3.10, and [erk-2008], Algorithm 1); its score is the
//!   mean of the points in **its own** games, while the counters of both players move with every game;
//! * *duels*: two play each other, colours alternating (the knock-out of [urminsky-2007], SPSA, hill climbing).
//!
//! With values a subject's score is its value, and the better of a duel has won every game of it.

use serde::{Deserialize, Serialize};

use crate::optimizer::Setup;
use crate::protocol::{Answer, Ask, Batch, Evidence, GameResult, Pairing};
use crate::purpose::Purpose;
use crate::space::Vector;

/// Games played and points scored; with values, how often it was asked and the sum of the answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Games played.
    pub games: u32,
    /// Points scored: win 1, draw 1/2, loss 0.
    pub points: f64,
}

impl Record {
    /// Points per game; 0 without games.
    pub fn efficiency(&self) -> f64 {
        if self.games == 0 {
            0.0
        } else {
            self.points / f64::from(self.games)
        }
    }

    /// Counts the games of another record as well.
    pub fn add(&mut self, other: Self) {
        self.games += other.games;
        self.points += other.points;
    }

    fn count(&mut self, points: f64) {
        self.add(Self { games: 1, points });
    }

    /// The mean, if there is one.
    pub(crate) fn known(&self) -> Option<f64> {
        (self.games > 0).then(|| self.efficiency())
    }
}

/// A player that is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Subject {
    /// Its place in the table.
    pub(crate) player: usize,
    /// The place in the table that it never meets.
    pub(crate) avoids: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Form {
    Field {
        subjects: Vec<Subject>,
        pool: Vec<usize>,
    },
    Duels(Vec<(usize, usize)>),
}

/// Who is evaluated, and against whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Contest {
    /// Moves into the batch while that is open.
    pub(crate) players: Vec<Vector>,
    /// Values known from earlier rounds; they are not asked for again unless values are noisy.
    pub(crate) known: Vec<Option<f64>>,
    pub(crate) form: Form,
}

/// What a duel came to, from the first player's side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DuelScore {
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
    /// The first player's score and the second's: mean points, or values.
    pub(crate) scores: (f64, f64),
}

impl DuelScore {
    pub(crate) fn net(&self) -> f64 {
        f64::from(self.wins) - f64::from(self.losses)
    }
}

/// What a contest came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Verdict {
    /// One per subject of a field.
    pub(crate) scores: Vec<f64>,
    /// One per duel.
    pub(crate) duels: Vec<DuelScore>,
    /// One per player of the table: what this round added to its counters.
    pub(crate) records: Vec<Record>,
}

/// A player without a counted game is neither good nor bad.
const NO_EVIDENCE: f64 = 0.5;

impl Contest {
    /// The jobs that decide this contest.
    pub(crate) fn ask(&self, evidence: Evidence, seed: u64, round: u64) -> Ask {
        match evidence {
            Evidence::Values { noisy } => {
                let mut evaluated = self.evaluated();
                evaluated.sort_unstable();
                evaluated.dedup();
                let unknown: Vec<usize> = evaluated
                    .iter()
                    .copied()
                    .filter(|&p| self.known[p].is_none())
                    .collect();
                // A round always has a job, lest a method that only meets old acquaintances spins for ever.
                Ask::Values(if noisy || unknown.is_empty() {
                    evaluated
                } else {
                    unknown
                })
            }
            // A derivatives costs as much as hundreds of values: it is asked for where one player stands alone.
            Evidence::Gradients => {
                let mut evaluated = self.evaluated();
                evaluated.sort_unstable();
                evaluated.dedup();
                if evaluated.len() == 1 {
                    Ask::Gradients(evaluated)
                } else {
                    Ask::Values(evaluated)
                }
            }
            Evidence::Games { games, paired } => Ask::Games(self.schedule(games, paired, seed, round)),
        }
    }

    /// Whether it is about the players of a batch, and the batch asks what it would ask.
    pub(crate) fn is_sound(&self, setup: &Setup, batch: &Batch) -> bool {
        let known = |player: usize| player < batch.players.len();
        let places = match &self.form {
            Form::Field { subjects, pool } => {
                // Who avoids nobody needs somebody to meet.
                let met = |it: &Subject| known(it.player) && (known(it.avoids) || !pool.is_empty());
                !subjects.is_empty() && subjects.iter().all(met) && pool.iter().all(|&it| known(it))
            }
            Form::Duels(duels) => !duels.is_empty() && duels.iter().all(|&(a, b)| known(a) && known(b)),
        };
        places
            && self.players.is_empty()
            && self.known.len() == batch.players.len()
            && self.ask(setup.evidence, setup.seed, batch.round) == batch.ask
    }

    /// How many are evaluated, or how many duels there are.
    pub(crate) fn contenders_count(&self) -> usize {
        match &self.form {
            Form::Field { subjects, .. } => subjects.len(),
            Form::Duels(duels) => duels.len(),
        }
    }

    fn evaluated(&self) -> Vec<usize> {
        match &self.form {
            Form::Field { subjects, .. } => subjects.iter().map(|s| s.player).collect(),
            Form::Duels(duels) => duels.iter().flat_map(|&(a, b)| [a, b]).collect(),
        }
    }

    /// Job k is game k mod `games` of contender k / `games`.
    fn schedule(&self, games: u32, paired: bool, seed: u64, round: u64) -> Vec<Pairing> {
        let contenders = self.contenders();
        let mut scheduled = Vec::with_capacity(contenders.len() * games as usize);
        for (group, &player) in contenders.iter().enumerate() {
            let opponents = self.opponents(group);
            for game in 0..games {
                let at = if paired { game & !1 } else { game };
                let mut rng = Purpose::Opponent.rng(seed, round, group as u32, at);
                let opponent = opponents[rng.index(opponents.len())];
                let (white, black) = if game % 2 == 0 {
                    (player, opponent)
                } else {
                    (opponent, player)
                };
                let seed = Purpose::Game.rng(seed, round, group as u32, at).bits();
                scheduled.push(Pairing { white, black, seed });
            }
        }
        scheduled
    }

    /// Those whose games these are.
    fn contenders(&self) -> Vec<usize> {
        match &self.form {
            Form::Field { subjects, .. } => subjects.iter().map(|s| s.player).collect(),
            Form::Duels(duels) => duels.iter().map(|&(first, _)| first).collect(),
        }
    }

    /// Whom a contender may meet. Where the pool holds nobody else, it is the one to be avoided: a game against
    /// oneself says nothing, but does no harm.
    fn opponents(&self, group: usize) -> Vec<usize> {
        match &self.form {
            Form::Duels(duels) => vec![duels[group].1],
            Form::Field { subjects, pool } => {
                let avoids = subjects[group].avoids;
                let others: Vec<usize> = pool.iter().copied().filter(|&p| p != avoids).collect();
                if others.is_empty() { vec![avoids] } else { others }
            }
        }
    }

    /// Reads the answers, one per job in the order of the jobs.
    pub(crate) fn verdict(&self, evidence: Evidence, batch: &Batch, answers: &[Answer]) -> Verdict {
        let records = vec![Record::default(); batch.players.len()];
        match (&batch.ask, evidence) {
            (Ask::Values(asked) | Ask::Gradients(asked), _) => self.judge_values(asked, answers, records),
            (Ask::Games(pairings), Evidence::Games { games, .. }) => {
                self.judge_games(games as usize, pairings, answers, records)
            }
            _ => unreachable!("a contest asks for values, or for games where games are the evidence"),
        }
    }

    fn judge_games(
        &self,
        games: usize,
        pairings: &[Pairing],
        answers: &[Answer],
        mut records: Vec<Record>,
    ) -> Verdict {
        let mut tally = vec![DuelScore::default(); self.contenders().len()];
        for (job, (pairing, answer)) in pairings.iter().zip(answers).enumerate() {
            let (white, draw) = match answer {
                Answer::Game(GameResult::White) => (1.0, false),
                Answer::Game(GameResult::Black) => (0.0, false),
                Answer::Game(GameResult::Draw) => (0.5, true),
                _ => continue,
            };
            records[pairing.white].count(white);
            records[pairing.black].count(1.0 - white);
            let group = &mut tally[job / games];
            let first_is_white = (job % games).is_multiple_of(2);
            let first_won = (white > 0.5) == first_is_white;
            let outcome = if draw {
                &mut group.draws
            } else if first_won {
                &mut group.wins
            } else {
                &mut group.losses
            };
            *outcome += 1;
        }
        for group in &mut tally {
            let counted = f64::from(group.wins + group.draws + group.losses);
            let points = f64::from(group.wins) + 0.5 * f64::from(group.draws);
            let mean = if counted > 0.0 {
                points / counted
            } else {
                NO_EVIDENCE
            };
            group.scores = (mean, 1.0 - mean);
        }
        match self.form {
            Form::Field { .. } => Verdict {
                scores: tally.iter().map(|g| g.scores.0).collect(),
                duels: Vec::new(),
                records,
            },
            Form::Duels(_) => Verdict {
                scores: Vec::new(),
                duels: tally,
                records,
            },
        }
    }

    fn judge_values(&self, asked: &[usize], answers: &[Answer], mut records: Vec<Record>) -> Verdict {
        let mut values: Vec<f64> = self.known.iter().map(|known| known.unwrap_or(0.0)).collect();
        for (&player, answer) in asked.iter().zip(answers) {
            if let Some(value) = answer.value() {
                records[player].count(value);
                values[player] = value;
            }
        }
        let duel = |&(a, b): &(usize, usize)| DuelScore {
            wins: u32::from(values[a] > values[b]),
            draws: u32::from(values[a] == values[b]),
            losses: u32::from(values[a] < values[b]),
            scores: (values[a], values[b]),
        };
        match &self.form {
            Form::Field { subjects, .. } => Verdict {
                scores: subjects.iter().map(|s| values[s.player]).collect(),
                duels: Vec::new(),
                records,
            },
            Form::Duels(duels) => Verdict {
                scores: Vec::new(),
                duels: duels.iter().map(duel).collect(),
                records,
            },
        }
    }
}
