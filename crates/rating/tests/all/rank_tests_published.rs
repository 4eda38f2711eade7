//! Rank tests against published numbers and against `SciPy`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use vidmar_rating::stats::{
    Better, Comparison, Friedman, Table, bergmann_hommel, bonferroni, compare, holm, shaffer,
    studentized_range_cdf, wilcoxon_signed_rank,
};

fn close(found: f64, expected: f64, within: f64) {
    assert!(
        (found - expected).abs() <= within,
        "{found} is not {expected} ± {within}"
    );
}

/// Ten tuning runs of four variants: the tuned columns of the table in [boskovic-2010].
fn tuning_runs() -> Table {
    let algorithms = ["history10", "history5", "history2", "nohistory10"];
    let mut lines = include_str!("../data/tuning-runs.csv").lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let indices = algorithms.map(|name| {
        header
            .iter()
            .position(|column| *column == format!("{name}_tuned"))
            .unwrap()
    });
    let rows = lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            indices
                .iter()
                .map(|&index| cells[index].parse().unwrap())
                .collect()
        })
        .collect();
    Table {
        algorithms: algorithms.map(str::to_owned).to_vec(),
        rows,
    }
}

fn tuning_comparison() -> Comparison {
    compare(&tuning_runs(), Better::Higher, 0.05, Some("nohistory10")).unwrap()
}

#[test]
fn the_published_ranks_and_statistics() {
    let comparison = tuning_comparison();
    for (rank, expected) in comparison.ranks.iter().zip([1.3, 1.9, 2.9, 3.9]) {
        close(*rank, expected, 1e-12);
    }
    close(comparison.friedman.chi2, 23.520, 5e-4);
    close(comparison.iman_davenport.f, 32.667, 5e-4);
    assert_eq!(comparison.iman_davenport.df, (3, 27));
    close(comparison.critical_difference.bonferroni_dunn, 1.382, 5e-4);
    close(comparison.friedman.critical_value(0.05), 7.815, 5e-4);
    // The document prints 2.97; SciPy 1.17.1: f.ppf(0.95, 3, 27) = 2.960351.
    close(comparison.iman_davenport.critical_value(0.05), 2.960_351, 1e-6);
    // SciPy: friedmanchisquare(...).pvalue and f.sf(32.667, 3, 27).
    close(comparison.friedman.p, 3.146_047_558e-5, 1e-13);
    close(comparison.iman_davenport.p, 3.9419e-9, 1e-12);
    assert!(comparison.friedman_ties.is_none());
}

/// One unit of the last printed digit.
fn last_digit(printed: &str) -> f64 {
    let (mantissa, exponent) = printed.split_once('e').unwrap_or((printed, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |parts| parts.1.len()) as i32;
    10f64.powi(exponent.parse::<i32>().unwrap() - decimals)
}

#[test]
fn the_published_adjusted_p_values() {
    let comparison = tuning_comparison();
    let mut checked = 0;
    for line in include_str!("../data/adjusted-p.csv").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let (a, b) = cells[0].split_once(" vs ").unwrap();
        let row = comparison
            .pairs
            .iter()
            .find(|row| comparison.algorithms[row.a] == a && comparison.algorithms[row.b] == b)
            .unwrap_or_else(|| panic!("no pair {a}, {b}"));
        let found = [
            row.p,
            row.nemenyi,
            row.holm,
            row.shaffer,
            row.bergmann_hommel.unwrap(),
        ];
        for (printed, found) in cells[1..].iter().zip(found) {
            // 1.7922 is printed for one of Nemenyi's: a p-value ends at 1.
            let expected = printed.parse::<f64>().unwrap().min(1.0);
            close(found, expected, 1.0001 * last_digit(printed));
            checked += 1;
        }
    }
    assert_eq!(checked, 30);
}

#[test]
fn all_variants_with_history_differ_from_the_control_or_not() {
    let comparison = tuning_comparison();
    let (control, rows) = comparison.control.as_ref().unwrap();
    assert_eq!(comparison.algorithms[*control], "nohistory10");
    let names: Vec<&str> = rows
        .iter()
        .map(|row| comparison.algorithms[row.algorithm].as_str())
        .collect();
    assert_eq!(names, ["history10", "history5", "history2"]);
    for row in rows {
        // Rejection by the adjusted p-value and by the critical difference are the same decision.
        let difference = (comparison.ranks[*control] - comparison.ranks[row.algorithm]).abs();
        assert_eq!(
            row.bonferroni_dunn < 0.05,
            difference > comparison.critical_difference.bonferroni_dunn
        );
    }
}

/// García and Herrera, JMLR 9 (2008): 30 data sets, C4.5, 1-NN, naive Bayes, kernel, CN2 with rank sums
/// 63, 97.5, 66, 130 and 93.5 (mean ranks 2.100, 3.250, 2.200, 4.333, 3.117). All statistics follow from
/// the mean ranks.
const GARCIA_HERRERA: [f64; 5] = [63.0 / 30.0, 97.5 / 30.0, 66.0 / 30.0, 130.0 / 30.0, 93.5 / 30.0];

#[test]
fn iman_davenport_of_garcia_and_herrera() {
    let friedman = Friedman::from_mean_ranks(&GARCIA_HERRERA, 30);
    close(friedman.chi2, 39.647, 5e-4);
    let sharper = friedman.iman_davenport(30);
    close(sharper.f, 14.309, 5e-4);
    assert_eq!(sharper.df, (4, 116));
    close(sharper.p, 1.593e-9, 5e-13);
}

