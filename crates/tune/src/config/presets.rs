//! The presets: the published experiments as they were, and one to see it work.
//!
//! The published table has 16 MiB of hash, these have 1: a game of depth 6 hardly fills it, and clearing more for every
//! game takes a fifth of the time. What else the published table leaves open is said in `docs/tuning.md`.

use vidmar_optim::differential::{self, Mutation};
use vidmar_optim::dynamic_bounds::{self, Rule};
use vidmar_optim::{Method, Repair, Settings, evolution};

use vidmar_text::did_you_mean;

use super::overlay::ConfigError;
use super::{
    Budget, Config, Engine, GameRules, Gauntlet, Intervals, Listed, OpeningBook, OpeningSource, Parameters,
    Source, Stage, StopRules, Verify,
};

use crate::objective::{ObjectiveSettings, self_play, texel};
use crate::parameters::PHASES;

/// A named configuration.
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
    config: fn() -> Config,
}

/// Every preset; the first is the default.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "pieces",
        help: "what pieces are worth, from nothing: Texel's method on own games, three times; two minutes",
        config: pieces,
    },
    Preset {
        name: "quick",
        help: "16 values of pieces and mobility from nothing by SPSA, minutes",
        config: quick,
    },
    Preset {
        name: "no-knowledge",
        help: "16 parameters from [0, 1000] by differential evolution with history, depth 4",
        config: no_knowledge,
    },
    Preset {
        name: "narrow",
        help: "190 parameters in narrow intervals by differential evolution with history, depth 6",
        config: narrow,
    },
    Preset {
        name: "wide",
        help: "the same in wide intervals",
        config: wide,
    },
    Preset {
        name: "rated",
        help: "190 parameters with ratings inside the loop",
        config: rated,
    },
    Preset {
        name: "evolutionary",
        help: "190 parameters by the evolutionary algorithm with self-adaptive steps",
        config: evolutionary,
    },
    Preset {
        name: "dynamic-bounds",
        help: "6 real parameters by knock-out evolution with bounds that move",
        config: dynamic_bounds,
    },
    Preset {
        name: "evaluation",
        help: "all parameters by Texel's method on own games, twice; how the vector `tuned` is made",
        config: evaluation,
    },
];

impl Preset {
    /// The preset of that name.
    pub fn named(name: &str) -> Result<&'static Preset, ConfigError> {
        PRESETS
            .iter()
            .find(|preset| preset.name == name)
            .ok_or_else(|| ConfigError::UnknownPreset {
                name: name.to_owned(),
                hint: did_you_mean(name, PRESETS.iter().map(|preset| preset.name)),
            })
    }

    /// Its configuration.
    pub fn config(&self) -> Config {
        (self.config)()
    }
}

/// [boskovic-2010], narrow intervals: D 190, `N_p` 20, F 0.5, `C_r` 0.9, 100 generations, 10 games, depth 6, book.
fn narrow() -> Config {
    Config {
        seed: 1,
        budget: Budget {
            generations: 100,
            total_games: 0,
        },
        stop: StopRules::default(),
        parameters: Parameters {
            source: Source::Evaluation,
            set: "published190".into(),
            intervals: Intervals::Narrow,
            base: "guess".into(),
            start: "guess".into(),
            origin: None,
            names: Vec::new(),
            frozen: Vec::new(),
            constraints: Vec::new(),
            interval: None,
            list: Vec::new(),
        },
        repair: Repair::Mirror,
        objective: self_play(10, false),
        engine: Engine {
            depth: 6,
            nodes: 0,
            hash: 1,
            player: String::new(),
            command: String::new(),
            options: Vec::new(),
            move_time: 0,
            tc: None,
            answer_ms: 0,
        },
        openings: OpeningBook {
            source: OpeningSource::BuiltIn,
            plies: 8,
            file: None,
        },
        rules: GameRules {
            lead: 400,
            draw: None,
            max_moves: 150,
            tablebases: "built-in".into(),
        },
        verify: Verify {
            pairs: 500,
            deeper: vec![0, 1],
            only_recommended: false,
            only_start: false,
            sprt: None,
            clock: None,
        },
        gauntlet: Gauntlet::usual(),
        optimizer: Settings::HistoryDe(differential::Settings::with_history()),
        earlier: Vec::new(),
        then: Vec::new(),
    }
}

fn self_play(games: u32, paired: bool) -> ObjectiveSettings {
    ObjectiveSettings::SelfPlay(self_play::Settings { games, paired })
}

