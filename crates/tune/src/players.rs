//! Who plays in a run, under which limits and rules.

use std::time::Duration;

use vidmar_arena::{Clock, ResignRule, Rules, TimeControl};
use vidmar_engine::NET;
use vidmar_engine::laboratory::LeafKind;
use vidmar_engine::settings::Value;
use vidmar_eval::{SimpleWeights, Vector};
use vidmar_players::{EngineCommand, PlayerSpec, Protocol, SpecError};
use vidmar_search::SearchParameters;

use crate::config::{Config, Engine, GameRules, Level, Source};
use crate::parameters::Candidate;
use crate::run::RunError;
use crate::tablebases::TablebasesError;

/// A candidate as the configuration's engine.
pub(crate) fn player_of(candidate: Candidate, engine: &Engine) -> PlayerSpec {
    if engine.command.is_empty() {
        return tuned(&candidate, engine);
    }
    let mut command = command_of(&engine.command, &engine.options);
    command.options.extend(candidate.options);
    command.timeouts.answer = match engine.answer_ms {
        0 => None,
        milliseconds => Some(Duration::from_millis(milliseconds.into())),
    };
    PlayerSpec::external(Protocol::Uci, &command, None)
}

/// The engine of this program, or its laboratory search, with a candidate's numbers.
fn tuned(candidate: &Candidate, engine: &Engine) -> PlayerSpec {
    let hash = Value::Integer(engine.hash.max(1) as i64);
    let made = match built_in(engine) {
        Ok(spec) if spec.player_type().key == LABORATORY => in_laboratory(candidate, spec, hash),
        spec => spec.and_then(|spec| {
            let search = SearchParameters::TABLE.iter();
            let search = search.filter_map(|row| candidate.search.get(row.name)).collect();
            let evaluation: Value = if candidate.by_net {
                NET.into()
            } else {
                candidate.vector.values().as_slice().into()
            };
            spec.with("hash", hash)?
                .with("eval", evaluation)?
                .with("parameters", Value::Numbers(search))
        }),
    };
    made.expect(
        "the player was checked when the run began, and a candidate has the numbers that its tables ask for",
    )
}

fn in_laboratory(candidate: &Candidate, mut spec: PlayerSpec, hash: Value) -> Result<PlayerSpec, SpecError> {
    if spec.chosen("table-mib").is_none() {
        spec = spec.with("table-mib", hash)?;
    }
    // What its evaluation has no use for is as it was, and so need not be said.
    if candidate.vector != Vector::default() {
        spec = spec.with("vector", candidate.vector.values().as_slice())?;
    }
    for row in SimpleWeights::TABLE {
        let value = candidate
            .weights
            .get(row.name)
            .filter(|value| *value != row.default);
        if let Some(value) = value {
            spec = spec.with(row.name, Value::Integer(value.into()))?;
        }
    }
    Ok(spec)
}

/// The player type of laboratory searches.
const LABORATORY: &str = "search";

/// The player of this program that a configuration names.
pub(crate) fn built_in(engine: &Engine) -> Result<PlayerSpec, SpecError> {
    match engine.player.as_str() {
        "" => PlayerSpec::of("engine"),
        player => player.parse(),
    }
}

