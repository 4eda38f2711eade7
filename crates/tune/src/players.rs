//! Who plays in a run, under which limits and rules.

use std::time::Duration;

use vidmar_arena::{ResignRule, Rules, TimeControl};
use vidmar_engine::settings::Value;
use vidmar_players::{EngineCommand, PlayerSpec, Protocol};
use vidmar_search::SearchParameters;

use crate::config::{Engine, GameRules};
use crate::parameters::Candidate;
use crate::tablebases::TablebasesError;

/// A candidate as the configuration's engine.
pub(crate) fn player_of(candidate: Candidate, engine: &Engine) -> PlayerSpec {
    if engine.command.is_empty() {
        return tuned(&candidate, engine.hash);
    }
    let mut command = command_of(&engine.command, &engine.options);
    command.options.extend(candidate.options);
    command.timeouts.answer = match engine.answer_ms {
        0 => None,
        milliseconds => Some(Duration::from_millis(milliseconds.into())),
    };
    PlayerSpec::external(Protocol::Uci, &command, None)
}

/// The engine of this program with a candidate's numbers.
fn tuned(candidate: &Candidate, hash: usize) -> PlayerSpec {
    let search = SearchParameters::TABLE.iter();
    let search = search.filter_map(|row| candidate.search.get(row.name)).collect();
    PlayerSpec::of("engine")
        .and_then(|spec| spec.with("hash", Value::Integer(hash.max(1) as i64)))
        .and_then(|spec| spec.with("eval", candidate.vector.values().as_slice()))
        .and_then(|spec| spec.with("parameters", Value::Numbers(search)))
        .expect("a candidate has the numbers that the engine's tables ask for")
}

/// What a game allows a player: one that brings limits of its own has no others.
pub(crate) fn limits_of(player: &PlayerSpec, limits: TimeControl) -> TimeControl {
    if player.move_limits().is_finite() {
        TimeControl::default()
    } else {
        limits
    }
}

/// A configuration's engine as it stands in the file, before anything is tuned.
pub(crate) fn engine_of(command: &str, options: &[impl AsRef<str>]) -> PlayerSpec {
    PlayerSpec::external(Protocol::Uci, &command_of(command, options), None)
}

fn command_of(command: &str, options: &[impl AsRef<str>]) -> EngineCommand {
    let mut words = command.split_whitespace();
    let mut command = EngineCommand::new(words.next().unwrap_or_default());
    command.arguments = words.map(str::to_owned).collect();
    for option in options {
        let option = option.as_ref();
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        command
            .options
            .push((name.trim().to_owned(), value.trim().to_owned()));
    }
    command
}

/// How far a move may overstep its time before that is a fault: a busy machine says nothing of a vector.
const TIME_MARGIN: Duration = Duration::from_millis(50);

/// The limits of a candidate, so many plies deeper than in tuning.
pub(crate) fn time_control(engine: &Engine, deeper: u32) -> TimeControl {
    TimeControl {
        depth: (engine.depth > 0).then_some(engine.depth + deeper),
        nodes: (engine.nodes > 0).then_some(engine.nodes << deeper),
        move_time: (engine.move_time > 0).then(|| Duration::from_millis(engine.move_time << deeper)),
        margin: TIME_MARGIN,
        ..TimeControl::default()
    }
}

/// The configuration's rules; a fault is never a result.
pub(crate) fn rules(config: &GameRules) -> Result<Rules, TablebasesError> {
    Ok(Rules {
        tablebases: crate::tablebases::rule(&config.tablebases)?,
        resign: (config.lead > 0).then_some(ResignRule {
            // "More than" in whole numbers.
            score: config.lead + 1,
            moves: 1,
            two_sided: true,
        }),
        max_moves: (config.max_moves > 0).then_some(config.max_moves),
        ..Rules::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::parameters::Tunables;

    #[test]
    fn how_long_a_program_may_take_is_a_setting() {
        let file = "[parameters]\nsource = \"list\"\nlist = [{ name = \"Style\", min = 0, max = 9, start = 5 }]\n\
                    [engine]\ncommand = \"somebody --uci\"\n";
        let answer = |sets: &[&str]| {
            let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
            let config = Config::read(None, Some((std::path::Path::new("my.toml"), file)), &sets).unwrap();
            let tunables = Tunables::new(&config.parameters, &[]).unwrap();
            let player = player_of(tunables.candidate(tunables.space().start()), &config.engine);
            player.chosen("answer-ms").cloned()
        };
        assert_eq!(answer(&["answer_ms=500"]), Some(Value::Integer(500)));
        assert_eq!(answer(&["engine.answer_ms=0"]), None);
        assert_eq!(answer(&[]), None);
        let sets = ["answer_ms=-1".to_owned()];
        let error = Config::read(None, None, &sets).unwrap_err().to_string();
        assert!(error.contains("engine.answer_ms = -1: expected "), "{error}");
    }
}