/// [boskovic-2010], no expert knowledge: D 16 from [0, 1000], `N_p` 40, F 0.9, 500 generations, 5 games, depth 4; no
/// book, no early wins. What every other parameter was is not published: as in `guess` the end is most like the
/// published one (`docs/tuning.md`).
fn no_knowledge() -> Config {
    let mut config = narrow();
    config.budget.generations = 500;
    config.parameters.set = "material-mobility".into();
    config.parameters.start = "middle".into();
    config.parameters.interval = Some((0.0, 1000.0));
    config.objective = self_play(5, false);
    config.engine.depth = 4;
    config.openings.source = OpeningSource::Start;
    config.rules.lead = 0;
    config.rules.tablebases = "none".into();
    config.verify.pairs = 200;
    config.optimizer = Settings::HistoryDe(differential::Settings {
        population: 40,
        f: 0.9,
        mutation: Mutation::BestZ1,
        ..differential::Settings::with_history()
    });
    config
}

fn wide() -> Config {
    let mut config = narrow();
    config.parameters.intervals = Intervals::Wide;
    config
}

/// [erk-2008]: DE/rand/1/bin, `C_r` 0.8, opponents and injection by rating.
fn rated() -> Config {
    Config {
        optimizer: Settings::RatedDe(differential::Settings::rated()),
        ..narrow()
    }
}

/// [boskovic-2010], the evolutionary algorithm: 10 parents and 10 children.
fn evolutionary() -> Config {
    Config {
        optimizer: Settings::Evolution(evolution::Settings::published()),
        ..narrow()
    }
}

/// [urminsky-2007], dynamic bounds: six reals in pawns, the weights of the simple evaluation; a pawn is 1. Alpha-beta of three plies,
/// and three more of captures. Piece values move by 2 at most from where they are, doubled pawns by 0.2; mobility has fixed bounds.
/// The published intervals at the start are not known: pieces 0 to 20, doubled 0 to 1.
fn dynamic_bounds() -> Config {
    let listed = |name: &str, (min, max): (f64, f64)| Listed {
        name: name.into(),
        min: Some(min),
        max: Some(max),
        real: true,
        drives: vec![name.into()],
        scale: 100.0,
        ..Listed::default()
    };
    let pieces = ["queen", "rook", "bishop", "knight"];
    let mut list = vec![listed("pawn", (0.0, 1.0))];
    list.extend(pieces.map(|piece| listed(piece, (0.0, 20.0))));
    list.push(listed("doubled", (0.0, 1.0)));
    list.push(listed("mobility", (0.01, 0.5)));
    let mut config = narrow();
    config.budget.generations = 100;
    config.parameters = Parameters {
        source: Source::Simple,
        set: "none".into(),
        start: "default".into(),
        frozen: vec!["pawn".into()],
        constraints: pieces[1..]
            .iter()
            .map(|piece| format!("queen >= {piece}"))
            .collect(),
        list,
        ..config.parameters
    };
    config.engine.player = "search:algorithm=alpha-beta,eval=simple,quiescence-plies=3".into();
    config.engine.depth = 3;
    config.objective = self_play(2, false);
    config.verify.pairs = 200;
    let rule = |name: &str, probability, half_range| Rule {
        name: name.into(),
        probability,
        half_range,
    };
    config.optimizer = Settings::DynamicBounds(dynamic_bounds::Settings {
        rules: vec![
            rule("queen", 0.25, Some(2.0)),
            rule("rook", 0.25, Some(2.0)),
            rule("bishop", 0.25, Some(2.0)),
            rule("knight", 0.25, Some(2.0)),
            rule("doubled", 0.1, Some(0.2)),
            rule("mobility", 0.1, None),
        ],
        ..dynamic_bounds::Settings::published()
    });
    config
}

/// What a newcomer runs first: piece values from games alone. All pieces are worth the same at the start and nothing else counts;
/// that player plays itself, the values are fitted to the results, the fitted player plays itself a ply deeper, and so on.
/// Opening and endgame have one value for each piece at first: a queen on the board makes an opening of any position, so
/// that two values from few games can be anything. The last stage takes them apart, as far as the games insist: some 130
/// positions of a game count as if each had a result of its own, so that a `prior` of 0.001 of the interval, 2.5, weighs
/// like one of 28 against games. With 0.005, which is 140, a pawn of the opening came to 46 in some seeds (`docs/tuning.md`).
/// Such players cannot mate, so endings of four pieces are looked up; with such values a lead means nothing, so no game
/// is given up.
fn pieces() -> Config {
    let mut config = no_knowledge();
    let piece = |name: &str| Listed {
        name: name.to_lowercase(),
        min: Some(0.0),
        max: Some(2500.0),
        drives: PHASES.map(|phase| format!("{name}Value{phase}")).to_vec(),
        ..Listed::default()
    };
    config.parameters = Parameters {
        set: "none".into(),
        base: "zero".into(),
        start: "even".into(),
        interval: None,
        list: PIECES.map(piece).to_vec(),
        ..config.parameters
    };
    config.budget = Budget {
        generations: texel::STEPS,
        total_games: 0,
    };
    config.objective = ObjectiveSettings::Texel(texel::Settings {
        self_play: 800,
        ..texel::Settings::default()
    });
    config.engine.depth = 2;
    config.openings.source = OpeningSource::BuiltIn;
    config.rules.tablebases = "built-in".into();
    config.verify = Verify {
        pairs: 0,
        deeper: vec![0, 1],
        only_recommended: true,
        only_start: true,
        sprt: None,
        clock: None,
    };
    config.optimizer = Method::Newton.settings();
    config.then = stages(&[("second", SECOND), ("phases", TWO_PHASES)]);
    config
}

