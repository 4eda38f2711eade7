//! Matches and games as the rows that terminal, JSON, CSV and page show.

use vidmar_chess::Outcome;
use vidmar_rows::{GameRow, MatchTable, PlayerRow, SprtRow, finite, match_statement};
use vidmar_store::{Game, Listed};

use crate::matches::Scoreboard;
use crate::sprt::{Decision, Sprt};
use crate::standings::{Standing, Standings};
use crate::tally::Tally;

impl Scoreboard {
    /// The table of the games that count, for players of these names.
    pub fn table(&self, names: &[impl AsRef<str>]) -> MatchTable {
        let standings = self.standings();
        let named = names.iter().zip(&standings.players);
        let against = standings.against.iter();
        MatchTable {
            games: standings.games,
            unscored: standings.unscored,
            players: named
                .map(|(name, standing)| player_row(name.as_ref(), standing, self.is_paired()))
                .collect(),
            ranking: standings.ranking(),
            against: against.map(|row| row.iter().map(counts).collect()).collect(),
            paired: self.is_paired(),
            statement: self.statement(names, &standings),
            sprt: self.sprt().zip(self.ratio()).map(|(sprt, llr)| SprtRow {
                decision: self.decision().map(|decision| {
                    match decision {
                        Decision::H0 => "H0",
                        Decision::H1 => "H1",
                    }
                    .to_owned()
                }),
                ..sprt_row(sprt, llr)
            }),
        }
    }

    /// What the games of two players prove. Where a sequential test decides when to stop, it also says what is proven: the
    /// interval of a match that its own results have ended is flattered by them.
    pub(crate) fn statement(&self, names: &[impl AsRef<str>], standings: &Standings) -> Option<String> {
        let ([player, opponent], [first, _]) = (names, standings.players.as_slice()) else {
            return None;
        };
        let interval = first.estimate().filter(|_| self.sprt().is_none())?.interval;
        let games = first.tally.games();
        Some(match_statement(
            player.as_ref(),
            opponent.as_ref(),
            games,
            interval,
        ))
    }
}

fn player_row(name: &str, standing: &Standing, paired: bool) -> PlayerRow {
    let estimate = standing.estimate();
    let interval = estimate.map(|estimate| estimate.interval);
    let normalised = estimate.and_then(|estimate| estimate.normalised());
    let tally = &standing.tally;
    PlayerRow {
        name: name.to_owned(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        points: tally.points(),
        elo: interval.and_then(|interval| finite(interval.elo)),
        error: interval.and_then(|interval| interval.error()),
        low: interval.and_then(|interval| finite(interval.low)),
        high: interval.and_then(|interval| finite(interval.high)),
        normalised_elo: normalised.map(|(elo, _)| elo),
        normalised_error: normalised.map(|(_, error)| error),
        los: estimate.and_then(|estimate| estimate.superiority()),
        draw_ratio: (tally.games() > 0).then(|| tally.draw_ratio()),
        pentanomial: paired.then_some(standing.pairs.0),
        white: counts(&standing.white),
        faults: standing.faults(),
        fault_kinds: standing.fault_kinds.clone(),
    }
}

fn counts(tally: &Tally) -> [u64; 3] {
    [tally.wins, tally.draws, tally.losses]
}

fn sprt_row(sprt: &Sprt, llr: f64) -> SprtRow {
    let ((elo0, elo1), (alpha, beta)) = (sprt.hypotheses(), sprt.errors());
    let (lower, upper) = sprt.bounds();
    SprtRow {
        elo0,
        elo1,
        alpha,
        beta,
        model: sprt.model().name().to_owned(),
        llr,
        lower,
        upper,
        decision: None,
    }
}

/// The row of a stored game; `name` says what the player of an index is called.
pub fn game_row(game: &Game, name: impl Fn(u32) -> String) -> GameRow {
    GameRow {
        number: game.number,
        round: game.round,
        white: name(game.white),
        black: name(game.black),
        result: Outcome::text(game.result).to_owned(),
        termination: game.termination.clone(),
        opening: game.opening.clone(),
        plies: game.moves.split_ascii_whitespace().count() as u32,
        given: game.given,
        clock_scale: factor(game.clock_scale),
    }
}

/// Thousandths as a number.
fn factor(scale: Option<u32>) -> Option<f64> {
    scale.map(|scale| f64::from(scale) / 1000.0)
}

/// The same for a game whose moves were not read.
pub fn listed_row(game: &Listed, name: impl Fn(u32) -> String) -> GameRow {
    GameRow {
        number: game.outline.number,
        round: game.outline.round,
        white: name(game.outline.white),
        black: name(game.outline.black),
        result: Outcome::text(game.outline.result).to_owned(),
        termination: game.termination.clone(),
        opening: game.opening.clone(),
        plies: game.plies,
        given: game.given,
        clock_scale: factor(game.clock_scale),
    }
}
