//! Seeds in a configuration. TOML's numbers end at 2^63 and seeds do not: those beyond are written as texts.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Number(i64),
    Text(String),
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(super) fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    let written = i64::try_from(*seed).map_or_else(|_| Written::Text(seed.to_string()), Written::Number);
    written.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let read = match Written::deserialize(deserializer) {
        Ok(Written::Number(number)) => u64::try_from(number).ok(),
        Ok(Written::Text(text)) => text.parse().ok(),
        Err(_) => None,
    };
    read.ok_or_else(|| D::Error::custom(format!("a seed is a whole number from 0 to {}", u64::MAX)))
}