const PIECES: [&str; 5] = ["Pawn", "Knight", "Bishop", "Rook", "Queen"];

const SECOND: &str = "
    engine.depth = 3
    objective.self_play = 1500
";

const TWO_PHASES: &str = r#"
    objective = { self_play = 2500, prior = 0.001 }
    verify = { pairs = 50 }
    [parameters]
    set = "material-mobility"
    interval = [0.0, 2500.0]
    list = []
    names = [
        "PawnValueOpening", "KnightValueOpening", "BishopValueOpening", "RookValueOpening", "QueenValueOpening",
        "PawnValueEndgame", "KnightValueEndgame", "BishopValueEndgame", "RookValueEndgame", "QueenValueEndgame",
    ]
"#;

/// Piece values and mobility, all 500 at the start, by SPSA. With such values
/// a lead of four pawns means nothing, so games are played out, as published.
fn quick() -> Config {
    let mut config = no_knowledge();
    config.parameters.base = "zero".into();
    config.budget = Budget {
        generations: 0,
        total_games: 8_000,
    };
    config.openings.source = OpeningSource::BuiltIn;
    config.objective = self_play(2, true);
    config.verify = Verify {
        pairs: 100,
        deeper: vec![0, 1],
        only_recommended: true,
        only_start: false,
        sprt: None,
        clock: None,
    };
    config.optimizer = Method::ScaledSpsa.settings();
    config
}

/// How the hand-crafted evaluation `tuned` is made, with no files: the expert's guess plays itself, all parameters are fitted to what
/// its searches and the results said, the fitted vector plays itself at a larger depth, and all are fitted again to the
/// games of both. A pawn of the endgame stays the unit of scores, the queen's unit (which only moves a constant to its
/// mobility) is an average one, and attacks on kings count the same for both colours.
fn evaluation() -> Config {
    let mut config = narrow();
    config.budget.generations = 12;
    let unit = |piece: &str, first: usize| Listed {
        name: format!("{piece}AttackUnit"),
        min: Some(-50.0),
        max: Some(50.0),
        drives: [first, first + 1]
            .map(|n| format!("KingAttackUnit[{n}]"))
            .to_vec(),
        ..Listed::default()
    };
    let queen_unit = Listed {
        name: "QueenUnit".into(),
        start: Some(13.0),
        ..Listed::default()
    };
    let units = (4..12).map(|n| format!("KingAttackUnit[{n}]"));
    config.parameters.set = "all".into();
    config.parameters.intervals = Intervals::Hull;
    config.parameters.frozen = ["PawnValueEndgame", "QueenUnit"]
        .map(str::to_owned)
        .into_iter()
        .chain(units)
        .collect();
    config.parameters.list = vec![
        queen_unit,
        unit("Knight", 4),
        unit("Bishop", 6),
        unit("Rook", 8),
        unit("Queen", 10),
    ];
    config.objective = ObjectiveSettings::Texel(texel::Settings {
        self_play: 6_000,
        lambda: 0.8.into(),
        prior: 0.1.into(),
        ..texel::Settings::default()
    });
    config.engine.depth = 4;
    config.verify = Verify {
        pairs: 100,
        deeper: vec![0],
        only_recommended: true,
        only_start: false,
        sprt: None,
        clock: None,
    };
    config.optimizer = Method::Newton.settings();
    config.then = stages(&[("again", AGAIN)]);
    config
}

const AGAIN: &str = "
    engine.depth = 6
    objective.self_play = 8000
    verify = { pairs = 500, deeper = [0, 1] }
";

