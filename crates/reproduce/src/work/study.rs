//! The study of case-based players with some settings, over the folder of experts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vidmar_arena::Ending;
use vidmar_arena::case_study::{CaseStudy, CaseStudyGame, study_endings, study_pgn};
use vidmar_cases::study::{Expert, read_experts, summarise};
use vidmar_cases::{CaseSettings, Weights};

use super::{Resources, Unit, Work};
use crate::data::{Data, Missing, Needed};
use crate::error::{ReproduceError, StepError};
use crate::files;

const FILE: &str = "study.json";
const GAMES: &str = "study.pgn";
/// Experts of the published study.
const EXPERTS: u64 = 7;

/// How large the case bases are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// All games of every expert.
    Full,
    /// As published: 50 to 100 games at the bottom, all at the top; in between as many as the same factor from expert to expert gives.
    Published,
    /// As many games for everybody.
    Equal(u64),
}

impl Cut {
    /// How many games the expert of a rank keeps, 0 for the highest rated of so many.
    fn games(self, rank: usize, experts: usize, top: usize) -> usize {
        /// The middle of the published 50 to 100.
        const BOTTOM: f64 = 75.0;
        match self {
            Cut::Full => usize::MAX,
            Cut::Equal(games) => games as usize,
            Cut::Published => {
                let steps = (experts - 1).max(1) as f64;
                let share = rank as f64 / steps;
                (top as f64 * (BOTTOM / top as f64).powf(share)).round() as usize
            }
        }
    }
}

/// A study.
pub struct Study {
    /// The folder of experts.
    pub experts: Needed,
    /// The weights of the adaptation.
    pub weights: Vec<Weights>,
    /// Other settings, `key=value` each, with blanks between.
    pub settings: &'static str,
    /// Rounds.
    pub rounds: u64,
    /// Sizes of the bases.
    pub cut: Cut,
}

/// What came of one setting of the weights.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StudyRow {
    /// The weights.
    pub weights: String,
    /// Games.
    pub games: usize,
    /// Games not drawn.
    pub decided: usize,
    /// Whether every side kept the time limit.
    pub time_limit_kept: bool,
    /// The longest ordering, 1 for the highest rated.
    pub longest_ordering: Vec<usize>,
    /// Whether that is the order of the ratings.
    pub same_as_elo: bool,
    /// What the behaviours of higher-rated experts scored, in percent.
    pub higher_rated_percent: f64,
    /// Its 95 % interval, where there are rounds enough.
    pub higher_rated_interval: Option<(f64, f64)>,
    /// Kendall's rank correlation of points and ratings; none where all have as many points.
    pub kendall: Option<f64>,
    /// How games ended.
    pub endings: BTreeMap<String, usize>,
}

/// An expert: name, rating, games.
pub type Known = (String, f64, usize);

/// What a folder keeps.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// Names, ratings and numbers of games of the experts.
    experts: Vec<Known>,
    rows: Vec<StudyRow>,
}

impl Study {
    /// What a folder has of it; none before it is whole.
    pub fn read(folder: &Path) -> Result<Option<Vec<StudyRow>>, ReproduceError> {
        Ok(files::read_json::<Kept>(&folder.join(FILE))?.map(|kept| kept.rows))
    }

    /// The experts that a folder was made with: name, rating, games.
    pub fn read_experts(folder: &Path) -> Result<Option<Vec<Known>>, ReproduceError> {
        Ok(files::read_json::<Kept>(&folder.join(FILE))?.map(|kept| kept.experts))
    }

    fn case_settings(&self) -> Vec<CaseSettings> {
        let mut settings = CaseSettings::default();
        for pair in self.settings.split_whitespace() {
            let (key, value) = pair.split_once('=').expect("settings of our own table");
            settings.set(key, value).expect("settings of our own table");
        }
        let with = |&weights| CaseSettings {
            weights,
            ..settings.clone()
        };
        self.weights.iter().map(with).collect()
    }

    fn cut(&self, experts: Vec<Expert>) -> Vec<Expert> {
        let count = experts.len();
        let top = experts.first().map_or(0, |expert| expert.base.games().len());
        let cut = |(rank, expert): (usize, Expert)| {
            let games = self.cut.games(rank, count, top);
            if games >= expert.base.games().len() {
                return expert;
            }
            Expert {
                base: Arc::new(expert.base.truncated(games)),
                ..expert
            }
        };
        experts.into_iter().enumerate().map(cut).collect()
    }

