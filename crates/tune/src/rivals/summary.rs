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
    /// Its runs: one for each seed.
    pub seeds: usize,
    /// Elo of the recommended vector over the start; of no values where a match has no end to its Elo.
    pub elo: Estimate,
    /// Games that it tuned with, on average.
    pub tuning_games: f64,
    /// Seconds of the processors that tuning took, on average.
    pub cpu_seconds: f64,
}

/// The methods in validation matches of one limit, with equal games or equal processor time.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// What they had the same of.
    pub equal: Equal,
    /// Plies of every move of the matches; none where plies are no limit.
    pub depth: Option<u32>,
    /// How much deeper than in tuning they were.
    pub deeper: u32,
    /// What a move of them may take.
    pub limit: String,
    /// In the order of the rows.
    pub methods: Vec<MethodSummary>,
    /// All pairs of them; none where a method has fewer or other seeds than another, or a match without an end to its Elo.
    pub pairs: Vec<MeanPair>,
}

/// One summary for every limit, with equal games first: of the matches by which methods are compared, of which a run has one
/// at each limit.
pub fn summaries(rows: &[Row]) -> Vec<Summary> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    let key = |row: &Row| (row.equal, row.validation.deeper, row.validation.limit.clone());
    for row in rows.iter().filter(|row| row.compared) {
        match groups.iter_mut().find(|group| key(group[0]) == key(row)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups.iter().map(|group| summary(group)).collect()
}

/// That of some rows, of which there is one at least, of one limit.
fn summary(of_it: &[&Row]) -> Summary {
    let Row {
        equal, validation, ..
    } = of_it[0];
    let mut names: Vec<&str> = Vec::new();
    for row in of_it {
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
        equal: *equal,
        depth: validation.depth,
        deeper: validation.deeper,
        limit: validation.limit.clone(),
        methods: names.iter().map(method).collect(),
        pairs: values
            .filter(|_| is_paired)
            .map(|values| compare_means(&values))
            .unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use vidmar_rows::{ValidationRow, Verdict};

    use super::*;

    fn row(method: &str, seed: u64, deeper: u32, nodes: u32, elo: f64) -> Row {
        let validation = ValidationRow {
            vector: "centroid".into(),
            recommended: true,
            against: "start".into(),
            depth: None,
            deeper,
            limit: format!("{nodes} nodes"),
            games: 20,
            wins: 10,
            draws: 0,
            losses: 10,
            elo: Some(elo),
            error: Some(1.0),
            low: Some(elo - 1.0),
            high: Some(elo + 1.0),
            llr: None,
            decision: None,
            verdict: Verdict::Nothing,
        };
        Row {
            method: method.into(),
            equal: Equal::Games,
            seed,
            tuning_games: 64,
            cpu_seconds: 1.0,
            compared: true,
            validation,
        }
    }

    /// One seed at two limits is one seed: there is no interval over seeds, whatever the limits are.
    #[test]
    fn limits_are_no_seeds() {
        let of_seed = |seed| {
            [("spsa", 3.0), ("de", 8.0)]
                .into_iter()
                .flat_map(move |(method, elo)| {
                    [(0, 100), (1, 200)].map(|(deeper, nodes)| row(method, seed, deeper, nodes, elo))
                })
        };
        let mut rows: Vec<Row> = of_seed(1).collect();
        // A match with another opponent is a further result of the same run.
        let mut further = row("spsa", 1, 0, 100, 50.0);
        further.compared = false;
        rows.push(further);
        let found = summaries(&rows);
        let limits: Vec<(&str, u32)> = found.iter().map(|one| (&*one.limit, one.deeper)).collect();
        assert_eq!(limits, [("100 nodes", 0), ("200 nodes", 1)]);
        for one in &found {
            assert_eq!(one.depth, None);
            for method in &one.methods {
                assert_eq!((method.seeds, method.elo.error()), (1, None), "{method:?}");
            }
        }
        rows.extend(of_seed(2));
        for one in summaries(&rows) {
            assert!(one.methods.iter().all(|method| method.seeds == 2), "{one:?}");
            assert_eq!(one.pairs.len(), 1);
        }
    }
}
