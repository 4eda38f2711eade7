//! The comparison for a script.

use serde::{Serialize, Serializer};
use vidmar_rating::stats::{Better, Comparison, Friedman, SignedRank};

use super::Compared;

/// Several tests, one for each condition.
#[derive(Serialize)]
struct Strata<'a> {
    strata: Vec<Report<'a>>,
}

#[derive(Serialize)]
struct Report<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "in_order")]
    stratum: Vec<(&'a str, &'a str)>,
    #[serde(serialize_with = "in_order")]
    ranks: Vec<(&'a str, f64)>,
    problems: usize,
    better: Better,
    alpha: f64,
    friedman: FriedmanTest,
    #[serde(skip_serializing_if = "Option::is_none")]
    friedman_ties: Option<FriedmanTest>,
    iman_davenport: ImanDavenportTest,
    critical_difference: Differences,
    pairs: Vec<Pair<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    control: Option<Control<'a>>,
}

#[derive(Serialize)]
struct FriedmanTest {
    chi2: f64,
    df: usize,
    p: f64,
    critical: f64,
}

#[derive(Serialize)]
struct ImanDavenportTest {
    f: f64,
    df1: usize,
    df2: usize,
    p: f64,
    critical: f64,
}

#[derive(Serialize)]
struct Differences {
    bonferroni_dunn: f64,
    nemenyi: f64,
}

#[derive(Serialize)]
struct Pair<'a> {
    a: &'a str,
    b: &'a str,
    z: f64,
    p: f64,
    nemenyi: f64,
    holm: f64,
    shaffer: f64,
    bergmann_hommel: Option<f64>,
    wilcoxon: SignedRank,
}

#[derive(Serialize)]
struct Control<'a> {
    name: &'a str,
    comparisons: Vec<AgainstControl<'a>>,
}

#[derive(Serialize)]
struct AgainstControl<'a> {
    name: &'a str,
    z: f64,
    p: f64,
    bonferroni_dunn: f64,
    holm: f64,
    hochberg: f64,
}

fn in_order<S: Serializer, V: Serialize + Copy>(
    pairs: &[(&str, V)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().copied())
}

pub(super) fn render(compared: &[Compared]) -> anyhow::Result<String> {
    let text = match compared {
        [one] => serde_json::to_string_pretty(&report(one))?,
        several => serde_json::to_string_pretty(&Strata {
            strata: several.iter().map(report).collect(),
        })?,
    };
    Ok(text + "\n")
}

fn report(compared: &Compared) -> Report<'_> {
    let comparison: &Comparison = &compared.comparison;
    let name = |index: usize| comparison.algorithms[index].as_str();
    let chi2 = |test: &Friedman| FriedmanTest {
        chi2: test.chi2,
        df: test.df,
        p: test.p,
        critical: test.critical_value(comparison.alpha),
    };
    let f = &comparison.iman_davenport;
    Report {
        stratum: compared
            .conditions
            .iter()
            .map(|(heading, value)| (&heading[..], &value[..]))
            .collect(),
        ranks: comparison
            .algorithms
            .iter()
            .map(String::as_str)
            .zip(comparison.ranks.iter().copied())
            .collect(),
        problems: comparison.rows,
        better: comparison.better,
        alpha: comparison.alpha,
        friedman: chi2(&comparison.friedman),
        friedman_ties: comparison.friedman_ties.as_ref().map(chi2),
        iman_davenport: ImanDavenportTest {
            f: f.f,
            df1: f.df.0,
            df2: f.df.1,
            p: f.p,
            critical: f.critical_value(comparison.alpha),
        },
        critical_difference: Differences {
            bonferroni_dunn: comparison.critical_difference.bonferroni_dunn,
            nemenyi: comparison.critical_difference.nemenyi,
        },
        pairs: comparison
            .pairs
            .iter()
            .map(|pair| Pair {
                a: name(pair.a),
                b: name(pair.b),
                z: pair.z,
                p: pair.p,
                nemenyi: pair.nemenyi,
                holm: pair.holm,
                shaffer: pair.shaffer,
                bergmann_hommel: pair.bergmann_hommel,
                wilcoxon: pair.wilcoxon,
            })
            .collect(),
        control: comparison.control.as_ref().map(|(control, rows)| Control {
            name: name(*control),
            comparisons: rows
                .iter()
                .map(|row| AgainstControl {
                    name: name(row.algorithm),
                    z: row.z,
                    p: row.p,
                    bonferroni_dunn: row.bonferroni_dunn,
                    holm: row.holm,
                    hochberg: row.hochberg,
                })
                .collect(),
        }),
    }
}
