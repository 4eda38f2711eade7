//! The gauntlet: the result vectors of a run and what it began with play engines of known strength, and all are rated.
//!
//! Published runs were measured so ([boskovic-2010]): every vector plays 50 games, 25 with each colour, against one
//! engine that is limited to 1700, 1900, 2100 and 2300 Elo; all are rated together by the model of [erk-2008], and
//! the scale is fixed by giving the highest reference its label. Labels are what the engine's makers say of it; ratings
//! from two different gauntlets cannot be compared, differences on one can.
//!
//! The games are a run of their own in the same store, with openings that tuning never saw; every vector plays the same
//! gauntlet in the same openings. A reference that is an external program may play at random: such games are not repeatable, but
//! those that were played are kept.

use serde::{Deserialize, Serialize};
use vidmar_arena::{GameSetup, GameTask, Opening, Rules, TaskPlayer, TimeControl};
use vidmar_chess::ByColor;
use vidmar_engine::Control;
use vidmar_players::{PlayerSpec, SpecError};
use vidmar_rating::{Games, Options, rate};
use vidmar_rows::GauntletRow;
use vidmar_store::{RunId, Store};

use crate::config::{Anchors, Config, Gauntlet};
use crate::fresh_openings::{fresh_openings, used_positions};
use crate::games::play_all;
use crate::players::{limits_of, player_of, time_control};
use crate::resources::Resources;
use crate::run::{ChangedEngines, Closed, Identities, Journal, ResultVectors, Run, RunError, STORE_FILE};

/// The kind of the store's run.
const KIND: &str = "gauntlet";

/// Who sits where, as the store knows it: everything that a rating list needs besides the results.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Seat {
    name: String,
    recommended: bool,
    /// The label of a reference.
    elo: Option<f64>,
    /// The reference's specification, or the vector.
    player: String,
}

/// Plays the gauntlet of a run, or what is missing of it. None if it was stopped.
pub fn run_gauntlet(
    mut run: Run,
    resources: &Resources,
    changed: ChangedEngines,
    control: &Control,
    observe: &mut dyn FnMut(u64, u64),
) -> Result<Option<Vec<GauntletRow>>, RunError> {
    run.settle_references(changed)?;
    let results = ResultVectors::of(run.journal().store(), run.journal().run(), run.optimizer())?;
    let used = used_positions(run.journal().store(), run.journal().run())?;
    let vectors = vectors(run.config(), &results, &run)?;
    let Closed {
        directory,
        config,
        book,
        rules,
        ..
    } = run.close();
    let references = references(&config.gauntlet)?;
    let pairs = config.gauntlet.each.div_ceil(2);
    let openings = fresh_openings(&book, pairs * references.len() as u64, &used);
    let subject = subject(&config, &vectors)?;
    let mut journal = Journal::open_same(&directory.join(STORE_FILE), KIND, &subject)?;
    let mut players = |seats: Vec<(Seat, PlayerSpec)>| {
        let player = |(seat, spec): (Seat, PlayerSpec)| {
            let index = journal.index_of(json(&seat)?);
            Ok(TaskPlayer::new(index as usize, spec))
        };
        seats
            .into_iter()
            .map(player)
            .collect::<Result<Vec<_>, RunError>>()
    };
    let (vectors, references) = (players(vectors)?, players(references)?);
    let tasks = tasks(&config, &rules, &openings, &vectors, &references);
    let played = play_all(
        &mut journal,
        tasks,
        &*resources.executor,
        control,
        &mut |progress| observe(progress.done, progress.total),
    )?;
    journal.flush()?;
    if played.is_none() {
        return Ok(None);
    }
    journal.set_state("finished")?;
    Ok(Some(standings_of(journal.store(), journal.run())?))
}

