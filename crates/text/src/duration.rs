//! Durations as people say them: the unit follows the size, so that nothing takes "0.00 s".

/// Seconds in words of the right size: `350 µs`, `2.4 ms`, `128 ms`, `3.52 s`, `41.7 s`, `5 min 09 s`, `2 h 05 min`,
/// `3 d 04 h`; `?` for what is no duration.
///
/// ```
/// assert_eq!(vidmar_text::duration(0.0024), "2.4 ms");
/// assert_eq!(vidmar_text::duration(309.0), "5 min 09 s");
/// ```
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "?".to_owned();
    }
    // What would be rounded up to the next unit is in the next unit.
    match seconds {
        0.0 => "0 s".to_owned(),
        _ if seconds < 0.999_5e-3 => format!("{:.0} µs", (seconds * 1e6).max(1.0)),
        _ if seconds < 9.95e-3 => format!("{:.1} ms", seconds * 1e3),
        _ if seconds < 0.999_5 => format!("{:.0} ms", seconds * 1e3),
        _ if seconds < 9.995 => format!("{seconds:.2} s"),
        _ if seconds < 59.95 => format!("{seconds:.1} s"),
        _ => in_two_units(seconds.round() as u64),
    }
}

fn in_two_units(seconds: u64) -> String {
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match (days, hours) {
        (0, 0) => format!("{minutes} min {:02} s", seconds % 60),
        (0..2, _) => format!("{hours} h {:02} min", minutes % 60),
        _ => format!("{days} d {:02} h", hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn the_unit_follows_the_size() {
        for (seconds, text) in [
            (0.0, "0 s"),
            (1e-9, "1 µs"),
            (0.000_35, "350 µs"),
            (0.000_999_9, "1.0 ms"),
            (0.002_44, "2.4 ms"),
            (0.009_96, "10 ms"),
            (0.128, "128 ms"),
            (0.999_6, "1.00 s"),
            (3.518, "3.52 s"),
            (9.996, "10.0 s"),
            (41.68, "41.7 s"),
            (59.96, "1 min 00 s"),
            (309.0, "5 min 09 s"),
            (3_599.6, "1 h 00 min"),
            (7_505.0, "2 h 05 min"),
            (90_000.0, "25 h 00 min"),
            (273_600.0, "3 d 04 h"),
            (f64::INFINITY, "?"),
            (f64::NAN, "?"),
            (-1.0, "?"),
        ] {
            assert_eq!(duration(seconds), text, "{seconds}");
        }
    }
}
