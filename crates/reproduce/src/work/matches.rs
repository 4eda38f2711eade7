//! A match in a store of its own: an ordinary one, which `vidmar match -resume`, `vidmar store` and the page know.

use std::num::NonZeroUsize;
use std::path::Path;

use vidmar_arena::{
    DrawRule, Ended, Executor, FaultPolicy, MatchFiles, MatchPlayer, MatchSettings, Plan, ResignRule, Rules,
    Session, Standings, StoredMatch, ThreadExecutor, TimeControl, Tournament,
};
use vidmar_players::{PlayerSpec, SpecError};
use vidmar_store::Store;
use vidmar_text::shell_word;

use super::{Resources, Unit, Work, stored};
use crate::data::{Data, Missing, program};
use crate::error::{ReproduceError, StepError};

/// The store, in the folder of the step.
const STORE: &str = "games.db";

/// Who takes part.
#[derive(Clone, Debug)]
pub struct Seat {
    /// Its name.
    pub name: String,
    /// What it is.
    pub spec: String,
}

impl Seat {
    /// A player.
    pub fn new(name: impl Into<String>, spec: impl Into<String>) -> Seat {
        Seat {
            name: name.into(),
            spec: spec.into(),
        }
    }
}

/// A match of everybody with everybody, in pairs of games from the built-in openings.
pub struct MatchStep {
    /// Who takes part.
    pub players: Vec<Seat>,
    /// Pairs of games of every two players.
    pub pairs: u64,
    /// What ends a game early.
    pub rules: Rules,
    /// A clock for everybody, as match runners write it; none where players bring their own limits.
    pub clock: Option<String>,
    /// The seed of everything random.
    pub seed: u64,
}

/// What came of a match.
#[derive(Clone, Debug)]
pub struct MatchResult {
    /// The names of the players.
    pub names: Vec<String>,
    /// Who scored what.
    pub standings: Standings,
}

/// A game ends as drawn after so many moves.
pub(crate) fn up_to_moves(moves: u32) -> Rules {
    Rules {
        max_moves: Some(moves),
        ..Rules::default()
    }
}

/// Both sides have seen so much for so many moves.
pub(crate) fn agreed_lead(score: i32, moves: u32) -> ResignRule {
    ResignRule {
        score,
        moves,
        two_sided: true,
    }
}

/// Both sides see a level game.
pub(crate) fn agreed_draw() -> DrawRule {
    DrawRule {
        from_move: 40,
        moves: 8,
        score: 10,
    }
}

impl MatchStep {
    fn settings(&self) -> Result<MatchSettings, SpecError> {
        let limits = self.limits();
        let player = |seat: &Seat| {
            let spec: PlayerSpec = seat.spec.parse()?;
            Ok(MatchPlayer {
                name: seat.name.clone(),
                spec: spec.named(&seat.name),
                limits,
                restart: false,
            })
        };
        Ok(MatchSettings {
            players: self
                .players
                .iter()
                .map(player)
                .collect::<Result<_, SpecError>>()?,
            plan: Plan {
                tournament: Tournament::RoundRobin,
                rounds: self.pairs,
                games: 2,
                ..Plan::default()
            },
            openings: None,
            rules: self.rules.clone(),
            faults: FaultPolicy::Loss,
            sprt: None,
            paired: true,
            seed: self.seed,
            keeps_pvs: false,
        })
    }

    fn limits(&self) -> TimeControl {
        let clock: vidmar_arena::Clock = match &self.clock {
            Some(text) => text.parse().expect("a clock of our own table"),
            None => return TimeControl::default(),
        };
        TimeControl {
            base: clock.base,
            increment: clock.increment,
            moves: clock.moves,
            ..TimeControl::default()
        }
    }

    /// The arguments of `vidmar match` that say the same.
    fn arguments(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for seat in &self.players {
            words.extend([
                "-engine".to_owned(),
                format!("player={}", seat.spec),
                format!("name={}", seat.name),
            ]);
        }
        if let Some(clock) = &self.clock {
            words.extend(["-each".to_owned(), format!("tc={clock}")]);
        }
        let mut add = |text: String| words.extend(text.split(' ').map(str::to_owned));
        add(format!("-games 2 -rounds {} -srand {}", self.pairs, self.seed));
        if let Some(moves) = self.rules.max_moves {
            add(format!("-maxmoves {moves}"));
        }
        if let Some(ResignRule {
            score,
            moves,
            two_sided,
        }) = self.rules.resign
        {
            add(format!(
                "-resign movecount={moves} score={score} twosided={two_sided}"
            ));
        }
        if let Some(rule) = self.rules.draw {
            add(format!("-draw {rule}"));
        }
        words
    }

    /// What a folder has of it; none before the first game.
    pub fn read(folder: &Path) -> Result<Option<MatchResult>, ReproduceError> {
        let look = |store: Store| {
            let mut runs = store.runs()?.into_iter();
            let Some(run) = runs.find(|run| run.kind == vidmar_arena::MATCH_KIND) else {
                return Ok(None);
            };
            let names = store.names(run.id)?;
            let mut games = store.results(run.id)?;
            games.sort_by_key(|game| game.number);
            let standings = Standings::new(names.len(), games, true);
            Ok(Some(MatchResult { names, standings }))
        };
        Ok(stored(&folder.join(STORE), look)?.flatten())
    }
}

impl Work for MatchStep {
    fn unit(&self) -> Unit {
        Unit::Games
    }

    fn units(&self) -> u64 {
        let players = self.players.len() as u64;
        players * players.saturating_sub(1) * self.pairs
    }

    fn command(&self, folder: &Path) -> String {
        let words: Vec<String> = self.arguments().iter().map(|word| shell_word(word)).collect();
        format!(
            "vidmar match {} --store {}",
            words.join(" "),
            shell_word(&folder.join(STORE).display().to_string())
        )
    }

    fn missing(&self, _data: &Data) -> Vec<Missing> {
        let programs = self.players.iter().filter_map(|seat| {
            let spec: PlayerSpec = seat.spec.parse().ok()?;
            let command = spec.chosen("cmd").filter(|_| spec.player_type().is_program())?;
            program(&command.to_string(), &command.to_string()).err()
        });
        programs.collect()
    }

    fn done(&self, folder: &Path) -> Result<u64, ReproduceError> {
        Ok(MatchStep::read(folder)?.map_or(0, |result| result.standings.games))
    }

    fn carry_out(
        &self,
        folder: &Path,
        with: &Resources<'_>,
        tell: &mut (dyn FnMut(u64) + Send),
    ) -> Result<bool, StepError> {
        let store = folder.join(STORE);
        let settings = self.settings()?;
        let session = match StoredMatch::open(&store) {
            Ok(stored) => Session::resume(stored, &settings, MatchFiles::default(), false)?,
            Err(vidmar_arena::SessionError::NoStore(_) | vidmar_arena::SessionError::NoMatch(_)) => {
                Session::start(&settings, MatchFiles::default(), &store, &self.arguments())?
            }
            Err(error) => return Err(error.into()),
        };
        let threads = NonZeroUsize::new(with.threads).unwrap_or(NonZeroUsize::MIN);
        let here = ThreadExecutor::new(threads).keeping(self.players.len());
        let executor: &dyn Executor = with.elsewhere.map_or(&here, |elsewhere| &**elsewhere);
        let finished = session.play(executor, with.control, &mut |event| {
            if let vidmar_arena::MatchEvent::Game { scoreboard, .. } = event {
                tell(scoreboard.len());
            }
        })?;
        Ok(finished.ended != Ended::Stopped)
    }
}
