//! Algorithm 3.10 of [boskovic-2010] whole, generation after generation, against a second implementation that is slow
//! and plain: whole numbers, doubled points, loops as the listing has them. It shares with the crate only the random
//! streams, whose addresses and order of draws are part of what is tested.

#![allow(missing_docs, clippy::float_cmp, clippy::unwrap_used)]
// Loops with indices, as the listing has them.
#![allow(clippy::needless_range_loop)]

use vidmar_optim::differential::{Opposite, Opposition, Settings as De};
use vidmar_optim::purpose::Purpose;
use vidmar_optim::{
    Answer, Ask, Budget, Dimension, Evidence, GameResult, Optimizer, Repair, Settings, Setup, Space,
};
use vidmar_rng::Rng;

const SEED: u64 = 77;
const BOUNDS: [(i64, i64); 3] = [(0, 6), (-3, 2), (10, 14)];
const POPULATION: usize = 6;
const GAMES: u32 = 3;

/// White's doubled points: a function of the players and the seed that looks like chance.
fn stub(white: &[i64], black: &[i64], seed: u64) -> i64 {
    let strength = |v: &[i64]| -(v[0] - 4).abs() - (v[1] + 1).abs() - (v[2] - 12).abs();
    let luck = (seed % 7) as i64 - 3;
    1 + (strength(white) - strength(black) + luck).signum()
}

#[derive(Clone, Debug, PartialEq)]
struct Player {
    x: Vec<i64>,
    games: i64,
    twice: i64,
}

impl Player {
    fn new(x: Vec<i64>) -> Self {
        Player {
            x,
            games: 0,
            twice: 0,
        }
    }

    /// Is this one ranked before the other? Efficiency, then games; who stands earlier is the caller's business.
    fn beats(&self, other: &Player) -> bool {
        let (a, b) = (self.twice * other.games, other.twice * self.games);
        a > b || (a == b && self.games > other.games)
    }
}

struct Slow {
    opposite: Opposite,
    rate: f64,
    f: f64,
    cr: f64,
    z_size: usize,
    z_inject: usize,
    count_trials: bool,
    t: Vec<Player>,
    z: Vec<Player>,
    round: u64,
    opposed: usize,
    injected: usize,
}

fn rng(purpose: Purpose, round: u64, i: usize, game: u32) -> Rng {
    purpose.rng(SEED, round, i as u32, game)
}

fn mirror(mut x: i64, (min, max): (i64, i64)) -> i64 {
    loop {
        if x < min {
            x = min + (min - x);
        } else if x > max {
            x = max - (x - max);
        } else {
            return x;
        }
    }
}

impl Slow {
    fn initialise(&mut self) {
        for i in 0..POPULATION {
            let mut s = rng(Purpose::Initial, 0, i, 0);
            let x = BOUNDS
                .iter()
                .map(|(min, max)| min + s.index((max - min + 1) as usize) as i64)
                .collect();
            self.t.push(Player::new(x));
        }
        let opposite = |x: &[i64]| {
            x.iter()
                .zip(BOUNDS)
                .map(|(x, (min, max))| min + max - x)
                .collect()
        };
        let p = self.t.iter().map(|t| Player::new(opposite(&t.x))).collect();
        self.finish_generation(p);
    }