/// Whether the player of a configuration can be tuned with its parameters.
pub(crate) fn check(config: &Config) -> Result<(), RunError> {
    let (engine, source) = (&config.engine, config.parameters.source);
    let refused = |expected| RunError::unless(false, "engine.player", &engine.player, expected);
    let spec = match built_in(engine) {
        Ok(spec) => spec,
        Err(error) => {
            return Err(RunError::Player {
                spec: engine.player.clone(),
                reason: error.to_string(),
            });
        }
    };
    let is_laboratory = spec.player_type().key == LABORATORY;
    let leaf = spec
        .value("eval")
        .and_then(|value| value.as_text()?.parse::<LeafKind>().ok());
    let has_vector = leaf.is_some_and(LeafKind::has_parameters);
    match (engine.player.as_str(), source) {
        ("", Source::Simple) => {
            refused("a laboratory search, whose simple evaluation is tuned: search:algorithm=alpha-beta")
        }
        ("", _) => Ok(()),
        _ if !is_laboratory => refused("a laboratory search, search:…, or nothing for the engine"),
        _ if !engine.command.is_empty() => refused("nothing, where engine.command names a program"),
        _ if spec.move_limits().is_finite() => {
            refused("no limits of its own: engine.depth and the like are those of a run")
        }
        (_, Source::Search) => refused("nothing: the numbers of the search are the engine's"),
        (_, Source::Evaluation) if !has_vector => {
            refused("eval=full or eval=chances, which parameters.source = evaluation is about")
        }
        (_, Source::Simple) if has_vector => {
            refused("eval=simple or one with a term more, which parameters.source = simple is about")
        }
        (_, Source::Evaluation | Source::Simple) => Ok(()),
        (_, Source::List | Source::Options) => refused("nothing: options are those of another program"),
    }
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
        draw: config.draw.map(Level::rule),
        max_moves: (config.max_moves > 0).then_some(config.max_moves),
        ..Rules::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
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

    /// The player of a configuration, with the numbers of the start or the reason why there is none.
    fn player(sets: &[&str]) -> Result<String, String> {
        let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
        let config = Config::read(Some("dynamic-bounds"), None, &sets).map_err(|error| error.to_string())?;
        check(&config).map_err(|error| error.to_string())?;
        let tunables = Tunables::new(&config.parameters, &[]).map_err(|error| error.to_string())?;
        let mut vector = tunables.space().start().to_vec();
        vector[1] += 0.126;
        let spec = player_of(tunables.candidate(&vector), &config.engine);
        spec.check().map_err(|error| error.to_string())?;
        Ok(spec.to_string())
    }

    #[test]
    fn vectors_may_play_as_a_laboratory_search() {
        let usual = "search:algorithm=alpha-beta,eval=simple,quiescence-plies=3,table-mib=1,queen=913";
        assert_eq!(player(&[]).unwrap(), usual);
        let other = "engine.player=search:algorithm=mtdf,table-mib=2,null-move=r2";
        assert_eq!(
            player(&[other]).unwrap(),
            "search:algorithm=mtdf,table-mib=2,null-move=r2,queen=913"
        );
        let full = [
            "engine.player=search:algorithm=pvs,eval=full",
            "parameters.source=evaluation",
            "parameters.set=all",
            "parameters.start=guess",
            "parameters.list=[]",
            "parameters.frozen=[]",
            "parameters.constraints=[]",
        ];
        let made = player(&full).unwrap();
        assert!(
            made.starts_with("search:algorithm=pvs,eval=full,table-mib=1,vector="),
            "{made}"
        );
        for (sets, told) in [
            (
                &["engine.player="] as &[&str],
                "a laboratory search, whose simple evaluation",
            ),
            (&["engine.player=random"], "a laboratory search, search:…"),
            (&["engine.player=search:depth=3"], "no limits of its own"),
            (
                &["engine.player=search:algorithm=mtdf,board=9x9"],
                "board: '9x9' is not one of",
            ),
            (
                &["engine.player=search:eval=full"],
                "eval=simple or one with a term more",
            ),
            (
                &["parameters.source=search"],
                "the numbers of the search are the engine's",
            ),
            (
                &["engine.player=search:algorithm=mtdf,fail=hard"],
                "mtdf does not honour fail",
            ),
        ] {
            let error = player(sets).unwrap_err();
            assert!(error.contains(told), "{sets:?}: {error}");
        }
    }

    /// The numbers of the search are tuned for the evaluation that `base` names, the net or a vector.
    #[test]
    fn the_search_may_be_tuned_for_the_net() {
        let player = |base: &str, list: &str| {
            let file = format!("[parameters]\nsource = \"search\"\nbase = \"{base}\"\nlist = [{list}]\n");
            let file = (std::path::Path::new("my.toml"), &*file);
            let config = Config::read(None, Some(file), &[]).map_err(|error| error.to_string())?;
            let tunables = Tunables::new(&config.parameters, &[]).map_err(|error| error.to_string())?;
            let player = player_of(tunables.candidate(tunables.space().start()), &config.engine);
            Ok::<_, String>(player.chosen("eval").cloned())
        };
        assert_eq!(player(NET, "").unwrap(), Some(NET.into()));
        let vector = Vector::named("fitted").unwrap();
        assert_eq!(
            player("fitted", "").unwrap(),
            Some(vector.values().as_slice().into())
        );
        let list = "{ name = \"queen\", min = 0, max = 2000, drives = [\"QueenValueOpening\"] }";
        let error = player(NET, list).unwrap_err();
        assert!(
            error.contains("'queen' drives the hand-crafted evaluation"),
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
