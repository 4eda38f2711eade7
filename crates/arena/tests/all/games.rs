//! Games between built-in players: what ends them, and that they are functions of their description.

use vidmar_arena::{GameRecord, GameSetup, Opening, Openings, RandomWalks, Rules, TablebaseProbe, play};
use vidmar_chess::{ByColor, Color, MoveInfo, Outcome, Position, Score, Termination};
use vidmar_engine::Control;
use vidmar_players::{Fault, Player, PlayerSpec, Reply};
use vidmar_tablebases::Wdl;

fn player(spec: &str) -> Box<dyn Player> {
    let spec: PlayerSpec = spec.parse().expect(spec);
    spec.player().expect("a built-in player")
}

fn setup(opening: Opening, rules: Rules, seed: u64) -> GameSetup {
    GameSetup {
        opening,
        rules,
        seed,
        ..GameSetup::default()
    }
}

/// A record without the times, which alone may differ.
fn timeless(mut record: GameRecord) -> GameRecord {
    for ply in &mut record.moves {
        ply.info.time = std::time::Duration::ZERO;
    }
    record
}

#[test]
fn a_game_is_a_function_of_its_description() {
    let openings = Openings::walk(RandomWalks { plies: 6, seed: 2 });
    for (white, black) in [
        ("engine:nodes=300,hash=1", "engine:nodes=200,hash=1,elo=1500"),
        ("random:seed=1", "search:depth=1,table-mib=1"),
    ] {
        let (mut a, mut b) = (player(white), player(black));
        let (mut c, mut d) = (player(white), player(black));
        let mut records = Vec::new();
        for number in 0..3 {
            let setup = setup(openings.get(number), Rules::published(), number);
            let players = ByColor::new(a.as_mut(), b.as_mut());
            records.push(timeless(play(&setup, players, None, &Control::new())));
        }
        // Backwards, with other players of the same kinds: nothing is carried from game to game.
        for number in (0..3).rev() {
            let setup = setup(openings.get(number), Rules::published(), number);
            let players = ByColor::new(c.as_mut(), d.as_mut());
            let again = timeless(play(&setup, players, None, &Control::new()));
            assert_eq!(again, records[number as usize], "{white} {black}");
        }
    }
}

/// Plays the moves it was given, with the scores it was given.
struct Reciter {
    moves: Vec<&'static str>,
    score: Option<i32>,
}

impl Player for Reciter {
    fn name(&self) -> &'static str {
        "reciter"
    }

    fn new_game(&mut self, _: bool, _: u64) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(
        &mut self,
        game: &vidmar_chess::Game,
        _: &vidmar_engine::Limits,
        _: &Control,
    ) -> Result<Reply, Fault> {
        let index = game.moves().len() / 2;
        let text = self.moves[index % self.moves.len()];
        let best = (text != "resign").then(|| game.position().parse_uci(text).expect(text));
        Ok(Reply {
            best,
            info: MoveInfo {
                score: self.score.map(Score::Centipawns),
                depth: 1,
                nodes: 1,
                time: std::time::Duration::ZERO,
            },
        })
    }
}

fn recite(
    fen: &str,
    white: &[&'static str],
    black: &[&'static str],
    tablebases: Option<&dyn TablebaseProbe>,
) -> GameRecord {
    let opening = Opening {
        start: fen.parse::<Position>().expect(fen),
        ..Opening::default()
    };
    let reciter = |moves: &[&'static str]| Reciter {
        moves: moves.to_vec(),
        score: Some(0),
    };
    let (mut white, mut black) = (reciter(white), reciter(black));
    let players = ByColor::new(&mut white as &mut dyn Player, &mut black as &mut dyn Player);
    play(
        &setup(opening, Rules::default(), 0),
        players,
        tablebases,
        &Control::new(),
    )
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_rules_of_chess_end_games_at_once() {
    let mate = recite(START, &["f2f3", "g2g4"], &["e7e5", "d8h4"], None);
    let winner = Color::Black;
    assert_eq!(mate.outcome, Some(Outcome::win(winner)));
    assert_eq!(mate.termination, Termination::Checkmate { winner });
    assert_eq!(mate.moves.len(), 4);
    let knights = recite(START, &["g1f3", "f3g1"], &["g8f6", "f6g8"], None);
    assert_eq!(knights.termination, Termination::ThreefoldRepetition);
    assert_eq!((knights.outcome, knights.moves.len()), (Some(Outcome::Draw), 8));
    let rooks = recite("k7/8/8/8/8/8/8/K6R w - - 98 90", &["h1h2"], &["a8b8"], None);
    assert_eq!(rooks.termination, Termination::FiftyMoves);
    assert_eq!(rooks.moves.len(), 2);
    let resigned = recite(START, &["e2e4", "resign"], &["e7e5"], None);
    assert_eq!(resigned.termination, Termination::Resignation);
    assert_eq!(resigned.outcome, Some(Outcome::win(Color::Black)));
}

#[test]
fn bases_end_a_game_where_they_know_it() {
    struct FewMen;
    impl TablebaseProbe for FewMen {
        fn probe(&self, position: &Position) -> Option<Wdl> {
            (position.occupied().len() <= 3).then_some(Wdl::Loss)
        }
    }
    let fen = "8/8/4k3/8/8/3pK3/8/6R1 w - - 0 1";
    let record = recite(fen, &["e3d3"], &["e6e5"], Some(&FewMen));
    assert_eq!(record.termination, Termination::Tablebase);
    assert_eq!(
        (record.outcome, record.moves.len()),
        (Some(Outcome::win(Color::White)), 1)
    );
}

#[test]
fn a_stopped_game_has_no_result() {
    let control = Control::new();
    control.stop();
    let (mut white, mut black) = (player("random"), player("random"));
    let players = ByColor::new(white.as_mut(), black.as_mut());
    let record = play(&GameSetup::default(), players, None, &control);
    assert_eq!((record.outcome, record.termination), (None, Termination::Stopped));
}
