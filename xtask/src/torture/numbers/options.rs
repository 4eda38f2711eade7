//! Every option that the engine tells over UCI, all values of one in one process: each is refused or taken, and it still answers.

use std::os::unix::ffi::OsStrExt as _;

use anyhow::Result;

use super::super::plan::Plan;
use super::super::tally::Tally;
use super::super::trial::Trial;
use super::{BUDGET, LONG, values};

/// An option of the engine.
struct Offered {
    name: String,
    range: Option<(i64, i64)>,
}

pub(crate) fn run(plan: &Plan) -> Result<Tally> {
    let folder = plan.fresh("listing")?;
    let listed = Trial {
        program: &plan.binary,
        words: vec!["uci".into(), "--parameters".into()],
        folder,
        input: b"uci\nquit\n".to_vec(),
        budget: BUDGET * 20,
    };
    let options: Vec<Offered> = listed.run()?.stdout.lines().filter_map(offered).collect();
    let mut tally = plan.each(&options, |worker, option| try_option(plan, worker, option))?;
    tally.count("options", options.len() as u64);
    Ok(tally)
}

/// `option name Hash type spin default 16 min 1 max 4194304`.
fn offered(line: &str) -> Option<Offered> {
    let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
    let number = |key: &str| rest.split_once(key)?.1.split(' ').next()?.parse().ok();
    Some(Offered {
        name: name.to_owned(),
        range: number(" min ").zip(number(" max ")),
    })
}

fn try_option(plan: &Plan, worker: &str, option: &Offered) -> Result<Tally> {
    let mut tally = Tally::default();
    if !plan.next() {
        return Ok(tally);
    }
    let values = values(option.range);
    let mut input = Vec::new();
    for value in &values {
        input.extend(format!("setoption name {} value ", option.name).into_bytes());
        // A long line is one finding less to read.
        let bytes = value.as_bytes();
        input.extend(&bytes[..bytes.len().min(LONG / 10)]);
        input.extend(b"\nisready\ngo nodes 20\n");
    }
    input.extend(b"setoption name Hash value 1\nisready\ngo nodes 20\n");
    let trial = Trial {
        program: &plan.binary,
        words: vec!["uci".into(), "--parameters".into()],
        folder: plan.fresh(worker)?,
        input,
        // The end of input is the end of the program: it is never interrupted unless it hangs.
        budget: BUDGET * 60,
    };
    let ended = trial.run()?;
    tally.trials += values.len() as u64;
    let answers = |word: &str| ended.stdout.lines().filter(|line| line.starts_with(word)).count();
    let (ready, best) = (answers("readyok"), answers("bestmove"));
    let wanted = values.len() + 1;
    // The last searches may still be at work when the input ends, and the server waits for them only a moment.
    tally.count(
        "unanswered at the end of input",
        (wanted - best.min(wanted)) as u64,
    );
    let fault = ended.fault().or_else(|| {
        (ended.is_interrupted || ready != wanted || best == 0 || best > wanted)
            .then(|| format!("{wanted} times asked, {ready} times ready, {best} moves"))
    });
    if let Some(fault) = fault {
        let input = plan
            .family_folder()
            .join(format!("input-{}", option.name.replace([' ', '/'], "-")));
        std::fs::write(&input, &trial.input)?;
        let command = format!("{} uci --parameters < {}", plan.binary.display(), input.display());
        tally.find(format!("option {}: {fault}", option.name), command);
    }
    tally.note(ended.kind());
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let option = offered("option name Clear Hash type button").unwrap();
        assert_eq!((option.name.as_str(), option.range), ("Clear Hash", None));
        let option = offered("option name Hash type spin default 16 min 1 max 64").unwrap();
        assert_eq!(option.range, Some((1, 64)));
    }
}
