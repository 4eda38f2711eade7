//! `cargo xtask book`: the folder `docs` as a book.
//!
//! Its pages are made by the code that shows them in *Help* of the page. Those that the program itself writes are made here,
//! from the binary of this checkout, so that they cannot be stale.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::cargo::{cargo, root, target_dir};
use crate::programs::run_shown;
use crate::web;

/// Build the book of docs/ into target/book
#[derive(Args)]
pub(crate) struct Book {
    /// Only put its source together
    #[arg(long)]
    only_source: bool,
}

/// Pages that the program writes, and the words that print them.
pub(crate) const WRITTEN: [(&str, [&str; 2]); 1] = [("reference/commands.md", ["generate", "reference"])];

impl Book {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let source = target_dir("book-source");
        if source.exists() {
            fs::remove_dir_all(&source).with_context(|| source.display().to_string())?;
        }
        let docs = root().join("docs");
        copy(&docs, &source)?;
        let more = unlisted(&docs)?;
        if !more.is_empty() {
            let summary = source.join("SUMMARY.md");
            let mut text = fs::read_to_string(&summary)? + "\n# More\n\n";
            for page in more {
                let _ = writeln!(text, "- [{}]({page})", page.trim_end_matches(".md"));
            }
            fs::write(&summary, text)?;
        }
        for (page, words) in WRITTEN {
            let output = cargo(&["run", "--quiet", "--package", "vidmar", "--"])
                .args(words)
                .output()?;
            ensure!(
                output.status.success(),
                "vidmar {}: {}",
                words.join(" "),
                output.status
            );
            let path = source.join(page);
            fs::create_dir_all(path.parent().unwrap_or(&source))?;
            fs::write(&path, output.stdout)?;
        }
        println!("{}", source.display());
        if self.only_source {
            return Ok(ExitCode::SUCCESS);
        }
        web::install()?;
        let book = target_dir("book");
        let mut build = web::npm(&["run", "--silent", "book", "--"]);
        build.arg(&source).arg(&book);
        run_shown(build)?;
        println!("{}", book.join("index.html").display());
        Ok(ExitCode::SUCCESS)
    }
}

/// Pages that the summary does not list, in the order of their names; the book has them at its end.
fn unlisted(docs: &Path) -> Result<BTreeSet<String>> {
    let mut pages = BTreeSet::new();
    collect(docs, "", &mut pages)?;
    let summary = fs::read_to_string(docs.join("SUMMARY.md"))?;
    for listed in links(&summary) {
        pages.remove(listed);
    }
    Ok(pages)
}

/// The pages below a folder, by their paths in it.
fn collect(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), found)?;
        } else if Path::new(&name).extension().is_some_and(|end| end == "md") && name != "SUMMARY.md" {
            found.insert(name);
        }
    }
    Ok(())
}

/// What the links of a page lead to, without addresses elsewhere and places within the page.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files = targets.filter_map(|target| target.split('#').next());
    files.filter(|file| !file.is_empty() && !file.contains("://"))
}

/// Copies a folder with all in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| to.display().to_string())?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&path, &copied)?;
        } else {
            fs::copy(&path, &copied).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_summary_lists_is_there() {
        let docs = root().join("docs");
        let summary = fs::read_to_string(docs.join("SUMMARY.md")).expect("a summary");
        let listed: Vec<&str> = links(&summary).collect();
        assert!(listed.len() > 20, "{listed:?}");
        for (at, page) in listed.iter().enumerate() {
            let is_written = WRITTEN.iter().any(|(written, _)| written == page);
            assert!(is_written || docs.join(page).is_file(), "{page}");
            assert!(!listed[..at].contains(page), "{page} is there twice");
        }
        // What is added without a place of its own comes at the end.
        let unlisted = unlisted(&docs).expect("pages");
        assert!(unlisted.iter().all(|page| !listed.contains(&page.as_str())));
    }

    #[test]
    fn every_link_between_pages_leads_somewhere() {
        let docs = root().join("docs");
        let mut all = BTreeSet::new();
        collect(&docs, "", &mut all).expect("pages");
        for page in &all {
            let path = docs.join(page);
            let text = fs::read_to_string(&path).expect("a page");
            for link in links(&text) {
                let target = path.parent().expect("a folder").join(link);
                let is_written = WRITTEN.iter().any(|(written, _)| link.ends_with(written));
                assert!(target.exists() || is_written, "{page}: {link}");
            }
        }
    }
}
