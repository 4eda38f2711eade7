//! A seat that was checked: who is to sit there, and how that player is made.

use vidmar_engine::settings::{SettingError, Unset, Value};
use vidmar_players::{MoveLimits, PlayerSpec, PlayerType};

use super::offer::{Offer, missing, offers};
use super::{PERSON, Seat, policy};
use crate::config::Config;
use crate::error::{ApiError, ApiResult};

/// The longest name of a player.
const LONGEST_NAME: usize = 80;
/// The lines of an explanation, where a player can be told how many.
const MULTIPV: &str = "multipv";

/// A seat that fits the catalogue.
#[derive(Clone, Debug)]
pub(crate) struct CheckedSeat {
    /// As it was asked for.
    pub(crate) seat: Seat,
    /// What the player is called.
    pub(crate) name: String,
    player: SeatPlayer,
}

/// Who sits there.
#[derive(Clone, Debug)]
enum SeatPlayer {
    /// Somebody at the page.
    Person,
    /// A player of the program.
    Program(PlayerSpec),
    /// Whoever sat here is not offered any more.
    Absent,
}

impl CheckedSeat {
    /// Checks a seat against the catalogue. Nothing is read or started yet.
    pub(crate) fn new(seat: &Seat, config: &Config) -> ApiResult<CheckedSeat> {
        let name = given_name(seat)?;
        if seat.kind == PERSON {
            if let Some(option) = seat.options.keys().next() {
                return Err(unknown_option(option, &[]));
            }
            return Ok(CheckedSeat {
                seat: seat.clone(),
                name: name.unwrap_or("Person").to_owned(),
                player: SeatPlayer::Person,
            });
        }
        let player = offered_type(seat, config)?;
        let offers = offers(player, config);
        for (option, value) in &seat.options {
            let offer = offers.iter().find(|offer| offer.name == *option);
            offer
                .ok_or_else(|| unknown_option(option, &offers))?
                .check(value)?;
        }
        let spec = spec(player, seat, &offers, config)?;
        let title = || player.titled(|key| shown(key, seat, &offers, &spec));
        let name = name.map_or_else(title, str::to_owned);
        Ok(CheckedSeat {
            seat: seat.clone(),
            player: SeatPlayer::Program(spec.named(name.as_str())),
            name,
        })
    }

    /// The seat of somebody who is not offered any more: its game can be looked at.
    pub(crate) fn empty(seat: &Seat) -> CheckedSeat {
        CheckedSeat {
            name: seat.name.clone().unwrap_or_else(|| seat.kind.clone()),
            player: SeatPlayer::Absent,
            seat: seat.clone(),
        }
    }

    /// Whether somebody at the page sits here.
    pub(crate) fn is_person(&self) -> bool {
        matches!(self.player, SeatPlayer::Person)
    }

    fn chosen(&self) -> Option<&PlayerSpec> {
        match &self.player {
            SeatPlayer::Program(spec) => Some(spec),
            SeatPlayer::Person | SeatPlayer::Absent => None,
        }
    }

    /// What it may use for a move.
    pub(crate) fn move_limits(&self) -> MoveLimits {
        self.chosen().map(PlayerSpec::move_limits).unwrap_or_default()
    }

    /// What its player takes of the machine's memory, in MiB.
    pub(crate) fn memory_mib(&self) -> u64 {
        self.chosen().map_or(0, policy::memory_mib)
    }

    /// Lines of its explanations.
    pub(crate) fn lines(&self) -> usize {
        let lines = self.chosen().and_then(|spec| spec.value(MULTIPV)?.as_integer());
        lines.unwrap_or(1).unsigned_abs() as usize
    }

