//! One process under limits: its address space has an end, and so has its time.
//!
//! What would work for longer than a moment is interrupted as by Ctrl-C and must end soon then.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

/// The largest address space of a trial, in KiB.
const ADDRESS_SPACE: u64 = 4 << 20;

/// How long a process may take to end after it was interrupted; far above what it needs on a busy machine.
const GRACE: Duration = Duration::from_secs(30);

/// What it reads, in its folder.
const INPUT: &str = ".stdin";

/// A process that is to be tried.
pub(crate) struct Trial<'t> {
    pub(crate) program: &'t Path,
    pub(crate) words: Vec<OsString>,
    pub(crate) folder: PathBuf,
    pub(crate) input: Vec<u8>,
    /// After which it is interrupted.
    pub(crate) budget: Duration,
}

/// How it ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Whether it was interrupted.
    pub(crate) is_interrupted: bool,
    /// Whether that did not help.
    hung: bool,
    /// The most memory that it was seen to hold, in MiB.
    pub(crate) peak: u64,
}

impl Trial<'_> {
    /// Runs it to its end; nothing of it is left afterwards.
    pub(crate) fn run(&self) -> Result<Ended> {
        let [out, err, input] = [".stdout", ".stderr", INPUT].map(|name| self.folder.join(name));
        fs::write(&input, &self.input)?;
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -v {ADDRESS_SPACE}; exec \"$0\" \"$@\"")])
            .arg(self.program)
            .args(&self.words)
            .current_dir(&self.folder)
            .env_remove("VIDMAR_TOKEN")
            .env("RUST_BACKTRACE", "0")
            .stdin(File::open(&input)?)
            .stdout(File::create(&out)?)
            .stderr(File::create(&err)?)
            .process_group(0)
            .spawn()
            .context("cannot start sh")?;
        let id = Pid::from_raw(child.id().cast_signed());
        let mut peak = 0;
        let mut ended = wait(&mut child, self.budget, &mut peak)?;
        let is_interrupted = ended.is_none();
        if is_interrupted {
            // It may have ended by itself in this moment.
            let _ = kill(id, Signal::SIGINT);
            ended = wait(&mut child, GRACE, &mut peak)?;
        }
        let hung = ended.is_none();
        let _ = killpg(id, Signal::SIGKILL);
        let status = match ended {
            Some(status) => status,
            None => child.wait()?,
        };
        Ok(Ended {
            status,
            stdout: text(&out)?,
            stderr: text(&err)?,
            is_interrupted,
            hung,
            peak,
        })
    }

    /// What repeats it, for a shell.
    pub(crate) fn command(&self) -> String {
        let mut words = vec![quoted(self.program.as_os_str())];
        words.extend(self.words.iter().map(|word| quoted(word)));
        let seconds = self.budget.as_secs_f64();
        let input = if self.input.is_empty() {
            String::new()
        } else {
            format!(" < {}", quoted(self.folder.join(INPUT).as_os_str()))
        };
        format!(
            "(ulimit -v {ADDRESS_SPACE}; timeout -s INT {seconds} {}{input})",
            words.join(" ")
        )
    }
}

