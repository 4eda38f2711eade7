//! Games that were played before: task number `n` is game `n` modulo their number, under another number.

use std::sync::OnceLock;

use vidmar_arena::{
    GameRecord, GameSetup, GameTask, Opening, Openings, RandomWalks, Rules, TaskPlayer, TimeControl, Worker,
};
use vidmar_chess::ByColor;
use vidmar_engine::Control;

/// Different games.
pub(crate) const DIFFERENT: u64 = 64;

/// The task of a number.
pub(crate) fn task(number: u64) -> GameTask {
    static OPENINGS: OnceLock<Vec<Opening>> = OnceLock::new();
    let player = |index| TaskPlayer::new(index, "engine:depth=2,hash=1".parse().expect("a player"));
    let openings = OPENINGS.get_or_init(|| {
        let walks = Openings::walk(RandomWalks { plies: 8, seed: 1 });
        (0..DIFFERENT).map(|number| walks.get(number)).collect()
    });
    GameTask {
        number,
        round: number / DIFFERENT,
        players: ByColor::new(player(0), player(1)),
        setup: GameSetup {
            opening: openings[(number % DIFFERENT) as usize].clone(),
            limits: ByColor::from_fn(|_| TimeControl::default()),
            rules: Rules::published(),
            seed: number,
            keeps_pvs: false,
        },
    }
}

/// Plays all of them.
pub(crate) fn play() -> Vec<GameRecord> {
    let mut worker = Worker::default();
    let play = |number| worker.play(&task(number), &Control::new()).expect("a game");
    (0..DIFFERENT).map(play).collect()
}

/// Plies of a game, on average.
pub(crate) fn plies(games: &[GameRecord]) -> f64 {
    games.iter().map(|game| game.moves.len()).sum::<usize>() as f64 / games.len() as f64
}
