//! How a match is counted, as its store keeps it: enough to make its table without its players, schedule and openings.

use serde::{Deserialize, Serialize};

use super::Ledger;
use crate::sprt::{Sprt, SprtError, SprtModel};

/// How a match is counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// Games planned.
    pub games: u64,
    /// Whether games 2k and 2k + 1 are one observation.
    pub paired: bool,
    /// The test of the first player against the second.
    pub sprt: Option<TestTerms>,
}

/// The numbers of a sequential test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestTerms {
    /// The lower hypothesis.
    pub elo0: f64,
    /// The upper one.
    pub elo1: f64,
    /// The chance of accepting the upper one by mistake.
    pub alpha: f64,
    /// The chance of accepting the lower one by mistake.
    pub beta: f64,
    /// What the hypotheses are about, by name.
    pub model: String,
}

impl TestTerms {
    pub(super) fn of(sprt: &Sprt) -> TestTerms {
        let ((elo0, elo1), (alpha, beta)) = (sprt.hypotheses(), sprt.errors());
        TestTerms {
            elo0,
            elo1,
            alpha,
            beta,
            model: sprt.model().name().to_owned(),
        }
    }

    /// The test. A model that nobody knows is the default one.
    pub fn sprt(&self) -> Result<Sprt, SprtError> {
        let known = SprtModel::ALL
            .into_iter()
            .find(|model| model.name() == self.model);
        Sprt::new(
            self.elo0,
            self.elo1,
            self.alpha,
            self.beta,
            known.unwrap_or_default(),
        )
    }
}

impl Terms {
    /// The terms in the description of a match; none where it has none, as imports and older stores.
    pub fn of_description(config: &str) -> Option<Terms> {
        #[derive(Deserialize)]
        struct Described {
            terms: Terms,
        }
        serde_json::from_str(config)
            .ok()
            .map(|described: Described| described.terms)
    }

    /// An empty ledger of so many players.
    pub fn ledger(&self, players: usize) -> Ledger {
        let sprt = self.sprt.as_ref().and_then(|test| test.sprt().ok());
        Ledger::new(players, self.paired, sprt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_survives_its_description() {
        for model in SprtModel::ALL {
            let sprt = Sprt::new(0.0, 2.5, 0.05, 0.1, model).unwrap();
            let terms = Terms {
                games: 100,
                paired: model != SprtModel::Bayesian,
                sprt: Some(TestTerms::of(&sprt)),
            };
            let config = format!(
                "{{\"version\": \"1\", \"terms\": {}}}",
                serde_json::to_string(&terms).unwrap()
            );
            let read = Terms::of_description(&config).unwrap();
            assert_eq!(read, terms);
            assert_eq!(read.sprt.unwrap().sprt(), Ok(sprt));
        }
        assert_eq!(Terms::of_description("{}"), None);
        assert_eq!(Terms::of_description(""), None);
    }
}
