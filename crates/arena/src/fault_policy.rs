//! What becomes of a game that a fault has ended.
//!
//! In a match its author loses, as in fastchess and cutechess: who flags or crashes when it stands badly would otherwise
//! be measured by the games that it survived. In tuning a fault says nothing of a vector, so such a game is played again,
//! and has no result if that does not help.

use vidmar_chess::Outcome;
use vidmar_text::{named_enum, serde_by_name};

use crate::record::GameRecord;

named_enum! {
    /// What becomes of a game that a fault has ended: a crash, silence, an illegal move, a fallen flag.
    #[derive(Default)]
    pub enum FaultPolicy: "policy for faults";
    #[default]
    Loss, "loss", "its author loses";
    Replay, "replay", "it is played again, and kept without a result after several attempts";
    Drop, "drop", "it is kept without a result";
}
serde_by_name!(FaultPolicy);

/// How often a game is begun before it is given up.
pub const MOST_ATTEMPTS: u32 = 3;

impl FaultPolicy {
    /// Whether a game is to be begun again after so many attempts before this one.
    pub(crate) fn replays(self, record: &GameRecord, attempt: u32) -> bool {
        self == FaultPolicy::Replay && record.ended_by_fault().is_some() && attempt + 1 < MOST_ATTEMPTS
    }

    /// Gives a game that is kept the result that this policy gives it.
    pub(crate) fn score(self, record: &mut GameRecord) {
        if let Some(side) = record.ended_by_fault()
            && self == FaultPolicy::Loss
        {
            record.outcome = Some(Outcome::win(!side));
        }
    }
}
