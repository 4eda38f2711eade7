//! Ctrl-C: the first ends in order, the second at once; and with which command to go on.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use vidmar_engine::Control;

use crate::output;

/// The exit code of programs that were interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// What says stop after the first Ctrl-C. What was committed is safe after the second.
pub(crate) fn control() -> anyhow::Result<Arc<Control>> {
    let control = Arc::new(Control::new());
    let stopped = Arc::clone(&control);
    let asked = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(INTERRUPTED));
        }
        stopped.stop();
    })
    .context("cannot listen to Ctrl-C")?;
    Ok(control)
}

/// Says with which command to go on.
pub(crate) fn interrupted(command: &str) -> ExitCode {
    output::hint(&format!(
        "interrupted; every finished game is saved. Go on with\n  {command}"
    ));
    ExitCode::from(INTERRUPTED)
}
