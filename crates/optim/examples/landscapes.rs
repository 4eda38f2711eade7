//! Every method on every synthetic landscape: true Elo gained over the start, of the centroid (and of the vector with
//! the best points per game or rating, where there is one).
//!
//!     cargo run --release -p vidmar-optim --example landscapes -- --quick
//!     cargo run --release -p vidmar-optim --example landscapes -- --dimensions 190 --games 10000 --seeds 5

#![allow(clippy::print_stdout, missing_docs)]

#[path = "../tests/all/support.rs"]
mod support;

use std::error::Error;

use vidmar_optim::landscape::{Gain, Landscape, Shape, tune};
use vidmar_optim::{Evidence, Method};

struct Plan {
    dimensions: Vec<usize>,
    budgets: Vec<u64>,
    seeds: u64,
    games: u32,
    methods: Vec<Method>,
    shapes: Vec<Shape>,
}

fn plan() -> Result<Plan, Box<dyn Error>> {
    let mut plan = Plan {
        dimensions: vec![16, 190],
        budgets: vec![1_000, 4_000, 10_000, 40_000],
        seeds: 10,
        games: 2,
        methods: Method::for_games().collect(),
        shapes: Shape::ALL.to_vec(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--quick" {
            (plan.dimensions, plan.budgets, plan.seeds) = (vec![16], vec![1_000, 4_000], 3);
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let list = || value.split(',');
        match word.as_str() {
            "--dimensions" => plan.dimensions = list().map(str::parse).collect::<Result<_, _>>()?,
            "--budgets" => plan.budgets = list().map(str::parse).collect::<Result<_, _>>()?,
            "--methods" => plan.methods = list().map(str::parse).collect::<Result<_, _>>()?,
            "--seeds" => plan.seeds = value.parse()?,
            "--games" => plan.games = value.parse()?,
            "--shapes" => plan.shapes = list().map(str::parse).collect::<Result<_, _>>()?,
            _ => return Err(format!("unknown option {word:?}").into()),
        }
    }
    Ok(plan)
}

fn mean_sd(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let square = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
    (mean, (square / (values.len().max(2) - 1) as f64).sqrt())
}

fn main() -> Result<(), Box<dyn Error>> {
    let plan = plan()?;
    for &dimensions in &plan.dimensions {
        for &shape in &plan.shapes {
            println!(
                "\n{} with {dimensions} parameters: {}",
                shape.name(),
                shape.help()
            );
            print!("{:<18} ", "games");
            plan.budgets.iter().for_each(|budget| print!("{budget:>24}"));
            println!();
            for &method in &plan.methods {
                print!("{:<18} ", method.name());
                for &budget in &plan.budgets {
                    let gains: Result<Vec<Gain>, Box<dyn Error>> = (0..plan.seeds)
                        .map(|seed| {
                            let landscape = Landscape::new(shape, dimensions, seed)?;
                            let evidence = Evidence::Games {
                                games: plan.games,
                                paired: false,
                            };
                            let mut rate = support::bradley_terry;
                            Ok(tune(
                                &landscape,
                                method.settings(),
                                evidence,
                                budget,
                                seed,
                                &mut rate,
                            )?)
                        })
                        .collect();
                    let gains = gains?;
                    let (mean, sd) = mean_sd(&gains.iter().map(|g| g.centroid).collect::<Vec<_>>());
                    let best: Vec<f64> = gains
                        .iter()
                        .filter_map(|g| g.by_rating.or(g.by_efficiency))
                        .collect();
                    let best = if best.is_empty() {
                        String::from("-")
                    } else {
                        format!("{:.0}", mean_sd(&best).0)
                    };
                    print!("{:>24}", format!("{mean:.0} ± {sd:.0} ({best})"));
                }
                println!();
            }
        }
    }
    Ok(())
}
