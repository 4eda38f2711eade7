//! Games that are planned before any of them is played: what the store knows is told from there, the rest is played.
//!
//! Rounds of tuning, the validation, the gauntlet and the games that Texel's positions come from are all lists of fixtures with
//! numbers in a row. A list that was interrupted is planned again in the same way and goes on where it was.

use std::cell::RefCell;

use vidmar_arena::{Job, Rules};
use vidmar_chess::{ByColor, Outcome, Termination};
use vidmar_engine::Control;

use crate::desk::{Bout, Contestant, Played, play_bout, spread};
use crate::run::{Journal, RunError};

/// A game with its place in the list.
pub(crate) struct Fixture {
    /// Its description; numbers of a list follow each other.
    pub(crate) job: Job,
    /// The places of the two sides among the contestants.
    pub(crate) sides: ByColor<usize>,
    /// What the store calls its round.
    pub(crate) round: u64,
}

/// How far a list is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Games that are known now.
    pub(crate) done: u64,
    /// Games of the list.
    pub(crate) total: u64,
    /// Faults of the game that has just ended.
    pub(crate) faults: u64,
}

/// Plays what the store does not know yet; the results in order, or none if it was stopped.
pub(crate) fn play_all(
    journal: &mut Journal,
    fixtures: &[Fixture],
    contestants: &[Contestant],
    rules: &Rules,
    (threads, control): (usize, &Control),
    observe: &mut dyn FnMut(&Progress),
) -> Result<Option<Vec<Option<Outcome>>>, RunError> {
    let first = fixtures.first().map_or(0, |fixture| fixture.job.number);
    let mut results: Vec<Option<Option<Outcome>>> = vec![None; fixtures.len()];
    for game in journal.known_from(first) {
        if let Some(place) = results.get_mut((game.number - first) as usize) {
            *place = Some(game.result);
        }
    }
    let missing: Vec<usize> = (0..fixtures.len()).filter(|&at| results[at].is_none()).collect();
    let total = fixtures.len() as u64;
    let mut done = total - missing.len() as u64;
    let journal = RefCell::new(journal);
    spread(
        missing.len(),
        threads,
        control,
        |index| {
            let Fixture { job, sides, .. } = &fixtures[missing[index]];
            let sides = ByColor::from_fn(|side| &contestants[sides[side]]);
            let bout = Bout {
                job: job.clone(),
                sides,
            };
            let played = play_bout(&bout, rules, control);
            (played.record.termination != Termination::Stopped).then_some(played)
        },
        |index, played: Played| {
            let at = missing[index];
            let Fixture { job, round, .. } = &fixtures[at];
            journal.borrow_mut().add_game(job, *round, &played)?;
            results[at] = Some(played.record.result);
            done += 1;
            observe(&Progress {
                done,
                total,
                faults: played.faults.len() as u64,
            });
            Ok::<(), RunError>(())
        },
        || journal.borrow_mut().look(),
    )?;
    Ok(results.into_iter().collect())
}
