//! The published experiments as steps that can be run, resumed, and set beside the published figures.
//!
//! | to know | read |
//! | --- | --- |
//! | which experiments there are | [`EXPERIMENTS`], a row each; [`experiments`], a file each |
//! | what steps are made of | [`work`]: ordinary tuning runs, matches, suites, studies, comparisons |
//! | how they are run, stopped and gone on with | [`Campaign`] |
//! | how much of them | [`Plan`]; what it costs here: [`cost`] |
//! | what does not come with the program | [`Data`] |
//! | what was published | [`published`] |
//! | how figures are compared | [`Figure`], [`Verdict`] |
//! | the report | [`report`](mod@report) |

mod campaign;
pub mod cost;
mod data;
mod error;
mod experiment;
pub mod experiments;
mod figure;
mod files;
mod plan;
pub mod published;
pub mod report;
mod results;
mod step;
pub mod work;

pub use campaign::{Campaign, Chosen, Ended, Event, Lacking, Progress};
pub use data::{Data, Missing, Needed, VARIABLE};
pub use error::{ReproduceError, StepError};
pub use experiment::{EXPERIMENTS, Experiment, Reading, named};
pub use figure::{Figure, Verdict};
pub use plan::{Asked, Plan};
pub use results::Results;
pub use step::{Step, StepNote};
