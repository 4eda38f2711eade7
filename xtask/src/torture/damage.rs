//! Stores and configurations with changed bytes: whoever reads them notices, or comes to the same result as with the whole ones.

use std::fmt;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use vidmar_rng::Rng;

use super::fixtures::done;
use super::plan::{Plan, copy};
use super::runs::{MATCH, SMALL_RUN, result_of_match, result_of_run};
use super::tally::Tally;
use super::trial::{Ended, Trial, quoted, silent};

/// What is damaged: the files of a run and a match that were killed half-way, and how each goes on.
#[derive(Clone, Copy)]
enum Victim {
    Run,
    Match,
}

const RUN: &[&str] = &["--set", "budget.generations=8", "--out", "half"];
const LONGER_MATCH: &[&str] = &["-rounds", "40", "--store", "half.db"];

impl Victim {
    fn files(self) -> &'static [&'static str] {
        match self {
            Victim::Run => &["half/games.db", "half/games.db-wal", "half/config.toml"],
            Victim::Match => &["half.db", "half.db-wal"],
        }
    }

    fn store(self) -> &'static str {
        self.files()[0]
    }

    fn begin(self) -> Vec<&'static str> {
        match self {
            Victim::Run => [SMALL_RUN, RUN].concat(),
            Victim::Match => [MATCH, LONGER_MATCH].concat(),
        }
    }

    fn resume(self) -> &'static [&'static str] {
        match self {
            Victim::Run => &[
                "tune",
                "resume",
                "half",
                "--quiet",
                "--no-verify",
                "--threads",
                "2",
            ],
            Victim::Match => &["match", "-resume", "half.db"],
        }
    }

    fn result(self, plan: &Plan, folder: &Path) -> Result<Vec<String>> {
        match self {
            Victim::Run => result_of_run(plan, &folder.join("half")),
            Victim::Match => Ok(vec![result_of_match(plan, folder, "half.db")?]),
        }
    }
}

/// What was done to a file.
#[derive(Debug)]
struct Damage {
    file: &'static str,
    how: How,
    at: usize,
    length: usize,
}

#[derive(Clone, Copy, Debug)]
enum How {
    FlipBit,
    ChangeDigit,
    ZeroBytes,
    RandomBytes,
    CopyBytes,
    Truncate,
    Append,
}

const HOW: [How; 8] = [
    How::FlipBit,
    How::FlipBit,
    How::ChangeDigit,
    How::ZeroBytes,
    How::RandomBytes,
    How::CopyBytes,
    How::Truncate,
    How::Append,
];

pub(crate) fn run(plan: &Plan) -> Result<Tally> {
    let mut cases = Vec::new();
    let half = plan.empty("half")?;
    let whole = plan.empty("whole")?;
    let mut calm = Vec::new();
    for victim in [Victim::Run, Victim::Match] {
        cut_short(plan, &half, victim)?;
        copy(&half, &whole)?;
        done(plan, &whole, victim.resume())?;
        calm.push(victim.result(plan, &whole)?);
    }
    for number in 0..100_000 {
        // Three of four at the run: it has more that can be damaged.
        cases.push((
            number,
            if number % 4 == 3 {
                Victim::Match
            } else {
                Victim::Run
            },
        ));
    }
    plan.each(&cases, |worker, &(number, victim)| {
        let mut tally = Tally::default();
        if !plan.next() {
            return Ok(tally);
        }
        let folder = plan.empty(worker)?;
        copy(&half, &folder)?;
        let mut rng = plan.rng(number + 1);
        let Some(damage) = Damage::done(&folder, victim, &mut rng)? else {
            return Ok(tally);
        };
        tally.trials += 1;
        match looked_at(plan, &folder, victim, &calm[victim as usize]) {
            Ok(note) => tally.note(note),
            Err(error) => {
                let kept = plan.family_folder().join(format!("finding-{number}"));
                copy(&half, &kept)?;
                damage.repeat(&kept, &mut plan.rng(number + 1), victim)?;
                let words: Vec<String> = victim.resume().iter().map(|word| quoted(word.as_ref())).collect();
                tally.find(
                    format!("{damage}: {error:#}"),
                    format!("cd {} && vidmar {}", kept.display(), words.join(" ")),
                );
            }
        }
        Ok(tally)
    })
}