    /// How its player is made, with so many lines in its explanations; none is a person. What the choices need is read here,
    /// such as case bases: not for threads that answer requests.
    pub(crate) fn spec(&self, lines: usize) -> ApiResult<Option<PlayerSpec>> {
        let spec = match &self.player {
            SeatPlayer::Person => return Ok(None),
            SeatPlayer::Absent => {
                let message = "the server was started without this player";
                return Err(ApiError::bad_request("not-offered", message));
            }
            SeatPlayer::Program(spec) => spec.clone(),
        };
        let spec = match spec.player_type().setting(MULTIPV) {
            Some(_) if lines != self.lines() => spec
                .with(MULTIPV, lines as i64)
                .map_err(|error| ApiError::bad_request("bad-option", error.to_string()))?,
            _ => spec,
        };
        spec.check().map_err(|error| {
            // Errors about a file name it, which is nobody's affair.
            let message = match spec.player_type().required().next() {
                Some((row, _)) if error.to_string().starts_with(&format!("{}: ", row.key)) => {
                    format!("{}: this file cannot be read; the server's log says why", row.key)
                }
                _ => error.to_string(),
            };
            ApiError::bad_request("bad-option", message)
        })?;
        Ok(Some(spec))
    }
}

fn offered_type(seat: &Seat, config: &Config) -> ApiResult<&'static PlayerType> {
    let player = PlayerType::find(&seat.kind)
        .map_err(|error| ApiError::bad_request("bad-kind", error.to_string()).field("kind"))?;
    match missing(player, config) {
        None => Ok(player),
        Some(missing) => {
            let message = format!("{}: the server was started without {missing}", player.label);
            Err(ApiError::bad_request("not-offered", message).field("kind"))
        }
    }
}

fn unknown_option(name: &str, offers: &[Offer]) -> ApiError {
    let known: Vec<&str> = offers.iter().map(|offer| offer.name.as_str()).collect();
    let error = SettingError::unknown(name, known.iter().copied());
    ApiError::bad_request("bad-option", format!("{error} (known: {})", known.join(", "))).field("options")
}

/// The player of a seat whose options were all checked. Names of files and engines are those of the server's.
fn spec(
    player: &'static PlayerType,
    seat: &Seat,
    offers: &[Offer],
    config: &Config,
) -> ApiResult<PlayerSpec> {
    let mut spec = PlayerSpec::new(player);
    for offer in offers {
        let is_required = matches!(offer.setting.unset, Unset::Required(_));
        let first = offer.first_name().filter(|_| is_required).map(Value::from);
        let Some(value) = seat.options.get(&offer.name).cloned().or(first) else {
            continue;
        };
        let refused = |message: String| {
            ApiError::bad_request("bad-option", message).field(format!("options.{}", offer.name))
        };
        let named = value
            .as_text()
            .and_then(|name| config.named(player, &offer.setting.key, name));
        spec = match named {
            Some(named) => spec.merged(named),
            None => spec
                .with(&offer.setting.key, value)
                .map_err(|error| refused(error.to_string()))?,
        };
    }
    Ok(spec)
}

fn given_name(seat: &Seat) -> ApiResult<Option<&str>> {
    let name = seat
        .name
        .as_deref()
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let is_bad = |name: &str| name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control);
    if name.is_some_and(is_bad) {
        let message = format!("expected at most {LONGEST_NAME} characters, none of them control characters");
        return Err(ApiError::bad_request("bad-name", message).field("name"));
    }
    Ok(name)
}

/// A value as a title shows it: files and engines by their names here.
fn shown(key: &str, seat: &Seat, offers: &[Offer], spec: &PlayerSpec) -> Option<String> {
    let offer = offers.iter().find(|offer| offer.setting.key == key)?;
    let named = offer
        .first_name()
        .filter(|_| matches!(offer.setting.unset, Unset::Required(_)));
    match (seat.options.get(&offer.name), named) {
        (Some(chosen), _) => Some(chosen.to_string()),
        (None, Some(name)) => Some(name.to_owned()),
        (None, None) => spec.value(key).map(|value| value.to_string()),
    }
}