#[test]
fn adjusted_p_values_of_garcia_and_herrera() {
    // The unadjusted ones to the digits that the R package scmamp 0.2.55 prints (friedmanPost of
    // data.gh.2008), in the order of the pairs (C4.5, 1-NN), (C4.5, naive Bayes), …, (kernel, CN2).
    let unadjusted = [
        4.848763e-3,
        8.064959e-1,
        4.486991e-8,
        1.2763008e-2,
        1.0112334e-2,
        7.963489e-3,
        7.43971478e-1,
        1.736118e-7,
        2.4744672e-2,
        2.880485e-3,
    ];
    let deviation = (5.0f64 * 6.0 / (6.0 * 30.0)).sqrt();
    let mut p = Vec::new();
    for (index, a) in GARCIA_HERRERA.iter().enumerate() {
        for b in &GARCIA_HERRERA[index + 1..] {
            let z: f64 = (a - b).abs() / deviation;
            p.push(statrs::function::erf::erfc(z / std::f64::consts::SQRT_2));
        }
    }
    for (found, expected) in p.iter().zip(unadjusted) {
        close(found / expected, 1.0, 1e-6);
    }

    // Nemenyi, Holm, Shaffer and Bergmann-Hommel for the same pairs, worked out apart from this code from
    // the definitions of the paper.
    let worked_out = [
        [0.0485, 0.0339, 0.0291, 0.0291],
        [1.0, 1.0, 1.0, 1.0],
        [4.487e-7, 4.487e-7, 4.487e-7, 4.487e-7],
        [0.1276, 0.0511, 0.0511, 0.0383],
        [0.1011, 0.0506, 0.0478, 0.0303],
        [0.0796, 0.0478, 0.0478, 0.0319],
        [1.0, 1.0, 1.0, 1.0],
        [1.736e-6, 1.563e-6, 1.042e-6, 1.042e-6],
        [0.2474, 0.0742, 0.0742, 0.0383],
        [0.0288, 0.0230, 0.0173, 0.0115],
    ];
    let found = [
        bonferroni(&p),
        holm(&p),
        shaffer(&p, 5),
        bergmann_hommel(&p, 5).unwrap(),
    ];
    for (pair, row) in worked_out.iter().enumerate() {
        for (procedure, &expected) in row.iter().enumerate() {
            let within = if expected < 1e-3 { 1e-3 * expected } else { 1e-4 };
            close(found[procedure][pair], expected, within);
        }
    }
}

#[test]
fn wilcoxon_as_scipy() {
    // SciPy 1.17.1: scipy.stats.wilcoxon on the columns of the tuning runs (exact).
    let table = tuning_runs();
    let column = |index: usize| -> Vec<f64> { table.rows.iter().map(|row| row[index]).collect() };
    let exact = [
        (0, 1, 16.0, 0.275390625),
        (0, 2, 5.0, 0.01953125),
        (0, 3, 0.0, 0.001953125),
        (1, 2, 2.0, 0.005859375),
        (2, 3, 1.0, 0.00390625),
    ];
    for (a, b, statistic, p) in exact {
        let outcome = wilcoxon_signed_rank(&column(a), &column(b));
        assert!(outcome.exact);
        close(outcome.w_plus.min(outcome.w_minus), statistic, 0.0);
        close(outcome.p, p, 1e-15);
    }
    // scipy.stats.wilcoxon(a, b, correction=True, method="approx"): ties and zeros.
    let a = [
        12.0, 14.0, 9.0, 15.0, 13.0, 11.0, 10.0, 12.0, 14.0, 13.0, 12.0, 11.0, 17.0,
    ];
    let b = [
        11.0, 14.0, 10.0, 13.0, 12.0, 13.0, 9.0, 12.0, 12.0, 12.0, 14.0, 10.0, 12.0,
    ];
    let outcome = wilcoxon_signed_rank(&a, &b);
    assert!(!outcome.exact);
    close(outcome.w_minus, 20.5, 0.0);
    // The error function of statrs is good to about 1e-10.
    close(outcome.p, 0.275_064_800_010_713, 1e-9);
}

#[test]
fn friedman_with_ties_as_scipy() {
    // scipy.stats.friedmanchisquare corrects for ties: 5.34, p = 0.14852780859946377.
    let rows = [
        [3.0, 3.0, 5.0, 1.0],
        [4.0, 2.0, 2.0, 1.0],
        [5.0, 5.0, 5.0, 2.0],
        [1.0, 2.0, 3.0, 4.0],
        [7.0, 6.0, 6.0, 6.0],
        [3.0, 2.0, 4.0, 1.0],
    ];
    let table = Table {
        algorithms: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
        rows: rows.iter().map(|row| row.to_vec()).collect(),
    };
    let comparison = compare(&table, Better::Higher, 0.05, None).unwrap();
    let corrected = comparison.friedman_ties.unwrap();
    close(corrected.chi2, 5.34, 1e-12);
    close(corrected.p, 0.148_527_808_599_463, 1e-12);
}

#[test]
fn studentized_range_as_scipy() {
    // scipy.stats.studentized_range.cdf(q, k, numpy.inf)
    for (q, k, expected) in [
        (3.633, 4, 0.9499850210046219),
        (2.0, 3, 0.66650067495985),
        (4.474, 10, 0.9499867584069467),
        (5.0, 20, 0.9486353364208663),
    ] {
        close(studentized_range_cdf(q, k), expected, 1e-10);
    }
}

#[test]
fn turning_the_scale_around_turns_the_ranks_around() {
    let table = tuning_runs();
    let turned = Table {
        rows: table
            .rows
            .iter()
            .map(|row| row.iter().map(|value| -value).collect())
            .collect(),
        ..table.clone()
    };
    let (higher, lower) = (
        compare(&table, Better::Higher, 0.05, None).unwrap(),
        compare(&turned, Better::Lower, 0.05, None).unwrap(),
    );
    assert_eq!(higher.ranks, lower.ranks);
    assert_eq!(higher.friedman, lower.friedman);
}
