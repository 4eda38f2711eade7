//! What a run was told, to be read: of a tuning run its method and objective, of a match its limits, openings and players.
//!
//! Folders and commands are left out: whoever watches a run need not know where it lies.

use serde::Serialize;
use ts_rs::TS;
use vidmar_arena::MatchConfig;
use vidmar_store::{Player, StoreError};
use vidmar_tune::config::Config;

use super::contest::Contest;

/// A setting of a run, to be read.
#[derive(Debug, Serialize, TS)]
#[cfg_attr(test, derive(PartialEq))]
pub(crate) struct RunSetting {
    name: String,
    value: String,
}

impl RunSetting {
    fn new(name: impl Into<String>, value: impl Into<String>) -> RunSetting {
        RunSetting {
            name: name.into(),
            value: value.into(),
        }
    }
}

/// Of a tuning run.
pub(super) fn of_tuning(config: &Config) -> Vec<RunSetting> {
    let limit = |value: u64| (value > 0).then(|| value.to_string());
    let word = |value: &dyn std::fmt::Debug| {
        let mut text = String::new();
        for letter in format!("{value:?}").chars() {
            if letter.is_uppercase() && !text.is_empty() {
                text.push('-');
            }
            text.extend(letter.to_lowercase());
        }
        text
    };
    let of_objective = config.objective.shown();
    let of_objective = of_objective
        .into_iter()
        .map(|(setting, value)| (setting.key, Some(value)));
    let first = [
        ("method", Some(config.method().name().to_owned())),
        ("objective", Some(config.objective.kind().name().to_owned())),
    ];
    let others = [
        ("parameters", Some(word(&config.parameters.source))),
        ("depth", limit(u64::from(config.engine.depth))),
        ("nodes", limit(config.engine.nodes)),
        ("openings", Some(word(&config.openings.source))),
        ("pairs of the validation", limit(config.verify.pairs)),
        ("seed", Some(config.seed.to_string())),
    ];
    let all = first.into_iter().chain(of_objective).chain(others);
    all.filter_map(|(name, value)| Some(RunSetting::new(name, value?)))
        .collect()
}

/// Of a match. One that was brought in from a PGN file, or that an older program wrote, was told nothing.
pub(super) fn of_match(contest: &Contest) -> Result<Vec<RunSetting>, StoreError> {
    let (config, players) = contest.read(|store, run| Ok((store.run(run)?.config, store.players(run)?)))?;
    Ok(serde_json::from_str(&config).map_or_else(|_| Vec::new(), |config| described(&config, &players)))
}

/// Arguments that say how a match is played and hold no folder and no command, as they are shown.
const SHOWN: [(&str, &str); 10] = [
    ("-tournament", "tournament"),
    ("-variant", "variant"),
    ("-games", "games of an encounter"),
    ("-repeat", "games with an opening"),
    ("-noswap", "colours"),
    ("-draw", "draw adjudication"),
    ("-resign", "resign adjudication"),
    ("-maxmoves", "maximum number of moves"),
    ("-srand", "seed"),
    ("-seed", "seed"),
];

fn described(config: &MatchConfig, players: &[Player]) -> Vec<RunSetting> {
    let mut all = Vec::new();
    let mut limits = config.controls.clone();
    limits.dedup();
    match limits.as_slice() {
        // Players whose own settings are their limits.
        [] => {}
        [limit] if limit.is_empty() => {}
        [limit] => all.push(RunSetting::new("limit", limit)),
        _ => {
            for (player, limit) in players.iter().zip(&config.controls) {
                all.push(RunSetting::new(format!("limit of {}", player.name), limit));
            }
        }
    }
    if !config.arguments.is_empty() {
        all.push(RunSetting::new("openings", openings(&config.arguments)));
    }
    if let Some(test) = &config.counting.sprt {
        let bounds = format!("elo0 {}, elo1 {} ({})", test.elo0, test.elo1, test.model);
        all.push(RunSetting::new("sequential test", bounds));
    }
    for (argument, name) in SHOWN {
        if let Some(words) = words_after(&config.arguments, argument) {
            let value = if words.is_empty() {
                "always the same"
            } else {
                &words.join(" ")
            };
            all.push(RunSetting::new(name, value));
        }
    }
    for player in players {
        if !player.description.is_empty() {
            all.push(RunSetting::new(
                &player.name,
                without_folders(&player.description),
            ));
        }
    }
    all
}

