//! The validation match: the result vectors of a run play what it began with, on openings and seeds that tuning never saw.
//!
//! Every vector that is to be proven plays every reference, at the depth of tuning and deeper, in pairs of games with
//! the same opening and colours exchanged. The pairs are the observations, so that the interval is honest about what
//! two games of one opening have in common. Openings are kept apart by [`Book`](crate::openings::Book); a walk that ends
//! in a position from which a tuning game was played is passed over. The games are kept in the same store as a run of
//! their own, so a validation that was interrupted goes on where it was.

use vidmar_arena::{Estimate, GameSetup, GameTask, Opening, Pairs, Rules, TaskPlayer, elo};
use vidmar_chess::{ByColor, Color, Outcome};
use vidmar_engine::Control;
use vidmar_rows::{ValidationRow, finite};
use vidmar_store::Store;

use crate::config::Config;
use crate::fresh_openings::{fresh_openings, used_positions};
use crate::games::{executor, play_all};
use crate::parameters::Tunables;
use crate::players::{player_of, time_control};
use crate::run::{
    Closed, Journal, PAUSED, RUNNING, ResultVector, ResultVectors, Run, RunError, STORE_FILE, VERIFIED, state,
};

/// The kind of the store's run.
pub const KIND: &str = "verify";

/// What is said of a run whose recommended vector is what it began with: there is nothing to play.
pub(crate) fn without_games(results: &ResultVectors, depth: u32) -> ValidationRow {
    ValidationRow {
        vector: results.recommended.to_owned(),
        recommended: true,
        against: results.beginning().name.to_owned(),
        depth,
        games: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        elo: Some(0.0),
        error: Some(0.0),
        verdict: verdict(0, 0.0, 0.0).to_owned(),
    }
}

/// The verdict on a vector that is proven to be better.
pub const BETTER: &str = "better";

/// In a word: what the interval says.
fn verdict(games: u64, elo: f64, error: f64) -> &'static str {
    match elo {
        _ if games == 0 => "nothing is known",
        elo if elo - error > 0.0 => BETTER,
        elo if elo + error < 0.0 => "worse",
        _ => "no difference is proven",
    }
}

/// Whether every match of the recommended vector shows a gain.
pub fn shows_gain(validations: &[ValidationRow]) -> bool {
    let mut of_recommended = validations.iter().filter(|one| one.recommended).peekable();
    of_recommended.peek().is_some() && of_recommended.all(|one| one.verdict == BETTER)
}

/// A match to be played.
struct Match<'a> {
    contender: &'a ResultVector,
    reference: &'a ResultVector,
    deeper: u32,
}

/// Plays the validation of a run, or what is missing of it. None if it was stopped.
pub fn verify(
    run: Run,
    threads: usize,
    control: &Control,
    observe: &mut dyn FnMut(u64, u64),
) -> Result<Option<Vec<ValidationRow>>, RunError> {
    let results = ResultVectors::of(run.journal().store(), run.journal().run(), run.optimizer())?;
    let used = used_positions(run.journal().store(), run.journal().run())?;
    let Closed {
        directory,
        config,
        tunables,
        book,
        rules,
    } = run.close();
    let matches = matches(&config, &results);
    let subject = subject(&config, &results);
    let mut journal = Journal::open_same(&directory.join(STORE_FILE), KIND, &subject)?;
    journal.set_state(RUNNING)?;
    let openings = fresh_openings(&book, config.verify.pairs, &used);
    let players = players(&tunables, &config, &results, &mut journal)?;
    let tasks = tasks(&config, &rules, &matches, &openings, &players);
    let played = play_all(
        &mut journal,
        tasks,
        &executor(threads),
        control,
        &mut |progress| observe(progress.done, progress.total),
    )?;
    let Some(outcomes) = played else {
        journal.set_state(PAUSED)?;
        return Ok(None);
    };
    journal.set_state(VERIFIED)?;
    let each = 2 * config.verify.pairs as usize;
    let validation = |(at, one): (usize, &Match<'_>)| {
        one.validation(
            &results,
            config.engine.depth,
            &outcomes[at * each..(at + 1) * each],
        )
    };
    Ok(Some(matches.iter().enumerate().map(validation).collect()))
}

