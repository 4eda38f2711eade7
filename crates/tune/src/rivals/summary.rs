//! What the runs of a comparison say of the methods: means over seeds, and which methods differ.
//!
//! The interval of a validation match is over its games: it says how sure one is of *that* vector. Of a method only other
//! seeds say more, so a method's interval is over its runs, methods are compared seed by seed, and p-values are adjusted for
//! the number of pairs ([`compare_means`]).

use vidmar_rating::stats::{Estimate, MeanPair, compare_means};

use super::{Equal, Row};

/// A method over its seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodSummary {
    /// The method.
    pub method: String,
    /// Its runs.
    pub seeds: usize,
    /// Elo of the recommended vector over the start; of no values where a match has no end to its Elo.
    pub elo: Estimate,
    /// Games that it tuned with, on average.
    pub tuning_games: f64,
    /// Seconds of the processors that tuning took, on average.
    pub cpu_seconds: f64,
}

/// The methods in validation matches of one depth, with equal games or equal processor time.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// What they had the same of.
    pub equal: Equal,
    /// The depth of the matches.
    pub depth: u32,
    /// In the order of the rows.
    pub methods: Vec<MethodSummary>,
    /// All pairs of them; none where a method has fewer or other seeds than another, or a match without an end to its Elo.
    pub pairs: Vec<MeanPair>,
}

/// One summary for every depth, with equal games first.
pub fn summaries(rows: &[Row]) -> Vec<Summary> {
    let mut keys: Vec<(Equal, u32)> = Vec::new();
    for row in rows.iter().filter(|row| row.validation.recommended) {
        let key = (row.equal, row.validation.depth);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys.into_iter()
        .map(|(equal, depth)| summary(rows, equal, depth))
        .collect()
}

fn summary(rows: &[Row], equal: Equal, depth: u32) -> Summary {
    let is_of_it = |row: &&Row| {
        let validation = &row.validation;
        row.equal == equal && validation.recommended && validation.depth == depth
    };
    let of_it: Vec<&Row> = rows.iter().filter(is_of_it).collect();
    let mut names: Vec<&str> = Vec::new();
    for row in &of_it {
        if !names.contains(&row.method.as_str()) {
            names.push(&row.method);
        }
    }
    let of_method = |name: &str| {
        of_it
            .iter()
            .copied()
            .filter(|row| row.method == name)
            .collect::<Vec<&Row>>()
    };
    let elos = |name: &&str| {
        of_method(name)
            .iter()
            .map(|row| row.validation.elo)
            .collect::<Option<Vec<f64>>>()
    };
    let seeds = |name: &&str| of_method(name).iter().map(|row| row.seed).collect::<Vec<u64>>();
    let values: Option<Vec<Vec<f64>>> = names.iter().map(elos).collect();
    let is_paired = names.windows(2).all(|pair| seeds(&pair[0]) == seeds(&pair[1]));
    let method = |name: &&str| {
        let rows = of_method(name);
        let mean = |value: &dyn Fn(&Row) -> f64| {
            Estimate::of(&rows.iter().map(|row| value(row)).collect::<Vec<_>>()).mean
        };
        MethodSummary {
            method: (*name).to_owned(),
            seeds: rows.len(),
            elo: elos(name).map(|elos| Estimate::of(&elos)).unwrap_or_default(),
            tuning_games: mean(&|row| row.tuning_games as f64),
            cpu_seconds: mean(&|row| row.cpu_seconds),
        }
    };
    Summary {
        equal,
        depth,
        methods: names.iter().map(method).collect(),
        pairs: values
            .filter(|_| is_paired)
            .map(|values| compare_means(&values))
            .unwrap_or_default(),
    }
}
