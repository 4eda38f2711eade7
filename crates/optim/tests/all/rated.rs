//! The rated variant of [erk-2008] against a second, plain implementation. Ratings come from a stub that anyone can
//! compute: points minus half the games, of all games ever.

#![allow(missing_docs, clippy::float_cmp, clippy::unwrap_used)]
// Loops with indices, as the listings have them.
#![allow(clippy::needless_range_loop)]

use vidmar_optim::differential::{Opposition, Settings as De};
use vidmar_optim::purpose::Purpose;
use vidmar_optim::{
    Answer, Ask, Budget, Dimension, Evidence, GameResult, Optimizer, Repair, Settings, Setup, Space,
};
use vidmar_rng::Rng;

const SEED: u64 = 13;
const N: usize = 5;
const GAMES: u32 = 3;
const TOP: i64 = 12;

type X = [i64; 2];

/// White's doubled points.
fn stub(white: X, black: X, seed: u64) -> i64 {
    let strength = |x: X| -(x[0] - 9).abs() - (x[1] - 3).abs();
    1 + (strength(white) - strength(black) + (seed % 5) as i64 - 2).signum()
}

fn rng(purpose: Purpose, round: u64, i: usize, game: u32) -> Rng {
    purpose.rng(SEED, round, i as u32, game)
}

#[derive(Default)]
struct Slow {
    t: Vec<X>,
    /// Every vector ever played, in the order of the table of players it first stood in.
    database: Vec<X>,
    /// White, black, White's doubled points.
    games: Vec<(X, X, i64)>,
    injected: usize,
    old_opponents: usize,
}

impl Slow {
    /// Twice the rating, and the games.
    fn rating(&self, x: X) -> (i64, usize) {
        let mut twice = 0;
        let mut games = 0;
        for &(white, black, points) in &self.games {
            twice += if white == x { points - 1 } else { 0 } + if black == x { 1 - points } else { 0 };
            games += usize::from(white == x) + usize::from(black == x);
        }
        (twice, games)
    }

    /// Highest rating, more games, earlier.
    fn ranking(&self) -> Vec<X> {
        let mut all: Vec<((i64, usize), X)> = self.database.iter().map(|&x| (self.rating(x), x)).collect();
        all.sort_by_key(|entry| std::cmp::Reverse(entry.0));
        all.into_iter().map(|(_, x)| x).collect()
    }

    fn breed(&mut self, round: u64) -> Vec<X> {
        let mut p = Vec::new();
        for i in 0..N {
            let [r1, r2, r3] = rng(Purpose::Mutation, round, i, 0).distinct(N, i);
            let mut s = rng(Purpose::Crossover, round, i, 0);
            let always = s.index(2);
            let mut k = self.t[i];
            for j in 0..2 {
                if s.unit() < 0.8 || j == always {
                    let mutant = self.t[r1][j] as f64 + 0.5 * (self.t[r2][j] - self.t[r3][j]) as f64;
                    k[j] = (mutant + 0.5).floor() as i64;
                    k[j] = if k[j] < 0 { -k[j] } else { k[j] };
                    k[j] = if k[j] > TOP { 2 * TOP - k[j] } else { k[j] };
                }
            }
            p.push(k);
        }
        let mut best = self.ranking();
        best.truncate(20);
        let lowest = self.rating(best[best.len() - 1]).0;
        let weights: Vec<f64> = best
            .iter()
            .map(|&x| (self.rating(x).0 - lowest) as f64 / 2.0 + 1.0)
            .collect();
        let mut s = rng(Purpose::Injection, round, 0, 0);
        for _ in 0..4 {
            let (drawn, place) = (best[s.roulette(&weights)], s.index(N));
            if !self.t.contains(&drawn) && !p.contains(&drawn) {
                p[place] = drawn;
                self.injected += 1;
            }
        }
        p
    }

