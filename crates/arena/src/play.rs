//! Playing one game.

use vidmar_chess::{
    Board as _, ByColor, CastlingNotation, Color, Game, Move, MoveRecord, Outcome, Role, Termination,
};
use vidmar_engine::Control;
use vidmar_players::{Fault, FaultKind, Player, Reply};

use crate::adjudication::Adjudicator;
use crate::clocks::Clocks;
use crate::ending::{Ending, StudyMemory};
use crate::record::{GameFault, GameRecord};
use crate::tablebases::TablebaseProbe;
use crate::task::GameSetup;

/// Plays a game to its end. The third occurrence of a position and 50 moves without progress end it at once, as is usual
/// between engines. [`Control::stop`] ends it too, without a result.
///
/// With players whose answers depend on nothing else, and no clock, the record is a function of the arguments alone. A
/// game that a fault ends has no outcome here. A player that commits a fault is restarted before this returns; if that fails too, both faults are in the record.
pub fn play<'q>(
    setup: &GameSetup,
    players: ByColor<&mut (dyn Player + 'q)>,
    tablebases: Option<&dyn TablebaseProbe>,
    control: &Control,
) -> GameRecord {
    let GameSetup {
        opening,
        limits,
        rules,
        seed,
    } = setup;
    let mut table = Table {
        game: Game::new(opening.start.clone()),
        players,
        clocks: Clocks::new(limits),
        adjudicator: Adjudicator::new(rules, tablebases),
        study: (rules.ending == Ending::Study).then(|| StudyMemory::new(&opening.start)),
        moves: Vec::with_capacity(PLIES),
        faults: Vec::new(),
    };
    for &m in &opening.moves {
        table.make(m);
    }
    let (outcome, termination) = table.begin(*seed).unwrap_or_else(|| table.play_on(control));
    GameRecord {
        outcome,
        termination,
        moves: table.moves,
        faults: table.faults,
        unavailable: None,
    }
}

/// Most games are shorter.
const PLIES: usize = 256;

/// How a game ended.
type End = (Option<Outcome>, Termination);

/// A game in progress.
struct Table<'j, 'p, 'q> {
    game: Game,
    players: ByColor<&'p mut (dyn Player + 'q)>,
    clocks: Clocks<'j>,
    adjudicator: Adjudicator<'j>,
    /// What other rules than those of chess must remember.
    study: Option<StudyMemory>,
    moves: Vec<MoveRecord>,
    faults: Vec<GameFault>,
}

impl Table<'_, '_, '_> {
    fn make(&mut self, m: Move) {
        let by_pawn = self.game.position().role_at(m.from()) == Some(Role::Pawn);
        self.game.play(m);
        if let Some(study) = &mut self.study {
            study.note(self.game.position(), by_pawn);
        }
    }

    /// Both players get ready; a game that one cannot begin is over.
    fn begin(&mut self, seed: u64) -> Option<End> {
        let chess960 = self.game.start().castling_notation() == CastlingNotation::Chess960;
        Color::ALL.into_iter().find_map(|side| {
            let fault = self.players[side].new_game(chess960, seed).err()?;
            Some(self.fault(side, fault))
        })
    }

    fn play_on(&mut self, control: &Control) -> End {
        loop {
            if control.is_stopped() {
                return (None, Termination::Stopped);
            }
            if let Some(end) = self.ended() {
                return end;
            }
            let side = self.game.position().turn();
            let limits = self.clocks.limits(side);
            let answer = self.players[side].choose(&self.game, &limits, control);
            if control.is_stopped() {
                // Whatever was answered was answered in haste.
                return (None, Termination::Stopped);
            }
            let end = match answer {
                Ok(reply) => self.answered(side, &reply),
                Err(fault) => Some(self.fault(side, fault)),
            };
            if let Some(end) = end {
                return end;
            }
        }
    }

    /// Whether the game has ended where it stands: by the rules, or by the adjudicator.
    fn ended(&self) -> Option<End> {
        let by_rules = match &self.study {
            None => self.game.board().termination_with_claims(),
            Some(study) => study.termination(self.game.board()),
        };
        if let Some(termination) = by_rules {
            return Some((termination.outcome(), termination));
        }
        let plies = self.game.moves().len() as u32;
        let (result, termination) = self.adjudicator.end(self.game.position(), plies)?;
        Some((Some(result), termination))
    }

    /// Takes a side's answer: the clock, the move, the score.
    fn answered(&mut self, side: Color, reply: &Reply) -> Option<End> {
        if let Err(fell) = self.clocks.press(side, reply.info.time) {
            let detail = format!("took {:?} of {:?}", reply.info.time, fell.allowed);
            self.add_fault(side, Fault::new(FaultKind::TimeLoss, detail));
            return Some((None, Termination::TimeForfeit(side)));
        }
        let Some(m) = reply.best else {
            return Some((Some(Outcome::win(!side)), Termination::Resignation));
        };
        if !self.game.position().is_legal(m) {
            let shown = m.uci(CastlingNotation::Chess960);
            let detail = format!("{shown} in {}", self.game.position());
            return Some(self.fault(side, Fault::new(FaultKind::IllegalMove, detail)));
        }
        let info = reply.info;
        self.moves.push(MoveRecord { m, info });
        self.make(m);
        self.adjudicator.note(side, info.score);
        None
    }

    /// Ends the game, and brings the player back into working order for the next one.
    fn fault(&mut self, side: Color, fault: Fault) -> End {
        self.add_fault(side, fault);
        if let Err(again) = self.players[side].restart() {
            self.add_fault(side, again);
        }
        (None, Termination::Fault(side))
    }

    fn add_fault(&mut self, side: Color, fault: Fault) {
        self.faults.push(GameFault {
            side,
            attempt: 0,
            fault,
        });
    }
}
