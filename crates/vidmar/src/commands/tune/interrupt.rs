//! Ctrl-C: once saves and ends, twice ends at once.

use std::sync::Arc;

use anyhow::Context as _;
use vidmar_engine::Control;

/// The exit code of a command that was interrupted.
pub(super) const INTERRUPTED: u8 = 130;

/// A control that Ctrl-C stops.
pub(super) fn control() -> anyhow::Result<Arc<Control>> {
    let control = Arc::new(Control::new());
    let stopped = Arc::clone(&control);
    ctrlc::set_handler(move || {
        if stopped.is_stopped() {
            // Everything that was committed is safe; the user does not want to wait for the rest.
            std::process::exit(i32::from(INTERRUPTED));
        }
        stopped.stop();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(control)
}
