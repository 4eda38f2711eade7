//! The rating list for a script. `score` and `draws` are percentages, as in BayesElo's list.

use serde::Serialize;
use vidmar_rating::{Rated, Ratings};

use super::{Rate, Reading, superiority};

#[derive(Serialize)]
struct List<'a> {
    players: Vec<Player<'a>>,
    advantage: f64,
    draw_elo: f64,
    scale: f64,
    prior: f64,
    games: f64,
    unfinished: u64,
    skipped: u64,
    groups: usize,
    log_likelihood: f64,
    /// Chance that the player of the row is stronger than the player of the column.
    #[serde(skip_serializing_if = "Option::is_none")]
    los: Option<Vec<Vec<Option<f64>>>>,
}

#[derive(Serialize)]
struct Player<'a> {
    name: &'a str,
    elo: f64,
    plus: Option<f64>,
    minus: Option<f64>,
    games: f64,
    points: f64,
    score: f64,
    opponents: Option<f64>,
    draws: f64,
    wins: f64,
    losses: f64,
    group: usize,
}

impl<'a> Player<'a> {
    fn new(player: &'a Rated) -> Self {
        Player {
            name: &player.name,
            elo: player.elo,
            plus: player.interval,
            minus: player.interval,
            games: player.games(),
            points: player.points(),
            score: 100.0 * player.points() / player.games(),
            opponents: player.opponents,
            draws: 100.0 * player.draws / player.games(),
            wins: player.wins,
            losses: player.losses,
            group: player.group + 1,
        }
    }
}

pub(super) fn render(command: &Rate, ratings: &Ratings, reading: &Reading) -> anyhow::Result<String> {
    let list = List {
        players: ratings.players.iter().map(Player::new).collect(),
        advantage: ratings.advantage,
        draw_elo: ratings.draw_elo,
        scale: ratings.scale,
        prior: command.prior,
        games: reading.games.total(),
        unfinished: reading.unfinished,
        skipped: reading.skipped + reading.games.against_self(),
        groups: ratings.groups.len(),
        log_likelihood: ratings.log_likelihood,
        los: command.los.then(|| superiority(ratings)),
    };
    Ok(serde_json::to_string_pretty(&list)? + "\n")
}
