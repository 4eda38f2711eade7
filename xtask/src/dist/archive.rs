//! An archive of a binary: the binary itself writes its completions and manual pages, so they are those of its commands.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use sha2::{Digest as _, Sha256};

use crate::cargo::{command, root, run};
use crate::sbom;

/// Files of the repository that go with every binary.
const BESIDE: [&str; 3] = ["LICENSE", "README.md", "CHANGELOG.md"];

/// The completions, and what a shell expects their file to be called.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "vidmar.bash"),
    ("zsh", "_vidmar"),
    ("fish", "vidmar.fish"),
];

/// What was made.
pub(super) struct Packed {
    pub(super) archive: PathBuf,
    pub(super) checksum: PathBuf,
}

/// Packs a binary that runs here, for a target, into a folder.
pub(super) fn pack(binary: &Path, target: &str, folder: &Path) -> Result<Packed> {
    let binary = std::path::absolute(binary)?;
    ensure!(binary.is_file(), "{}: there is no such file", binary.display());
    let name = format!("vidmar-{}-{target}", env!("CARGO_PKG_VERSION"));
    let staged = folder.join(&name);
    if staged.exists() {
        fs::remove_dir_all(&staged).with_context(|| staged.display().to_string())?;
    }
    fs::create_dir_all(staged.join("completions"))?;
    let own = staged.join(binary.file_name().context("a binary has a name")?);
    fs::copy(&binary, &own).with_context(|| binary.display().to_string())?;
    for file in BESIDE {
        fs::copy(root().join(file), staged.join(file)).context(file)?;
    }
    for (shell, file) in COMPLETIONS {
        let output = command(&own).args(["completions", shell]).output()?;
        ensure!(
            output.status.success(),
            "{} completions {shell}: {}",
            own.display(),
            output.status
        );
        fs::write(staged.join("completions").join(file), output.stdout)?;
    }
    run(command(&own)
        .args(["generate", "man", "--out"])
        .arg(staged.join("man").join("man1")))?;
    sbom::write_beside(&own, target)?;
    let archive = folder.join(format!("{name}.tar.gz"));
    run(command("tar")
        .arg("--create")
        .arg("--gzip")
        .arg("--file")
        .arg(&archive)
        .arg("--directory")
        .arg(folder)
        .arg(&name))?;
    let checksum = folder.join(format!("{name}.tar.gz.sha256"));
    let line = format!("{}  {name}.tar.gz\n", sha256(&fs::read(&archive)?));
    fs::write(&checksum, line)?;
    Ok(Packed { archive, checksum })
}

fn sha256(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;

    use super::*;

    #[test]
    fn an_archive_holds_what_its_binary_writes_and_a_checksum_that_holds() {
        let folder = target_folder();
        let binary = folder.join("vidmar");
        let script = "#!/bin/sh\ncase $1 in completions) echo \"for $2\";; generate) mkdir -p $4; echo .TH > $4/vidmar.1;; esac\n";
        fs::write(&binary, script).expect("a script");
        fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).expect("it can be run");
        let packed = pack(&binary, "x86_64-unknown-linux-gnu", &folder).expect("an archive");
        let listed = Command::new("tar")
            .arg("--list")
            .arg("--file")
            .arg(&packed.archive)
            .output();
        let listed = String::from_utf8(listed.expect("tar").stdout).expect("text");
        for file in [
            "vidmar",
            "LICENSE",
            "README.md",
            "vidmar.cdx.json",
            "man/man1/vidmar.1",
            "completions/_vidmar",
            "completions/vidmar.bash",
            "completions/vidmar.fish",
        ] {
            assert!(
                listed.lines().any(|line| line.ends_with(&format!("/{file}"))),
                "{file}: {listed}"
            );
        }
        let checked = Command::new("sha256sum")
            .arg("--check")
            .arg(&packed.checksum)
            .current_dir(&folder)
            .output();
        assert!(checked.expect("sha256sum").status.success());
        fs::remove_dir_all(&folder).expect("removed");
        assert!(pack(&binary, "x86_64-unknown-linux-gnu", &folder).is_err());
    }

    /// A folder of this test's own.
    fn target_folder() -> PathBuf {
        let folder = std::env::temp_dir().join(format!("vidmar-dist-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }
}
