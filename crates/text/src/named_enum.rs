//! Things chosen by name: one row gives the variant, the name and one line of help.
//!
//! Command lines, UCI options, menus, documentation and tests read these tables, so a new row appears everywhere. (The
//! derives of `strum` were considered: they need three of them and attributes on every variant for the same, know no
//! line of help that is always there, and their error does not say what was expected.)

use std::str::FromStr;

use crate::{Excerpt, nearest};

/// Declares an enum whose values have names: `Variant, "name", "help";` a row. Attributes before `pub enum` and before
/// a row are kept, so that more can be derived.
///
/// ```
/// vidmar_text::named_enum! {
///     /// Where the milk goes.
///     #[derive(Default)]
///     pub enum Tea: "way to make tea";
///     #[default]
///     MilkFirst, "milk-first", "milk, then tea";
///     TeaFirst, "tea-first", "tea, then milk";
/// }
/// assert_eq!("tea-first".parse(), Ok(Tea::TeaFirst));
/// assert_eq!(Tea::default().help(), "milk, then tea");
/// assert_eq!(Tea::NAMES, ["milk-first", "tea-first"]);
/// assert_eq!(
///     "tae-first".parse::<Tea>().unwrap_err().to_string(),
///     "unknown way to make tea 'tae-first' (did you mean 'tea-first'? known: milk-first, tea-first)"
/// );
/// ```
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$meta:meta])* $visibility:vis enum $enum:ident: $what:literal;
        $($(#[$row:meta])* $variant:ident, $name:literal, $help:literal;)*
    ) => {
        $(#[$meta])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        $visibility enum $enum { $(#[doc = $help] $(#[$row])* $variant),* }

        #[allow(dead_code, reason = "not every table is used in every way")]
        impl $enum {
            /// Every value, in the order of the table.
            $visibility const ALL: &'static [$enum] = &[$($enum::$variant),*];
            /// The names in the same order.
            $visibility const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name by which users choose it.
            $visibility const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name),* }
            }

            /// One line about it.
            $visibility const fn help(self) -> &'static str {
                match self { $($enum::$variant => $help),* }
            }
        }

        impl $crate::Named for $enum {
            const ALL: &'static [$enum] = $enum::ALL;

            fn name(self) -> &'static str {
                self.name()
            }

            fn help(self) -> &'static str {
                self.help()
            }
        }

        impl ::std::fmt::Display for $enum {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $enum {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> Result<$enum, $crate::UnknownName> {
                let found = $enum::ALL.iter().copied().find(|value| value.name() == text);
                found.ok_or_else(|| $crate::UnknownName::new($what, text, $enum::NAMES))
            }
        }
    };
}

/// What every [`named_enum!`] has, for code that serves all of them.
pub trait Named: Copy + FromStr<Err = UnknownName> + 'static {
    /// Every value, in the order of the table.
    const ALL: &'static [Self];

    /// The name by which users choose it.
    fn name(self) -> &'static str;

    /// One line about it.
    fn help(self) -> &'static str;
}

/// Files and JSON hold a [`named_enum!`] by its name. (For crates that use `serde`.)
#[macro_export]
macro_rules! serde_by_name {
    ($enum:ty) => {
        impl ::serde::Serialize for $enum {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $enum {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<$enum, D::Error> {
                let name = <::std::borrow::Cow<'de, str> as ::serde::Deserialize>::deserialize(deserializer)?;
                name.parse().map_err(::serde::de::Error::custom)
            }
        }
    };
}

/// A table has no row of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} '{name}' ({hint}known: {known})", hint = self.hint(), known = known.join(", "))]
pub struct UnknownName {
    what: &'static str,
    name: Excerpt,
    nearest: Option<&'static str>,
    known: &'static [&'static str],
}

impl UnknownName {
    /// `name` is no `what`; those that are known.
    pub fn new(what: &'static str, name: &str, known: &'static [&'static str]) -> UnknownName {
        UnknownName {
            what,
            name: name.into(),
            nearest: nearest(name, known.iter().copied()),
            known,
        }
    }

    fn hint(&self) -> String {
        self.nearest
            .map_or_else(String::new, |near| format!("did you mean '{near}'? "))
    }
}
