//! Progress of long work: a bar on standard error, on a terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over `steps` steps that shows rate and remaining time; invisible unless standard error is a terminal.
pub(crate) fn bar(steps: usize, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr_with_hz(5));
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}  {elapsed} elapsed, {eta} to go");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.set_message(what);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// A bar that is never shown.
pub(crate) fn hidden() -> ProgressBar {
    ProgressBar::hidden()
}
