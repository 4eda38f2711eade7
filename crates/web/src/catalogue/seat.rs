//! A seat that was checked: who is to sit there, and what they may use for a move.

use std::fmt::Write as _;
use std::time::Duration;

use vidmar_eval::Vector;
use vidmar_players::{EngineCommand, MoveLimits, PlayerSpec, Protocol};

use super::Seat;
use super::kinds::{self, KINDS, Kind};
use super::option::{OptionSetting, SeatOption};
use crate::config::Config;
use crate::error::{ApiError, ApiResult};

/// The longest name of a player.
const LONGEST_NAME: usize = 80;

/// A seat that fits the catalogue.
#[derive(Clone, Debug)]
pub(crate) struct Chair {
    /// As it was asked for.
    pub(crate) seat: Seat,
    /// What the player is called.
    pub(crate) name: String,
    /// What it may use for a move.
    pub(crate) move_limits: MoveLimits,
    /// Lines of its explanations.
    pub(crate) lines: usize,
    /// The parameters of its evaluation, if that is ours and full.
    pub(crate) vector: Option<&'static str>,
    /// How it is made; none is a person.
    spec: Option<SpecText>,
}

/// A player by text, or an engine by its command.
#[derive(Clone, Debug)]
enum SpecText {
    BuiltIn(String),
    External(Box<EngineCommand>),
    /// Whoever sat here is not offered any more.
    Absent,
}

impl Chair {
    /// Checks a seat against the catalogue. Nothing is read or started yet.
    pub(crate) fn new(seat: &Seat, config: &Config) -> ApiResult<Chair> {
        let kind = kind(seat, config)?;
        let rows = (kind.options)(config);
        for (name, value) in &seat.options {
            row(&rows, name)?.check(value)?;
        }
        let picked = Picked { seat, rows: &rows };
        let move_limits = MoveLimits {
            depth: picked.number(kinds::DEPTH).map(|plies| plies as u32),
            nodes: picked.number(kinds::NODES),
            move_time: picked.number(kinds::MOVE_TIME).map(Duration::from_millis),
        };
        let spec = spec(kind, &picked, config)?;
        Ok(Chair {
            name: name(seat, kind, &picked)?,
            move_limits,
            lines: picked.number(kinds::LINES).unwrap_or(1) as usize,
            vector: vector(kind, &picked),
            spec,
            seat: seat.clone(),
        })
    }

    /// The chair of somebody who is not offered any more: its game can be looked at.
    pub(crate) fn empty(seat: &Seat) -> Chair {
        Chair {
            name: seat.name.clone().unwrap_or_else(|| seat.kind.clone()),
            move_limits: MoveLimits::default(),
            lines: 1,
            vector: None,
            spec: Some(SpecText::Absent),
            seat: seat.clone(),
        }
    }

    /// Whether somebody at the page sits here.
    pub(crate) fn is_person(&self) -> bool {
        self.spec.is_none()
    }

    /// Whether its scores are in pawns: a fitness, or the nought of somebody who does not judge, is no score to be shown.
    pub(crate) fn scores_pawns(&self) -> bool {
        matches!(self.seat.kind.as_str(), "engine" | "search" | kinds::UCI)
    }

    /// How its player is made, with so many lines in its explanations. Case bases are read here: not for threads that
    /// answer requests.
    pub(crate) fn spec(&self, lines: usize) -> ApiResult<Option<PlayerSpec>> {
        let Some(spec) = &self.spec else {
            return Ok(None);
        };
        let spec = match spec {
            SpecText::BuiltIn(text) => {
                let mut text = text.clone();
                if lines > 1 && self.seat.kind == "engine" {
                    // Writing to a text cannot fail.
                    let _ = write!(text, ",option.MultiPV={lines}");
                }
                text.parse::<PlayerSpec>().map_err(|error| {
                    ApiError::bad_request("bad-option", self.without_paths(&error.to_string()))
                })?
            }
            SpecText::Absent => {
                let message = "the server was started without this player";
                return Err(ApiError::bad_request("not-offered", message));
            }
            SpecText::External(command) => {
                let mut command = EngineCommand::clone(command);
                command.ignores_unknown_options = true;
                if lines > 1 {
                    command = command.option("MultiPV", lines.to_string());
                }
                PlayerSpec::external(Protocol::Uci, command, None)
            }
        };
        Ok(Some(spec.named(self.name.as_str())))
    }

    /// Errors about a case base name its file, which is nobody's affair.
    fn without_paths(&self, message: &str) -> String {
        match &self.spec {
            Some(SpecText::BuiltIn(_)) if self.seat.kind == kinds::CASES && message.starts_with("cases") => {
                "cases: this case base cannot be read; the server's log says why".to_owned()
            }
            _ => message.to_owned(),
        }
    }
}