/// All games of the validation, match by match, the pairs of each in a row.
fn tasks(
    config: &Config,
    rules: &Rules,
    matches: &[Match<'_>],
    openings: &[Opening],
    players: &[(&'static str, TaskPlayer)],
) -> Vec<GameTask> {
    let of = |vector: &ResultVector| {
        let found = players.iter().find(|(name, _)| *name == vector.name);
        let (_, player) = found.expect("every vector of a match is among the players");
        player.clone()
    };
    let mut tasks = Vec::new();
    for one in matches {
        let (a, b) = (of(one.contender), of(one.reference));
        for game in 0..2 * config.verify.pairs as usize {
            let players = ByColor::new(a.clone(), b.clone());
            tasks.push(GameTask {
                number: tasks.len() as u64,
                round: u64::from(one.deeper),
                players: if game % 2 == 0 { players } else { players.swapped() },
                setup: GameSetup {
                    opening: openings[game / 2].clone(),
                    limits: ByColor::from_fn(|_| time_control(&config.engine, one.deeper)),
                    rules: rules.clone(),
                    seed: (game / 2) as u64,
                },
            });
        }
    }
    tasks
}

/// The validations of a run that are in its store, whole or not.
pub fn validations(store: &Store, config: &Config) -> Result<Vec<ValidationRow>, RunError> {
    let runs = store.runs()?;
    let of_kind = |kind: &str| runs.iter().find(|run| run.kind == kind).map(|run| run.id);
    let (Some(tune), Some(_)) = (of_kind("tune"), of_kind(KIND)) else {
        return Ok(Vec::new());
    };
    let Some(optimizer) = state(store, tune)? else {
        return Ok(Vec::new());
    };
    let results = ResultVectors::of(store, tune, &optimizer)?;
    // A run that went on after a validation has other result vectors, of which nothing is known yet.
    let subject = subject(config, &results);
    let of_this = runs.iter().find(|run| run.kind == KIND && run.config == subject);
    let Some(verify) = of_this.map(|run| run.id) else {
        return Ok(Vec::new());
    };
    let matches = matches(config, &results);
    let each = 2 * config.verify.pairs as usize;
    let mut outcomes = vec![None; matches.len() * each];
    for game in store.results(verify)? {
        if let Some(place) = outcomes.get_mut(game.number as usize) {
            *place = game.result;
        }
    }
    let validation = |(at, one): (usize, &Match<'_>)| {
        one.validation(
            &results,
            config.engine.depth,
            &outcomes[at * each..(at + 1) * each],
        )
    };
    Ok(matches.iter().enumerate().map(validation).collect())
}

/// What is proven: a run that went on after a validation has another one.
fn subject(config: &Config, results: &ResultVectors) -> String {
    let vectors: Vec<(&str, &[f64])> = results
        .vectors
        .iter()
        .chain(&results.references)
        .map(|h| (h.name, &h.vector[..]))
        .collect();
    let parts = (
        &config.verify,
        &config.engine,
        &config.rules,
        &config.openings,
        vectors,
    );
    serde_json::to_string(&parts).unwrap_or_default()
}

/// Who plays whom: vectors that are the same play once, and nobody plays itself.
fn matches<'a>(config: &Config, results: &'a ResultVectors) -> Vec<Match<'a>> {
    if config.verify.pairs == 0 {
        return Vec::new();
    }
    let mut contenders: Vec<&ResultVector> = vec![results.recommended()];
    if !config.verify.only_recommended {
        for vector in &results.vectors {
            if contenders.iter().all(|other| other.vector != vector.vector) {
                contenders.push(vector);
            }
        }
    }
    let mut matches = Vec::new();
    for &deeper in &config.verify.deeper {
        for &contender in &contenders {
            for reference in &results.references {
                let is_wanted = !config.verify.only_start || reference.name == results.beginning().name;
                if is_wanted && reference.vector != contender.vector {
                    matches.push(Match {
                        contender,
                        reference,
                        deeper,
                    });
                }
            }
        }
    }
    matches
}

impl Match<'_> {
    fn validation(&self, results: &ResultVectors, depth: u32, outcomes: &[Option<Outcome>]) -> ValidationRow {
        let (mut pairs, mut counts) = (Pairs::default(), [0_u64; 3]);
        for pair in outcomes.chunks(2) {
            // The contender is White in the first game of a pair and Black in the second.
            let half_points = |game: usize| {
                let result = pair.get(game).copied().flatten()?;
                Some(usize::from(result.half_points(Color::ALL[game])))
            };
            let both = [half_points(0), half_points(1)];
            for points in both.into_iter().flatten() {
                counts[points] += 1;
            }
            if let [Some(first), Some(second)] = both {
                pairs.add(first + second);
            }
        }
        let (elo, error) = elo_of(&pairs);
        let games = counts.iter().sum();
        ValidationRow {
            vector: self.contender.name.to_owned(),
            recommended: self.contender.name == results.recommended,
            against: self.reference.name.to_owned(),
            depth: depth + self.deeper,
            games,
            wins: counts[2],
            draws: counts[1],
            losses: counts[0],
            elo: finite(elo),
            error: finite(error),
            verdict: verdict(games, elo, error).to_owned(),
        }
    }
}