    fn generation(&mut self) {
        let best = self.ranking()[0].clone();
        let mut p = Vec::new();
        for i in 0..POPULATION {
            let [r1, r2] = rng(Purpose::Mutation, self.round, i, 0).distinct(POPULATION, i);
            let mut s = rng(Purpose::Crossover, self.round, i, 0);
            let always = s.index(3);
            let mut k = self.t[i].x.clone();
            for j in 0..3 {
                let rand = s.unit();
                if rand < self.cr || j == always {
                    let difference = (self.t[r1].x[j] - self.t[r2].x[j]) as f64;
                    k[j] = (best.x[j] as f64 + self.f * difference + 0.5).floor() as i64;
                }
                k[j] = mirror(k[j], BOUNDS[j]);
            }
            p.push(Player::new(k));
        }
        if rng(Purpose::Opposition, self.round, 0, 0).unit() < self.rate {
            self.opposed += 1;
            for j in 0..3 {
                let low = self.t.iter().map(|t| t.x[j]).min().unwrap();
                let high = self.t.iter().map(|t| t.x[j]).max().unwrap();
                for (i, trial) in p.iter_mut().enumerate() {
                    let of = if self.opposite == Opposite::Trial {
                        trial.x[j]
                    } else {
                        self.t[i].x[j]
                    };
                    trial.x[j] = mirror(low + high - of, BOUNDS[j]);
                }
            }
        }
        self.inject(&mut p);
        self.finish_generation(p);
    }

    /// Z, best first, by picking the best again and again.
    fn ranking(&self) -> Vec<Player> {
        let mut rest = self.z.clone();
        let mut ranked = Vec::new();
        while !rest.is_empty() {
            let mut best = 0;
            for k in 1..rest.len() {
                if rest[k].beats(&rest[best]) {
                    best = k;
                }
            }
            ranked.push(rest.remove(best));
        }
        ranked
    }

    fn inject(&mut self, p: &mut [Player]) {
        let mut best = self.ranking();
        best.truncate(self.z_size);
        let mut s = rng(Purpose::Injection, self.round, 0, 0);
        for _ in 0..self.z_inject {
            let efficiency: Vec<f64> = best
                .iter()
                .map(|b| b.twice as f64 / 2.0 / b.games as f64)
                .collect();
            let drawn = s.roulette(&efficiency);
            let place = s.index(POPULATION);
            let known = self
                .t
                .iter()
                .chain(p.iter())
                .any(|other| other.x == best[drawn].x);
            if !known {
                self.injected += 1;
                p[place] = best[drawn].clone();
            }
        }
    }

    fn finish_generation(&mut self, mut p: Vec<Player>) {
        let (before_t, before_p) = (self.t.clone(), p.clone());
        let mut result = [0; POPULATION];
        for i in 0..POPULATION {
            for trial in [false, true] {
                let group = i + if trial { POPULATION } else { 0 };
                for game in 0..GAMES {
                    let mut s = rng(Purpose::Opponent, self.round, group, game);
                    // Uniform among all but i, in order.
                    let mut m = s.index(POPULATION - 1);
                    if m >= i {
                        m += 1;
                    }
                    let seed = rng(Purpose::Game, self.round, group, game).bits();
                    let me = if trial {
                        p[i].x.clone()
                    } else {
                        self.t[i].x.clone()
                    };
                    let white = game % 2 == 0;
                    let mine = if white {
                        stub(&me, &self.t[m].x, seed)
                    } else {
                        2 - stub(&self.t[m].x, &me, seed)
                    };
                    let player = if trial { &mut p[i] } else { &mut self.t[i] };
                    player.games += 1;
                    player.twice += mine;
                    self.t[m].games += 1;
                    self.t[m].twice += 2 - mine;
                    result[i] += if trial { -mine } else { mine };
                }
            }
        }
        for (now, before) in self.t.iter().zip(&before_t) {
            let (games, twice) = (now.games - before.games, now.twice - before.twice);
            match self.z.iter_mut().find(|z| z.x == now.x) {
                Some(z) => {
                    z.games += games;
                    z.twice += twice;
                }
                None if self.count_trials => self.z.push(now.clone()),
                None => self.z.push(Player {
                    x: now.x.clone(),
                    games,
                    twice,
                }),
            }
        }
        for (now, before) in p.iter().zip(&before_p) {
            if let Some(z) = self.z.iter_mut().find(|z| z.x == now.x) {
                z.games += now.games - before.games;
                z.twice += now.twice - before.twice;
            }
        }
        for i in 0..POPULATION {
            if result[i] < 0 {
                self.t[i] = p[i].clone();
            }
        }
        self.round += 1;
    }
}

