//! A run in progress: what the user sees of it, and what is left behind.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use vidmar_engine::Control;
use vidmar_optim::Budget;
use vidmar_tune::gauntlet;
use vidmar_tune::objective::texel::Tried;
use vidmar_tune::run::{CONFIG_FILE, Event, Generation, Run, Stop, read_config};
use vidmar_tune::status::View;
use vidmar_tune::verify::verify;

use super::{interrupt, resume, show};
use crate::output;

/// How a run is carried out; nothing here changes its result.
#[derive(Args, Clone)]
pub(super) struct Driving {
    /// Games at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Do not play the validation at the end
    #[arg(long)]
    no_verify: bool,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
    /// Say nothing on the way
    #[arg(long, short)]
    quiet: bool,
}

impl Driving {
    pub(super) fn threads(&self) -> usize {
        let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.map_or_else(available, usize::from)
    }

    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    pub(super) fn is_silent(&self) -> bool {
        self.json || self.quiet
    }

    /// As they were given.
    pub(super) fn arguments(&self) -> String {
        let mut text = String::new();
        if let Some(threads) = self.threads {
            let _ = write!(text, " --threads {threads}");
        }
        for (is_set, name) in [
            (self.no_verify, "no-verify"),
            (self.json, "json"),
            (self.quiet, "quiet"),
        ] {
            if is_set {
                let _ = write!(text, " --{name}");
            }
        }
        text
    }
}

pub(super) fn drive(run: Run, driving: &Driving) -> anyhow::Result<ExitCode> {
    let control = interrupt::control()?;
    drive_with(run, driving, &control)
}

/// Tunes, proves, and shows what came of it.
pub(super) fn drive_with(mut run: Run, driving: &Driving, control: &Control) -> anyhow::Result<ExitCode> {
    let directory = run.directory().to_owned();
    let mut screen = Screen::new(&run, driving);
    screen.begin(&run);
    let stop = run.advance(driving.threads(), control, &mut |event| screen.show(event))?;
    if stop == Stop::Interrupted {
        return interrupted(&directory, driving);
    }
    if !driving.no_verify && run.config().verify.pairs > 0 {
        let mut validation = ValidationScreen::new("validation", driving);
        let validations = verify(run, driving.threads(), control, &mut |done, total| {
            validation.show(done, total);
        })?;
        if validations.is_none() {
            return interrupted(&directory, driving);
        }
    } else {
        drop(run);
    }
    if !driving.no_verify {
        let run = Run::open(&directory)?;
        if !run_gauntlet(run, driving, control)? {
            return interrupted(&directory, driving);
        }
    }
    let code = finish(&directory, driving.json)?;
    match follow(&directory)? {
        Some(run) => drive_with(run, driving, control),
        None => Ok(code),
    }
}

/// The run that follows this one, begun or gone on with; it starts where this one's recommended vector is.
pub(super) fn follow(directory: &Path) -> anyhow::Result<Option<Run>> {
    let config = read_config(directory)?;
    // Both are found again from wherever the run is resumed.
    let whole = std::path::absolute(directory)?;
    let start = whole.join("recommended.txt");
    let start = start.to_str().context("the directory's name is not text")?;
    let Some((name, next)) = config.next(start, &whole)? else {
        return Ok(None);
    };
    let stage = directory.join(name);
    Ok(Some(if stage.join(CONFIG_FILE).exists() {
        Run::open(&stage)?
    } else {
        Run::create(&stage, &next)?
    }))
}

/// Climbs the gauntlet if the run has one; false if it was stopped.
pub(super) fn run_gauntlet(run: Run, driving: &Driving, control: &Control) -> anyhow::Result<bool> {
    if run.config().gauntlet.each == 0 {
        return Ok(true);
    }
    let mut screen = ValidationScreen::new("gauntlet", driving);
    let standings = gauntlet::run_gauntlet(run, driving.threads(), control, &mut |done, total| {
        screen.show(done, total);
    })?;
    Ok(standings.is_some())
}