fn text(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Waits for the end of a process; none if it is not there in time.
fn wait(child: &mut Child, time: Duration, peak: &mut u64) -> Result<Option<ExitStatus>> {
    let begun = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        *peak = (*peak).max(memory(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() >= time {
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// The memory that a process holds, in MiB.
pub(crate) fn memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib >> 10)
}

impl Ended {
    /// What must not be: a hang, a signal that nobody sent, a panic, an exit code that means nothing.
    pub(crate) fn fault(&self) -> Option<String> {
        let said = |what: &str| {
            self.stderr
                .lines()
                .find(|line| line.contains(what))
                .map(str::to_owned)
        };
        if self.hung {
            return Some(format!(
                "still there {} s after it was interrupted",
                GRACE.as_secs()
            ));
        }
        let panic = ["panicked at", "memory allocation of", "has overflowed its stack"]
            .into_iter()
            .find_map(said);
        if let Some(line) = panic {
            return Some(line);
        }
        match (self.status.code(), self.status.signal()) {
            (Some(0..=2 | 130), _) => None,
            (None, Some(signal)) if self.is_interrupted && signal == Signal::SIGINT as i32 => None,
            (Some(code), _) => Some(format!("exit code {code}: {}", self.last_line())),
            (None, signal) => Some(format!("signal {signal:?}: {}", self.last_line())),
        }
    }

    /// What it came to, in a word.
    pub(crate) fn kind(&self) -> &'static str {
        match self.status.code() {
            _ if self.is_interrupted => "interrupted",
            Some(2) => "refused",
            _ => "done",
        }
    }

    pub(crate) fn last_line(&self) -> &str {
        self.stderr.lines().last().unwrap_or_default()
    }
}

/// A word as a shell reads it back: plain, quoted, or with bytes by number; a long run of one letter is shortened.
pub(crate) fn quoted(word: &OsStr) -> String {
    let bytes = word.as_bytes();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+=:@%,".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(is_plain) && bytes.len() < 1000 {
        return word.to_string_lossy().into_owned();
    }
    let run = bytes.last().map_or(0, |last| {
        bytes.iter().rev().take_while(|byte| *byte == last).count()
    });
    if let Some(&last) = bytes.last()
        && run >= 1000
    {
        let before = &bytes[..bytes.len() - run];
        let before = if before.is_empty() {
            String::new()
        } else {
            quoted(OsStr::from_bytes(before))
        };
        return format!("{before}$(printf '{}%.0s' $(seq {run}))", char::from(last));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains(char::is_control) => format!("'{}'", text.replace('\'', "'\\''")),
        _ => {
            let escaped: String = bytes
                .iter()
                .map(|byte| match byte {
                    b'\'' | b'\\' => format!("\\{}", char::from(*byte)),
                    b'\n' => "\\n".to_owned(),
                    b' '..=b'~' => char::from(*byte).to_string(),
                    other => format!("\\x{other:02x}"),
                })
                .collect();
            format!("$'{escaped}'")
        }
    }
}

/// Nothing is read and nothing shown.
pub(crate) fn silent(command: &mut Command) -> &mut Command {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(script: &str, budget: Duration) -> Ended {
        let folder =
            std::env::temp_dir().join(format!("vidmar-trial-{}-{}", std::process::id(), script.len()));
        fs::create_dir_all(&folder).unwrap();
        let trial = Trial {
            program: Path::new("/bin/sh"),
            words: ["-c", script].map(OsString::from).to_vec(),
            folder: folder.clone(),
            input: Vec::new(),
            budget,
        };
        let ended = trial.run().unwrap();
        fs::remove_dir_all(folder).unwrap();
        ended
    }

    #[test]
    fn faults_are_told_from_refusals() {
        let long = Duration::from_mins(1);
        assert_eq!(tried("exit 2", long).fault(), None);
        assert_eq!(tried("exit 2", long).kind(), "refused");
        assert!(tried("exit 101", long).fault().is_some());
        assert!(tried("kill -ABRT $$", long).fault().is_some());
        let said = tried("echo \"thread 'x' panicked at y\" >&2; exit 0", long);
        assert!(said.fault().is_some_and(|fault| fault.contains("panicked")));
        let interrupted = tried("exec sleep 100", Duration::from_millis(200));
        assert_eq!((interrupted.fault(), interrupted.kind()), (None, "interrupted"));
    }

    #[test]
    fn words_are_what_a_shell_reads() {
        assert_eq!(quoted(OsStr::new("--seed=5")), "--seed=5");
        assert_eq!(quoted(OsStr::new("")), "''");
        assert_eq!(quoted(OsStr::new("it's")), "'it'\\''s'");
        assert_eq!(quoted(OsStr::from_bytes(b"a\xff")), "$'a\\xff'");
        assert_eq!(
            quoted(OsStr::new(&format!("k={}", "9".repeat(2000)))),
            "k=$(printf '9%.0s' $(seq 2000))"
        );
    }
}
