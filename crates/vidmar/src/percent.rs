//! A share in percent, as an argument.

/// From 0 to 100, with or without the sign.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').parse::<f64>().ok();
    let share = number.filter(|percent| (0.0..=100.0).contains(percent));
    share.ok_or_else(|| "expected a number from 0 to 100".to_owned())
}