/// Elo and half its 95 % interval. Where all or nearly all was won (or lost), the interval has no end; then half a pair is
/// given to the other side, and the half of the interval towards the middle counts. Elo without end becomes that of a score between
/// the largest that is not all and all.
fn elo_of(pairs: &Pairs) -> (f64, f64) {
    let Some(estimate) = Estimate::of_pairs(pairs) else {
        return (0.0, f64::INFINITY);
    };
    if estimate.error.is_finite() {
        return (estimate.elo, estimate.error);
    }
    let total = pairs.total() as f64 + 0.5;
    let is_ahead = estimate.score > 0.5;
    let given = if is_ahead { 0.0 } else { 0.5 };
    let mean = (estimate.score * pairs.total() as f64 + given) / total;
    // A share of successes in so many trials, the pairs.
    let reach = 1.96 * (mean * (1.0 - mean) / total).sqrt();
    let inner = if is_ahead { mean - reach } else { mean + reach };
    let shown = if estimate.elo.is_finite() {
        estimate.elo
    } else {
        // The largest is half a point, a quarter of a pair, less.
        let least = 0.125 / pairs.total() as f64;
        elo(estimate.score.clamp(least, 1.0 - least))
    };
    (shown, (shown - elo(inner)).abs())
}

/// Everybody who plays in the validation, by name.
fn players(
    tunables: &Tunables,
    config: &Config,
    results: &ResultVectors,
    journal: &mut Journal,
) -> Result<Vec<(&'static str, TaskPlayer)>, RunError> {
    let mut players = Vec::new();
    for vector in results.vectors.iter().chain(&results.references) {
        let text =
            serde_json::to_string(&(vector.name, &vector.vector)).map_err(|error| RunError::State {
                what: "a vector",
                reason: error.to_string(),
            })?;
        let spec = player_of(tunables.candidate(&vector.vector), &config.engine);
        let index = journal.index_of(text) as usize;
        players.push((vector.name, TaskPlayer::new(index, spec)));
    }
    Ok(players)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(name: &'static str) -> ResultVector {
        ResultVector {
            name,
            vector: vec![name.len() as f64],
            score: None,
            games: 0,
        }
    }

    /// Two pairs by hand: won both (2 points), lost with White and drew with Black (½ point).
    #[test]
    fn a_validation_by_hand() {
        let results = ResultVectors {
            vectors: vec![vector("rating"), vector("centroid")],
            recommended: "centroid",
            references: vec![vector("start")],
        };
        let one = Match {
            contender: &results.vectors[1],
            reference: &results.references[0],
            deeper: 1,
        };
        let outcomes = [
            Some(Outcome::WHITE_WINS),
            Some(Outcome::BLACK_WINS),
            Some(Outcome::BLACK_WINS),
            Some(Outcome::Draw),
            None,
            Some(Outcome::Draw),
        ];
        let validation = one.validation(&results, 6, &outcomes);
        assert_eq!(
            (
                validation.wins,
                validation.draws,
                validation.losses,
                validation.games
            ),
            (2, 2, 1, 5)
        );
        // Mean 5/8 of a point a game over the two whole pairs: 88.7 Elo.
        assert!((validation.elo.unwrap() - 88.7).abs() < 0.1, "{validation:?}");
        assert!(validation.recommended);
        assert_eq!(
            (validation.depth, validation.verdict.as_str()),
            (7, "no difference is proven")
        );
    }

    #[test]
    fn a_match_won_to_nothing_has_an_interval_with_an_end() {
        let mut pairs = Pairs::default();
        pairs.0[4] = 50;
        let (elo, error) = elo_of(&pairs);
        // 99.75 % are 1041 Elo; the lower end, 50 of 50.5 less 2.73 %, is 565.
        assert!(
            (elo - 1040.5).abs() < 1.0 && (error - 475.5).abs() < 2.0,
            "{elo} {error}"
        );
        let mut nearly = Pairs::default();
        (nearly.0[3], nearly.0[4]) = (1, 49);
        assert!(elo_of(&nearly).0 < elo, "a draw less is more");
        pairs.0.reverse();
        let (lost, also) = elo_of(&pairs);
        assert!(
            (lost + elo).abs() < 1e-9 && (also - error).abs() < 1e-9,
            "{lost} {also}"
        );
    }

    #[test]
    fn equal_vectors_play_once_and_nobody_plays_itself() {
        let mut results = ResultVectors {
            vectors: vec![vector("efficiency"), vector("rating"), vector("centroid")],
            recommended: "centroid",
            references: vec![vector("initial"), vector("start")],
        };
        results.vectors[0].vector = results.vectors[2].vector.clone();
        results.references[1].vector = results.vectors[1].vector.clone();
        let config = Config::of_preset("narrow").unwrap();
        let found: Vec<_> = matches(&config, &results)
            .iter()
            .map(|m| (m.contender.name, m.reference.name, m.deeper))
            .collect();
        let once = [
            ("centroid", "initial"),
            ("centroid", "start"),
            ("rating", "initial"),
        ];
        let expected: Vec<_> = [0, 1]
            .iter()
            .flat_map(|&d| once.map(|(a, b)| (a, b, d)))
            .collect();
        assert_eq!(found, expected);
    }
}
