//! What a defect of this program leaves behind: beside what Rust says of a panic, how it came there, without being asked for it.

use std::backtrace::Backtrace;
use std::io::{self, Write as _};
use std::panic;

/// Rust's own variable: whoever sets it has a backtrace, or wants none.
const CHOICE: &str = "RUST_BACKTRACE";

/// From now on every panic, in whatever thread and whether it is caught or not, is told with its backtrace.
pub(crate) fn tell_backtraces() {
    if std::env::var_os(CHOICE).is_none() {
        // Nobody may be there to read it, and that is no second defect.
        with_backtraces(|text| drop(writeln!(io::stderr(), "{text}")));
    }
}

fn with_backtraces(tell: impl Fn(&str) + Send + Sync + 'static) {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        usual(panic);
        tell(&format!("stack backtrace:\n{}", Backtrace::force_capture()));
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[inline(never)]
    fn fails_on_purpose() {
        panic!("on purpose");
    }

    #[test]
    fn a_panic_that_is_caught_is_told_with_its_backtrace() {
        let (sender, told) = mpsc::channel();
        with_backtraces(move |text| {
            let _ = sender.send(text.to_owned());
        });
        assert!(panic::catch_unwind(fails_on_purpose).is_err());
        let _ = panic::take_hook();
        let told: Vec<String> = told.try_iter().collect();
        assert!(
            told.iter().any(|text| text.contains("fails_on_purpose")),
            "{told:?}"
        );
    }
}
