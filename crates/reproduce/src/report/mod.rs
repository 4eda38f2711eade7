//! The report: for every table the published figures, ours, and a verdict that a rule produces.

mod html;
mod json;
mod latex;
mod markdown;
mod summary;

use std::path::Path;

use vidmar_text::named_enum;

use crate::error::ReproduceError;
use crate::experiment::{EXPERIMENTS, Experiment};
use crate::figure::{Figure, Verdict};
use crate::plan::Plan;
use crate::results::Results;

pub use summary::Verdicts;

named_enum! {
    /// What the report is written as.
    #[derive(Default)]
    pub enum Format: "format";
    #[default]
    Markdown, "md", "Markdown, pictures in files beside it";
    Html, "html", "one page with its pictures";
    Latex, "latex", "a document with all tables, to be compiled or taken apart";
    Json, "json", "every figure, for programs";
}

/// The whole report.
pub struct Report {
    /// A section for every experiment, begun or not.
    pub sections: Vec<Section>,
    /// The bench signature of the program that wrote it.
    pub signature: u64,
}

/// What came of an experiment.
pub struct Section {
    /// Which.
    pub experiment: &'static Experiment,
    /// How much of it was planned; none where it was not begun.
    pub plan: Option<Plan>,
    /// Steps finished, and all of them.
    pub steps: (usize, usize),
    /// Seconds and processor seconds.
    pub taken: (f64, f64),
    /// Published figures beside ours.
    pub tables: Vec<Table>,
    /// Everything else that is worth showing.
    pub lists: Vec<List>,
    /// What has to be said.
    pub notes: Vec<String>,
    /// Pictures: name, title, SVG.
    pub pictures: Vec<(String, String, String)>,
    /// The first command of each kind by hand.
    pub commands: Vec<String>,
}

/// Published figures beside ours.
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The unit of its figures.
    pub unit: &'static str,
    /// Digits behind the point.
    pub digits: usize,
    /// What a mean is over: seeds, positions, games.
    pub over: &'static str,
    /// Its rows.
    pub rows: Vec<Comparison>,
}

/// A row of a table.
pub struct Comparison {
    /// What is compared.
    pub label: String,
    /// What was published.
    pub published: Option<Figure>,
    /// What came of it here.
    pub ours: Option<Figure>,
    /// What ours says of it.
    pub verdict: Verdict,
    /// What must be added.
    pub remark: String,
}

/// A table without verdicts.
pub struct List {
    /// What it shows.
    pub title: String,
    /// The headings; the first column is words, the others are numbers.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

impl Comparison {
    /// A published figure beside ours, `done` of `planned` runs being there.
    pub fn new(
        label: impl Into<String>,
        published: Figure,
        ours: Option<Figure>,
        (done, planned): (u64, u64),
        neutral: Option<f64>,
    ) -> Comparison {
        let verdict = match &ours {
            Some(ours) => Verdict::of(&published, ours, neutral),
            None => Verdict::NotRun { done, planned },
        };
        let remark = if ours.is_some() && done < planned {
            format!("{done} of {planned} so far")
        } else {
            String::new()
        };
        Comparison {
            label: label.into(),
            published: Some(published),
            ours,
            verdict,
            remark,
        }
    }

    /// A figure of ours that nothing was published for, or nothing that can be set beside it.
    pub fn alone(
        label: impl Into<String>,
        ours: Option<Figure>,
        (done, planned): (u64, u64),
        why: &str,
    ) -> Comparison {
        let verdict = match ours {
            Some(_) => Verdict::NotComparable { why: why.to_owned() },
            None => Verdict::NotRun { done, planned },
        };
        Comparison {
            label: label.into(),
            published: None,
            ours,
            verdict,
            remark: String::new(),
        }
    }

