//! Playing one game.

use vidmar_chess::{ByColor, CastlingNotation, Color, Move, MoveDetail, MoveRecord, Outcome, Termination};
use vidmar_engine::{Control, Limits};
use vidmar_players::{Fault, FaultKind, Player, Reply};

use crate::clocks::Clocks;
use crate::game_state::{End, GameState};
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
    let mut table = Table {
        state: GameState::new(setup, tablebases),
        players,
        clocks: Clocks::new(&setup.limits),
        moves: Vec::with_capacity(PLIES),
        told: setup.keeps_pvs.then(Vec::new),
        faults: Vec::new(),
    };
    let begun = table.begin(setup.seed);
    let (outcome, termination) = begun.unwrap_or_else(|| table.play_on(control));
    let (pvs, details) = table.told.unwrap_or_default().into_iter().unzip();
    GameRecord {
        outcome,
        termination,
        moves: table.moves,
        pvs,
        details,
        faults: table.faults,
        unavailable: None,
        clock_scale: None,
    }
}

/// What a player tells of a move while it thinks.
type Told = (Vec<Move>, MoveDetail);

/// Most games are shorter.
const PLIES: usize = 256;

/// A game in progress.
struct Table<'j, 'p, 'q> {
    state: GameState<'j>,
    players: ByColor<&'p mut (dyn Player + 'q)>,
    clocks: Clocks<'j>,
    moves: Vec<MoveRecord>,
    /// Variation and details of every move; none where nobody asks for them.
    told: Option<Vec<Told>>,
    faults: Vec<GameFault>,
}

impl Table<'_, '_, '_> {
    /// Both players get ready; a game that one cannot begin is over.
    fn begin(&mut self, seed: u64) -> Option<End> {
        let chess960 = self.state.game().start().castling_notation() == CastlingNotation::Chess960;
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
            if let Some(end) = self.state.ended() {
                return end;
            }
            let side = self.state.position().turn();
            let limits = self.clocks.limits(side);
            let mut told = Told::default();
            let answer = self.choose(side, &limits, control, &mut told);
            if control.is_stopped() {
                // Whatever was answered was answered in haste.
                return (None, Termination::Stopped);
            }
            let end = match answer {
                Ok(reply) => self.answered(side, &reply, told),
                Err(fault) => Some(self.fault(side, fault)),
            };
            if let Some(end) = end {
                return end;
            }
        }
    }

    /// Asks for a move; where variations are kept, with the last one that it told and what came with it.
    fn choose(
        &mut self,
        side: Color,
        limits: &Limits,
        control: &Control,
        (pv, detail): &mut Told,
    ) -> Result<Reply, Fault> {
        let (player, game) = (&mut self.players[side], self.state.game());
        if self.told.is_none() {
            return player.choose(game, limits, control);
        }
        player.think_aloud(game, limits, control, &mut |info| {
            if info.multipv == 1 && !info.pv.is_empty() {
                pv.clone_from(&info.pv);
                detail.seldepth = info.seldepth;
                detail.hashfull = info.hashfull;
                detail.tbhits = info.tbhits;
            }
        })
    }

    /// Takes a side's answer: the clock, the move, the score.
    fn answered(&mut self, side: Color, reply: &Reply, (pv, mut detail): Told) -> Option<End> {
        if let Err(fell) = self.clocks.press(side, reply.info.time) {
            let detail = format!("took {:.3?} of {:.3?}", reply.info.time, fell.allowed);
            self.add_fault(side, Fault::new(FaultKind::TimeLoss, detail));
            return Some((None, Termination::TimeForfeit(side)));
        }
        let Some(m) = reply.best else {
            return Some((Some(Outcome::win(!side)), Termination::Resignation));
        };
        if !self.state.position().is_legal(m) {
            let shown = m.uci(CastlingNotation::Chess960);
            let detail = format!("{shown} in {}", self.state.position());
            return Some(self.fault(side, Fault::new(FaultKind::IllegalMove, detail)));
        }
        let ply = MoveRecord { m, info: reply.info };
        self.state.play(&ply);
        self.moves.push(ply);
        if let Some(told) = &mut self.told {
            detail.time_left = self.clocks.left(side);
            // A variation that begins with another move is not of this one.
            told.push((if pv.first() == Some(&m) { pv } else { vec![m] }, detail));
        }
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
