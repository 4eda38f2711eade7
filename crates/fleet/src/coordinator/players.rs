//! Players as they go over the wire, each made once: to know a program its file is read.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use vidmar_arena::GameTask;
use vidmar_chess::{ByColor, Color};
use vidmar_players::PlayerSpec;

use crate::engines::{EngineError, EngineRef, class_of, to_wire};
use crate::protocol::{Class, LARGEST_BINARY, WirePlayer, shortened};

/// Players that are remembered: more than a round of tuning has.
const MOST: usize = 256;

#[derive(Default)]
pub(super) struct WirePlayers {
    known: VecDeque<(PlayerSpec, Arc<WirePlayer>)>,
    classes: Vec<Class>,
    /// Where the programs are that workers may fetch and that are not on their way to the server yet, by their digests; none where
    /// nothing is offered.
    offered: Option<BTreeMap<String, PathBuf>>,
}

impl WirePlayers {
    /// Whether workers may fetch programs.
    pub(super) fn offers(&mut self, offers: bool) {
        self.offered = offers.then(BTreeMap::new);
    }

    /// The file of a program that is to be brought to the server, the first time.
    pub(super) fn take_upload(&mut self, engine: &EngineRef) -> Option<PathBuf> {
        self.offered.as_mut()?.remove(&engine.sha256)
    }

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
        let program = spec.program_file().filter(|_| self.offered.is_some());
        if let Some(bytes) = program.as_deref().and_then(size)
            && bytes > LARGEST_BINARY
        {
            let player = shortened(&spec.name());
            return Err(EngineError::TooLarge { player, bytes });
        }
        let wire = Arc::new(to_wire(spec)?);
        if let (Some(offered), Some(engine), Some(file)) = (&mut self.offered, &wire.engine, program) {
            offered.insert(engine.sha256.clone(), file);
        }
        if self.known.len() == MOST {
            self.known.pop_back();
        }
        self.known.push_front((spec.clone(), Arc::clone(&wire)));
        Ok(wire)
    }
}

fn size(file: &Path) -> Option<u64> {
    std::fs::metadata(file).ok().map(|about| about.len())
}
