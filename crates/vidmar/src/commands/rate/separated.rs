//! The rating list, or the matrix of superiority, as comma-separated values.

use vidmar_rating::Ratings;

use super::superiority;
use crate::output;

pub(super) fn list(ratings: &Ratings) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "rank",
        "name",
        "elo",
        "plus",
        "minus",
        "games",
        "points",
        "score_percent",
        "opponents",
        "draw_percent",
        "group",
    ])?;
    let optional = |value: Option<f64>| value.map_or(String::new(), two_places);
    for group in &ratings.groups {
        for (rank, &index) in (1..).zip(group) {
            let player = &ratings.players[index];
            let rank: usize = rank;
            writer.write_record([
                rank.to_string(),
                player.name.clone(),
                two_places(player.elo),
                optional(player.interval),
                optional(player.interval),
                player.games().to_string(),
                player.points().to_string(),
                format!("{:.2}", 100.0 * player.points() / player.games()),
                optional(player.opponents),
                format!("{:.2}", 100.0 * player.draws / player.games()),
                (player.group + 1).to_string(),
            ])?;
        }
    }
    output::csv_text(writer)
}

pub(super) fn matrix(ratings: &Ratings) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(
        std::iter::once("name").chain(ratings.players.iter().map(|player| player.name.as_str())),
    )?;
    for (player, row) in ratings.players.iter().zip(superiority(ratings)) {
        let cells = row
            .iter()
            .map(|cell| cell.map_or(String::new(), |chance| format!("{chance:.4}")));
        writer.write_record(std::iter::once(player.name.clone()).chain(cells))?;
    }
    output::csv_text(writer)
}

fn two_places(value: f64) -> String {
    // Adding 0 turns -0 into 0.
    format!("{:.2}", (100.0 * value).round() / 100.0 + 0.0)
}
