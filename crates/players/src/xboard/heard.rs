//! Every reader of an engine's lines at once.

use std::time::Duration;

use vidmar_chess::Game;

use super::answer;
use super::features::Features;
use super::thinking::Thinking;
use crate::process::first_word;
use crate::thoughts::Thoughts;

/// Reads a line in every way in which it can be meant.
pub(crate) fn heard(line: &str) {
    let game = Game::default();
    let _ = (
        Features::default().hear(first_word(line).1),
        answer::read(line, &game),
    );
    if let Some(thinking) = Thinking::read(line) {
        let _ = thinking.told(game.position(), Duration::ZERO);
        Thoughts::default().hear_thinking(&thinking);
    }
}
