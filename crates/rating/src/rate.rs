//! From results to a rating list: the steps are grouping, fitting, fixing the scale, intervals.

use crate::covariance::{SquareMatrix, covariance};
use crate::games::Games;
use crate::groups::{advantage_shows, comparable_groups};
use crate::likelihood::{Likelihood, Point};
use crate::model::{DEFAULT_ADVANTAGE, DEFAULT_DRAW_ELO, ELO_PER_NATURAL, Model};
use crate::options::{Options, Parameter, Reference, Scale, Solver};
use crate::ratings::{Rated, Ratings};
use crate::{mm, newton};

/// A parameter comes to rest when it moves less than this: 2e-8 Elo.
const TOLERANCE: f64 = 1e-10;

/// Sweeps of minorisation-maximisation before giving up.
const MOST_SWEEPS: usize = 1_000_000;

/// A fitted advantage or draw parameter beyond this many Elo is on its way to infinity: 2500 is a draw
/// parameter with one decided game in a million.
const LARGEST_FITTED: f64 = 2500.0;

/// The covariance of this many players takes 600 MB; beyond it, ask for ratings without intervals.
const MOST_WITH_INTERVALS: usize = 5000;

/// The 97.5 % point of the normal distribution: half the width of a 95 % interval.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// Why no ratings came out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RateError {
    /// Nothing to rate.
    #[error("there are no finished games between two different players")]
    NoGames,
    /// An anchor that did not play.
    #[error("the anchor '{0}' is not among the players")]
    UnknownAnchor(String),
    /// An anchor given twice.
    #[error("the anchor '{0}' is given twice")]
    RepeatedAnchor(String),
    /// A number outside its range.
    #[error("{name} is {value}: expected {expected}")]
    BadOption {
        /// The option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// The likelihood rises for ever.
    #[error(
        "{0} cannot be fitted to these games: the likelihood has no finite maximum (one side won, or drew, \
         every game that could tell); fix it or use a prior"
    )]
    Unbounded(&'static str),
    /// Any advantage can be made up for by the ratings.
    #[error(
        "White's advantage cannot be told from strength by these games (each player had one colour only, or \
         nearly so): fix it or use a prior"
    )]
    HiddenAdvantage,
    /// The solver did not come to rest.
    #[error("the ratings did not come to rest")]
    NoConvergence,
    /// The covariance would not fit in memory.
    #[error("intervals for {players} players need too much memory (limit {limit}): ask for ratings without")]
    TooManyForIntervals {
        /// Players in the games.
        players: usize,
        /// The largest number that works.
        limit: usize,
    },
}

/// Rates the players of these games.
pub fn rate(games: &Games, options: &Options) -> Result<Ratings, RateError> {
    check(options)?;
    if games.pairings().is_empty() {
        return Err(RateError::NoGames);
    }
    let anchors = anchors(games, options)?;
    let players = games.names().len();
    if options.intervals && players > MOST_WITH_INTERVALS {
        return Err(RateError::TooManyForIntervals {
            players,
            limit: MOST_WITH_INTERVALS,
        });
    }
    let mut likelihood = Likelihood::new(players, games.pairings(), options.prior);
    let anchored: Vec<usize> = anchors.iter().map(|anchor| anchor.0).collect();
    let mut groups = comparable_groups(players, &likelihood.terms, &anchored);
    if options.prior > 0.0 {
        // No games lie between groups then, so none is known to be stronger: the largest comes first.
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    }
    let group_of = membership(players, &groups);
    likelihood.within_groups(&group_of);

    if options.advantage == Parameter::Fitted && !advantage_shows(players, &likelihood.terms, &anchored) {
        return Err(RateError::HiddenAdvantage);
    }

    let fit = fit(&likelihood, options, &anchors, &groups)?;
    let elos = fixed_scale(&fit, options, &anchors, &groups);
    let matrix = if options.intervals {
        Some(elo_covariance(&likelihood, options, &fit, &groups)?)
    } else {
        None
    };
    Ok(list(games, &likelihood, &groups, &group_of, &fit, &elos, matrix))
}

fn check(options: &Options) -> Result<(), RateError> {
    let bad = |name, value, expected| {
        Err(RateError::BadOption {
            name,
            value,
            expected,
        })
    };
    if !(options.prior >= 0.0 && options.prior.is_finite()) {
        return bad("the prior", options.prior, "a number of virtual draws, 0 or more");
    }
    match options.draw_elo {
        Parameter::Fixed(value) if !(value >= 0.0 && value.is_finite()) => {
            return bad("the draw parameter", value, "0 or more Elo");
        }
        _ => {}
    }
    match options.advantage {
        Parameter::Fixed(value) if !value.is_finite() => {
            return bad("the advantage", value, "a number of Elo");
        }
        _ => {}
    }
    if !options.mean.is_finite() {
        return bad("the mean", options.mean, "a number of Elo");
    }
    match options.anchors.iter().find(|anchor| !anchor.1.is_finite()) {
        Some(anchor) => bad("an anchor's rating", anchor.1, "a number of Elo"),
        None => Ok(()),
    }
}

