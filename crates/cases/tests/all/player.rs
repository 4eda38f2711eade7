//! The case-based player does what every player must: legal moves, limits obeyed, the same answer every time.

use std::sync::Arc;
use std::time::Duration;

use vidmar_cases::{CaseBase, CaseSettings, CaseThinker, PlayerName, build};
use vidmar_chess::{ByColor, Game, Move, Position};
use vidmar_cpu::ThreadInstant;
use vidmar_engine::bench::POSITIONS;
use vidmar_engine::settings::Value;
use vidmar_engine::uci::{ServerSettings, serve};
use vidmar_engine::{Clock, Control, Info, Limits, Thinker, Thought};

const GAMES: &str = "[Event \"Karlsbad\"]\n[Date \"1911.08.21\"]\n[White \"Vidmar,M\"]\n[Black \"Teichmann,R\"]\n\n\
    1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7 7. Rc1 c6 8. Bd3 dxc4 9. Bxc4 Nd5 *\n\n\
    [Event \"Berlin\"]\n[Date \"1918.04.20\"]\n[White \"Schlechter,C\"]\n[Black \"Vidmar,M\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Nxe4 6. d4 b5 7. Bb3 d5 8. dxe5 Be6 *\n";

fn base() -> CaseBase {
    let files = [("games".to_owned(), GAMES.as_bytes().to_vec())];
    let name = PlayerName::new("Vidmar").expect("a name");
    build(&files, &name).expect("his games").0
}

/// Every way of deciding.
const WAYS: [&[(&str, &str)]; 6] = [
    &[],
    &[
        ("k", "8"),
        ("penalty", "0.5"),
        ("mirror", "on"),
        ("cycles", "avoid"),
    ],
    &[("metric", "like-pieces"), ("shift", "on"), ("captures", "3")],
    &[("solution", "0.5"), ("learn", "session"), ("cycles", "unwanted")],
    &[("filter", "root"), ("k", "10"), ("filter-depth", "3")],
    &[("filter", "tree"), ("k", "10"), ("filter-depth", "2")],
];

fn players() -> impl Iterator<Item = CaseThinker> {
    WAYS.iter().map(|pairs| {
        let mut settings = CaseSettings::default();
        for (key, value) in *pairs {
            settings.set(key, value).expect("a setting");
        }
        CaseThinker::new(Arc::new(base()), settings)
    })
}

fn games() -> impl Iterator<Item = Game> {
    POSITIONS
        .into_iter()
        .map(|fen| Game::new(fen.parse::<Position>().expect("legal")))
}

fn think(thinker: &mut CaseThinker, game: &Game, limits: &Limits) -> (Thought, Vec<Info>) {
    let mut infos = Vec::new();
    let thought = thinker.think(game, limits, &Control::new(), &mut |info| {
        infos.push(info.clone());
    });
    (thought, infos)
}

#[test]
fn moves_are_legal_and_the_same_again() {
    for (mut one, mut other) in players().zip(players()) {
        for game in games() {
            for player in [&mut one, &mut other] {
                player.new_game();
            }
            let (first, infos) = think(&mut one, &game, &Limits::none());
            let (second, _) = think(&mut other, &game, &Limits::none());
            assert!(
                first.best.is_some_and(|m| game.position().is_legal(m)),
                "{}",
                game.position()
            );
            assert_eq!(
                (first.best, first.score, first.nodes),
                (second.best, second.score, second.nodes)
            );
            let last = infos.last().expect("a line before the move");
            assert_eq!(last.pv.first().copied(), first.best);
            // Nothing that could be compared with the scores of others.
            assert!(infos.iter().all(|info| info.score.is_none()) && !first.is_scored);
            assert!(
                one.explain(game.position())
                    .is_some_and(|found| found.to_string().contains("Vidmar,M"))
            );
        }
    }
}

#[test]
fn limits_are_obeyed() {
    for mut player in players() {
        for game in games().step_by(5) {
            let only: Vec<Move> = game
                .position()
                .legal_moves()
                .iter()
                .copied()
                .skip(1)
                .take(2)
                .collect();
            let limits = Limits {
                search_moves: only.clone(),
                ..Limits::depth(1)
            };
            let (thought, _) = think(&mut player, &game, &limits);
            assert!(only.is_empty() || thought.best.is_some_and(|m| only.contains(&m)));
            let (thought, _) = think(&mut player, &game, &Limits::nodes(1));
            assert!(thought.nodes <= 1 && thought.best.is_some());
            for remaining in [0, 30, 300] {
                let clock = Clock {
                    remaining: Duration::from_millis(remaining),
                    increment: Duration::ZERO,
                };
                let limits = Limits {
                    clocks: ByColor::new(Some(clock), Some(clock)),
                    ..Limits::none()
                };
                let begun = ThreadInstant::now();
                assert!(think(&mut player, &game, &limits).0.best.is_some());
                let worked = begun.elapsed();
                assert!(worked < Duration::from_millis(remaining + 250), "{worked:?}");
            }
            let control = Control::new();
            control.stop();
            let stopped = player.think(&game, &Limits::none(), &control, &mut |_| {});
            assert!(stopped.best.is_some_and(|m| game.position().is_legal(m)));
        }
    }
}

