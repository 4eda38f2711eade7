//! Words, lines and files about a run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use vidmar_optim::{Dimension, Space};
use vidmar_rows::{GauntletRow, ValidationRow, elo_text, validation_statement};
use vidmar_text::duration;
use vidmar_tune::config::Source;
use vidmar_tune::objective::texel::{Fit, Tried};
use vidmar_tune::pipeline::RESULT;
use vidmar_tune::run::{Generation, ResultVectors, Taken};
use vidmar_tune::status::{Values, View};

use super::values::values;

/// The parameters that have gone farthest from the start.
pub(super) fn largest_changes(space: &Space, now: &[f64], most: usize) -> String {
    let changes = by_change(space, now).into_iter();
    let shown =
        |(d, start, now): (&Dimension, f64, f64)| format!("{} {}→{}", d.name, number(start), number(now));
    let moved = changes.filter(|(_, start, now)| (start - now).abs() > 0.0);
    moved.take(most).map(shown).collect::<Vec<_>>().join(", ")
}

/// Every parameter with its start and where it is, the one that has gone farthest in shares of its interval first.
pub(super) fn by_change<'a>(space: &'a Space, now: &[f64]) -> Vec<(&'a Dimension, f64, f64)> {
    let rows = space.dimensions().iter().zip(space.start()).zip(now);
    let mut rows: Vec<(&Dimension, f64, f64)> = rows.map(|((d, &start), &now)| (d, start, now)).collect();
    let share = |&(d, start, now): &(&Dimension, f64, f64)| (now - start).abs() / d.width().max(1e-9);
    rows.sort_by(|a, b| share(b).total_cmp(&share(a)));
    rows
}

/// Whole where it is whole.
pub(super) fn number(value: f64) -> String {
    if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}

/// A generation as a line for machines.
pub(super) fn generation_json(generation: &Generation, taken: Taken, faults: u64, space: &Space) -> String {
    let scores = generation.scores();
    serde_json::json!({
        "generation": generation.generation,
        "games": generation.games,
        "seconds": taken.seconds,
        "cpu_seconds": taken.cpu_seconds,
        "best": scores.map(|(best, _)| best),
        "mean": scores.map(|(_, mean)| mean),
        "spread": (generation.population.len() > 1).then(|| generation.spread(space)),
        "faults": faults,
        "fit": generation.fit,
        "centroid": Values::of(space, &generation.centroid),
    })
    .to_string()
}

/// Where a run stands and what it has learned, for machines.
pub(super) fn status_json(view: &View) -> anyhow::Result<String> {
    let mut status = view.status()?;
    status.learned = view.learned()?;
    Ok(serde_json::to_string(&status)?)
}

/// What a run came to, for a reader.
pub(super) fn result(view: &View, files: &[(String, PathBuf)]) -> anyhow::Result<String> {
    let Some(results) = view.results()? else {
        return Ok("nothing is known yet: the first generation is not complete\n".into());
    };
    let status = view.status()?;
    let mut text = String::new();
    let _ = writeln!(
        text,
        "\n{}: {} games in {}, {:.1} a second{}\n",
        status.state,
        status.games,
        duration(status.seconds),
        status.games_per_second,
        throughput(status.cpu_seconds, status.games_per_cpu_second),
    );
    if let Some(ended) = &status.ended {
        let _ = writeln!(text, "Ended early: {ended}.\n");
    }
    if let (Some(fit), Some(first)) = (&status.fit, view.generations.first().and_then(|g| g.fit)) {
        learned(&mut text, &first, fit);
    }
    if let Some(best) = Tried::best(&status.tried) {
        let _ = writeln!(text, "Learned by the best of {}:", status.tried.len());
        for one in &status.tried {
            let mark = if *one == best { "  taken" } else { "" };
            let _ = writeln!(text, "{}{mark}", tried(one));
        }
        text.push('\n');
    }
    if let Some(learned) = view.learned()? {
        let _ = writeln!(text, "{}", values(&learned));
    }
    vectors(&mut text, &results);
    if !status.verify.is_empty() {
        validation(&mut text, &status.verify);
    }
    if !status.gauntlet.is_empty() {
        gauntlet(&mut text, &status.gauntlet);
    }
    let file = |wanted: &str| {
        files
            .iter()
            .find(|(name, _)| name == wanted)
            .map(|(_, path)| path)
    };
    if let Some(path) = file("recommended") {
        let result = file(RESULT).unwrap_or(path);
        let folder = path.parent().unwrap_or(Path::new(".")).display();
        let _ = writeln!(
            text,
            "\nThe recommended vector is {}; the others are in {folder}.",
            result.display()
        );
        let beginning = file(results.beginning().name);
        text.push_str(&next_steps(view, result, &folder.to_string(), beginning));
    }
    Ok(text)
}

/// What to type next.
fn next_steps(view: &View, result: &Path, folder: &str, beginning: Option<&PathBuf>) -> String {
    let start = beginning.map_or(String::new(), |path| format!(":eval={}", path.display()));
    let list = format!(
        "  vidmar tune export {folder} --list uci          # as setoption lines; openbench, fishtest, … too\n"
    );
    let is_evaluation =
        view.config.parameters.source == Source::Evaluation && view.config.engine.player.is_empty();
    let play = format!(
        "  vidmar match -engine player=engine:eval={} name=tuned -engine player=engine{start} name=start -each tc=2+0.02 -rounds 50\n",
        result.display()
    );
    format!(
        "Next:\n{}  vidmar web {folder}\n",
        if is_evaluation { play } else { list }
    )
}

