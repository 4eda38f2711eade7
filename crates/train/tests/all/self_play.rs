//! Self-play: the same file for any number of threads, stopped or not.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use vidmar_arena::{Completion, ThreadExecutor};
use vidmar_chess::Game;
use vidmar_engine::{Control, Limits};
use vidmar_players::{Fault, Identity, Player, PlayerSpec, Reply};
use vidmar_train::packed::PackedWriter;
use vidmar_train::self_play::{Progress, SelfPlay, SelfPlayError, usual_rules};

fn self_play(plies: u16) -> SelfPlay {
    SelfPlay {
        player: "engine:hash=1,eval=tuned".parse().unwrap(),
        identity: Identity::default(),
        nodes: 20,
        plies,
        seed: 3,
        rules: usual_rules(),
    }
}

/// A player that finishes only the first of its games until it is stopped: however late the word comes that a game is over,
/// others are left to play.
struct Patient {
    player: Box<dyn Player>,
    begun: usize,
}

impl Player for Patient {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn new_game(&mut self, chess960: bool, seed: u64) -> Result<(), Fault> {
        self.begun += 1;
        self.player.new_game(chess960, seed)
    }

    fn choose(&mut self, game: &Game, limits: &Limits, control: &Control) -> Result<Reply, Fault> {
        while self.begun > 1 && !control.is_stopped() {
            std::thread::yield_now();
        }
        self.player.choose(game, limits, control)
    }
}

/// Plays until there are so many games, or stops after the first one.
fn play(path: &Path, games: u64, threads: usize, stops: bool) -> (Progress, Completion) {
    let self_play = self_play(8);
    let writer = PackedWriter::open(path, &self_play.description()).unwrap();
    let mut executor = ThreadExecutor::new(NonZeroUsize::new(threads).unwrap());
    if stops {
        executor = executor.with_players(Arc::new(|spec: &PlayerSpec| {
            let player = spec.player()?;
            Ok(Box::new(Patient { player, begun: 0 }) as Box<dyn Player>)
        }));
    }
    let control = Control::new();
    self_play
        .play(games, writer, &executor, &control, &mut |now| {
            if stops && now.played > 0 {
                control.stop();
            }
        })
        .unwrap()
}

#[test]
fn threads_and_interruptions_change_no_bit() {
    let folder = tempfile::tempdir().unwrap();
    let [one, many, stopped] = ["one", "many", "stopped"].map(|name| folder.path().join(name));
    let (all, completion) = play(&one, 12, 1, false);
    assert_eq!(
        (all.games, all.played, completion),
        (12, 12, Completion::Complete)
    );
    assert!(
        all.positions > 12 * 20 && all.usable > all.positions / 4,
        "{all:?}"
    );
    assert_eq!(all.bytes, std::fs::metadata(&one).unwrap().len());
    play(&many, 12, 3, false);
    let mut sessions = 0;
    while play(&stopped, 12, 2, true).0.games < 12 {
        sessions += 1;
    }
    assert!(sessions > 1);
    let bytes = std::fs::read(&one).unwrap();
    assert!(bytes == std::fs::read(&many).unwrap() && bytes == std::fs::read(&stopped).unwrap());
    // More games are added to those that are there.
    let (more, _) = play(&one, 14, 2, false);
    assert_eq!((more.games, more.played), (14, 2));
    assert!(std::fs::read(&one).unwrap().len() > bytes.len());
}

#[test]
fn openings_that_run_out_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut few = self_play(0);
    few.nodes = 1;
    few.rules.max_moves = Some(2);
    let writer = PackedWriter::open(&folder.path().join("few"), &few.description()).unwrap();
    let executor = ThreadExecutor::new(NonZeroUsize::MIN);
    let played = few.play(50, writer, &executor, &Control::new(), &mut |_| {});
    let error = played.unwrap_err();
    assert!(
        matches!(error, SelfPlayError::Openings { games: 21, .. }),
        "{error}"
    );
}
