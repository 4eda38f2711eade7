//! The methods: one row each, and everything else reads the rows.
//!
//! A row gives a method its name, a line of help, the state that implements it and its settings; what the method needs, and
//! whether it plans ahead, its state says in its own file. From the rows come the enum [`Method`] (for menus, option values and
//! documentation), [`Settings`] (what a configuration file holds, tagged with the method's name) and the dispatch. A new method
//! is one file and one row; the conformance suite (`tests/all/conformance.rs`) finds it here.
//!
//! Settings have no hidden defaults: what a configuration leaves out is taken from [`Method::settings`] by whoever
//! reads it, and a run's record always holds all of them.

use serde::{Deserialize, Serialize};

use crate::champion::{Champion, Report};
use crate::optimizer::{Context, Outcome, Round, Setup, SetupError};
use crate::space::Vector;
use crate::{
    annealing, cma_es, differential, dynamic_bounds, evolution, hill_climbing, newton, regression, spsa,
};

/// What a method's state can do. It is called by [`crate::Optimizer`] alone, `plan` and `learn` in turn, or `plan`
/// so many rounds ahead as its `lag` allows.
pub(crate) trait Searcher: Sized {
    type Settings;

    /// Whether it needs values with gradients; all others can be told values or games.
    const NEEDS_GRADIENTS: bool = false;
    /// Whether it compares two vectors by a pair of games with colours swapped and learns nothing from less.
    const PAIRS_GAMES: bool = false;

    /// Whether something follows a schedule over the budget.
    fn plans_ahead(_: &Self::Settings) -> bool {
        false
    }
    /// Which gains a dimension may have of its own.
    fn own_gains(_: &Self::Settings) -> OwnGains {
        OwnGains::default()
    }
    /// How many jobs may be without an answer when a round is planned; 0 for methods that need all answers of one round for the next.
    fn lag(_: &Self::Settings) -> u64 {
        0
    }
    /// Whether it computes long between two rounds, as against methods that only add and compare.
    fn is_slow(_: &Self::Settings) -> bool {
        false
    }

