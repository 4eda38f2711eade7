//! The player that moves by chance: the zero of every scale, and the quickest opponent there is.

use std::sync::LazyLock;

use vidmar_chess::{Game, Move};
use vidmar_engine::integer;
use vidmar_engine::settings::{Role, Row, Setting, SettingError, Value, schema, set};
use vidmar_engine::{Control, Explanation, Info, Limits, Thinker, Thought};
use vidmar_rng::Rng;

type RandomRow = Row<RandomThinker>;

const ROWS: &[RandomRow] = &[RandomRow::new(
    "seed",
    "Seed",
    "Seed",
    "another seed, other games",
    integer!(u64, 0, i64::MAX, seed),
)
.role(Role::Seed)];

/// Plays every legal move with the same probability.
///
/// The draw depends on the seed, the position and the length of the game alone, so that a game can be told again from
/// any point.
#[derive(Clone, Debug, Default)]
pub struct RandomThinker {
    seed: u64,
    /// Among how many moves it chose last.
    choices: Option<usize>,
}

impl RandomThinker {
    /// A player with a seed.
    pub fn new(seed: u64) -> RandomThinker {
        RandomThinker { seed, choices: None }
    }

    /// What can be chosen about it.
    pub fn all_settings() -> &'static [Setting] {
        static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| schema(ROWS));
        &SETTINGS
    }

    fn draw(&self, game: &Game, moves: &[Move]) -> Option<Move> {
        let position = game.position();
        let mut rng = Rng::new(
            self.seed,
            b"random--",
            position.key().0,
            game.moves().len() as u64,
        );
        rng.pick(moves).copied()
    }
}

impl Thinker for RandomThinker {
    fn name(&self) -> String {
        "Vidmar random".to_owned()
    }

    fn settings(&self) -> &[Setting] {
        RandomThinker::all_settings()
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        set(ROWS, self, key, value)
    }

    fn new_game(&mut self) {}

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        _control: &Control,
        _info: &mut dyn FnMut(&Info),
    ) -> Thought {
        let legal = game.position().legal_moves();
        let wanted: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|m| limits.search_moves.is_empty() || limits.search_moves.contains(m))
            .collect();
        self.choices = Some(wanted.len());
        let Some(best) = self.draw(game, &wanted) else {
            return Thought::game_over(game.position());
        };
        Thought::unsearched(Some(best))
    }

    fn explanation(&self) -> Option<Explanation> {
        self.choices.map(|moves| Explanation::Chance { moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moves_are_the_seeds() {
        let line = |seed: u64| -> Vec<String> {
            let (mut game, mut player) = (Game::default(), RandomThinker::new(seed));
            for _ in 0..8 {
                let thought = player.think(&game, &Limits::none(), &Control::new(), &mut |_| {});
                game.play(thought.best.unwrap());
            }
            let notation = game.start().castling_notation();
            game.moves().iter().map(|m| m.uci(notation).to_string()).collect()
        };
        // Golden: another version of a dependency must not change games.
        assert_eq!(line(1).join(" "), GOLDEN);
        assert_ne!(line(1), line(2));
    }

    const GOLDEN: &str = "b2b4 d7d6 g2g4 b7b6 h2h3 e7e6 d2d3 g7g6";
}