fn anchors(games: &Games, options: &Options) -> Result<Vec<(usize, f64)>, RateError> {
    let mut anchors: Vec<(usize, f64)> = Vec::new();
    for (name, elo) in &options.anchors {
        let player = games
            .find(name)
            .ok_or_else(|| RateError::UnknownAnchor(name.clone()))?
            .index();
        if anchors.iter().any(|anchor| anchor.0 == player) {
            return Err(RateError::RepeatedAnchor(name.clone()));
        }
        anchors.push((player, *elo));
    }
    Ok(anchors)
}

fn membership(players: usize, groups: &[Vec<usize>]) -> Vec<usize> {
    let mut group_of = vec![0; players];
    for (number, group) in groups.iter().enumerate() {
        for &player in group {
            group_of[player] = number;
        }
    }
    group_of
}

/// The maximum, in natural units.
struct Fit {
    point: Point,
    free: Vec<bool>,
    anchored: Vec<bool>,
    /// One player of each group without an anchor.
    pinned: Vec<usize>,
    model: Model,
    scale: f64,
    steps: usize,
}

fn fit(
    likelihood: &Likelihood,
    options: &Options,
    anchors: &[(usize, f64)],
    groups: &[Vec<usize>],
) -> Result<Fit, RateError> {
    let (advantage_at, draw_at) = (likelihood.advantage_at(), likelihood.draw_at());
    let mut fit = Fit {
        point: vec![0.0; likelihood.players + 2],
        free: vec![true; likelihood.players + 2],
        anchored: vec![false; likelihood.players],
        pinned: Vec::new(),
        model: Model::default(),
        scale: 1.0,
        steps: 0,
    };
    for group in groups.iter().filter(|group| group.len() == 1) {
        fit.free[group[0]] = false;
    }
    for &(player, _) in anchors {
        fit.free[player] = false;
        fit.anchored[player] = true;
    }
    let floating = groups
        .iter()
        .filter(|group| !group.iter().any(|&player| fit.anchored[player]));
    fit.pinned = floating.map(|group| group[0]).collect();
    fit.point[advantage_at] = start(options.advantage, DEFAULT_ADVANTAGE, &mut fit.free[advantage_at]);
    fit.point[draw_at] = start(options.draw_elo, DEFAULT_DRAW_ELO, &mut fit.free[draw_at]);
    if fit.free[draw_at] && likelihood.draws == 0.0 {
        // Without a single draw the best parameter is 0, the end of its range.
        fit.free[draw_at] = false;
        fit.point[draw_at] = 0.0;
    }
    loop {
        fit.scale = current_scale(options, &fit.point, draw_at);
        for &(player, elo) in anchors {
            fit.point[player] = (elo - anchors[0].1) / (fit.scale * ELO_PER_NATURAL);
        }
        climb(likelihood, options, &mut fit)?;
        // Distances between anchors are given on the outer scale, which hangs on the draw parameter.
        let scale = current_scale(options, &fit.point, draw_at);
        if anchors.len() < 2 || (scale - fit.scale).abs() < 1e-12 {
            fit.scale = scale;
            break;
        }
    }
    fit.model = Model {
        advantage: fit.point[advantage_at] * ELO_PER_NATURAL,
        draw_elo: fit.point[draw_at] * ELO_PER_NATURAL,
    };
    Ok(fit)
}

fn start(parameter: Parameter, guess: f64, free: &mut bool) -> f64 {
    *free = parameter == Parameter::Fitted;
    match parameter {
        Parameter::Fixed(elo) => elo / ELO_PER_NATURAL,
        Parameter::Fitted => guess / ELO_PER_NATURAL,
    }
}

fn current_scale(options: &Options, point: &[f64], draw_at: usize) -> f64 {
    let model = Model {
        advantage: 0.0,
        draw_elo: point[draw_at] * ELO_PER_NATURAL,
    };
    match options.scale {
        Scale::BayesElo => model.bayeselo_scale(),
        Scale::None => 1.0,
    }
}

fn climb(likelihood: &Likelihood, options: &Options, fit: &mut Fit) -> Result<(), RateError> {
    let steps = match options.solver {
        Solver::Newton => newton::climb(likelihood, &mut fit.point, &fit.free, &fit.pinned, TOLERANCE),
        Solver::Mm => mm::climb(likelihood, &mut fit.point, &fit.free, TOLERANCE, MOST_SWEEPS),
    };
    let (advantage, draw_elo) = fitted_sizes(likelihood, fit);
    match steps {
        Some(steps) if advantage.max(draw_elo) < LARGEST_FITTED => {
            fit.steps += steps;
            Ok(())
        }
        _ => Err(no_maximum(likelihood, fit)),
    }
}

/// Sizes of the fitted advantage and draw parameter in Elo, 0 where they were given.
fn fitted_sizes(likelihood: &Likelihood, fit: &Fit) -> (f64, f64) {
    let size = |index: usize| {
        if fit.free[index] {
            fit.point[index].abs() * ELO_PER_NATURAL
        } else {
            0.0
        }
    };
    (size(likelihood.advantage_at()), size(likelihood.draw_at()))
}