fn kind(seat: &Seat, config: &Config) -> ApiResult<&'static Kind> {
    let kind = KINDS.iter().find(|kind| kind.word == seat.kind).ok_or_else(|| {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.word).collect();
        let message = format!("there is no such kind of player (known: {})", known.join(", "));
        ApiError::bad_request("bad-kind", message).field("kind")
    })?;
    match (kind.missing)(config) {
        None => Ok(kind),
        Some(missing) => {
            let message = format!("{}: the server was started without {missing}", kind.label);
            Err(ApiError::bad_request("not-offered", message).field("kind"))
        }
    }
}

fn row<'r>(rows: &'r [SeatOption], name: &str) -> ApiResult<&'r SeatOption> {
    rows.iter().find(|row| row.name == name).ok_or_else(|| {
        let known: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        let message = format!("there is no such option (known: {})", known.join(", "));
        ApiError::bad_request("bad-option", message).field("options")
    })
}

/// What was chosen, all of it checked.
struct Picked<'s> {
    seat: &'s Seat,
    rows: &'s [SeatOption],
}

impl Picked<'_> {
    fn chosen(&self, name: &str) -> Option<&OptionSetting> {
        self.seat.options.get(name)
    }

    fn number(&self, name: &str) -> Option<u64> {
        match self.chosen(name) {
            Some(OptionSetting::Integer(number)) => Some(number.unsigned_abs()),
            _ => None,
        }
    }

    /// A word: the chosen one, or the default.
    fn word(&self, name: &str) -> Option<&str> {
        let row = self.rows.iter().find(|row| row.name == name);
        match self.chosen(name).or(row.and_then(|row| row.default.as_ref())) {
            Some(OptionSetting::Text(word)) => Some(word),
            _ => None,
        }
    }
}

/// Options that are not settings of the player but of its game here.
const OURS: &[&str] = &[kinds::DEPTH, kinds::NODES, kinds::MOVE_TIME, kinds::LINES];

fn spec(kind: &Kind, picked: &Picked<'_>, config: &Config) -> ApiResult<Option<SpecText>> {
    let chosen = |name: &str| picked.word(name).unwrap_or_default().to_owned();
    match kind.word {
        kinds::PERSON => Ok(None),
        kinds::UCI => {
            let name = chosen(kinds::ENGINE);
            let engine = config.engines.iter().find(|engine| engine.name == name);
            let engine = engine.ok_or_else(|| not_offered(kinds::ENGINE))?;
            Ok(Some(SpecText::External(Box::new(engine.command.clone()))))
        }
        word => {
            let mut settings = Vec::new();
            if word == kinds::CASES {
                let name = chosen(kinds::CASE_BASE);
                let cases = config.cases.iter().find(|cases| cases.name == name);
                let cases = cases.ok_or_else(|| not_offered(kinds::CASE_BASE))?;
                settings.push(format!("cases={}", escaped(&cases.path.to_string_lossy())));
            }
            let others = picked
                .seat
                .options
                .iter()
                .filter(|(name, _)| !OURS.contains(&name.as_str()) && name.as_str() != kinds::CASE_BASE);
            settings.extend(others.map(|(name, value)| format!("{name}={value}")));
            Ok(Some(SpecText::BuiltIn(format!("{word}:{}", settings.join(",")))))
        }
    }
}

fn not_offered(name: &str) -> ApiError {
    ApiError::bad_request("bad-option", "there is none of that name").field(format!("options.{name}"))
}

/// A value in which no comma parts anything.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace(',', "\\,")
}

fn name(seat: &Seat, kind: &Kind, picked: &Picked<'_>) -> ApiResult<String> {
    if let Some(name) = seat
        .name
        .as_deref()
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            let message =
                format!("expected at most {LONGEST_NAME} characters, none of them control characters");
            return Err(ApiError::bad_request("bad-name", message).field("name"));
        }
        return Ok(name.to_owned());
    }
    let said = |name: &str| picked.word(name).unwrap_or_default();
    Ok(match kind.word {
        kinds::UCI => said(kinds::ENGINE).to_owned(),
        kinds::CASES => format!("Cases of {}", said(kinds::CASE_BASE)),
        "engine" => picked
            .number("elo")
            .map_or_else(|| "Vidmar".to_owned(), |elo| format!("Vidmar ({elo})")),
        "search" => format!("{} on {}", said("algorithm"), said("board")),
        _ => kind.label.to_owned(),
    })
}

fn vector(kind: &Kind, picked: &Picked<'_>) -> Option<&'static str> {
    let name = match kind.word {
        "engine" => picked.word("eval")?,
        "search" if picked.word("eval") == Some("full") => picked.word("vector")?,
        _ => return None,
    };
    let known = vidmar_eval::VECTORS.iter().find(|vector| vector.name == name);
    known.map(|vector| vector.name)
}

impl Chair {
    /// The parameters of its evaluation.
    pub(crate) fn evaluation(&self) -> Option<Vector> {
        self.vector.and_then(|name| Vector::named(name).ok())
    }
}
