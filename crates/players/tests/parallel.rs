//! The two parallel searches can meet in a game: what a specification says of threads and of how they share the work reaches the
//! search, of the laboratory and of the engine alike.

use std::time::Duration;

use vidmar_chess::{Game, Position};
use vidmar_engine::{Control, Limits};
use vidmar_players::PlayerSpec;

/// A position with enough moves for two.
const MIDDLE_GAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

/// What the other thread did: all nodes, less those of the thread that tells. That one waits after its first iteration, so that
/// the other is on its feet, however busy the machine.
fn nodes_of_the_helper(spec: &str, depth: u32) -> u64 {
    let spec: PlayerSpec = spec.parse().unwrap_or_else(|error| panic!("{spec}: {error}"));
    let mut player = spec.player().unwrap_or_else(|fault| panic!("{spec:?}: {fault}"));
    let game = Game::new(MIDDLE_GAME.parse::<Position>().expect("a legal position"));
    let (limits, control) = (Limits::depth(depth), Control::new());
    let mut own = 0;
    let mut info = |info: &vidmar_engine::Info| {
        if info.depth == 1 {
            std::thread::sleep(Duration::from_millis(200));
        }
        own = info.nodes;
    };
    let reply = player.think_aloud(&game, &limits, &control, &mut info);
    reply.expect("a move").info.nodes - own
}

/// At depth 2 there is nothing to split, and young brothers do nothing; lazy threads search what the first one does.
#[test]
fn the_kind_of_parallel_search_reaches_the_search() {
    for algorithm in ["alpha-beta", "pvs", "mtdf"] {
        let helper = |parallel: &str, depth| {
            let threads = if parallel == "none" { 1 } else { 2 };
            let spec = format!("search:algorithm={algorithm},parallel={parallel},threads={threads}");
            nodes_of_the_helper(&spec, depth)
        };
        assert_eq!(helper("none", 2), 0, "{algorithm}");
        assert_eq!(helper("ybwc", 2), 0, "{algorithm}");
        assert!(helper("lazy", 2) > 0, "{algorithm}");
        assert!(
            helper("ybwc", 6) > 0,
            "{algorithm}: young brothers found nobody to help"
        );
    }
}