/// Every vector meets every reference: the games of one vector, reference by reference, with colours in turn.
fn tasks(
    config: &Config,
    rules: &Rules,
    openings: &[Opening],
    vectors: &[TaskPlayer],
    references: &[TaskPlayer],
) -> Vec<GameTask> {
    let Gauntlet { each, limit, .. } = config.gauntlet;
    let own = match limit {
        0 => time_control(&config.engine, 0),
        depth => TimeControl {
            depth: Some(depth),
            ..TimeControl::default()
        },
    };
    let mut tasks = Vec::new();
    for vector in vectors {
        for (step, reference) in (0..).zip(references) {
            let theirs = limits_of(&reference.spec, own);
            for game in 0..each {
                let opening = step * each.div_ceil(2) + game / 2;
                let players = ByColor::new(vector.clone(), reference.clone());
                let limits = ByColor::new(own, theirs);
                let is_white = game % 2 == 0;
                tasks.push(GameTask {
                    number: tasks.len() as u64,
                    round: step,
                    players: if is_white { players } else { players.swapped() },
                    setup: GameSetup {
                        opening: openings[opening as usize].clone(),
                        limits: if is_white { limits } else { limits.swapped() },
                        rules: rules.clone(),
                        seed: opening,
                        keeps_pvs: false,
                    },
                });
            }
        }
    }
    tasks
}

/// The recommended vector, the others unless only that one is asked for, what the run began with, and as many of the
/// method's best as are asked for; a vector that stands there already does not run it twice.
fn vectors(config: &Config, results: &ResultVectors, run: &Run) -> Result<Vec<(Seat, PlayerSpec)>, RunError> {
    let mut named = vec![(
        results.recommended().name.to_owned(),
        &results.recommended().vector,
    )];
    if !config.verify.only_recommended {
        named.extend(results.vectors.iter().map(|h| (h.name.to_owned(), &h.vector)));
    }
    named.extend(results.references.iter().map(|h| (h.name.to_owned(), &h.vector)));
    let finalists = run.optimizer().finalists(config.gauntlet.finalists);
    let numbered = finalists.iter().enumerate();
    named.extend(numbered.map(|(index, champion)| (format!("finalist {}", index + 1), &champion.vector)));
    let mut seen = Vec::new();
    let mut vectors = Vec::new();
    for (name, vector) in named {
        if seen.contains(&vector) {
            continue;
        }
        seen.push(vector);
        let seat = Seat {
            recommended: name == results.recommended,
            name,
            elo: None,
            player: json(vector)?,
        };
        let candidate = run.tunables().candidate(vector);
        vectors.push((seat, player_of(candidate, &config.engine)));
    }
    Ok(vectors)
}

/// Starts every reference once, and says what it is: hours of tuning do not end with a program that is not there.
pub(crate) fn check_references(gauntlet: &Gauntlet) -> Result<Identities, RunError> {
    let identity = |(seat, spec): (Seat, PlayerSpec)| {
        let identity = spec.identity().map_err(|fault| unusable(&seat.player, &fault))?;
        Ok((spec.to_string(), identity))
    };
    references(gauntlet)?.into_iter().map(identity).collect()
}

fn unusable(spec: &str, reason: &dyn std::fmt::Display) -> RunError {
    RunError::ReferenceEngine {
        spec: spec.to_owned(),
        reason: reason.to_string(),
    }
}

/// The reference engines.
fn references(gauntlet: &Gauntlet) -> Result<Vec<(Seat, PlayerSpec)>, RunError> {
    let mut references = Vec::new();
    for reference in &gauntlet.references {
        let parsed: Result<PlayerSpec, SpecError> = reference.player.parse();
        let spec = parsed.map_err(|error| unusable(&reference.player, &error))?;
        let seat = Seat {
            name: format!("{:.0}", reference.elo),
            recommended: false,
            elo: Some(reference.elo),
            player: reference.player.clone(),
        };
        references.push((seat, spec));
    }
    Ok(references)
}

