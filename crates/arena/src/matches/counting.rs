//! How a match is counted, as its store keeps it: enough to make its table without its players, schedule and openings.

use serde::{Deserialize, Serialize};

use super::Scoreboard;
use crate::sprt::{Sprt, SprtError, SprtModel};

/// How a match is counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CountingSettings {
    /// Games planned.
    pub games: u64,
    /// Whether games 2k and 2k + 1 are one observation.
    pub paired: bool,
    /// The test of the first player against the second.
    pub sprt: Option<SprtSettings>,
}

/// The numbers of a sequential test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtSettings {
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

impl SprtSettings {
    pub(super) fn of(sprt: &Sprt) -> SprtSettings {
        let ((elo0, elo1), (alpha, beta)) = (sprt.hypotheses(), sprt.errors());
        SprtSettings {
            elo0,
            elo1,
            alpha,
            beta,
            model: sprt.model().name().to_owned(),
        }
    }

    /// The test. A model that nobody knows is the default one.
    pub fn sprt(&self) -> Result<Sprt, SprtError> {
        let known = self.model.parse::<SprtModel>();
        Sprt::new(
            self.elo0,
            self.elo1,
            self.alpha,
            self.beta,
            known.unwrap_or_default(),
        )
    }
}

impl CountingSettings {
    /// The counting in the description of a match; none where it has none, as imports and older stores.
    pub fn of_description(config: &str) -> Option<CountingSettings> {
        #[derive(Deserialize)]
        struct Described {
            #[serde(rename = "terms")]
            counting: CountingSettings,
        }
        serde_json::from_str(config)
            .ok()
            .map(|described: Described| described.counting)
    }

    /// An empty scoreboard of so many players.
    pub fn scoreboard(&self, players: usize) -> Scoreboard {
        let sprt = self.sprt.as_ref().and_then(|test| test.sprt().ok());
        Scoreboard::new(players, self.paired, sprt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_survives_its_description() {
        for &model in SprtModel::ALL {
            let sprt = Sprt::new(0.0, 2.5, 0.05, 0.1, model).unwrap();
            let counting = CountingSettings {
                games: 100,
                paired: model != SprtModel::Bayesian,
                sprt: Some(SprtSettings::of(&sprt)),
            };
            let config = format!(
                "{{\"version\": \"1\", \"terms\": {}}}",
                serde_json::to_string(&counting).unwrap()
            );
            let read = CountingSettings::of_description(&config).unwrap();
            assert_eq!(read, counting);
            assert_eq!(read.sprt.unwrap().sprt(), Ok(sprt));
        }
        assert_eq!(CountingSettings::of_description("{}"), None);
        assert_eq!(CountingSettings::of_description(""), None);
    }
}
