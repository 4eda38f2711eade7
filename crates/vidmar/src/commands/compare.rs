//! `vidmar compare`: what each algorithm, table, ordering, board and more costs, side by side over a suite.
//!
//! By default one thing is varied at a time around a base (alpha-beta, two-level table, all ordering,
//! bitboards, legal generation, one thread, nothing that prunes), which answers "what does this one change?". Lists ask for the
//! full product instead. Searches are exact (see the search library's `draws`), so that all rows that prune nothing must agree on
//! every value, and interleaved position by position, so that a disturbed machine disturbs all rows alike.

mod print;
mod suite;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use vidmar_chess::{BoardKind, Generation, Position};
use vidmar_engine::comparison::{
    BASE, Change, NODE_LIMIT, Row, Sample, Search, Variant, measure, one_at_a_time, rows,
};
use vidmar_search::{Algorithm, Limits, OrderingRules, Scheme, Settings, Switch};

use super::search_options::{SearchOptions, switch};
use crate::arguments::named;
use crate::{output, progress};

/// Compare algorithms, boards, tables, orderings, generations and prunings over a suite of positions
#[derive(Args)]
pub(crate) struct Compare {
    /// Positions, one EPD or FEN a line; by default a few of our own
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
    /// Algorithms, for a full product
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = named::<Algorithm>())]
    algorithms: Vec<Algorithm>,
    /// Tables, for a full product
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = named::<Scheme>())]
    tables: Vec<Scheme>,
    /// Orderings, for a full product; with slashes between, since each may be a list with commas
    #[arg(long, value_name = "LIST/LIST", value_delimiter = '/')]
    orderings: Vec<OrderingRules>,
    /// Boards, for a full product
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = named::<BoardKind>())]
    boards: Vec<BoardKind>,
    /// Generations, for a full product
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = named::<Generation>(), conflicts_with = "generation")]
    generations: Vec<Generation>,
    /// Return the very value of minimax where the algorithm can
    #[arg(long, default_value = "on", value_name = "on|off", action = clap::ArgAction::Set, value_parser = switch())]
    exact: bool,
    #[command(flatten)]
    options: SearchOptions,
    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object a row
    #[arg(long)]
    json: bool,
}

impl Compare {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let suite = suite::read(self.suite.as_deref())?;
        let mut limits = self.options.limits()?;
        limits.nodes = limits.nodes.or(Some(NODE_LIMIT));
        let searches = self.searches()?;
        let rows = measured(searches, &suite, &limits)?;
        output::print(&if self.csv {
            print::csv(&rows)?
        } else if self.json {
            print::json(&rows)
        } else {
            print::text(&rows, &limits)
        })?;
        let all_agree = rows.iter().all(|row| row.prunes() || row.disagreements == 0);
        Ok(ExitCode::from(u8::from(self.exact && !all_agree)))
    }

    /// What is searched, one by one. Of what was asked for by name nothing is left out: what an algorithm cannot honour is
    /// refused. Where all algorithms are compared, one that cannot honour the settings is left out with a warning.
    fn searches(&self) -> anyhow::Result<Vec<Search>> {
        if self.is_product() {
            let variants = self.product().into_iter();
            let searches: Vec<Search> = variants
                .map(|variant| self.search(variant))
                .collect::<Result<_, _>>()?;
            let mut idle: Vec<_> = searches
                .iter()
                .filter_map(|search| self.options.check_effects(&search.settings).err())
                .collect();
            // What one of them has a use for is no mistake.
            return if idle.len() == searches.len() {
                Err(idle.swap_remove(0))
            } else {
                Ok(searches)
            };
        }
        self.options.check_effects(&self.search(BASE)?.settings)?;
        let mut searches = Vec::new();
        for variant in one_at_a_time() {
            match self.search(variant) {
                Ok(search) => searches.push(search),
                Err(error) => output::warn(&format!("{} is left out: {error:#}", variant.algorithm)),
            }
        }
        Ok(searches)
    }

    fn search(&self, variant: Variant) -> anyhow::Result<Search> {
        let given = [
            (!self.tables.is_empty()).then_some(Switch::Table),
            (!self.orderings.is_empty()).then_some(Switch::Ordering),
            (!self.boards.is_empty()).then_some(Switch::Board),
            (!self.generations.is_empty()).then_some(Switch::Generation),
            self.exact.then_some(Switch::Exact),
        ];
        let algorithm = variant.algorithm;
        let settings = Settings {
            exact: self.exact,
            ..self.options.settings(algorithm, given.into_iter().flatten())?
        };
        Ok(Search::new(
            variant,
            settings,
            self.options.evaluation(algorithm),
        )?)
    }

    fn is_product(&self) -> bool {
        !(self.algorithms.is_empty()
            && self.tables.is_empty()
            && self.orderings.is_empty()
            && self.boards.is_empty()
            && self.generations.is_empty())
    }

    /// Every combination of the lists; what has none stays as in the base.
    fn product(&self) -> Vec<Variant> {
        fn or_base<T: Copy>(list: &[T], base: T) -> Vec<T> {
            if list.is_empty() {
                vec![base]
            } else {
                list.to_vec()
            }
        }
        let generations: Vec<Option<Change>> = match &self.generations[..] {
            [] => vec![None],
            list => list.iter().copied().map(Change::Generation).map(Some).collect(),
        };
        let mut variants = Vec::new();
        for &algorithm in &or_base(&self.algorithms, BASE.algorithm) {
            for &table in &or_base(&self.tables, BASE.table) {
                for &ordering in &or_base(&self.orderings, BASE.ordering) {
                    for &board in &or_base(&self.boards, BASE.board) {
                        variants.extend(generations.iter().map(|&change| Variant {
                            group: "product",
                            algorithm,
                            table,
                            ordering,
                            board,
                            change,
                        }));
                    }
                }
            }
        }
        variants
    }
}

/// Every search of every position, position by position, so that a disturbed machine disturbs all rows alike.
fn measured(searches: Vec<Search>, suite: &[Position], limits: &Limits) -> anyhow::Result<Vec<Row>> {
    let bar = progress::bar(searches.len() * suite.len(), "searches");
    let mut samples: Vec<Vec<Sample>> = Vec::with_capacity(suite.len());
    for position in suite {
        let sample = |search| {
            let sample = measure(search, position, limits);
            bar.inc(1);
            sample
        };
        samples.push(searches.iter().map(sample).collect::<Result<_, _>>()?);
    }
    bar.finish_and_clear();
    Ok(rows(searches, &samples, limits.depth))
}
