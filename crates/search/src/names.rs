//! Things chosen by name: one row gives the variant, the name and one line of help.
//!
//! Command lines, menus, documentation and tests read these tables, so a new row appears everywhere.

use vidmar_text::Excerpt;

/// Declares an enum whose values have names: `Variant, "name", "help";` a row.
macro_rules! named {
    ($(#[$doc:meta])* $enum:ident, $what:literal; $($variant:ident, $name:literal, $help:literal;)*) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $enum { $(#[doc = $help] $variant),* }

        impl $enum {
            /// Every value, in the order of the table.
            pub const ALL: &[$enum] = &[$($enum::$variant),*];
            /// The names in the same order.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The name by which users choose it.
            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name),* }
            }

            /// One line about it.
            pub const fn help(self) -> &'static str {
                match self { $($enum::$variant => $help),* }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $enum {
            type Err = $crate::names::UnknownName;

            fn from_str(text: &str) -> Result<$enum, $crate::names::UnknownName> {
                $enum::ALL.iter().copied().find(|value| value.name() == text).ok_or_else(|| {
                    $crate::names::UnknownName::new($what, text, $enum::NAMES)
                })
            }
        }
    };
}
pub(crate) use named;

/// A table has no row of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} '{name}' (known: {known})", known = known.join(", "))]
pub struct UnknownName {
    what: &'static str,
    name: Excerpt,
    known: &'static [&'static str],
}

impl UnknownName {
    pub(crate) fn new(what: &'static str, name: &str, known: &'static [&'static str]) -> UnknownName {
        UnknownName {
            what,
            name: name.into(),
            known,
        }
    }
}