/// Begins a run and kills it half-way.
fn cut_short(plan: &Plan, folder: &Path, victim: Victim) -> Result<()> {
    let aside = plan.empty("aside")?;
    let begun = Instant::now();
    done(plan, &aside, &victim.begin())?;
    let mut share = begun.elapsed() * 7 / 10;
    for _ in 0..20 {
        let mut child = silent(&mut plan.vidmar(folder, &victim.begin())).spawn()?;
        thread::sleep(share);
        let is_over = child.try_wait()?.is_some();
        child.kill()?;
        child.wait()?;
        let has_files = victim.files().iter().all(|file| folder.join(file).exists());
        if !is_over && has_files && has_games(plan, folder, victim)? {
            return Ok(());
        }
        match victim {
            Victim::Run => fs::remove_dir_all(folder.join("half"))?,
            Victim::Match => victim
                .files()
                .iter()
                .for_each(|file| drop(fs::remove_file(folder.join(file)))),
        }
        share = if is_over {
            share * 2 / 3
        } else {
            share * 5 / 4 + Duration::from_millis(20)
        };
    }
    anyhow::bail!(
        "no moment was found between the beginning and the end of {:?}",
        victim.begin()
    )
}

/// Whether a game was kept; asked of a copy, because reading a store moves what its log holds.
fn has_games(plan: &Plan, folder: &Path, victim: Victim) -> Result<bool> {
    let aside = plan.empty("aside")?;
    copy(folder, &aside)?;
    let exported = plan
        .vidmar(&aside, &["store", "export", victim.store()])
        .output()?;
    Ok(exported.stdout.starts_with(b"["))
}

/// What those who read the files come to; an error is a finding.
fn looked_at(plan: &Plan, folder: &Path, victim: Victim, calm: &[String]) -> Result<&'static str> {
    let checked = looked(plan, folder, &["store", "check", victim.store()])?;
    if matches!(victim, Victim::Run) {
        looked(plan, folder, &["tune", "status", "half"])?;
    }
    let resumed = looked(plan, folder, victim.resume())?;
    if !resumed.status.success() {
        ensure!(!resumed.stderr.is_empty(), "refused without a word");
        return Ok("refused");
    }
    let found = victim.result(plan, folder)?;
    let said = if checked.status.success() {
        "passed the check"
    } else {
        "failed the check"
    };
    ensure!(found == calm, "another result, and nothing was said ({said})");
    Ok(if checked.status.success() {
        "without effect"
    } else {
        "found by the check, mended by resuming"
    })
}

/// A command under limits: it may refuse, but must not fall over.
fn looked(plan: &Plan, folder: &Path, words: &[&str]) -> Result<Ended> {
    let trial = Trial {
        program: &plan.binary,
        words: words.iter().map(Into::into).collect(),
        folder: folder.to_owned(),
        input: Vec::new(),
        budget: Duration::from_mins(2),
    };
    let ended = trial.run()?;
    if let Some(fault) = ended.fault() {
        anyhow::bail!("{}: {fault}", words.join(" "));
    }
    ensure!(!ended.is_interrupted, "{}: it goes on for ever", words.join(" "));
    Ok(ended)
}

impl Damage {
    /// Damages one file; none where the file is not there or empty.
    fn done(folder: &Path, victim: Victim, rng: &mut Rng) -> Result<Option<Damage>> {
        let Some(&file) = rng.pick(victim.files()) else {
            return Ok(None);
        };
        let path = folder.join(file);
        let mut bytes = fs::read(&path).unwrap_or_default();
        let Some(&how) = rng.pick(&HOW).filter(|_| !bytes.is_empty()) else {
            return Ok(None);
        };
        let damage = Damage {
            file,
            how,
            at: rng.index(bytes.len()),
            length: 1 + rng.index(64),
        };
        let before = bytes.clone();
        damage.apply(&mut bytes, rng);
        if bytes == before {
            return Ok(None);
        }
        fs::write(path, bytes)?;
        Ok(Some(damage))
    }

    /// The same again.
    fn repeat(&self, folder: &Path, rng: &mut Rng, victim: Victim) -> Result<()> {
        let again = Damage::done(folder, victim, rng)?;
        ensure!(
            again.is_some_and(|again| (again.file, again.at) == (self.file, self.at)),
            "the same seed damages the same"
        );
        Ok(())
    }

    fn apply(&self, bytes: &mut Vec<u8>, rng: &mut Rng) {
        let (at, end) = (self.at, (self.at + self.length).min(bytes.len()));
        match self.how {
            How::FlipBit => bytes[at] ^= 1 << rng.below(8),
            How::ChangeDigit => {
                // The next digit from there on, or none.
                if let Some(digit) = bytes[at..].iter_mut().find(|byte| byte.is_ascii_digit()) {
                    *digit = b'0' + (*digit - b'0' + 1 + rng.below(9) as u8) % 10;
                }
            }
            How::ZeroBytes => bytes[at..end].fill(0),
            How::RandomBytes => bytes[at..end]
                .iter_mut()
                .for_each(|byte| *byte = rng.bits() as u8),
            How::CopyBytes => {
                let from = rng.index(bytes.len() - (end - at) + 1);
                bytes.copy_within(from..from + (end - at), at);
            }
            How::Truncate => bytes.truncate(at),
            How::Append => bytes.extend((0..self.length).map(|_| rng.bits() as u8)),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {:?} at {} ({} bytes)",
            self.file, self.how, self.at, self.length
        )
    }
}
