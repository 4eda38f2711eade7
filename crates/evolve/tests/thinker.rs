//! What every player must do, and what this one is known for.

use std::time::Duration;

use vidmar_chess::{ByColor, Game, Move, Position};
use vidmar_cpu::ThreadInstant;
use vidmar_engine::bench::POSITIONS;
use vidmar_engine::explanation::{EvolutionExplanation, Explanation};
use vidmar_engine::settings::{Kind, Value};
use vidmar_engine::{Clock, Control, Limits, Thinker, Thought};
use vidmar_evolve::{EvolveThinker, Fitness, PositionEvaluation, Settings, Strategy};

fn games() -> impl Iterator<Item = Game> {
    POSITIONS
        .into_iter()
        .map(|fen| Game::new(fen.parse::<Position>().expect("legal")))
}

fn think(settings: &Settings, game: &Game, limits: &Limits) -> (Thought, EvolutionExplanation) {
    let mut thinker = EvolveThinker::new(settings.clone());
    let thought = thinker.think(game, limits, &Control::new(), &mut |info| {
        let mut now = game.position().clone();
        for &m in &info.pv {
            assert!(now.is_legal(m), "{info:?}");
            now.play(m);
        }
    });
    let Some(Explanation::Evolution(explanation)) = thinker.explanation() else {
        panic!("it explains its moves");
    };
    (thought, explanation)
}

/// Every strategy with every fitness and evaluation.
fn variants() -> impl Iterator<Item = Settings> {
    Strategy::ALL.iter().flat_map(|&strategy| {
        Fitness::ALL.iter().flat_map(move |&fitness| {
            PositionEvaluation::ALL.iter().map(move |&evaluation| Settings {
                genes: 4,
                generations: 6,
                strategy,
                fitness,
                evaluation,
                seed: 3,
                ..Settings::default()
            })
        })
    })
}

#[test]
fn every_variant_plays_legal_moves_and_repeats_itself_with_any_number_of_threads() {
    for settings in variants() {
        for game in games().step_by(7) {
            let (thought, explanation) = think(&settings, &game, &Limits::none());
            let best = thought.best.expect("a move");
            assert!(game.position().is_legal(best));
            assert_eq!(explanation.moves.len(), game.position().count_legal_moves());
            let several = Settings {
                threads: 3,
                ..settings.clone()
            };
            let (again, same) = think(&several, &game, &Limits::none());
            assert_eq!(again.best, thought.best, "{settings:?}");
            assert_eq!(same, explanation, "{settings:?}");
        }
    }
}

#[test]
fn limits_are_obeyed() {
    for settings in [Settings::default(), Settings::improved()] {
        for game in games().step_by(5) {
            for nodes in [1, 10, 60, 1_000, 20_000] {
                let (thought, _) = think(&settings, &game, &Limits::nodes(nodes));
                assert!(thought.best.is_some_and(|m| game.position().is_legal(m)));
                assert!(thought.nodes <= nodes, "{} of {nodes}", thought.nodes);
            }
            let (thought, _) = think(
                &settings,
                &game,
                &Limits {
                    nodes: Some(2_000),
                    ..Limits::depth(2)
                },
            );
            assert!(thought.depth <= 2);
            let only = [game.position().legal_moves()[0]];
            let limits = Limits {
                search_moves: only.to_vec(),
                ..Limits::nodes(500)
            };
            assert_eq!(think(&settings, &game, &limits).0.best, Some(only[0]));
        }
    }
}

#[test]
fn clocks_are_kept_and_a_stop_is_obeyed() {
    for game in games().step_by(9) {
        for remaining in [0, 40, 400] {
            let clock = Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::ZERO,
            };
            let limits = Limits {
                clocks: ByColor::new(Some(clock), Some(clock)),
                ..Limits::none()
            };
            let begun = ThreadInstant::now();
            assert!(think(&Settings::improved(), &game, &limits).0.best.is_some());
            // Processor time: what a busy machine adds on the wall is not the player's.
            let worked = begun.elapsed();
            assert!(worked < Duration::from_millis(remaining + 250), "{worked:?}");
        }
        let control = Control::new();
        let thought = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                control.stop();
            });
            let mut thinker = EvolveThinker::new(Settings::improved());
            thinker.think(&game, &Limits::none(), &control, &mut |_| {})
        });
        assert!(thought.best.is_some_and(|m| game.position().is_legal(m)));
    }
}