/// Writes the vectors beside the store and prints what the run came to.
pub(super) fn finish(directory: &Path, json: bool) -> anyhow::Result<ExitCode> {
    let view = View::open(directory)?;
    let files = show::write_vectors(&view, directory)?;
    if json {
        output::print(&(serde_json::to_string(&view.status()?)? + "\n"))?;
    } else {
        output::print(&show::result(&view, &files)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn interrupted(directory: &Path, driving: &Driving) -> anyhow::Result<ExitCode> {
    Ok(interrupted_before(&resume::command(directory, driving)?))
}

/// Says with which command to go on.
pub(super) fn interrupted_before(command: &str) -> ExitCode {
    output::hint(&format!(
        "interrupted; every finished game is saved. Go on with\n  {command}"
    ));
    ExitCode::from(interrupt::INTERRUPTED)
}

/// Lines come no faster than this.
const PACE: Duration = Duration::from_secs(2);

/// What the user sees while a run goes on.
pub(super) struct Screen {
    driving: Driving,
    planned: Budget,
    names: Vec<(String, f64)>,
    start: Vec<f64>,
    space: vidmar_optim::Space,
    started: Instant,
    /// Jobs that were done before this session.
    before: u64,
    shown: Option<Instant>,
    pending: Option<String>,
    preparing: ValidationScreen,
}

impl Screen {
    pub(super) fn new(run: &Run, driving: &Driving) -> Screen {
        let space = run.tunables().space().clone();
        Screen {
            driving: driving.clone(),
            planned: run.optimizer().setup().budget,
            names: space
                .dimensions()
                .iter()
                .map(|d| (d.name.clone(), d.width()))
                .collect(),
            start: space.start().to_vec(),
            space,
            started: Instant::now(),
            before: run.optimizer().jobs(),
            shown: None,
            pending: None,
            preparing: ValidationScreen::new("positions", driving),
        }
    }

    fn begin(&self, run: &Run) {
        if self.driving.is_silent() {
            return;
        }
        let config = run.config();
        output::hint(&format!(
            "{} over {} parameters in {}, {} threads, seed {}",
            config.method().name(),
            run.tunables().space().degrees(),
            run.directory().display(),
            self.driving.threads(),
            config.seed
        ));
    }

    pub(super) fn show(&mut self, event: &Event<'_>) {
        let (generation, taken, faults) = match event {
            Event::Generation {
                generation,
                taken,
                faults,
            } => (generation, taken, faults),
            Event::Preparing { done, total } => return self.preparing.show(*done, *total),
            Event::Tried { tried, total } => return self.tried(tried, *total),
            Event::Job { .. } => return,
        };
        if self.driving.json {
            let line = show::generation_json(generation, *taken, *faults, &self.space);
            // A reader that has gone away does not end the run.
            let _ = output::print(&(line + "\n"));
        } else if !self.driving.quiet {
            self.line(generation, *faults);
        }
    }

    fn tried(&self, tried: &Tried, total: usize) {
        if self.driving.json {
            let _ = output::print(&(show::tried_json(tried) + "\n"));
        } else if !self.driving.quiet {
            output::hint(&format!("one of {total} to learn by: {}", show::tried(tried)));
        }
    }

    fn line(&mut self, generation: &Generation, faults: u64) {
        let elapsed = self.started.elapsed().as_secs_f64();
        let rate = (generation.games - self.before) as f64 / elapsed.max(1e-9);
        let (done, left) = match self.planned {
            Budget::Generations(planned) => {
                let each = generation.games as f64 / (generation.generation + 1) as f64;
                let left = planned.saturating_sub(generation.generation) as f64 * each;
                (format!("generation {}/{planned}", generation.generation), left)
            }
            Budget::Jobs(planned) => {
                let left = planned.saturating_sub(generation.games) as f64;
                (format!("generation {}", generation.generation), left)
            }
        };
        let kept_out = generation.fit.and_then(|fit| fit.kept_out_loss);
        let kept_out = kept_out.map_or_else(String::new, |loss| format!("  kept out {:.6}", -loss));
        let scores = generation.scores().map_or_else(String::new, |(best, mean)| {
            if generation.fit.is_some() {
                format!("  best {best:.6}")
            } else {
                format!("  best {best:.3} mean {mean:.3}")
            }
        });
        let line = format!(
            "{done}  games {}  {rate:.1}/s  {} to go{scores}{kept_out}  spread {:.1} %  faults {faults}  {}",
            generation.games,
            show::duration(left / rate.max(1e-9)),
            100.0 * generation.spread(&self.space),
            show::largest_changes(&self.names, &self.start, &generation.centroid, 3),
        );
        if self.shown.is_none_or(|shown| shown.elapsed() >= PACE) || left <= 0.0 {
            output::hint(&line);
            self.shown = Some(Instant::now());
            self.pending = None;
        } else {
            self.pending = Some(line);
        }
    }
}

/// The validation's progress.
pub(super) struct ValidationScreen {
    what: &'static str,
    is_silent: bool,
    started: Instant,
    shown: Instant,
    first: Option<u64>,
}

impl ValidationScreen {
    pub(super) fn new(what: &'static str, driving: &Driving) -> ValidationScreen {
        ValidationScreen {
            what,
            is_silent: driving.is_silent(),
            started: Instant::now(),
            shown: Instant::now(),
            first: None,
        }
    }

    pub(super) fn show(&mut self, done: u64, total: u64) {
        let first = *self.first.get_or_insert(done - 1);
        if self.is_silent || (self.shown.elapsed() < PACE && done < total) {
            return;
        }
        self.shown = Instant::now();
        let rate = (done - first) as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
        output::hint(&format!(
            "{}  games {done}/{total}  {rate:.1}/s  {} to go",
            self.what,
            show::duration((total - done) as f64 / rate)
        ));
    }
}
