//! The engine with a net: chosen by the setting that also takes vectors, explained piece by piece, refused by what is wrong with it.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use vidmar_chess::Position;
use vidmar_engine::settings::Value;
use vidmar_engine::{Control, FlagshipThinker, Limits, SearchThinker, Thinker as _};
use vidmar_eval::{AnyBreakdown, FullEvaluation};
use vidmar_net::{Kings, MAX_BYTES, Network, embedded};
use vidmar_rng::Rng;

use crate::pipe::{Talk, after};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn random(seed: u64) -> Network {
    Network::random(Kings::PLAIN, 32, 1, &mut Rng::from_seed(seed)).expect("a shape of nets")
}

fn written(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a temporary file");
    path
}

fn with(path: &Path) -> FlagshipThinker {
    let mut thinker = FlagshipThinker::default();
    thinker
        .set("eval", &path.display().to_string().into())
        .expect("a good file");
    thinker
}

#[test]
fn eval_file_takes_a_net_and_tuned_brings_the_hand_crafted_evaluation_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let network = random(1);
    let path = written(&folder, "a b.net", &network.to_bytes());
    let talk = Talk::new();
    talk.say(&format!("position fen {KIWIPETE}"));
    let score = || -> i32 {
        talk.say("eval");
        let line = talk.wait_for("score ");
        after(&line, "score")
            .and_then(|text| text.parse().ok())
            .expect("a score")
    };
    let own = score();
    talk.say("setoption name EvalFile value tuned");
    let before = score();
    assert_ne!(own, before, "a net comes with the program");
    talk.say(&format!("setoption name EvalFile value {}", path.display()));
    assert_eq!(score(), network.evaluate(&KIWIPETE.parse().expect("legal")));
    assert_ne!(score(), before);
    talk.say("setoption name PawnValueOpening value 68");
    assert_eq!(talk.sync(), Vec::<String>::new(), "it is what it was");
    talk.say("setoption name PawnValueOpening value 90");
    let heard = talk.sync();
    assert!(
        heard.len() == 1 && heard[0].contains("a net evaluates"),
        "nothing is ignored in silence: {heard:?}"
    );
    talk.say("eval");
    talk.wait_for("net (768 → 32) × 2 → 1: what White's score would lose without a piece");
    talk.wait_for("score ");
    talk.say("setoption name EvalFile value tuned");
    assert_eq!(score(), before);
    talk.say("setoption name EvalFile value net");
    assert_eq!(score(), own);
    assert_eq!(own, embedded().evaluate(&KIWIPETE.parse().expect("legal")));
}

#[test]
fn a_net_decides_what_is_played_and_repeats_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(&folder, "random.net", &random(2).to_bytes());
    let game = vidmar_chess::Game::new(KIWIPETE.parse().expect("legal"));
    let think = |mut thinker: FlagshipThinker| {
        let thought = thinker.think(&game, &Limits::nodes(3000), &Control::new(), &mut |_| {});
        (thought.best, thought.score, thought.nodes)
    };
    let first = think(with(&path));
    assert_eq!(first, think(with(&path)));
    assert_ne!(first, think(FlagshipThinker::default()));
}

#[test]
fn a_net_explains_each_piece() {
    let folder = tempfile::tempdir().expect("a folder");
    let network = random(3);
    let thinker = with(&written(&folder, "random.net", &network.to_bytes()));
    let position: Position = KIWIPETE.parse().expect("legal");
    let Some(AnyBreakdown::Pieces(breakdown)) = thinker.breakdown(&position) else {
        panic!("by pieces");
    };
    assert_eq!(breakdown.score, network.evaluate(&position));
    assert_eq!(breakdown.pieces.len(), 30, "all but the kings");
    assert_eq!(breakdown.pieces, network.shares(&position));
    assert_eq!(
        breakdown.hand_crafted,
        FullEvaluation::default().explain(&position)
    );
    let text = thinker.explain(&position).expect("explained").to_string();
    let rows = text
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    assert_eq!(rows.count(), 8, "{text}");
    assert!(
        text.contains("the hand-crafted evaluation, for comparison"),
        "{text}"
    );
    let mut thinker = FlagshipThinker::default();
    assert!(matches!(
        thinker.breakdown(&position),
        Some(AnyBreakdown::Pieces(_))
    ));
    thinker.set("eval", &"tuned".into()).expect("a name");
    assert!(matches!(
        thinker.breakdown(&position),
        Some(AnyBreakdown::Terms(_))
    ));
}

#[test]
fn bad_nets_are_refused_by_what_is_wrong_with_them_and_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = random(4).to_bytes();
    let changed = |at: usize, value: u8| {
        let mut file = good.clone();
        file[at] = value;
        file
    };
    let cases = [
        (
            "truncated.net",
            good[..good.len() - 7].to_vec(),
            "a truncated net: 49361 bytes of 49368",
        ),
        (
            "header.net",
            good[..11].to_vec(),
            "a truncated net: 11 bytes of 16",
        ),
        (
            "version.net",
            changed(8, 7),
            "a net of format version 7 (this program reads version 1)",
        ),
        (
            "hidden.net",
            changed(10, 33),
            "a net with 33 hidden neurons (expected a multiple of 32",
        ),
        (
            "damaged.net",
            changed(5000, good[5000] ^ 4),
            "a damaged net: its CRC-32 is",
        ),
        (
            "longer.net",
            [good.clone(), vec![1]].concat(),
            "a net of the wrong size: 49369 bytes",
        ),
        (
            "huge.net",
            [good.clone(), vec![0; MAX_BYTES]].concat(),
            "too large for a net: more than",
        ),
        (
            "huge.txt",
            vec![b'#'; MAX_BYTES + 1],
            "too many for parameters or a net",
        ),
        (
            "other.nnue",
            vec![0xF3; 100],
            "neither a net nor NAME = VALUE lines",
        ),
        (
            "empty.net",
            good[..5].to_vec(),
            "line 1: 'Vidma': expected NAME = VALUE",
        ),
    ];
    let talk = Talk::new();
    talk.say("eval");
    let before = talk.wait_for("score ");
    for (name, bytes, message) in cases {
        let path = written(&folder, name, &bytes).display().to_string();
        let error = FlagshipThinker::default()
            .set("eval", &path.as_str().into())
            .expect_err(name)
            .to_string();
        assert!(error.contains(&path) && error.contains(message), "{error}");
        talk.say(&format!("setoption name EvalFile value {path}"));
        let heard = talk.sync();
        assert!(heard.len() == 1 && heard[0].contains(message), "{heard:?}");
    }
    talk.say("eval");
    assert_eq!(talk.wait_for("score "), before);
}

#[test]
fn where_parameters_are_wanted_a_net_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(&folder, "random.net", &random(5).to_bytes());
    let value: Value = path.display().to_string().into();
    let error = SearchThinker::default()
        .set("vector", &value)
        .expect_err("no vector");
    assert!(
        error
            .to_string()
            .ends_with("random.net: a net, which has no parameters"),
        "{error}"
    );
}