#[test]
fn a_mate_at_once_is_worth_a_million_pawns() {
    let game = Game::new(
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
            .parse::<Position>()
            .expect("legal"),
    );
    let (thought, explanation) = think(&Settings::default(), &game, &Limits::none());
    assert_eq!(thought.best, game.position().parse_uci("a1a8").ok());
    assert_eq!(explanation.moves[0].fitness, Some(100_000_000));
    assert_eq!(explanation.moves[0].line, ["Ra8#"]);
}

/// The queen can take a guarded pawn. Who believes that the opponent will not take back, takes.
#[test]
fn the_published_player_hopes_and_the_cured_ones_do_not() {
    let game = Game::new(
        "4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1"
            .parse::<Position>()
            .expect("legal"),
    );
    let blunder = game.position().parse_uci("d2d5").expect("legal");
    let fitness = |settings: &Settings, m: Move| {
        let (_, explanation) = think(settings, &game, &Limits::none());
        let word = m.uci(game.position().castling_notation()).to_string();
        let found = explanation.moves.iter().find(|found| found.r#move == word);
        found.and_then(|found| found.fitness).expect("a fitness")
    };
    let hoping = Settings {
        seed: 1,
        ..Settings::default()
    };
    let quiet = game.position().parse_uci("d2e3").expect("legal");
    assert!(
        fitness(&hoping, blunder) > fitness(&hoping, quiet),
        "a pawn more in every gene"
    );
    for strategy in [Strategy::Alternating, Strategy::Answering] {
        let cured = Settings {
            strategy,
            genes: 2,
            fitness: Fitness::Leaf,
            ..hoping.clone()
        };
        assert_eq!(
            fitness(&cured, blunder),
            -100,
            "{strategy}: only the pawn on c6, now d5, is left"
        );
        assert_ne!(think(&cured, &game, &Limits::none()).0.best, Some(blunder));
    }
}

#[test]
fn evolution_never_loses_its_best_line_and_tells_how_it_came() {
    let game = Game::default();
    let settings = Settings {
        generations: 100,
        ..Settings::default()
    };
    let (_, explanation) = think(&settings, &game, &Limits::none());
    for found in &explanation.moves {
        assert_eq!(found.generations, 100);
        assert_eq!(found.history.len(), 101, "the founders and each generation");
        let fitness: Vec<i64> = found.history.iter().map(|sample| sample.fitness).collect();
        assert!(fitness.is_sorted(), "{fitness:?}");
        assert_eq!(found.fitness, fitness.last().copied());
        assert_eq!(found.fitness, Some(found.worths.iter().sum()));
        assert!(
            found
                .history
                .iter()
                .all(|sample| (0.0..=1.0).contains(&sample.diversity))
        );
    }
    // With two genes the mover has none to change, and every second generation is idle.
    let short = Settings {
        genes: 2,
        strategy: Strategy::Alternating,
        ..settings
    };
    let (_, idle) = think(&short, &game, &Limits::none());
    assert!(idle.moves.iter().all(|found| found.history.len() == 101));
    let text = explanation.to_string();
    assert_eq!(text.lines().count(), 22, "{text}");
}

#[test]
fn options_change_the_player() {
    let mut thinker = EvolveThinker::new(Settings::default());
    for row in EvolveThinker::all_settings() {
        let value = match &row.kind {
            Kind::Choice { values, .. } => values.last().copied().expect("a value").into(),
            Kind::Integer { min, .. } => Value::Integer(min + 1),
            other => panic!("{other:?}"),
        };
        thinker.set(&row.key, &value).expect("a value of the row");
    }
    let expected = Settings {
        genes: 2,
        generations: 1,
        chromosomes: 2,
        seed: 1,
        strategy: Strategy::Answering,
        fitness: Fitness::Leaf,
        evaluation: PositionEvaluation::See,
        threads: 2,
    };
    assert_eq!(thinker.in_force(), &expected);
    assert!(thinker.set("hash", &Value::Integer(1)).is_err());
}
