//! Who plays in a run, under which limits and rules.

use std::time::Duration;

use vidmar_arena::{Clock, ResignRule, Rules, TimeControl};
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

/// The limits of a candidate, so many plies deeper than in tuning; a ply stands for twice the positions or the time.
pub(crate) fn time_control(engine: &Engine, deeper: u32) -> TimeControl {
    let Clock {
        moves,
        base,
        increment,
    } = engine.tc.unwrap_or_default();
    // Enough for any year of time; the largest numbers stay the largest.
    let factor = 1_u32.checked_shl(deeper).unwrap_or(u32::MAX);
    TimeControl {
        base: base.map(|base| base.saturating_mul(factor)),
        increment: increment.saturating_mul(factor),
        moves,
        depth: (engine.depth > 0).then_some(engine.depth + deeper),
        nodes: (engine.nodes > 0).then_some(engine.nodes.saturating_mul(factor.into())),
        move_time: (engine.move_time > 0)
            .then(|| Duration::from_millis(engine.move_time).saturating_mul(factor)),
        margin: TIME_MARGIN,
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

    /// Whoever states a limit means it instead of the preset's; several of one command hold together.
    #[test]
    fn a_stated_limit_replaces_those_below() {
        let limits = |sets: &[&str]| {
            let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
            time_control(&Config::read(Some("narrow"), None, &sets).unwrap().engine, 0).to_string()
        };
        assert_eq!(limits(&[]), "depth 6");
        assert_eq!(limits(&["engine.nodes=5000"]), "5000 nodes");
        assert_eq!(limits(&["nodes=5000", "engine.depth=9"]), "5000 nodes, depth 9");
        assert_eq!(limits(&["tc=40/0:08+0.08"]), "40/8+0.08");
        assert_eq!(limits(&["tc=8"]), "8");
        assert_eq!(limits(&["move_time=250"]), "0.25 s a move");
        let file = "[engine]\ntc = \"2+0.02\"\n";
        let path = std::path::Path::new("my.toml");
        let engine = Config::read(None, Some((path, file)), &[]).unwrap().engine;
        assert_eq!(time_control(&engine, 0).to_string(), "2+0.02");
        assert_eq!(time_control(&engine, 2).to_string(), "8+0.08");
        assert!(time_control(&engine, 50).base > time_control(&engine, 30).base);
        let error = Config::read(None, None, &["tc=1:x".to_owned()]).unwrap_err();
        assert!(
            error.to_string().contains("'1:x' is not a time control"),
            "{error}"
        );
    }

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