    fn new(setup: &Setup, settings: Self::Settings) -> Result<Self, SetupError>;
    fn settings(&self) -> Self::Settings;
    /// Generations completed after the first population.
    fn generation(&self) -> u64;
    /// What is wanted next. Called once per round; with a lag perhaps again, so that it leaves no trace then.
    fn plan(&mut self, context: &Context<'_>) -> Round;
    /// What came of it.
    fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>);
    fn report(&self, context: &Context<'_>) -> Report;
    fn population(&self, context: &Context<'_>) -> Vec<Champion>;
    /// Best first; those after the first `most` may be left out.
    fn finalists(&self, context: &Context<'_>, most: usize) -> Vec<Champion>;
    /// The space has changed: bring all vectors into it.
    fn respace(&mut self, context: &Context<'_>);
    /// Whether what was saved fits together, so that nothing is looked for later that is not there: every vector is `wide`, every
    /// index exists. `open` is how many are evaluated in the contest that waits for answers, if one does.
    fn is_sound(&self, wide: &dyn Fn(&Vector) -> bool, open: Option<usize>) -> bool;
    /// Whether it has found what it can find. Where evidence is noisy nothing ever says so.
    fn is_at_rest(&self) -> bool {
        false
    }
    /// How far chance alone may have moved every dimension (one standard deviation), where a method can tell.
    fn chance(&self) -> Option<Vector> {
        None
    }
    /// One standard deviation of every dimension's optimum, as far as the games tell, where a method keeps it.
    fn errors(&self) -> Option<Vector> {
        None
    }
}

/// Which gains of SPSA a dimension may have of its own under a method; all others know none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnGains {
    /// [`Dimension::c_end`](crate::Dimension::c_end).
    pub c_end: bool,
    /// [`Dimension::r_end`](crate::Dimension::r_end).
    pub r_end: bool,
}

macro_rules! methods {
    ($($row:ident, $name:literal, $help:literal, $state:ty, $settings:ty, $default:expr;)*) => {
        vidmar_text::named_enum! {
            /// The methods of this crate.
            pub enum Method: "method";
            $($row, $name, $help;)*
        }
        vidmar_text::serde_by_name!(Method);

        impl Method {
            /// Whether it needs values with gradients; all others can be told values or games.
            pub fn needs_gradients(self) -> bool {
                match self { $(Self::$row => <$state>::NEEDS_GRADIENTS,)* }
            }

            /// Whether it compares two vectors by a pair of games with colours swapped and learns nothing from less.
            pub fn pairs_games(self) -> bool {
                match self { $(Self::$row => <$state>::PAIRS_GAMES,)* }
            }

            /// Its settings, ready to be changed.
            pub fn settings(self) -> Settings {
                match self { $(Self::$row => Settings::$row($default),)* }
            }
        }

        /// A method with its settings.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "method")]
        pub enum Settings {
            $(#[doc = $help] #[serde(rename = $name)] $row($settings),)*
        }

        impl Settings {
            /// Whose settings these are.
            pub fn method(&self) -> Method {
                match self { $(Self::$row(_) => Method::$row,)* }
            }

            /// Whether something follows a schedule over the budget. If not, a run with a smaller budget is the
            /// beginning of this one, and one run can be read at several budgets.
            pub fn plans_ahead(&self) -> bool {
                match self { $(Self::$row(settings) => <$state>::plans_ahead(settings),)* }
            }

            /// Which gains a dimension may have of its own.
            pub fn own_gains(&self) -> OwnGains {
                match self { $(Self::$row(settings) => <$state>::own_gains(settings),)* }
            }

            /// How many jobs may be without an answer when a round is planned, beside those of the round itself.
            pub fn lag(&self) -> u64 {
                match self { $(Self::$row(settings) => <$state>::lag(settings),)* }
            }

            /// Whether the method computes long between two rounds: a scheduler should begin with it.
            pub fn is_slow(&self) -> bool {
                match self { $(Self::$row(settings) => <$state>::is_slow(settings),)* }
            }
        }

        /// A method's state.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "method")]
        pub(crate) enum State {
            $(#[serde(rename = $name)] $row(Box<$state>),)*
        }

        impl State {
            pub(crate) fn new(setup: &Setup, settings: Settings) -> Result<Self, SetupError> {
                Ok(match settings {
                    $(Settings::$row(settings) => Self::$row(Box::new(<$state>::new(setup, settings)?)),)*
                })
            }

            pub(crate) fn settings(&self) -> Settings {
                match self { $(Self::$row(state) => Settings::$row(state.settings()),)* }
            }

            pub(crate) fn generation(&self) -> u64 {
                match self { $(Self::$row(state) => state.generation(),)* }
            }

            pub(crate) fn plan(&mut self, context: &Context<'_>) -> Round {
                match self { $(Self::$row(state) => state.plan(context),)* }
            }

            pub(crate) fn learn(&mut self, context: &Context<'_>, outcome: &Outcome<'_>) {
                match self { $(Self::$row(state) => state.learn(context, outcome),)* }
            }

            pub(crate) fn report(&self, context: &Context<'_>) -> Report {
                match self { $(Self::$row(state) => state.report(context),)* }
            }

            pub(crate) fn population(&self, context: &Context<'_>) -> Vec<Champion> {
                match self { $(Self::$row(state) => state.population(context),)* }
            }

            pub(crate) fn finalists(&self, context: &Context<'_>, most: usize) -> Vec<Champion> {
                match self { $(Self::$row(state) => state.finalists(context, most),)* }
            }

            pub(crate) fn is_sound(&self, wide: &dyn Fn(&Vector) -> bool, open: Option<usize>) -> bool {
                match self { $(Self::$row(state) => state.is_sound(wide, open),)* }
            }

            pub(crate) fn is_at_rest(&self) -> bool {
                match self { $(Self::$row(state) => state.is_at_rest(),)* }
            }

            pub(crate) fn chance(&self) -> Option<Vector> {
                match self { $(Self::$row(state) => state.chance(),)* }
            }

            pub(crate) fn errors(&self) -> Option<Vector> {
                match self { $(Self::$row(state) => state.errors(),)* }
            }

            pub(crate) fn respace(&mut self, context: &Context<'_>) {
                match self { $(Self::$row(state) => state.respace(context),)* }
            }
        }
    };
}

use differential::Settings as De;

methods! {
    ClassicDe, "de", "classic differential evolution, ten strategies",
        differential::Differential, De, De::classic();
    HistoryDe, "de-history", "differential evolution with opposition and history, the published tuning algorithm",
        differential::Differential, De, De::with_history();
    PlainDe, "de-no-history", "the published tuning algorithm with its history switched off",
        differential::Differential, De, De::without_history();
    RatedDe, "de-rated", "differential evolution with ratings inside the loop",
        differential::Differential, De, De::rated();
    Jde, "jde", "self-adaptive differential evolution",
        differential::Differential, De, De::jde();
    HistoryJde, "jde-history", "self-adaptive differential evolution with history",
        differential::Differential, De, De::jde().remembering();
    LShade, "l-shade", "success-history adaptive differential evolution with a shrinking population",
        differential::Differential, De, De::l_shade();
    HistoryLShade, "l-shade-history", "L-SHADE with history",
        differential::Differential, De, De::l_shade().remembering();
    Evolution, "evolution", "evolutionary algorithm with self-adaptive step sizes",
        evolution::Evolution, evolution::Settings, evolution::Settings::published();
    HistoryEvolution, "evolution-history", "the evolutionary algorithm with history",
        evolution::Evolution, evolution::Settings, evolution::Settings::published().remembering();
    DynamicBounds, "dynamic-bounds", "knock-out evolution whose bounds move with the values",
        dynamic_bounds::DynamicBounds, dynamic_bounds::Settings, dynamic_bounds::Settings::published();
    HillClimbing, "hill-climbing", "small changes, kept if better",
        hill_climbing::HillClimbing, hill_climbing::Settings, hill_climbing::Settings::usual();
    Annealing, "annealing", "small changes, worse ones kept with falling probability",
        annealing::Annealing, annealing::Settings, annealing::Settings::usual();
    Spsa, "spsa", "simultaneous perturbation stochastic approximation in the form of Fishtest",
        spsa::Spsa, spsa::Settings, spsa::Settings::fishtest();
    ScaledSpsa, "spsa-scaled", "SPSA whose gains follow from the number of parameters and the budget, averaged at the end",
        spsa::Spsa, spsa::Settings, spsa::Settings::scaled();
    Regression, "regression", "Bayesian regression on all games: no schedule, no gains to choose, no game forgotten",
        regression::Regression, regression::Settings, regression::Settings::usual();
    CmaEs, "cma-es", "covariance matrix adaptation evolution strategy",
        cma_es::CmaEs, cma_es::Settings, cma_es::Settings::full();
    SeparableCmaEs, "sep-cma-es", "CMA-ES that adapts only the variances",
        cma_es::CmaEs, cma_es::Settings, cma_es::Settings::separable();
    Newton, "newton", "damped Newton steps where values come with gradients (Texel's positions): hundreds of parameters in a few",
        newton::Newton, newton::Settings, newton::Settings::usual();
}

impl Method {
    /// Those that can be told games.
    pub fn for_games() -> impl Iterator<Item = Self> {
        Self::ALL
            .iter()
            .copied()
            .filter(|method| !method.needs_gradients())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_read_back() {
        for &method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
            assert_eq!(method.settings().method(), method);
        }
        let error = "sgd".parse::<Method>().unwrap_err().to_string();
        assert!(error.starts_with("unknown method 'sgd' ("), "{error}");
        assert!(error.contains("known: de, de-history, "), "{error}");
    }

    #[test]
    fn settings_are_complete_and_take_no_unknown_key() {
        for &method in Method::ALL {
            let json = serde_json::to_string(&method.settings()).unwrap();
            assert_eq!(
                serde_json::from_str::<Settings>(&json).unwrap(),
                method.settings()
            );
            let misspelt = json.replacen("\"method\"", "\"surprise\":1,\"method\"", 1);
            let error = serde_json::from_str::<Settings>(&misspelt)
                .unwrap_err()
                .to_string();
            assert!(error.contains("surprise"), "{method:?}: {error}");
        }
    }
}