    fn row(&self, played: &[CaseStudyGame], setting: usize, players: usize) -> StudyRow {
        let games: Vec<_> = played
            .iter()
            .filter(|game| game.setting() == setting)
            .map(CaseStudyGame::counted)
            .collect();
        let summary = summarise(&games, players);
        StudyRow {
            weights: self.weights[setting].to_string(),
            games: summary.games,
            decided: (summary.decided_games_percent * summary.games as f64 / 100.0).round() as usize,
            time_limit_kept: summary.time_limit_kept,
            longest_ordering: summary.longest_ordering,
            same_as_elo: summary.same_as_elo,
            higher_rated_percent: summary.higher_rated_percent,
            higher_rated_interval: summary
                .higher_rated_interval
                .map(|interval| (interval.low, interval.high))
                .filter(|(low, high)| low.is_finite() && high.is_finite()),
            kendall: Some(summary.correlation.kendall).filter(|tau| tau.is_finite()),
            endings: study_endings(played, setting),
        }
    }
}

impl Work for Study {
    fn unit(&self) -> Unit {
        Unit::Games
    }

    fn units(&self) -> u64 {
        EXPERTS * (EXPERTS - 1) * self.rounds * self.weights.len() as u64
    }

    fn stays_here(&self) -> Option<&'static str> {
        Some("its players read case bases of this machine")
    }

    fn command(&self, _folder: &Path) -> String {
        let weights: Vec<String> = self.weights.iter().map(ToString::to_string).collect();
        let mut text = format!(
            "vidmar cases study --experts {} --rounds {} --weights {}",
            self.experts.path,
            self.rounds,
            weights.join(" ")
        );
        for pair in self.settings.split_whitespace() {
            let _ = write!(text, " --set {pair}");
        }
        match self.cut {
            Cut::Full => {}
            Cut::Equal(games) => {
                let _ = write!(text, " --games {games}");
            }
            Cut::Published => text.push_str(" (bases cut to the published sizes: here alone)"),
        }
        text
    }

    fn missing(&self, data: &Data) -> Vec<Missing> {
        data.find(&self.experts).err().into_iter().collect()
    }

    fn done(&self, folder: &Path) -> Result<u64, ReproduceError> {
        let rows = Study::read(folder)?.unwrap_or_default();
        Ok(rows.iter().map(|row| row.games as u64).sum())
    }

    fn carry_out(
        &self,
        folder: &Path,
        with: &Resources<'_>,
        tell: &mut (dyn FnMut(u64) + Send),
    ) -> Result<bool, StepError> {
        let experts = with.find("the study", &self.experts)?;
        let experts = self.cut(read_experts(&experts, None)?);
        let rounds = u32::try_from(self.rounds).unwrap_or(u32::MAX);
        let study = CaseStudy::new(&experts, self.case_settings(), rounds, Ending::Study)?;
        let threads = NonZeroUsize::new(with.threads).unwrap_or(NonZeroUsize::MIN);
        let mut done = 0;
        let played = study.play(threads, with.control, &mut || {
            done += 1;
            tell(done);
        })?;
        let Some(played) = played else {
            return Ok(false);
        };
        let rows = (0..self.weights.len()).map(|setting| self.row(&played, setting, experts.len()));
        let kept = Kept {
            experts: experts
                .iter()
                .map(|expert| (expert.name.clone(), expert.elo, expert.base.games().len()))
                .collect(),
            rows: rows.collect(),
        };
        let games = folder.join(GAMES);
        vidmar_files::write(&games, study_pgn(&played, &experts)?)
            .map_err(|error| StepError::from(files::failed(&games, error)))?;
        files::write_json(&folder.join(FILE), &kept)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_are_cut_from_all_games_at_the_top_to_75_at_the_bottom() {
        let games: Vec<usize> = (0..7).map(|rank| Cut::Published.games(rank, 7, 1200)).collect();
        assert_eq!((games[0], games[6]), (1200, 75));
        assert!(games.is_sorted_by(|one, other| one > other), "{games:?}");
        assert_eq!(Cut::Equal(200).games(3, 7, 1200), 200);
    }
}