fn optimizer(settings: De) -> Optimizer {
    let dimensions = BOUNDS
        .iter()
        .enumerate()
        .map(|(j, &(min, max))| Dimension::integer(format!("x{j}"), min, max));
    let setup = Setup {
        space: Space::new(dimensions.collect()).unwrap(),
        evidence: Evidence::Games {
            games: GAMES,
            paired: false,
        },
        budget: Budget::Generations(30),
        seed: SEED,
        repair: Repair::Mirror,
    };
    Optimizer::new(setup, Settings::HistoryDe(settings)).unwrap()
}

fn play_round(optimizer: &mut Optimizer) {
    let batch = optimizer.propose().clone();
    let whole: Vec<Vec<i64>> = batch
        .players
        .iter()
        .map(|p| p.iter().map(|&x| x as i64).collect())
        .collect();
    let Ask::Games(pairings) = &batch.ask else {
        panic!("games were to be asked")
    };
    for (job, pairing) in pairings.iter().enumerate() {
        let result = match stub(&whole[pairing.white], &whole[pairing.black], pairing.seed) {
            2 => GameResult::White,
            1 => GameResult::Draw,
            _ => GameResult::Black,
        };
        optimizer.tell(batch.round, job, Answer::Game(result)).unwrap();
    }
}

fn compare(opposite: Opposite, count_trials: bool) {
    let settings = De {
        population: POPULATION,
        f: 0.7,
        cr: 0.6,
        opposition: Opposition {
            start: true,
            rate: 0.4,
            opposite,
        },
        ..De::with_history()
    };
    let settings = De {
        history: vidmar_optim::history::Settings {
            size: 8,
            inject: 3,
            count_trials,
        },
        ..settings
    };
    let mut optimizer = optimizer(settings);
    let (rate, f, cr, z_size, z_inject) = (0.4, 0.7, 0.6, 8, 3);
    let (t, z) = (Vec::new(), Vec::new());
    let mut slow = Slow {
        opposite,
        rate,
        f,
        cr,
        z_size,
        z_inject,
        count_trials,
        t,
        z,
        round: 0,
        opposed: 0,
        injected: 0,
    };
    for generation in 0..30 {
        play_round(&mut optimizer);
        if generation == 0 {
            slow.initialise();
        } else {
            slow.generation();
        }
        let as_found = |p: &Player| {
            let x: Vec<f64> = p.x.iter().map(|&x| x as f64).collect();
            (x, p.games as u32, p.twice as f64 / 2.0 / p.games as f64)
        };
        let expected: Vec<_> = slow.t.iter().map(as_found).collect();
        let found: Vec<_> = optimizer
            .population()
            .into_iter()
            .map(|c| (c.vector, c.games, c.score))
            .collect();
        assert_eq!(found, expected, "population {generation}");
        let expected: Vec<_> = slow.ranking().iter().map(as_found).collect();
        let found: Vec<_> = optimizer
            .finalists(usize::MAX)
            .into_iter()
            .map(|c| (c.vector, c.games, c.score))
            .collect();
        assert_eq!(found, expected, "history {generation}");
        assert_eq!(optimizer.generation(), generation);
    }
    assert!(
        slow.opposed > 5 && slow.injected > 10,
        "{} {}",
        slow.opposed,
        slow.injected
    );
}

#[test]
fn thirty_generations_with_opposites_of_trials() {
    compare(Opposite::Trial, false);
}

#[test]
fn thirty_generations_with_opposites_of_currents() {
    compare(Opposite::Current, false);
}

/// The other reading: Z has all games of a vector, also those by which it won its place as a trial.
#[test]
fn thirty_generations_with_the_games_of_trials_in_the_history() {
    compare(Opposite::Trial, true);
}
