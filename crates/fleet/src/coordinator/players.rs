//! Players as they go over the wire, each made once: to know a program its file is read.

use std::collections::VecDeque;
use std::sync::Arc;

use vidmar_arena::GameTask;
use vidmar_chess::{ByColor, Color};
use vidmar_players::PlayerSpec;

use crate::engines::{EngineError, class_of, to_wire};
use crate::protocol::{Class, WirePlayer};

/// Players that are remembered: more than a round of tuning has.
const MOST: usize = 256;

#[derive(Default)]
pub(super) struct WirePlayers {
    known: VecDeque<(PlayerSpec, Arc<WirePlayer>)>,
    classes: Vec<Class>,
}

impl WirePlayers {
    /// The players of a task, the class that it belongs to, and whether that is new.
    pub(super) fn of(
        &mut self,
        task: &GameTask,
    ) -> Result<(ByColor<Arc<WirePlayer>>, Class, bool), EngineError> {
        if let Some(rule) = &task.setup.rules.tablebases
            && !rule.folders.is_empty()
        {
            return Err(EngineError::Tablebases(rule.folders.clone()));
        }
        let white = self.player(&task.players[Color::White].spec)?;
        let black = self.player(&task.players[Color::Black].spec)?;
        let wire = ByColor::new(white, black);
        let engines = Color::ALL
            .into_iter()
            .filter_map(|side| wire[side].engine.as_ref());
        let class = class_of(engines);
        let is_new = !self.classes.contains(&class);
        if is_new {
            self.classes.push(class.clone());
        }
        Ok((wire, class, is_new))
    }

    fn player(&mut self, spec: &PlayerSpec) -> Result<Arc<WirePlayer>, EngineError> {
        if let Some((_, wire)) = self.known.iter().find(|(known, _)| known == spec) {
            return Ok(Arc::clone(wire));
        }
        let wire = Arc::new(to_wire(spec)?);
        if self.known.len() == MOST {
            self.known.pop_back();
        }
        self.known.push_front((spec.clone(), Arc::clone(&wire)));
        Ok(wire)
    }
}
