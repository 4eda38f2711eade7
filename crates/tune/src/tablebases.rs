//! Tablebases that end tuning games, as far as there are some.

use thiserror::Error;
use vidmar_arena::TablebaseRule;

/// Neither Syzygy tables nor tablebases of our own are there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "rules.tablebases = {folders:?}: {reason}; expected \"none\", \"built-in\" or folders with tablebases"
)]
pub struct TablebasesError {
    folders: String,
    reason: String,
}

/// The tablebases that a configuration names: `none`, `built-in`, or folders as in `PATH`. They are opened once, to see
/// that they are there.
pub(crate) fn rule(tablebases: &str) -> Result<Option<TablebaseRule>, TablebasesError> {
    let rule = match tablebases {
        "none" => return Ok(None),
        "built-in" => TablebaseRule::default(),
        folders => TablebaseRule::of_folders(folders),
    };
    rule.open().map_err(|error| TablebasesError {
        folders: error.folders,
        reason: error.reason,
    })?;
    Ok(Some(rule))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_those_built_in_or_folders() {
        assert_eq!(rule("none"), Ok(None));
        assert_eq!(rule("built-in"), Ok(Some(TablebaseRule::default())));
        let error = rule("no/such/folder").expect_err("it is not there");
        assert!(error.to_string().contains("no/such/folder"), "{error}");
    }
}