#[test]
fn without_moves_there_is_none() {
    let mated: Position = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1".parse().unwrap();
    for mut player in players() {
        assert_eq!(
            think(&mut player, &Game::new(mated.clone()), &Limits::none())
                .0
                .best,
            None
        );
    }
}

#[test]
fn without_cases_it_still_plays() {
    let mut player = CaseThinker::default();
    for game in games() {
        let (thought, _) = think(&mut player, &game, &Limits::none());
        assert!(thought.best.is_some_and(|m| game.position().is_legal(m)));
    }
    assert_eq!(player.name(), "cbr");
}

#[test]
fn options_are_set_and_bad_files_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("good"), base().to_bytes()).unwrap();
    let mut damaged = base().to_bytes();
    *damaged.last_mut().unwrap() ^= 1;
    std::fs::write(path("damaged"), damaged).unwrap();
    let mut player = CaseThinker::default();
    let mut set = |key: &str, value: Value| player.set(key, &value).map_err(|error| error.to_string());
    assert_eq!(set("cases", Value::Text(path("good"))), Ok(()));
    let error = set("cases", Value::Text(path("damaged"))).unwrap_err();
    assert!(error.contains("the file is damaged"), "{error}");
    assert!(set("cases", Value::Text(path("nowhere"))).is_err());
    assert!(set("weights", Value::Text("1/2/3".to_owned())).is_err());
    assert_eq!(set("weights", Value::Text("0.8/0.2/0.5".to_owned())), Ok(()));
    assert_eq!(set("filter", "root".into()), Ok(()));
    assert_eq!(set("k", Value::Integer(12)), Ok(()));
    assert!(set("hash", Value::Integer(12)).is_err());
    assert_eq!(
        player.behaviour().settings().to_string(),
        "weights=0.8/0.2/0.5,k=12,filter=root"
    );
    // What was refused has changed nothing.
    assert_eq!(player.name(), "cbr Vidmar,M");
    let defaults: Vec<String> = CaseThinker::all_settings()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(
        defaults.contains(&"option name Weights type string default 0.5/0.5/0.5".to_owned()),
        "{defaults:?}"
    );
}

#[test]
fn over_uci_it_answers_without_a_score_and_waits_under_infinite() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("vidmar.cases");
    std::fs::write(&file, base().to_bytes()).unwrap();
    let script = format!(
        "uci\nsetoption name CasesFile value {}\nsetoption name K value 1\nisready\nposition startpos\ngo movetime 50\n\
         position startpos moves d2d4 d7d5\ngo infinite\nstop\neval\nquit\n",
        file.display()
    );
    let output = Shared::default();
    let input = std::io::Cursor::new(script.into_bytes());
    serve(
        input,
        output.clone(),
        Box::new(CaseThinker::default()),
        ServerSettings::default(),
    )
    .unwrap();
    let text = output.text();
    assert!(
        text.contains("id name cbr") && text.contains("option name CasesFile type string"),
        "{text}"
    );
    let lines: Vec<&str> = text.lines().collect();
    let answers: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("bestmove "))
        .collect();
    assert_eq!(answers, ["d2d4", "c2c4"], "{text}");
    for answer in answers {
        let told = |line: &str| !line.contains(" score ") && line.ends_with(&format!(" pv {answer}"));
        let line = lines.iter().position(|line| told(line)).expect("a line");
        assert!(
            line < lines
                .iter()
                .position(|line| line.ends_with(&format!("bestmove {answer}")))
                .expect("an answer")
        );
    }
    assert!(
        text.contains("Vidmar,M - Teichmann,R 1911, Karlsbad, move 2"),
        "{text}"
    );
}

/// A buffer that outlives the server.
#[derive(Clone, Default)]
struct Shared(Arc<std::sync::Mutex<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no panic").clone()).expect("UTF-8")
    }
}

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
