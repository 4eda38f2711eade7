//! Methods side by side in real chess: the same parameters, the same number of games, the same validation.
//!
//! A rival is an optimiser that learns from games between its vectors, or Texel's method, which spends the same number of
//! games on positions to learn from, or several of them one after the other: `texel+spsa-scaled` has half of the games for
//! each, and the second begins where the first ended. Everything else is the base configuration's.

mod comparison;
mod summary;

use vidmar_optim::Method;
use vidmar_text::did_you_mean;

pub use comparison::{Comparison, Entry, Equal, Row};
pub use summary::{MethodSummary, Summary, summaries};

use crate::config::{Budget, Config, ConfigError, OneOf, Stage};
use crate::objective::texel::{self, STEPS};
use crate::objective::{ObjectiveSettings, self_play};

/// One of the methods that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rival {
    name: String,
    /// One after the other.
    legs: Vec<Leg>,
}

/// What learns by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leg {
    /// From games between its vectors.
    Playing(Method),
    /// From positions of games that the start plays with itself, and their results.
    Texel,
    /// The same, with labels by temporal differences and the start as what is expected.
    TemporalTexel,
}

/// The names of Texel's method among the others.
const TEXEL: &str = "texel";
const TEMPORAL_TEXEL: &str = "td-texel";
/// What it may learn by: results alone, or with more and more of what searches say; few games or many.
const LAMBDAS: [f64; 3] = [1.0, 0.9, 0.8];
const PRIORS: [f64; 3] = [0.03, 0.1, 0.3];

impl Leg {
    fn all() -> impl Iterator<Item = Leg> {
        let texel = [Leg::Texel, Leg::TemporalTexel];
        Method::for_games().map(Leg::Playing).chain(texel)
    }

    fn name(self) -> &'static str {
        match self {
            Leg::Playing(method) => method.name(),
            Leg::Texel => TEXEL,
            Leg::TemporalTexel => TEMPORAL_TEXEL,
        }
    }

    fn named(name: &str) -> Result<Leg, ConfigError> {
        Leg::all()
            .find(|leg| leg.name() == name)
            .ok_or_else(|| ConfigError::UnknownKey {
                origin: "methods".into(),
                key: name.into(),
                hint: did_you_mean(name, Leg::all().map(Leg::name)),
            })
    }

    /// The base with this method and so many games. A method that is the base's own keeps its settings, others have
    /// their usual ones; SPSA measures a direction by a pair of games, which is its unit.
    fn config(self, base: &Config, games: u64) -> Config {
        let mut config = base.clone();
        match self {
            Leg::Texel | Leg::TemporalTexel => {
                let mut settings = match &base.objective {
                    ObjectiveSettings::Texel(settings) => settings.clone(),
                    _ => texel::Settings::default(),
                };
                if self == Leg::TemporalTexel {
                    settings.lambda = OneOf::Several(LAMBDAS.to_vec());
                    settings.prior = OneOf::Several(PRIORS.to_vec());
                }
                settings.self_play = games;
                settings.file = None;
                config.objective = ObjectiveSettings::Texel(settings);
                config.optimizer = Method::Newton.settings();
                config.budget = Budget {
                    generations: STEPS,
                    total_games: 0,
                };
            }
            Leg::Playing(method) => {
                if base.method() != method {
                    config.optimizer = method.settings();
                }
                let settings = match &base.objective {
                    ObjectiveSettings::SelfPlay(settings) if !method.pairs_games() => settings.clone(),
                    _ => self_play::Settings::default(),
                };
                config.objective = ObjectiveSettings::SelfPlay(settings);
                config.budget = Budget {
                    generations: 0,
                    total_games: games,
                };
            }
        }
        config
    }
}

impl Rival {
    /// Those that were published, those that engine developers use, and what we recommend.
    pub const USUAL: [&str; 9] = [
        "de-history",
        "de-rated",
        "evolution",
        "spsa",
        "spsa-scaled",
        "regression",
        "cma-es",
        TEXEL,
        TEMPORAL_TEXEL,
    ];