    fn play(&mut self, p: &[X], round: u64) {
        let first = self.database.is_empty();
        let best: Vec<X> = self.ranking().into_iter().take(N).collect();
        let mut points = [0; 2 * N];
        let mut played = Vec::new();
        let everyone: Vec<X> = self.t.iter().chain(p).copied().collect();
        for (k, &x) in everyone.iter().enumerate() {
            for game in 0..GAMES {
                let others: Vec<X> = if first {
                    (0..N).filter(|&m| m != k % N).map(|m| self.t[m]).collect()
                } else {
                    best.iter().copied().filter(|&other| other != x).collect()
                };
                let other = others[rng(Purpose::Opponent, round, k, game).index(others.len())];
                let seed = rng(Purpose::Game, round, k, game).bits();
                let (white, black) = if game % 2 == 0 { (x, other) } else { (other, x) };
                let result = stub(white, black, seed);
                points[k] += if game % 2 == 0 { result } else { 2 - result };
                played.push((white, black, result));
                self.old_opponents += usize::from(!everyone.contains(&other));
            }
        }
        for &x in &everyone {
            if !self.database.contains(&x) {
                self.database.push(x);
            }
        }
        self.games.extend(played);
        for i in 0..N {
            if points[N + i] > points[i] {
                self.t[i] = p[i];
            }
        }
    }
}

#[test]
fn forty_generations() {
    let space = Space::new(vec![
        Dimension::integer("a", 0, TOP),
        Dimension::integer("b", 0, TOP),
    ])
    .unwrap();
    let evidence = Evidence::Games {
        games: GAMES,
        paired: false,
    };
    let setup = Setup {
        space,
        evidence,
        budget: Budget::Generations(40),
        seed: SEED,
        repair: Repair::Mirror,
    };
    let opposition = Opposition {
        rate: 0.0,
        ..De::rated().opposition
    };
    let mut optimizer = Optimizer::new(
        setup,
        Settings::RatedDe(De {
            population: N,
            opposition,
            ..De::rated()
        }),
    )
    .unwrap();
    let mut slow = Slow::default();
    let whole = |v: &[f64]| -> X { [v[0] as i64, v[1] as i64] };
    for generation in 0..=40_u64 {
        // Two rounds a generation: games, then ratings.
        let round = 2 * generation;
        if generation == 0 {
            for i in 0..N {
                let mut s = rng(Purpose::Initial, 0, i, 0);
                slow.t
                    .push([s.index(TOP as usize + 1) as i64, s.index(TOP as usize + 1) as i64]);
            }
            let opposite: Vec<X> = slow.t.iter().map(|x| [TOP - x[0], TOP - x[1]]).collect();
            slow.play(&opposite, 0);
        } else {
            let p = slow.breed(round);
            slow.play(&p, round);
        }

        let batch = optimizer.propose().clone();
        let Ask::Games(pairings) = &batch.ask else {
            panic!("games were to be asked")
        };
        for (job, pairing) in pairings.iter().enumerate() {
            let (white, black) = (
                whole(&batch.players[pairing.white]),
                whole(&batch.players[pairing.black]),
            );
            let result = stub(white, black, pairing.seed) as usize;
            let result = [GameResult::Black, GameResult::Draw, GameResult::White][result];
            optimizer.tell(round, job, Answer::Game(result)).unwrap();
        }
        let batch = optimizer.propose().clone();
        let Ask::Rate {
            players,
            games: table,
        } = &batch.ask
        else {
            panic!("ratings were to be asked")
        };
        let mut ratings = vec![0.0; *players];
        for entry in table {
            let difference = (f64::from(entry.wins) - f64::from(entry.losses)) / 2.0;
            ratings[entry.white] += difference;
            ratings[entry.black] -= difference;
        }
        optimizer.tell(round + 1, 0, Answer::Ratings(ratings)).unwrap();

        let found: Vec<X> = optimizer.population().iter().map(|c| whole(&c.vector)).collect();
        assert_eq!(found, slow.t, "population {generation}");
        let found: Vec<_> = optimizer
            .finalists(999)
            .iter()
            .map(|c| (whole(&c.vector), c.score, c.games))
            .collect();
        let expected = slow.ranking().into_iter().map(|x| {
            let (twice, games) = slow.rating(x);
            (x, twice as f64 / 2.0, games as u32)
        });
        assert_eq!(found, expected.collect::<Vec<_>>(), "database {generation}");
        assert_eq!(optimizer.generation(), generation);
    }
    assert!(
        slow.injected > 10 && slow.old_opponents > 10,
        "{} {}",
        slow.injected,
        slow.old_opponents
    );
    assert!(optimizer.report().by_rating.is_some());
}
