//! The files of the page as `page/dist` had them when the binary was built; none before `cargo xtask web`.
//!
//! A crate of its own with nothing else in it: only the binary uses it, so a page that was built anew is a link, and
//! the server is not compiled again.

/// Each file by its path in the page, with `/` between folders, in the order of the paths.
pub const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

#[cfg(test)]
mod tests {
    use super::FILES;

    #[test]
    fn files_are_in_order() {
        assert!(FILES.is_sorted_by(|(a, _), (b, _)| a < b));
        assert!(FILES.is_empty() || FILES.iter().any(|(path, _)| *path == "index.html"));
    }
}
