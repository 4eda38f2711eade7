//! Three pictures of a run: means and deviations over the generations (as published), convergence, final intervals.

use vidmar_optim::Dimension;

use super::sheet::{Panel, Sheet, short};
use crate::run::Generation;
use crate::status::View;

const BLUE: &str = "#1f5fa8";
const ORANGE: &str = "#c8641e";
const PANEL: (f64, f64) = (150.0, 70.0);
const COLUMNS: usize = 5;

/// A way to a picture.
type MakePlot = fn(view: &View, dimensions: &[Dimension]) -> String;

/// Every picture, by name.
const PLOTS: &[(&str, MakePlot)] = &[
    ("trajectories", trajectories),
    ("convergence", |view, _| convergence(view)),
    ("intervals", intervals),
];

/// The names of all pictures.
pub fn plot_names() -> impl Iterator<Item = &'static str> {
    PLOTS.iter().map(|(name, _)| *name)
}

/// The picture of that name; none where there is no such picture, or no generation yet.
pub fn plot(view: &View, name: &str) -> Option<String> {
    let (_, make) = PLOTS.iter().find(|(known, _)| *known == name)?;
    Some(make(view, view.space()?.dimensions()))
}

/// The pictures with their file names.
pub fn plots(view: &View) -> Vec<(String, String)> {
    plot_names()
        .filter_map(|name| Some((format!("{name}.svg"), plot(view, name)?)))
        .collect()
}

/// Games over generations: they are what a run is paid in.
fn reach(view: &View) -> (f64, f64) {
    (
        0.0,
        view.generations
            .last()
            .map_or(1.0, |last| last.generation.max(1) as f64),
    )
}

/// One panel for every parameter: the mean, and a band of one standard deviation, inside its interval.
fn trajectories(view: &View, dimensions: &[Dimension]) -> String {
    let rows = dimensions.len().div_ceil(COLUMNS);
    let (width, height) = (PANEL.0 + 40.0, PANEL.1 + 34.0);
    let mut sheet = Sheet::new(width * COLUMNS as f64 + 20.0, height * rows as f64 + 20.0);
    let moments: Vec<Vec<(f64, f64)>> = view.generations.iter().map(Generation::moments).collect();
    for (j, dimension) in dimensions.iter().enumerate() {
        let panel = Panel {
            left: 40.0 + width * (j % COLUMNS) as f64,
            top: 20.0 + height * (j / COLUMNS) as f64,
            width: PANEL.0,
            height: PANEL.1,
            x: reach(view),
            y: (dimension.min, dimension.max),
        };
        let at = |shift: f64| -> Vec<(f64, f64)> {
            let steps = view.generations.iter().zip(&moments);
            steps
                .map(|(generation, moments)| {
                    let (mean, deviation) = moments[j];
                    let y = (mean + shift * deviation).clamp(dimension.min, dimension.max);
                    (generation.generation as f64, y)
                })
                .collect()
        };
        sheet.band(&panel, &at(-1.0), &at(1.0), BLUE);
        sheet.line(&panel, &at(0.0), BLUE);
        sheet.frame(&panel, &dimension.name);
    }
    sheet.finish()
}

/// Best and mean score of the population, and how far it is spread.
fn convergence(view: &View) -> String {
    let mut sheet = Sheet::new(640.0, 420.0);
    let spread = |generation: &Generation| {
        let space = view.optimizer.as_ref().map(|optimizer| &optimizer.setup().space);
        space.map_or(0.0, |space| generation.spread(space))
    };
    let line = |value: &dyn Fn(&Generation) -> Option<f64>| -> Vec<(f64, f64)> {
        let points = view.generations.iter();
        points
            .filter_map(|g| value(g).map(|value| (g.generation as f64, value)))
            .collect()
    };
    let best = line(&|g| g.scores().map(|(best, _)| best));
    let mean = line(&|g| g.scores().map(|(_, mean)| mean));
    let spread = line(&|g| Some(spread(g)));
    let panel = |top: f64, y: (f64, f64)| Panel {
        left: 50.0,
        top,
        width: 560.0,
        height: 150.0,
        x: reach(view),
        y,
    };
    let scores = panel(30.0, extent(best.iter().chain(&mean)));
    sheet.line(&scores, &best, ORANGE);
    sheet.line(&scores, &mean, BLUE);
    sheet.frame(&scores, "score of the population: best (orange) and mean (blue)");
    let share = panel(230.0, (0.0, extent(spread.iter()).1.max(0.01)));
    sheet.line(&share, &spread, BLUE);
    sheet.frame(
        &share,
        "spread: mean standard deviation in shares of the intervals",
    );
    sheet.finish()
}

fn extent<'a>(points: impl Iterator<Item = &'a (f64, f64)>) -> (f64, f64) {
    let (low, high) = points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &(_, y)| {
        (low.min(y), high.max(y))
    });
    if low < high {
        (low, high)
    } else {
        (low.clamp(-1e9, 0.0), high.clamp(1.0, 1e9))
    }
}

/// Where in its interval every parameter has ended: mean, two standard deviations, and the start in orange.
fn intervals(view: &View, dimensions: &[Dimension]) -> String {
    let row = 14.0;
    let mut sheet = Sheet::new(640.0, row * dimensions.len() as f64 + 40.0);
    sheet.text(
        410.0,
        14.0,
        "middle",
        9.0,
        "mean and two standard deviations (blue), start (orange)",
    );
    let Some(last) = view.generations.last() else {
        return sheet.finish();
    };
    let start = view
        .optimizer
        .as_ref()
        .map(|optimizer| optimizer.setup().space.start());
    for (j, (dimension, (mean, deviation))) in dimensions.iter().zip(last.moments()).enumerate() {
        let panel = Panel {
            left: 220.0,
            top: 20.0 + row * j as f64,
            width: 380.0,
            height: row - 4.0,
            x: (dimension.min, dimension.max),
            y: (0.0, 1.0),
        };
        let inside = |x: f64| x.clamp(dimension.min, dimension.max);
        sheet.text(185.0, panel.top + 8.0, "end", 8.0, &dimension.name);
        sheet.text(216.0, panel.top + 8.0, "end", 6.0, &short(dimension.min));
        sheet.text(604.0, panel.top + 8.0, "start", 6.0, &short(dimension.max));
        sheet.line(&panel, &[(dimension.min, 0.5), (dimension.max, 0.5)], "#bbb");
        let (from, to) = (inside(mean - 2.0 * deviation), inside(mean + 2.0 * deviation));
        sheet.band(&panel, &[(from, 0.2), (to, 0.2)], &[(from, 0.8), (to, 0.8)], BLUE);
        if let Some(start) = start {
            sheet.dot(&panel, (inside(start[j]), 0.5), ORANGE);
        }
        sheet.dot(&panel, (inside(mean), 0.5), BLUE);
    }
    sheet.finish()
}
