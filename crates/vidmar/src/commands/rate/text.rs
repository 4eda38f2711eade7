//! The rating list for a reader at a terminal: BayesElo's columns and Ordo's points.

use std::fmt::Write as _;

use vidmar_rating::{Parameter, Rated, Ratings};

use super::{Rate, ReferenceName, superiority};

pub(super) fn render(command: &Rate, ratings: &Ratings) -> String {
    let names = ratings.players.iter().map(|player| player.name.chars().count());
    let width = names.max().unwrap_or(0).max(4);
    let mut text = String::new();
    for (number, group) in (1..).zip(&ratings.groups) {
        if ratings.groups.len() > 1 {
            let _ = writeln!(text, "{}Group {number}", if number > 1 { "\n" } else { "" });
        }
        let _ = writeln!(
            text,
            "Rank  {:width$}  {:>6}  {:>4}  {:>4}  {:>7}  {:>9}  {:>5}  {:>6}  {:>5}",
            "Name", "Elo", "+", "-", "Games", "Points", "Score", "Oppo.", "Draws"
        );
        for (rank, &index) in (1..).zip(group) {
            row(&mut text, rank, &ratings.players[index], width);
        }
    }
    let _ = writeln!(text, "\n{}", footnote(command, ratings));
    if command.los {
        text.push('\n');
        matrix(&mut text, ratings, width);
    }
    text
}

fn row(text: &mut String, rank: usize, player: &Rated, width: usize) {
    let interval = whole(player.interval);
    let _ = writeln!(
        text,
        "{rank:4}  {:width$}  {:>6}  {interval:>4}  {interval:>4}  {:7}  {:9.1}  {:>5}  {:>6}  {:>5}",
        player.name,
        whole(Some(player.elo)),
        player.games(),
        player.points(),
        percent(player.points(), player.games()),
        whole(player.opponents),
        percent(player.draws, player.games()),
    );
}

fn footnote(command: &Rate, ratings: &Ratings) -> String {
    let how = |parameter| {
        if parameter == Parameter::Fitted {
            "fitted"
        } else {
            "given"
        }
    };
    let about = match (command.intervals, command.anchors.is_empty()) {
        (ReferenceName::None, _) => "no intervals",
        (ReferenceName::Anchor, false) => "+ and -: 95 % interval of the difference to the anchor",
        _ => "+ and -: 95 % interval of the difference to the mean",
    };
    format!(
        "White's advantage {:.1} ({}), draw parameter {:.1} ({}), prior {} draws, scale {:.4}\n{about}",
        ratings.advantage,
        how(command.advantage),
        ratings.draw_elo,
        how(command.draw_elo),
        command.prior,
        ratings.scale,
    )
}

fn matrix(text: &mut String, ratings: &Ratings, width: usize) {
    text.push_str("Likelihood of superiority in percent: the row's player over the column's\n");
    let _ = write!(text, "      {:width$}", "");
    for column in 1..=ratings.players.len() {
        let _ = write!(text, " {column:>4}");
    }
    text.push('\n');
    for (index, row) in superiority(ratings).iter().enumerate() {
        let _ = write!(text, "{:4}  {:width$}", index + 1, ratings.players[index].name);
        for cell in row {
            let shown = cell.map_or(String::new(), |chance| format!("{:.0}", 100.0 * chance));
            let _ = write!(text, " {shown:>4}");
        }
        text.push('\n');
    }
}

fn whole(value: Option<f64>) -> String {
    // Adding 0 turns -0 into 0.
    value.map_or("-".to_owned(), |value| format!("{:.0}", value.round() + 0.0))
}

fn percent(part: f64, whole: f64) -> String {
    format!("{:.0}%", 100.0 * part / whole)
}
