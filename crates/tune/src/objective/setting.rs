//! A setting of an objective, declared once: key, type, default and help in one row.

/// What is known of a setting besides its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name in configurations.
    pub key: &'static str,
    /// What it says.
    pub help: &'static str,
    /// Whether it names files or directories.
    pub is_path: bool,
}

/// Makes a `Settings` structure with its defaults, and the rows `ROWS` that describe it. A row is
/// `[key]: type = default, "help";`, with `path` before it where it names files.
macro_rules! settings {
    ($($(#[$meta:meta])* $($path:ident)? [$key:ident]: $type:ty = $default:expr, $help:literal;)*) => {
        /// The settings of this objective.
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct Settings {
            $(#[doc = $help] $(#[$meta])* pub $key: $type,)*
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings { $($key: $default,)* }
            }
        }

        const ROWS: &[$crate::objective::Setting] = &[$($crate::objective::Setting {
            key: stringify!($key),
            help: $help,
            is_path: !stringify!($($path)?).is_empty(),
        },)*];
    };
}

pub(super) use settings;