/// Where the games begin, as its arguments say it.
fn openings(arguments: &[String]) -> String {
    let words = words_after(arguments, "-openings").unwrap_or_default();
    let file = words.iter().find_map(|word| word.strip_prefix("file="));
    file.map_or_else(|| "built-in".to_owned(), |file| last_part(file).to_owned())
}

/// The words between an argument and the next one.
fn words_after<'a>(arguments: &'a [String], name: &str) -> Option<&'a [String]> {
    let start = arguments.iter().position(|word| word == name)? + 1;
    let rest = &arguments[start..];
    let is_argument = |word: &String| word.starts_with('-') && word.parse::<f64>().is_err();
    let end = rest.iter().position(is_argument).unwrap_or(rest.len());
    Some(&rest[..end])
}

/// A player's kind and settings; of a file its name, of a program the options that it was given. This reads the text alone: a
/// specification is checked with the files that it names, and those may be gone.
fn without_folders(spec: &str) -> String {
    let (kind, settings) = spec.split_once(':').unwrap_or((spec, ""));
    let is_program = matches!(kind, "uci" | "xboard");
    let shown: Vec<String> = settings
        .split(',')
        .filter_map(|setting| setting.split_once('='))
        .filter(|(key, _)| *key != "name" && (!is_program || key.starts_with("option.")))
        .map(|(key, value)| format!("{key} {}", last_part(value)))
        .collect();
    if shown.is_empty() {
        kind.to_owned()
    } else {
        format!("{kind}: {}", shown.join(", "))
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(arguments: &str, controls: &[&str], specs: &[&str]) -> Vec<(String, String)> {
        let config = MatchConfig {
            arguments: arguments.split_whitespace().map(str::to_owned).collect(),
            controls: controls.iter().map(|&text| text.to_owned()).collect(),
            ..MatchConfig::default()
        };
        let player = |(index, &spec): (usize, &&str)| Player {
            description: spec.to_owned(),
            ..Player::new(index as u32, ["Anna", "Boris"][index])
        };
        let players: Vec<Player> = specs.iter().enumerate().map(player).collect();
        let all = described(&config, &players).into_iter();
        all.map(|setting| (setting.name, setting.value)).collect()
    }

    fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        all.iter().map(own).collect()
    }

    #[test]
    fn a_match_tells_how_it_is_played() {
        let arguments = "-engine player=engine:eval=/home/me/best.txt name=Anna -engine cmd=/opt/secret name=Boris \
            -openings file=/home/me/books/8moves.pgn order=random -draw movenumber=40 movecount=8 score=10 \
            -resign movecount=3 score=600 -noswap -srand 7 -pgnout file=/home/me/games.pgn";
        let specs = [
            "engine:eval=/home/me/best.txt,hash=16,name=Anna",
            "uci:cmd=/opt/secret,option.Hash=8",
        ];
        assert_eq!(
            told(arguments, &["10+0.1", "10+0.1"], &specs),
            pairs(&[
                ("limit", "10+0.1"),
                ("openings", "8moves.pgn"),
                ("colours", "always the same"),
                ("draw adjudication", "movenumber=40 movecount=8 score=10"),
                ("resign adjudication", "movecount=3 score=600"),
                ("seed", "7"),
                ("Anna", "engine: eval best.txt, hash 16"),
                ("Boris", "uci: option.Hash 8"),
            ])
        );
        assert_eq!(
            told(
                "-engine player=random",
                &["500 nodes", "40/60"],
                &["random", "random"]
            )[..3],
            pairs(&[
                ("limit of Anna", "500 nodes"),
                ("limit of Boris", "40/60"),
                ("openings", "built-in")
            ])
        );
    }
}