/// Groups have finite ratings, so where the climb did not end or ended on a plain it was a fitted
/// parameter that ran away.
fn no_maximum(likelihood: &Likelihood, fit: &Fit) -> RateError {
    match fitted_sizes(likelihood, fit) {
        (0.0, 0.0) => RateError::NoConvergence,
        (advantage, draw_elo) if advantage > draw_elo => RateError::Unbounded("White's advantage"),
        _ => RateError::Unbounded("the draw parameter"),
    }
}

/// Ratings in Elo on the outer scale: each group hung on its first anchor, or else on the mean.
fn fixed_scale(fit: &Fit, options: &Options, anchors: &[(usize, f64)], groups: &[Vec<usize>]) -> Vec<f64> {
    let mut elos = vec![0.0; fit.anchored.len()];
    for group in groups {
        let anchor = anchors.iter().find(|anchor| group.contains(&anchor.0));
        let mean = group.iter().map(|&player| fit.point[player]).sum::<f64>() / group.len() as f64;
        let (zero, offset) = anchor.map_or((mean, options.mean), |&(player, elo)| (fit.point[player], elo));
        for &player in group {
            elos[player] = offset + fit.scale * ELO_PER_NATURAL * (fit.point[player] - zero);
        }
    }
    for &(player, elo) in anchors {
        elos[player] = elo;
    }
    elos
}

fn elo_covariance(
    likelihood: &Likelihood,
    options: &Options,
    fit: &Fit,
    groups: &[Vec<usize>],
) -> Result<SquareMatrix, RateError> {
    let (_, information) = likelihood.derivatives(&fit.point);
    let floating: Vec<&[usize]> = groups
        .iter()
        .filter(|group| group.len() > 1 && !group.iter().any(|&player| fit.anchored[player]))
        .map(Vec::as_slice)
        .collect();
    let mut matrix = covariance(likelihood, &information, &fit.free, &floating)
        .ok_or_else(|| no_maximum(likelihood, fit))?;
    if options.reference == Reference::Mean {
        for group in groups.iter().filter(|group| group.len() > 1) {
            matrix.centre(group);
        }
    }
    matrix.scale((fit.scale * ELO_PER_NATURAL).powi(2));
    Ok(matrix)
}

fn list(
    games: &Games,
    likelihood: &Likelihood,
    groups: &[Vec<usize>],
    group_of: &[usize],
    fit: &Fit,
    elos: &[f64],
    matrix: Option<SquareMatrix>,
) -> Ratings {
    let mut order: Vec<usize> = groups.iter().flatten().copied().collect();
    order.sort_by(|&a, &b| {
        let names = games.names();
        group_of[a]
            .cmp(&group_of[b])
            .then(elos[b].total_cmp(&elos[a]))
            .then(names[a].cmp(&names[b]))
    });
    let scores = scores(games, elos, group_of);
    let players: Vec<Rated> = order
        .iter()
        .map(|&player| {
            let score = &scores[player];
            let alone = groups[group_of[player]].len() == 1;
            Rated {
                name: games.names()[player].clone(),
                elo: elos[player],
                interval: matrix
                    .as_ref()
                    .filter(|_| !alone)
                    .map(|matrix| NORMAL_95 * matrix.at(player, player).max(0.0).sqrt()),
                wins: score.wins,
                draws: score.draws,
                losses: score.losses,
                opponents: (score.compared > 0.0).then(|| score.opponents / score.compared),
                group: group_of[player],
            }
        })
        .collect();
    let mut by_group = vec![Vec::new(); groups.len()];
    for (index, player) in players.iter().enumerate() {
        by_group[player.group].push(index);
    }
    Ratings {
        players,
        groups: by_group,
        advantage: fit.model.advantage,
        draw_elo: fit.model.draw_elo,
        scale: fit.scale,
        log_likelihood: likelihood.value(&fit.point),
        steps: fit.steps,
        covariance: matrix.map(|matrix| matrix.reordered(&order)),
    }
}

#[derive(Clone, Default)]
struct Score {
    wins: f64,
    draws: f64,
    losses: f64,
    opponents: f64,
    compared: f64,
}

fn scores(games: &Games, elos: &[f64], group_of: &[usize]) -> Vec<Score> {
    let mut scores = vec![Score::default(); elos.len()];
    for pairing in games.pairings() {
        let (white, black, tally) = (pairing.white.index(), pairing.black.index(), pairing.tally);
        for (own, other, wins, losses) in [
            (white, black, tally.wins, tally.losses),
            (black, white, tally.losses, tally.wins),
        ] {
            let score = &mut scores[own];
            score.wins += wins;
            score.draws += tally.draws;
            score.losses += losses;
            if group_of[own] == group_of[other] {
                score.opponents += tally.games() * elos[other];
                score.compared += tally.games();
            }
        }
    }
    scores
}
