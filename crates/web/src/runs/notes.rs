//! What people say about a run: a text and some tags.
//!
//! They lie beside the run, in a small file of their own: `notes.json` in the directory of a tuning run, `NAME.RUN.notes.json`
//! beside the store of a match. So they move with the run, and the run itself is never written to.

use std::path::PathBuf;

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::library::{Entry, Kind};
use super::overview::Run;
use super::quick;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// The longest text, and the most and longest tags.
const LONGEST_TEXT: usize = 20_000;
const MOST_TAGS: usize = 20;
const LONGEST_TAG: usize = 40;

/// A text and tags.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RunNotes {
    /// Anything.
    #[serde(default)]
    pub text: String,
    /// Short words, by which runs are found.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// `POST /runs/{id}/notes`: in the place of those that there were.
pub(super) async fn write(
    State(server): State<Server>,
    Path(id): Path<String>,
    Body(notes): Body<RunNotes>,
) -> ApiResult<Json<Run>> {
    quick(server, move |library| {
        let entry = library.find(&id)?;
        let notes = notes.checked()?;
        entry.write_notes(&notes)?;
        Ok(entry.overview())
    })
    .await
}

impl RunNotes {
    /// Tags without doubles and empty ones; what is too long is refused.
    fn checked(self) -> ApiResult<RunNotes> {
        if self.text.chars().count() > LONGEST_TEXT {
            let message = format!("expected at most {LONGEST_TEXT} characters");
            return Err(ApiError::bad_request("too-long", message).field("text"));
        }
        let mut tags: Vec<String> = Vec::new();
        for tag in self.tags {
            let tag = tag.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_bad = |tag: &str| {
                tag.chars().count() > LONGEST_TAG || tag.chars().any(|c| c.is_control() || c == ',')
            };
            if is_bad(&tag) {
                let message = format!("'{tag}': expected at most {LONGEST_TAG} characters without a comma");
                return Err(ApiError::bad_request("bad-tag", message).field("tags"));
            }
            if !tag.is_empty() && !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        if tags.len() > MOST_TAGS {
            let message = format!("expected at most {MOST_TAGS} tags");
            return Err(ApiError::bad_request("too-many-tags", message).field("tags"));
        }
        Ok(RunNotes {
            text: self.text,
            tags,
        })
    }
}

impl Entry {
    /// Where its notes are.
    pub(super) fn notes_file(&self) -> PathBuf {
        match &self.kind {
            Kind::Tuning(tuning) => tuning.directory.join("notes.json"),
            Kind::Match(contest) => contest
                .store
                .with_extension(format!("{}.notes.json", contest.run)),
        }
    }

    /// What is said about it; a file that makes no sense says nothing.
    pub(super) fn notes(&self) -> RunNotes {
        let read = std::fs::read(self.notes_file());
        let notes = read.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        notes.unwrap_or_default()
    }

    fn write_notes(&self, notes: &RunNotes) -> ApiResult<()> {
        let file = self.notes_file();
        let written = if *notes == RunNotes::default() {
            match std::fs::remove_file(file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            }
        } else {
            let text = serde_json::to_string_pretty(notes).unwrap_or_default();
            vidmar_files::write(&file, text + "\n")
        };
        written
            .map_err(|error| ApiError::conflict("cannot-write", self.without_paths(&error.to_string())))?;
        self.look_again();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_short_and_there_once() {
        let notes = |tags: &[&str]| RunNotes {
            text: String::new(),
            tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
        };
        let kept = notes(&[" a ", "b  c", "a", ""]).checked().expect("fine");
        assert_eq!(kept, notes(&["a", "b c"]));
        let many: Vec<String> = (0..=MOST_TAGS).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for bad in [&["a,b"][..], &["x".repeat(41).as_str()], &many] {
            assert!(notes(bad).checked().is_err(), "{bad:?}");
        }
    }
}
