//! The validation match: the result vectors of a run play what it began with, on openings and seeds that tuning never saw.
//!
//! Every vector that is to be proven plays every reference, at the depth of tuning and deeper, in pairs of games with
//! the same opening and colours exchanged. The pairs are the observations, so that the interval is honest about what
//! two games of one opening have in common. Openings are kept apart by [`Book`](crate::openings::Book); a walk that ends
//! in a position from which a tuning game was played is passed over. The games are kept in the same store as a run of
//! their own, so a validation that was interrupted goes on where it was.

use vidmar_arena::{Decision, Estimate, GameSetup, GameTask, Opening, Pairs, Rules, TaskPlayer, TimeControl};
use vidmar_chess::{ByColor, Color, Outcome};
use vidmar_engine::Control;
use vidmar_rows::{ValidationRow, Verdict, finite};
use vidmar_store::Store;

use crate::config::{Config, SprtBounds};
use crate::fresh_openings::{fresh_openings, used_positions};
use crate::games::play_all;
use crate::parameters::Tunables;
use crate::players::{player_of, time_control};
use crate::resources::Resources;
use crate::run::{
    Closed, Journal, PAUSED, RUNNING, ResultVector, ResultVectors, Run, RunError, STORE_FILE, VERIFIED, state,
};

/// The kind of the store's run.
pub const KIND: &str = "verify";

/// What is said of a run whose recommended vector is what it began with: there is nothing to play.
pub(crate) fn without_games(results: &ResultVectors, config: &Config, deeper: u32) -> ValidationRow {
    let limit = limits(config, deeper);
    ValidationRow {
        vector: results.recommended.to_owned(),
        recommended: true,
        against: results.beginning().name.to_owned(),
        depth: limit.depth,
        deeper,
        limit: limit.to_string(),
        games: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        elo: Some(0.0),
        error: Some(0.0),
        low: Some(0.0),
        high: Some(0.0),
        llr: None,
        decision: None,
        verdict: Verdict::NotPlayed,
    }
}

/// Whether every match of the recommended vector shows a gain.
pub fn shows_gain(validations: &[ValidationRow]) -> bool {
    let mut of_recommended = validations.iter().filter(|one| one.recommended).peekable();
    of_recommended.peek().is_some() && of_recommended.all(|one| one.verdict == Verdict::Gain)
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
    resources: &Resources,
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
    let each = 2 * config.verify.pairs as usize;
    let (mut validations, mut done, total) = (Vec::new(), 0, tasks.len() as u64);
    for (one, games) in matches.iter().zip(tasks.chunks(each.max(1))) {
        let mut outcomes: Vec<Option<Outcome>> = Vec::new();
        for part in games.chunks(games_at_once(&config, games.len())) {
            let before = done + outcomes.len() as u64;
            let played = play_all(
                &mut journal,
                part.to_vec(),
                &*resources.executor,
                control,
                &mut |progress| observe(before + progress.done, total),
            );
            let played = played.inspect_err(|error| journal.note_failure(error))?;
            let Some(played) = played else {
                journal.set_state(PAUSED)?;
                return Ok(None);
            };
            outcomes.extend(played);
            if Match::count(&config, &outcomes).decision.is_some() {
                break;
            }
        }
        done += games.len() as u64;
        validations.push(one.validation(&results, &config, &outcomes));
    }
    journal.set_state(VERIFIED)?;
    Ok(Some(validations))
}

/// Games that are played before a sequential test is looked at again; the test itself looks at them pair by pair, in order, so
/// that this changes nothing but how many are played in vain.
const LOOKED_AT: usize = 32;

fn games_at_once(config: &Config, all: usize) -> usize {
    match config.verify.sprt {
        Some(_) => LOOKED_AT,
        None => all.max(1),
    }
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
                    limits: ByColor::from_fn(|_| limits(config, one.deeper)),
                    rules: rules.clone(),
                    seed: (game / 2) as u64,
                    keeps_pvs: false,
                },
            });
        }
    }
    tasks
}