fn stages(texts: &[(&str, &str)]) -> Vec<Stage> {
    let stage = |&(name, text): &(&str, &str)| Stage {
        name: name.to_owned(),
        change: text.parse().expect("the text of a preset is a table"),
    };
    texts.iter().map(stage).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The published table ([boskovic-2010] and [erk-2008]), row by row.
    #[test]
    fn published_settings_are_as_printed() {
        let de = |name: &str| match Config::of_preset(name).unwrap().optimizer {
            Settings::HistoryDe(de) | Settings::RatedDe(de) => de,
            other => panic!("{other:?}"),
        };
        let games = |config: &Config| match &config.objective {
            ObjectiveSettings::SelfPlay(settings) => settings.games,
            other => panic!("{other:?}"),
        };
        let row = |name: &str| {
            let (c, s) = (Config::of_preset(name).unwrap(), de(name));
            (
                (s.population, s.f, s.cr, c.budget.generations, games(&c)),
                (
                    s.opposition.rate,
                    s.history.size,
                    s.history.inject,
                    c.engine.depth,
                    c.engine.hash,
                ),
            )
        };
        assert_eq!(row("no-knowledge"), ((40, 0.9, 0.9, 500, 5), (0.1, 20, 4, 4, 1)));
        assert_eq!(row("narrow"), ((20, 0.5, 0.9, 100, 10), (0.1, 20, 4, 6, 1)));
        assert_eq!(row("wide"), ((20, 0.5, 0.9, 100, 10), (0.1, 20, 4, 6, 1)));
        assert_eq!(row("rated"), ((20, 0.5, 0.8, 100, 10), (0.1, 20, 4, 6, 1)));
        assert_eq!(de("narrow").mutation, Mutation::BestZ1);
        assert_eq!(de("rated").mutation, Mutation::Rand1);
    }

    #[test]
    fn every_preset_reads_back_from_its_toml() {
        for preset in PRESETS {
            let config = preset.config();
            let read = Config::read(None, Some((Path::new("it"), &config.to_toml())), &[]).unwrap();
            assert_eq!(read, config, "{}", preset.name);
        }
        let error = Config::of_preset("narow").err().unwrap().to_string();
        assert_eq!(error, "unknown preset 'narow' (did you mean 'narrow'?)");
    }

    #[test]
    fn stages_follow_from_where_the_one_before_ended() {
        let first = evaluation().scaled(0.5);
        let (name, second) = first.next("here.txt", Path::new("a")).unwrap().unwrap();
        assert_eq!((name.as_str(), second.engine.depth), ("again", 6));
        assert_eq!(second.parameters.start, "here.txt");
        assert_eq!((second.seed, &second.earlier), (2, &vec!["a".into()]));
        assert_eq!(second.parameters.origin.as_deref(), Some("guess"));
        assert_eq!(second.optimizer, Method::Newton.settings());
        let ObjectiveSettings::Texel(learning) = &second.objective else {
            panic!("{:?}", second.objective)
        };
        assert_eq!((learning.self_play, second.verify.pairs), (8_000, 250));
        assert_eq!(second.next("", Path::new("")).unwrap(), None);
        let mut broken = evaluation();
        broken.then[0]
            .change
            .insert("engin".into(), toml::Value::Integer(3));
        let error = broken.next("here.txt", Path::new("")).unwrap_err().to_string();
        assert_eq!(
            error,
            "then.again: unknown setting 'engin' (did you mean 'engine'?)"
        );
    }

    /// What pieces are worth is one number for both phases until the last stage, which starts where the one before ended; only its
    /// result is validated, against where everything began.
    #[test]
    fn piece_values_come_apart_in_the_last_stage() {
        let first = pieces();
        let (name, second) = first.next("a.txt", Path::new("a")).unwrap().unwrap();
        assert_eq!(
            (name.as_str(), second.engine.depth, second.verify.pairs),
            ("second", 3, 0)
        );
        assert_eq!(second.parameters.list.len(), 5);
        let (name, last) = second.next("b.txt", Path::new("b")).unwrap().unwrap();
        assert_eq!(
            (name.as_str(), last.engine.depth, last.verify.pairs),
            ("phases", 3, 50)
        );
        assert!(last.verify.only_start && last.parameters.list.is_empty());
        assert_eq!(last.parameters.origin.as_deref(), Some("even"));
        let of_start = Parameters {
            start: "even".into(),
            ..last.parameters.clone()
        };
        let tunables = crate::parameters::Tunables::new(&of_start, &[]).unwrap();
        assert_eq!(tunables.space().start(), [200.0; 10]);
        assert_eq!(tunables.space().degrees(), 10);
        let tied = crate::parameters::Tunables::new(&first.parameters, &[]).unwrap();
        assert_eq!(tied.space().start(), [200.0; 5]);
    }

    #[test]
    fn scale_multiplies_generations_and_the_validation_alone() {
        let (whole, part) = (narrow(), narrow().scaled(0.25));
        assert_eq!((part.budget.generations, part.verify.pairs), (25, 125));
        let restored = Config {
            budget: whole.budget,
            verify: whole.verify.clone(),
            ..part
        };
        assert_eq!(restored, whole);
        assert_eq!(narrow().scaled(0.0001).budget.generations, 1);
    }
}
