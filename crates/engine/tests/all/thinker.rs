//! What every player must do, held up to the flagship: legal lines, limits obeyed, the same answer every time.

use std::time::Duration;

use vidmar_chess::{ByColor, Game, Move, Position, Score};
use vidmar_cpu::ThreadInstant;
use vidmar_engine::bench::POSITIONS;
use vidmar_engine::{
    Clock, Control, FlagshipSettings, FlagshipThinker, Info, Limits, Strength, Thinker, Thought,
};

fn thinker(settings: FlagshipSettings) -> FlagshipThinker {
    let mut thinker = FlagshipThinker::new(FlagshipSettings { hash: 4, ..settings });
    thinker.prepare().expect("memory");
    thinker
}

fn think(thinker: &mut FlagshipThinker, game: &Game, limits: &Limits) -> (Thought, Vec<Info>) {
    let mut infos = Vec::new();
    let thought = thinker.think(game, limits, &Control::new(), &mut |info| {
        infos.push(info.clone());
    });
    (thought, infos)
}

fn games() -> impl Iterator<Item = Game> {
    POSITIONS
        .into_iter()
        .map(|fen| Game::new(fen.parse::<Position>().expect("legal")))
}

/// The position after a line, if all of it is legal.
fn after(game: &Game, line: &[Move]) -> Option<Position> {
    let mut now = game.position().clone();
    for &m in line {
        if !now.is_legal(m) {
            return None;
        }
        now.play(m);
    }
    Some(now)
}

#[test]
fn lines_are_legal_to_their_end_and_mates_are_mates() {
    for multipv in [1, 3] {
        let mut thinker = thinker(FlagshipSettings {
            multipv,
            ..FlagshipSettings::default()
        });
        for game in games() {
            thinker.new_game();
            let (thought, infos) = think(&mut thinker, &game, &Limits::depth(9));
            for info in &infos {
                let end = after(&game, &info.pv);
                let end = end.unwrap_or_else(|| panic!("{}: {info:?}", game.position()));
                if let Some(Score::Mate(moves)) = info.score {
                    // A line may be cut short by the table, but it is never longer than the mate.
                    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves } as usize;
                    assert!(info.pv.len() <= plies, "{}: {info:?}", game.position());
                    if info.pv.len() == plies {
                        assert!(end.in_check() && end.count_legal_moves() == 0, "{info:?}");
                    }
                }
            }
            let last = infos.iter().rfind(|info| info.multipv == 1).expect("an info");
            assert_eq!(thought.best, last.pv.first().copied());
            assert_eq!(thought.told_score(), last.score);
        }
    }
}

#[test]
fn nodes_and_depth_are_obeyed_and_answers_repeat() {
    let mut one = thinker(FlagshipSettings::default());
    let mut other = thinker(FlagshipSettings::default());
    for game in games() {
        for nodes in [1, 2, 10, 1_000, 5_000] {
            one.new_game();
            other.new_game();
            let (first, infos) = think(&mut one, &game, &Limits::nodes(nodes));
            let (second, _) = think(&mut other, &game, &Limits::nodes(nodes));
            assert!(first.best.is_some_and(|m| game.position().is_legal(m)), "{nodes}");
            assert!(first.nodes <= nodes, "{} of {nodes}", first.nodes);
            assert_eq!(
                (first.best, first.score, first.nodes),
                (second.best, second.score, second.nodes)
            );
            for info in infos {
                assert!(
                    !matches!(info.score, Some(Score::Mate(moves)) if moves.abs() > 100),
                    "{info:?}"
                );
            }
        }
        one.new_game();
        let (thought, infos) = think(&mut one, &game, &Limits::depth(3));
        assert!(thought.depth <= 3 && infos.iter().all(|info| info.depth <= 3));
    }
}

#[test]
fn clocks_are_kept() {
    let mut thinker = thinker(FlagshipSettings::default());
    for (remaining, increment) in [(0, 0), (40, 0), (100, 10), (400, 0)] {
        for game in games().step_by(6) {
            let clock = Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
            };
            let limits = Limits {
                clocks: ByColor::new(Some(clock), Some(clock)),
                ..Limits::none()
            };
            let begun = ThreadInstant::now();
            let (thought, _) = think(&mut thinker, &game, &limits);
            assert!(thought.best.is_some());
            // Processor time: what a busy machine adds on the wall is not the engine's.
            let worked = begun.elapsed();
            assert!(worked < Duration::from_millis(remaining + 250), "{worked:?}");
        }
    }
}

#[test]
fn a_stop_is_obeyed() {
    let mut thinker = thinker(FlagshipSettings::default());
    for game in games().step_by(4) {
        let control = Control::new();
        let stopped = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                control.stop();
            });
            thinker.think(&game, &Limits::none(), &control, &mut |_| {})
        });
        assert!(stopped.best.is_some_and(|m| game.position().is_legal(m)));
        // Stopped before it began.
        let control = Control::new();
        control.stop();
        let stopped = thinker.think(&game, &Limits::none(), &control, &mut |_| {});
        assert!(stopped.best.is_some());
    }
}

#[test]
fn a_limit_of_strength_gives_the_same_move_for_the_same_seed() {
    let play = |seed: u64| -> Vec<Option<Move>> {
        let mut thinker = thinker(FlagshipSettings {
            limits_strength: true,
            strength: Strength { elo: 1100, seed },
            ..FlagshipSettings::default()
        });
        games()
            .map(|game| {
                thinker.new_game();
                think(&mut thinker, &game, &Limits::none()).0.best
            })
            .collect()
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}
