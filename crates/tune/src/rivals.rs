//! Methods side by side in real chess: the same parameters, the same number of games, the same proof.
//!
//! A rival is an optimiser that learns from games between its vectors, or Texel's method, which spends the same number of
//! games on positions to learn from. Everything else is the base configuration's.

use vidmar_chess::words::closest;
use vidmar_optim::Method;

use crate::config::{Budget, Config, ConfigError, ObjectiveKind};

/// One of the methods that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    /// Learns from games.
    Playing(Method),
    /// Learns from positions of games that the start plays with itself.
    Texel,
}

/// The name of Texel's method among the others.
const TEXEL: &str = "texel";

/// Newton's steps until Texel's method is at rest, and some to spare.
const STEPS: u64 = 30;

impl Rival {
    /// Those that were published and those that engine developers use.
    pub const USUAL: [Rival; 7] = [
        Rival::Playing(Method::HistoryDe),
        Rival::Playing(Method::RatedDe),
        Rival::Playing(Method::Evolution),
        Rival::Playing(Method::Spsa),
        Rival::Playing(Method::ScaledSpsa),
        Rival::Playing(Method::CmaEs),
        Rival::Texel,
    ];

    /// All that can be compared.
    pub fn all() -> impl Iterator<Item = Rival> {
        Method::for_games().map(Rival::Playing).chain([Rival::Texel])
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rival::Playing(method) => method.name(),
            Rival::Texel => TEXEL,
        }
    }

    /// The rival of that name.
    pub fn named(name: &str) -> Result<Rival, ConfigError> {
        Rival::all()
            .find(|rival| rival.name() == name)
            .ok_or_else(|| ConfigError::UnknownKey {
                place: "methods".into(),
                key: name.into(),
                nearest: closest(name, Rival::all().map(Rival::name)).to_owned(),
            })
    }

    /// The base with this method and so many games. A method that is the base's own keeps its settings, others have
    /// their usual ones; SPSA judges a direction by a pair of games, which is its unit.
    pub fn config(self, base: &Config, games: u64, seed: u64) -> Config {
        let mut config = base.clone();
        config.seed = seed;
        config.then.clear();
        config.verify.only_start = true;
        match self {
            Rival::Texel => {
                config.objective.kind = ObjectiveKind::Texel;
                config.objective.self_play = games;
                config.objective.file = None;
                config.optimizer = Method::Newton.settings();
                config.budget = Budget {
                    generations: STEPS,
                    total_games: 0,
                };
            }
            Rival::Playing(method) => {
                if base.method() != method {
                    config.optimizer = method.settings();
                }
                if matches!(method, Method::Spsa | Method::ScaledSpsa) {
                    config.objective.games = 2;
                    config.objective.paired = true;
                }
                config.objective.kind = ObjectiveKind::SelfPlay;
                config.objective.self_play = 0;
                config.budget = Budget {
                    generations: 0,
                    total_games: games,
                };
            }
        }
        config
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_method_and_what_it_needs_differ() {
        let base = Config::of_preset("narrow").unwrap();
        for rival in Rival::all() {
            let config = rival.config(&base, 4_000, 7);
            assert_eq!(Rival::named(rival.name()), Ok(rival));
            assert_eq!(
                (&config.parameters, &config.rules, config.seed),
                (&base.parameters, &base.rules, 7)
            );
            let games = match rival {
                Rival::Texel => config.objective.self_play,
                Rival::Playing(_) => config.budget.total_games,
            };
            assert_eq!(games, 4_000, "{}", rival.name());
        }
        let kept = Rival::Playing(Method::HistoryDe).config(&base, 1, 1);
        assert_eq!(kept.optimizer, base.optimizer);
        let error = Rival::named("txel").unwrap_err().to_string();
        assert_eq!(error, "methods: unknown setting 'txel' (did you mean 'texel'?)");
    }
}
