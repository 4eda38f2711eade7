//! The history Z: every vector that was ever part of the population, with all its games ([boskovic-2010]).
//!
//! Points of one generation are few and noisy; what a vector has shown over all its generations is worth more. The
//! history keeps it, offers the best entry to mutation (`z_best`) and lets good vectors that were lost by bad luck
//! return ([`injection`](History::inject)). It is a part of its own, put into differential evolution, jDE, L-SHADE
//! and the evolutionary algorithm alike, as [boskovic-2010] asks for next.
//!
//! Our reading of Algorithm 3.13: a generation adds to an entry only the games played in that generation, also when
//! the entry is new. What a vector scored as a trial, before it was taken over, is thus not in Z: it won its place by
//! those games, and counting them would count its luck. The other reading, in which Z holds *all* games of a vector, is
//! [`Settings::count_trials`].
//!
//! Where values are exact a vector is asked for once, mostly as a trial, and there is no luck to be counted: its entry has
//! the value that is known. Nobody is in Z without evidence, so nobody without evidence is ranked, injected or mutated.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, by_efficiency, foremost};
use crate::contest::Record;
use crate::space::Vector;
use crate::vector_index::VectorIndex;
use vidmar_rng::Rng;

/// How the history is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// How many of the best entries may return (`Z_size`).
    pub size: usize,
    /// How often per generation one is drawn (`Z_inject`).
    pub inject: usize,
    /// Whether a vector's entry begins with the games that it played as a trial, by which it won its place.
    pub count_trials: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            size: 20,
            inject: 4,
            count_trials: false,
        }
    }
}

/// A remembered vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The vector as it played.
    pub vector: Vector,
    /// All its games.
    pub record: Record,
}

/// The growing population Z, in the order of first entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    entries: Vec<Entry>,
    #[serde(skip)]
    known: VectorIndex,
}

impl History {
    /// All entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Counts this generation's games of a current individual. A new vector is added with the games that its entry is to
    /// begin with, if there are any.
    pub fn add_current(&mut self, vector: &[f64], played: Record, beginning: Record) {
        if !self.update(vector, played) && beginning.games > 0 {
            self.entries.push(Entry {
                vector: vector.to_vec(),
                record: beginning,
            });
        }
    }

    /// Counts this generation's games of a trial individual, if its vector is remembered.
    pub fn update(&mut self, vector: &[f64], played: Record) -> bool {
        let entries = &self.entries;
        let found = self
            .known
            .find(vector, entries.len(), |index| &entries[index].vector);
        found
            .map(|index| self.entries[index].record.add(played))
            .is_some()
    }

    /// Indices of the entries, best first.
    pub fn ranking(&self) -> Vec<usize> {
        self.foremost(usize::MAX)
    }

    fn foremost(&self, most: usize) -> Vec<usize> {
        let order = by_efficiency(|index| self.entries[index].record);
        foremost(self.entries.len(), most, order)
    }

    /// The entry of best efficiency: `z_best`.
    pub fn best(&self) -> Option<&Entry> {
        self.foremost(1).first().map(|&index| &self.entries[index])
    }

    /// The first `most` entries as champions, best first.
    pub fn champions(&self, most: usize) -> Vec<Champion> {
        let champion = |&index: &usize| {
            let entry = &self.entries[index];
            Champion::new(entry.vector.clone(), entry.record)
        };
        self.foremost(most).iter().map(champion).collect()
    }

    /// Which remembered vectors return, and in whose place: `(entry, trial)` in the order drawn. A vector that is
    /// among the currents, the trials or those already returned does not return.
    pub fn inject(
        &self,
        settings: Settings,
        currents: &[&[f64]],
        trials: &[&[f64]],
        rng: &mut Rng,
    ) -> Vec<(Entry, usize)> {
        let best = self.foremost(settings.size);
        let best: Vec<&Entry> = best.iter().map(|&index| &self.entries[index]).collect();
        let efficiencies: Vec<f64> = best.iter().map(|entry| entry.record.efficiency()).collect();
        let draws = draw(&weights(&efficiencies), settings.inject, trials.len(), rng);
        returning(&best, |entry| &entry.vector, &draws, currents, trials)
    }

    /// Forgets what a changed space no longer allows.
    pub(crate) fn vectors(&self) -> impl Iterator<Item = &Vector> {
        self.entries.iter().map(|entry| &entry.vector)
    }

    pub(crate) fn keep(&mut self, allowed: impl Fn(&[f64]) -> bool) {
        self.entries.retain(|entry| allowed(&entry.vector));
        self.known.forget();
    }
}

/// Efficiencies as they are; values below 0 have no proportion, so there all are lifted until the worst is 0.
fn weights(efficiencies: &[f64]) -> Vec<f64> {
    let lift = efficiencies.iter().copied().fold(0.0, f64::min);
    efficiencies.iter().map(|e| e - lift).collect()
}

