//! The machine and the compiler behind the figures.

use std::process::Command;

use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Machine {
    pub(crate) date: String,
    pub(crate) processor: String,
    pub(crate) rustc: String,
    /// The processor features that the compiler was allowed to use.
    pub(crate) features: Vec<&'static str>,
}

impl Machine {
    /// This machine, now; what it does not tell is "unknown".
    pub(crate) fn here() -> Self {
        Self {
            date: answer("date", &["-u", "+%Y-%m-%d"]),
            processor: processor(&std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default()),
            rustc: answer("rustc", &["--version"]),
            features: compiled_features(),
        }
    }
}

/// What a program prints, in one line.
fn answer(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .ok()
        .filter(|output| output.status.success());
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned())
}

/// The name of the processor; with family and model, for virtual machines often shorten the name.
fn processor(cpuinfo: &str) -> String {
    let value = |key: &str| {
        cpuinfo.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == key).then(|| value.trim())
        })
    };
    match (value("model name"), value("cpu family"), value("model")) {
        (Some(name), Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        (Some(name), ..) => name.to_owned(),
        _ => std::env::consts::ARCH.to_owned(),
    }
}

/// Those features that matter to bitboards, as this program was compiled.
fn compiled_features() -> Vec<&'static str> {
    let features = [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi1", cfg!(target_feature = "bmi1")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("neon", cfg!(target_feature = "neon")),
    ];
    features
        .iter()
        .filter(|(_, compiled)| *compiled)
        .map(|(name, _)| *name)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::processor;

    #[test]
    fn processor_is_read_from_cpuinfo() {
        let cpuinfo = "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n\n";
        assert_eq!(processor(cpuinfo), "AMD EPYC (family 25, model 17)");
        assert_eq!(processor(""), std::env::consts::ARCH);
    }
}