/// What is measured: other vectors, references or rules make another gauntlet.
fn subject(config: &Config, vectors: &[(Seat, PlayerSpec)]) -> Result<String, RunError> {
    let seats: Vec<&Seat> = vectors.iter().map(|(seat, _)| seat).collect();
    json(&(
        &config.gauntlet,
        &config.engine,
        &config.rules,
        &config.openings,
        seats,
    ))
}

fn json(value: &impl Serialize) -> Result<String, RunError> {
    serde_json::to_string(value).map_err(|error| RunError::State {
        what: "a player of the gauntlet",
        reason: error.to_string(),
    })
}

/// The rating list of the last gauntlet in a store, whole or not; empty where none was run.
pub fn standings(store: &Store) -> Result<Vec<GauntletRow>, RunError> {
    match store.runs()?.iter().rev().find(|run| run.kind == KIND) {
        Some(run) => standings_of(store, run.id),
        None => Ok(Vec::new()),
    }
}

fn standings_of(store: &Store, run: RunId) -> Result<Vec<GauntletRow>, RunError> {
    let damaged = |reason: String| RunError::State {
        what: "the gauntlet",
        reason,
    };
    let (gauntlet, ..): (
        Gauntlet,
        serde_json::Value,
        serde_json::Value,
        serde_json::Value,
        serde_json::Value,
    ) = serde_json::from_str(&store.run(run)?.config).map_err(|error| damaged(error.to_string()))?;
    let mut seats = Vec::new();
    let mut games = Games::default();
    for (index, player) in store.players(run)?.into_iter().enumerate() {
        let seat: Seat =
            serde_json::from_str(&player.description).map_err(|error| damaged(error.to_string()))?;
        seats.push((games.player(&index.to_string()), seat));
    }
    for game in store.results(run)? {
        let Some(result) = game.result else { continue };
        games.add(seats[game.white as usize].0, seats[game.black as usize].0, result);
    }
    if games.pairings().is_empty() {
        return Ok(Vec::new());
    }
    let seats: Vec<Seat> = seats.into_iter().map(|(_, seat)| seat).collect();
    listed(&games, &seats, gauntlet.anchors).map_err(|error| damaged(error.to_string()))
}

/// Rates players whose names are their indices among the seats.
fn listed(
    games: &Games,
    seats: &[Seat],
    anchors: Anchors,
) -> Result<Vec<GauntletRow>, vidmar_rating::RateError> {
    let labels = seats
        .iter()
        .enumerate()
        .filter_map(|(index, s)| Some((index, s.elo?)));
    let has_played = |index: usize| {
        let name = index.to_string();
        let id = games.find(&name);
        games
            .pairings()
            .iter()
            .any(|p| Some(p.white) == id || Some(p.black) == id)
    };
    let mut labels: Vec<(usize, f64)> = labels.filter(|&(index, _)| has_played(index)).collect();
    labels.sort_by(|a, b| b.1.total_cmp(&a.1));
    if anchors == Anchors::Highest {
        labels.truncate(1);
    }
    let options = Options {
        anchors: labels
            .iter()
            .map(|&(index, elo)| (index.to_string(), elo))
            .collect(),
        ..Options::default()
    };
    let is_anchor = |index: usize| labels.iter().any(|&(anchor, _)| anchor == index);
    let ratings = rate(games, &options)?;
    let standings = ratings.players.iter().filter_map(|rated| {
        let index: usize = rated.name.parse().ok()?;
        let error = rated.interval.filter(|_| !is_anchor(index));
        Some(GauntletRow {
            player: seats[index].name.clone(),
            reference: seats[index].elo.is_some(),
            recommended: seats[index].recommended,
            elo: rated.elo,
            error,
            low: error.map(|error| rated.elo - error),
            high: error.map(|error| rated.elo + error),
            games: rated.games() as u64,
            wins: rated.wins as u64,
            draws: rated.draws as u64,
            losses: rated.losses as u64,
        })
    });
    let mut standings: Vec<GauntletRow> = standings.collect();
    standings.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    Ok(standings)
}
