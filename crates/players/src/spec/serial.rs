//! A specification as data: `{"type": "engine", "settings": {"depth": 6}}`.
//!
//! What is read is held against the table as a text would be; files are not looked at before the player is made.

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};
use vidmar_engine::settings::Value;

use super::PlayerSpec;

impl Serialize for PlayerSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("PlayerSpec", 2)?;
        fields.serialize_field("type", self.player.key)?;
        fields.serialize_field("settings", &Choices(&self.settings))?;
        fields.end()
    }
}

/// Choices as a map, in their order.
struct Choices<'a>(&'a [(String, Value)]);

impl Serialize for Choices<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    r#type: String,
    #[serde(default)]
    settings: OwnedChoices,
}

#[derive(Default)]
struct OwnedChoices(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for OwnedChoices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OwnedChoices, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = OwnedChoices;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("settings by key")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OwnedChoices, A::Error> {
                let mut choices = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    choices.push(entry);
                }
                Ok(OwnedChoices(choices))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

impl<'de> Deserialize<'de> for PlayerSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlayerSpec, D::Error> {
        let fields = Fields::deserialize(deserializer)?;
        let spec = PlayerSpec::of(&fields.r#type).map_err(D::Error::custom)?;
        let with = |spec: PlayerSpec, (key, value): (String, Value)| spec.with(&key, value);
        let mut choices = fields.settings.0.into_iter();
        choices.try_fold(spec, with).map_err(D::Error::custom)
    }
}