    /// With something added.
    pub fn remarked(mut self, remark: impl Into<String>) -> Comparison {
        self.remark = remark.into();
        self
    }
}

impl Section {
    fn of(experiment: &'static Experiment, out: &Path) -> Result<Section, ReproduceError> {
        let folder = out.join(experiment.name);
        let begun = Plan::read(&folder)?;
        let plan = begun.clone().unwrap_or(Plan {
            seeds: experiment.seeds,
            scale: 1.0,
            sets: Vec::new(),
        });
        let steps = (experiment.steps)(&plan);
        let results = Results {
            folder: &folder,
            plan: &plan,
            steps: &steps,
            all: out,
        };
        let mut section = Section {
            experiment,
            plan: begun,
            steps: (results.finished()?, steps.len()),
            taken: results.taken()?,
            tables: Vec::new(),
            lists: Vec::new(),
            notes: Vec::new(),
            pictures: Vec::new(),
            commands: Vec::new(),
        };
        if section.plan.as_ref().is_some_and(Plan::is_smoke) {
            section.notes.push(
                "A smoke test: players, depths and times are small and opponents are built in, so there are no verdicts.".to_owned(),
            );
        }
        (experiment.report)(&results, &mut section)?;
        if section.plan.as_ref().is_some_and(Plan::is_smoke) {
            section.withdraw_verdicts();
        }
        section.lists.retain(|list| !list.rows.is_empty());
        let example =
            |step: &crate::step::Step| step.work.command(&Path::new(experiment.name).join(&step.id));
        section.commands = steps
            .iter()
            .take(1)
            .chain(steps.iter().skip(1).next_back())
            .map(example)
            .collect();
        Ok(section)
    }
}

impl Report {
    /// The report of a folder.
    pub fn of(out: &Path) -> Result<Report, ReproduceError> {
        let is_begun = |experiment: &Experiment| out.join(experiment.name).join("plan.json").exists();
        if !EXPERIMENTS.iter().any(is_begun) {
            return Err(ReproduceError::NothingThere(out.to_owned()));
        }
        let sections = EXPERIMENTS.iter().map(|experiment| Section::of(experiment, out));
        Ok(Report {
            sections: sections.collect::<Result<_, _>>()?,
            signature: vidmar_engine::bench::SIGNATURE,
        })
    }

    /// Its text; `pictures` is the folder that pictures are named in, where they are files of their own.
    pub fn text(&self, format: Format, pictures: &str) -> String {
        match format {
            Format::Markdown => markdown::text(self, pictures),
            Format::Html => html::text(self),
            Format::Latex => latex::text(self),
            Format::Json => json::text(self),
        }
    }

    /// Names and contents of the pictures.
    pub fn pictures(&self) -> impl Iterator<Item = (String, &str)> {
        self.sections.iter().flat_map(|section| {
            let name = section.experiment.name;
            section
                .pictures
                .iter()
                .map(move |(picture, _, svg)| (format!("{name}-{picture}.svg"), svg.as_str()))
        })
    }
}

/// The rule of the verdicts, for readers.
pub(crate) const RULE: &str = "Intervals are 95 %: Student's t over independent runs, Wilson's for shares, a stated ± as stated; a figure printed \
     without an error is taken for exact. *agrees*: the two intervals overlap. *same direction*: they do not, but both figures lie on the same side \
     of no effect, ours with its whole interval. *differs*: neither. *not comparable* and *not run yet* say why.";

/// The cells of a comparison: label, published, its interval, ours, deviation, interval, count, verdict.
pub(crate) fn cells(table: &Table, row: &Comparison) -> [String; 7] {
    let digits = table.digits;
    let value = |figure: &Option<Figure>| figure.map_or(String::new(), |figure| number(figure.value, digits));
    let deviation = |figure: &Option<Figure>| {
        let deviation = figure.and_then(|figure| figure.deviation);
        deviation.map_or(String::new(), |deviation| {
            format!(" ({})", number(deviation, digits))
        })
    };
    let interval = |figure: &Option<Figure>| {
        let interval = figure
            .and_then(|figure| figure.interval)
            .filter(|(low, high)| low < high);
        interval.map_or(String::new(), |(low, high)| {
            format!("[{}, {}]", number(low, digits), number(high, digits))
        })
    };
    let verdict = match row.remark.as_str() {
        "" => row.verdict.to_string(),
        remark => format!("{} ({remark})", row.verdict),
    };
    [
        row.label.clone(),
        value(&row.published) + &deviation(&row.published),
        interval(&row.published),
        value(&row.ours) + &deviation(&row.ours),
        interval(&row.ours),
        row.ours.map_or(String::new(), |figure| figure.count.to_string()),
        verdict,
    ]
}

/// The headings of those cells.
pub(crate) fn headings(table: &Table) -> [String; 7] {
    let with = |text: &str| match table.unit {
        "" => text.to_owned(),
        unit => format!("{text}, {unit}"),
    };
    [
        String::new(),
        with("published (sd)"),
        "95 %".to_owned(),
        with("ours (sd)"),
        "95 %".to_owned(),
        table.over.to_owned(),
        "verdict".to_owned(),
    ]
}

/// With a minus sign, and no negative zero.
pub(crate) fn number(value: f64, digits: usize) -> String {
    if value.is_infinite() {
        return if value > 0.0 {
            "∞".to_owned()
        } else {
            "−∞".to_owned()
        };
    }
    let text = format!("{value:.digits$}");
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    match text.strip_prefix('-') {
        Some(rest) if is_zero => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}