/// Those that were drawn with the index of the trial that each replaces; who is among the currents, the trials or those
/// already returned does not return.
pub(crate) fn returning<'a, E: Clone>(
    best: &[&'a E],
    vector: impl Fn(&'a E) -> &'a [f64],
    draws: &[(usize, usize)],
    currents: &[&'a [f64]],
    trials: &[&'a [f64]],
) -> Vec<(E, usize)> {
    let mut trials = trials.to_vec();
    let mut returned = Vec::new();
    for &(choice, replaced) in draws {
        let drawn = vector(best[choice]);
        if !currents.contains(&drawn) && !trials.contains(&drawn) {
            trials[replaced] = drawn;
            returned.push((best[choice].clone(), replaced));
        }
    }
    returned
}

/// `times` draws of one by its weight and of the trial that it would replace. Both are always drawn, so that one
/// refusal does not shift the next draw.
pub(crate) fn draw(weights: &[f64], times: usize, trials: usize, rng: &mut Rng) -> Vec<(usize, usize)> {
    if weights.is_empty() || trials == 0 {
        return Vec::new();
    }
    (0..times)
        .map(|_| (rng.roulette(weights), rng.index(trials)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::purpose::Purpose;

    fn record(games: u32, points: f64) -> Record {
        Record { games, points }
    }

    fn settings(size: usize, inject: usize) -> Settings {
        Settings {
            size,
            inject,
            ..Settings::default()
        }
    }

    fn add(z: &mut History, vector: &[f64], played: Record) {
        z.add_current(vector, played, played);
    }

    fn rng(round: u64) -> Rng {
        Purpose::Injection.rng(1, round, 0, 0)
    }

    #[test]
    fn only_currents_are_added_and_trials_update_what_is_there() {
        let mut z = History::default();
        add(&mut z, &[1.0], record(10, 6.0));
        assert!(!z.update(&[2.0], record(10, 9.0)));
        assert!(z.update(&[1.0], record(12, 3.0)));
        add(&mut z, &[1.0], record(2, 1.0));
        assert_eq!(
            z.entries(),
            [Entry {
                vector: vec![1.0],
                record: record(24, 10.0)
            }]
        );
    }

    /// Values below 0, as of a loss: 0 without a value is no value.
    #[test]
    fn nobody_is_ranked_without_evidence() {
        let mut z = History::default();
        add(&mut z, &[1.0], Record::default());
        assert_eq!((z.best(), z.champions(3).len()), (None, 0));
        z.add_current(&[2.0], Record::default(), record(1, -0.5));
        add(&mut z, &[3.0], record(1, -0.7));
        z.add_current(&[2.0], Record::default(), record(1, -0.5));
        let ranked: Vec<_> = z
            .champions(3)
            .into_iter()
            .map(|c| (c.vector[0], c.score, c.games))
            .collect();
        assert_eq!(ranked, [(2.0, -0.5, 1), (3.0, -0.7, 1)]);
    }

    #[test]
    fn best_is_efficiency_then_games_then_age() {
        let mut z = History::default();
        add(&mut z, &[1.0], record(10, 5.0));
        add(&mut z, &[2.0], record(10, 6.0));
        add(&mut z, &[3.0], record(20, 12.0));
        add(&mut z, &[4.0], record(20, 12.0));
        add(&mut z, &[5.0], record(100, 59.0));
        assert_eq!(z.ranking(), [2, 3, 1, 4, 0]);
        assert_eq!(z.best().unwrap().vector, [3.0]);
    }

    #[test]
    fn injection_refuses_the_present_and_never_returns_one_twice() {
        let mut z = History::default();
        for k in 0..6 {
            add(&mut z, &[f64::from(k)], record(10, f64::from(k)));
        }
        // Of the four best (5, 4, 3, 2) one is current and one is a trial.
        let settings = settings(4, 40);
        for round in 0..50 {
            let returned = z.inject(settings, &[&[5.0]], &[&[4.0], &[9.0], &[8.0]], &mut rng(round));
            let mut alive = [4.0, 9.0, 8.0];
            for (entry, replaced) in &returned {
                let vector = entry.vector[0];
                assert!(
                    (2.0..5.0).contains(&vector),
                    "5 is current, 0 and 1 are not among the four best"
                );
                assert!(!alive.contains(&vector), "{vector} is there already");
                assert_eq!(entry.record, record(10, vector), "it brings its counters");
                alive[*replaced] = vector;
            }
            assert!(!returned.is_empty());
        }
    }

    #[test]
    fn injection_is_proportional_to_efficiency_and_uniform_among_zeros() {
        let mut z = History::default();
        add(&mut z, &[1.0], record(10, 2.0));
        add(&mut z, &[2.0], record(10, 6.0));
        add(&mut z, &[3.0], record(10, 0.0));
        let count = |z: &History| {
            let mut count = [0; 4];
            for round in 0..8000 {
                let returned = z.inject(settings(20, 1), &[], &[&[0.0]], &mut rng(round));
                count[returned[0].0.vector[0] as usize] += 1;
            }
            count
        };
        let [_, one, two, three] = count(&z);
        assert!(
            (1850..2150).contains(&one) && two == 8000 - one && three == 0,
            "{one} {two} {three}"
        );
        let mut zeros = History::default();
        add(&mut zeros, &[1.0], record(5, 0.0));
        add(&mut zeros, &[2.0], record(5, 0.0));
        let [_, one, ..] = count(&zeros);
        assert!((3850..4150).contains(&one), "{one}");
    }
}