/// What a move of the validation may take: as in tuning, or by a clock of its own; so many plies deeper.
fn limits(config: &Config, deeper: u32) -> TimeControl {
    let mut engine = config.engine.clone();
    if config.verify.clock.is_some() {
        (engine.depth, engine.nodes, engine.move_time) = (0, 0, 0);
        engine.tc = config.verify.clock;
    }
    time_control(&engine, deeper)
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
        if let Some(slot) = outcomes.get_mut(game.number as usize) {
            *slot = game.result;
        }
    }
    let validation = |(at, one): (usize, &Match<'_>)| {
        one.validation(&results, config, &outcomes[at * each..(at + 1) * each])
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

/// What the pairs of a match came to, as far as they count.
#[derive(Default)]
struct Count {
    pairs: Pairs,
    /// Games lost, drawn, won.
    games: [u64; 3],
    /// What a sequential test says of them.
    llr: Option<f64>,
    decision: Option<Decision>,
}

impl Match<'_> {
    /// Counts pairs in their order, to the one by which a sequential test decides.
    fn count(config: &Config, outcomes: &[Option<Outcome>]) -> Count {
        let test = config.verify.sprt.map(SprtBounds::test);
        let mut count = Count {
            llr: test.map(|_| 0.0),
            ..Count::default()
        };
        for pair in outcomes.chunks(2) {
            // The contender is White in the first game of a pair and Black in the second.
            let half_points = |game: usize| {
                let result = pair.get(game).copied().flatten()?;
                Some(usize::from(result.half_points(Color::ALL[game])))
            };
            let both = [half_points(0), half_points(1)];
            for points in both.into_iter().flatten() {
                count.games[points] += 1;
            }
            if let [Some(first), Some(second)] = both {
                count.pairs.add(first + second);
            }
            if let Some(test) = test {
                let llr = test.of_pairs(&count.pairs);
                (count.llr, count.decision) = (Some(llr), test.decision(llr));
            }
            if count.decision.is_some() {
                break;
            }
        }
        count
    }

    fn validation(
        &self,
        results: &ResultVectors,
        config: &Config,
        outcomes: &[Option<Outcome>],
    ) -> ValidationRow {
        let Count {
            pairs,
            games: counts,
            llr,
            decision,
        } = Self::count(config, outcomes);
        let interval = Estimate::of_pairs(&pairs).map(|estimate| estimate.interval);
        let games = counts.iter().sum();
        let limit = limits(config, self.deeper);
        ValidationRow {
            vector: self.contender.name.to_owned(),
            recommended: self.contender.name == results.recommended,
            against: self.reference.name.to_owned(),
            depth: limit.depth,
            deeper: self.deeper,
            limit: limit.to_string(),
            games,
            wins: counts[2],
            draws: counts[1],
            losses: counts[0],
            elo: interval.and_then(|interval| finite(interval.elo)),
            error: interval.and_then(|interval| interval.error()),
            low: interval.and_then(|interval| finite(interval.low)),
            high: interval.and_then(|interval| finite(interval.high)),
            llr,
            decision: decision.map(|decision| format!("{decision:?}")),
            verdict: match (interval, llr, decision) {
                (None, _, _) => Verdict::NotPlayed,
                (_, Some(_), Some(Decision::H1)) => Verdict::Gain,
                (_, Some(_), _) => Verdict::Nothing,
                (Some(interval), None, _) => interval.verdict(),
            },
        }
    }
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

    fn narrow() -> Config {
        Config::of_preset("narrow").unwrap()
    }

    fn centroid_and_start() -> ResultVectors {
        ResultVectors {
            vectors: vec![vector("centroid")],
            recommended: "centroid",
            references: vec![vector("start")],
        }
    }

    fn only_match(results: &ResultVectors) -> Match<'_> {
        Match {
            contender: &results.vectors[0],
            reference: &results.references[0],
            deeper: 0,
        }
    }

    /// A test ends a match at the pair by which it decides, whatever was played after it, and says what is proven.
    #[test]
    fn a_sequential_test_decides() {
        let results = centroid_and_start();
        let one = only_match(&results);
        let mut config = narrow();
        config.verify.sprt = Some("0,50".parse().unwrap());
        let (won, lost) = (
            [Some(Outcome::WHITE_WINS), Some(Outcome::BLACK_WINS)],
            [Some(Outcome::BLACK_WINS), Some(Outcome::WHITE_WINS)],
        );
        let drawn = [Some(Outcome::Draw); 2];
        let mixed = |first, second: [Option<Outcome>; 2]| -> Vec<Option<Outcome>> {
            (0..60)
                .flat_map(|n| if n % 3 == 0 { first } else { second })
                .collect()
        };
        let outcomes = mixed(drawn, won);
        let row = one.validation(&results, &config, &outcomes);
        assert_eq!(
            (row.decision.as_deref(), row.verdict),
            (Some("H1"), Verdict::Gain)
        );
        assert!(row.games < 120 && row.llr.unwrap() > 2.9, "{row:?}");
        // The same to the pair, though more was played.
        let less = one.validation(&results, &config, &outcomes[..row.games as usize]);
        assert_eq!(less, row);
        let before = one.validation(&results, &config, &outcomes[..row.games as usize - 2]);
        assert_eq!((before.decision, before.verdict), (None, Verdict::Nothing));
        let row = one.validation(&results, &config, &mixed(drawn, lost));
        assert_eq!(
            (row.decision.as_deref(), row.verdict),
            (Some("H0"), Verdict::Nothing)
        );
        config.verify.clock = Some("8+0.08".parse().unwrap());
        assert_eq!(limits(&config, 0).to_string(), "8+0.08");
        assert_eq!(limits(&config, 1).to_string(), "16+0.16");
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
        let validation = one.validation(&results, &narrow(), &outcomes);
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
            (validation.depth, validation.deeper, &*validation.limit),
            (Some(7), 1, "depth 7")
        );
        assert_eq!(validation.verdict, Verdict::Nothing);
        // What is no depth is not called one.
        let limit = |sets: &[&str]| {
            let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
            let config = Config::read(Some("narrow"), None, &sets).unwrap();
            let played = one.validation(&results, &config, &outcomes);
            let not_played = without_games(&results, &config, 1);
            assert_eq!(
                (&played.limit, played.depth, played.deeper),
                (&not_played.limit, not_played.depth, not_played.deeper)
            );
            (played.depth, played.limit)
        };
        assert_eq!(limit(&["nodes=300"]), (None, "600 nodes".into()));
        assert_eq!(limit(&["verify.clock=8+0.08"]), (None, "16+0.16".into()));
        assert_eq!(limit(&["move_time=250"]), (None, "0.5 s a move".into()));
    }

    /// What is proven is read from the ends of the pairs' interval: 14 wins, 3 draws, 3 losses in ten pairs are a gain,
    /// though half the width of the interval is more than the difference; and what was all won has a bound.
    #[test]
    fn verdicts_are_those_of_the_pairs() {
        let results = centroid_and_start();
        let one = only_match(&results);
        let (won, lost) = (
            [Some(Outcome::WHITE_WINS), Some(Outcome::BLACK_WINS)],
            [Some(Outcome::BLACK_WINS), Some(Outcome::WHITE_WINS)],
        );
        let mut pairs = vec![won; 6];
        pairs.push([Some(Outcome::WHITE_WINS), Some(Outcome::Draw)]);
        pairs.push([Some(Outcome::WHITE_WINS), Some(Outcome::WHITE_WINS)]);
        pairs.push([Some(Outcome::Draw); 2]);
        pairs.push(lost);
        let row = one.validation(&results, &narrow(), pairs.as_flattened());
        assert_eq!((row.wins, row.draws, row.losses), (14, 3, 3));
        assert!(row.elo < row.error, "{row:?}");
        assert!((row.low.unwrap() - 51.0).abs() < 0.5 && (row.high.unwrap() - 647.0).abs() < 2.0);
        assert_eq!(row.verdict, Verdict::Gain);
        let row = one.validation(&results, &narrow(), [won; 50].as_flattened());
        // 0.025^(1/50) of a point a game: 446 Elo.
        assert!((row.low.unwrap() - 446.5).abs() < 1.0, "{row:?}");
        assert_eq!((row.elo, row.error, row.high), (None, None, None));
        assert_eq!(row.verdict, Verdict::Gain);
        assert!(shows_gain(&[row]));
        let row = one.validation(&results, &narrow(), [lost; 6].as_flattened());
        assert_eq!((row.verdict, row.low), (Verdict::Loss, None));
        let row = one.validation(&results, &narrow(), [won; 5].as_flattened());
        assert_eq!(row.verdict, Verdict::Nothing);
        assert_eq!(
            one.validation(&results, &narrow(), &[]).verdict,
            Verdict::NotPlayed
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