    /// The name: that of a method, or of several with `+` between them.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rival of that name.
    pub fn named(name: &str) -> Result<Rival, ConfigError> {
        let legs: Result<Vec<Leg>, ConfigError> = name.split('+').map(Leg::named).collect();
        Ok(Rival {
            name: name.to_owned(),
            legs: legs?,
        })
    }

    /// The base with this method and so many games, in equal shares where it is several.
    pub fn config(&self, base: &Config, games: u64, seed: u64) -> Config {
        let count = self.legs.len() as u64;
        // The last has what is left over.
        let share = |at: usize| match at as u64 + 1 {
            last if last == count => games - games / count * (count - 1),
            _ => games / count,
        };
        let mut config = self.legs[0].config(base, share(0));
        config.seed = seed;
        config.verify.only_start = true;
        let later = self.legs.iter().enumerate().skip(1);
        config.then = later
            .map(|(at, leg)| {
                let name = format!("{}-{}", at + 1, leg.name());
                Stage::of(&leg.config(base, share(at)), name)
            })
            .collect();
        config
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn games(config: &Config) -> u64 {
        match &config.objective {
            ObjectiveSettings::Texel(settings) => settings.self_play,
            _ => config.budget.total_games,
        }
    }

    /// Each stage is what its method would be alone, from where the one before ended, and the games are all used.
    #[test]
    fn several_share_the_games() {
        let base = Config::of_preset("narrow").unwrap();
        let rival = Rival::named("texel+spsa-scaled+texel").unwrap();
        let mut config = rival.config(&base, 1_000, 1);
        let alone = |name: &str| Rival::named(name).unwrap().config(&base, 333, 1);
        let (mut given, mut methods) = (games(&config), vec![config.method()]);
        assert_eq!(config.optimizer, alone("texel").optimizer);
        while let Some((_, next)) = config.next("before.txt", Path::new("before")).unwrap() {
            given += games(&next);
            methods.push(next.method());
            assert_eq!(next.parameters.origin.as_deref(), Some("guess"));
            if next.method() == Method::ScaledSpsa {
                let spsa = alone("spsa-scaled");
                assert_eq!(
                    (next.optimizer.clone(), next.evidence()),
                    (spsa.optimizer.clone(), spsa.evidence())
                );
            }
            config = next;
        }
        assert_eq!(given, 1_000);
        assert_eq!(methods, [Method::Newton, Method::ScaledSpsa, Method::Newton]);
        let error = Rival::named("texel+spas").unwrap_err().to_string();
        assert_eq!(error, "methods: unknown setting 'spas' (did you mean 'spsa'?)");
    }

    #[test]
    fn only_the_method_and_what_it_needs_differ() {
        let base = Config::of_preset("narrow").unwrap();
        for leg in Leg::all() {
            let rival = Rival::named(leg.name()).unwrap();
            let config = rival.config(&base, 4_000, 7);
            assert_eq!(
                (&config.parameters, &config.rules, config.seed),
                (&base.parameters, &base.rules, 7)
            );
            assert_eq!(games(&config), 4_000, "{}", rival.name());
        }
        assert!(Rival::USUAL.iter().all(|name| Rival::named(name).is_ok()));
        let learned = Rival::named("td-texel").unwrap().config(&base, 1, 1).objective;
        let ObjectiveSettings::Texel(learned) = learned else {
            panic!("{learned:?}")
        };
        assert_eq!(learned.combinations().len(), 9);
        let kept = Rival::named("de-history").unwrap().config(&base, 1, 1);
        assert_eq!(kept.optimizer, base.optimizer);
        let error = Rival::named("txel").unwrap_err().to_string();
        assert_eq!(error, "methods: unknown setting 'txel' (did you mean 'texel'?)");
    }
}