/// What a processor does in a second.
fn throughput(cpu_seconds: f64, games: f64) -> String {
    if cpu_seconds <= 0.0 {
        return String::new();
    }
    format!(
        ", {games:.1} a second of processor time ({})",
        duration(cpu_seconds)
    )
}

/// What was tried, as a line of JSON.
pub(super) fn tried_json(tried: &Tried) -> String {
    serde_json::json!({ "tried": tried }).to_string()
}

/// What was tried, for a reader.
pub(super) fn tried(tried: &Tried) -> String {
    let loss = tried
        .kept_out_results
        .map_or_else(|| "none kept out".into(), |loss| format!("{loss:.6}"));
    format!(
        "lambda {:<4} prior {:<4} log-loss of results kept out {loss}",
        tried.lambda, tried.prior
    )
}

/// The fit to results, from the first vector to the last.
fn learned(text: &mut String, first: &Fit, last: &Fit) {
    let _ = writeln!(
        text,
        "{:<12} {:>9} {:>10} {:>10}",
        "results", "positions", "log-loss", "squared"
    );
    let mut line = |name: &str, positions: usize, loss: [f64; 2], squared: [f64; 2]| {
        let _ = writeln!(
            text,
            "{name:<12} {positions:>9} {:>10.6} {:>10.6}   at the start {:.6} {:.6}",
            loss[1], squared[1], loss[0], squared[0]
        );
    };
    line(
        "fitted",
        last.positions,
        [first.loss, last.loss],
        [first.squared, last.squared],
    );
    let kept_out = |fit: &Fit| Some((fit.kept_out_loss?, fit.kept_out_squared?));
    if let (Some(before), Some(after)) = (kept_out(first), kept_out(last)) {
        line(
            "kept out",
            last.kept_out_positions,
            [before.0, after.0],
            [before.1, after.1],
        );
    }
    let _ = writeln!(
        text,
        "A score of {:.1} changes the odds by the factor e.\n",
        last.spread
    );
}

fn vectors(text: &mut String, results: &ResultVectors) {
    let _ = writeln!(text, "{:<12} {:>9} {:>7}", "vector", "score", "games");
    for one in &results.vectors {
        let score = one
            .score
            .map_or_else(|| "-".into(), |score| format!("{score:.3}"));
        let mark = if one.name == results.recommended {
            "  recommended"
        } else {
            ""
        };
        let _ = writeln!(text, "{:<12} {score:>9} {:>7}{mark}", one.name, one.games);
    }
}

fn validation(text: &mut String, validations: &[ValidationRow]) {
    let widths = validations.iter().map(|one| one.limit.chars().count());
    let width = widths.max().unwrap_or(0).max("limit".len());
    let _ = writeln!(
        text,
        "\nValidation on openings that tuning never saw\n{:<12} {:<8} {:>width$} {:>6} {:>6} {:>6} {:>6}  {:>26}",
        "vector", "against", "limit", "games", "won", "drawn", "lost", "Elo (95 %)"
    );
    for validation in validations {
        let ValidationRow { vector, against, .. } = validation;
        let elo = elo_text(validation.interval());
        let _ = writeln!(
            text,
            "{vector:<12} {against:<8} {:>width$} {:>6} {:>6} {:>6} {:>6}  {elo:>26}  {}",
            validation.limit,
            validation.games,
            validation.wins,
            validation.draws,
            validation.losses,
            match (&validation.decision, validation.llr) {
                (Some(decision), Some(llr)) => format!("{decision} accepted, LLR {llr:+.2}"),
                (None, Some(llr)) => format!("undecided, LLR {llr:+.2}"),
                _ => validation.verdict.as_str().to_owned(),
            }
        );
    }
    let _ = writeln!(text, "\n{}", validation_statement(validations));
}

fn gauntlet(text: &mut String, standings: &[GauntletRow]) {
    let _ = writeln!(
        text,
        "\nGauntlet of reference engines\n{:<14} {:>14} {:>6} {:>6} {:>6} {:>6}",
        "player", "Elo ± 95 %", "games", "won", "drawn", "lost"
    );
    for standing in standings {
        let error = standing
            .error
            .map_or_else(|| "given".into(), |error| format!("± {error:.0}"));
        let elo = format!("{:.0} {error}", standing.elo);
        let mark = match (standing.reference, standing.recommended) {
            (true, _) => "  reference",
            (_, true) => "  recommended",
            _ => "",
        };
        let _ = writeln!(
            text,
            "{:<14} {elo:>14} {:>6} {:>6} {:>6} {:>6}{mark}",
            standing.player, standing.games, standing.wins, standing.draws, standing.losses
        );
    }
    let of = |is_it: fn(&GauntletRow) -> bool| standings.iter().find(|standing| is_it(standing));
    let recommended = of(|standing| standing.recommended);
    for reference in ["initial", "start"] {
        let found = standings.iter().find(|s| !s.reference && s.player == reference);
        if let (Some(recommended), Some(found)) = (recommended, found) {
            let gained = recommended.elo - found.elo;
            let _ = writeln!(
                text,
                "The recommended vector is {gained:+.0} Elo from {reference} on it."
            );
        }
    }
}
