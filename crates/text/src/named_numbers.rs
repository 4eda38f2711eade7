//! A table of numbers with names, defaults and intervals, and the struct that has a value for each.

/// A row of a [`named_numbers!`](crate::named_numbers) table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct NumberRow {
    /// The name, unique in the table.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// The value that holds unless another is set.
    pub default: i32,
    /// The smallest value that makes sense.
    pub min: i32,
    /// The largest value that makes sense.
    pub max: i32,
}

/// Declares a struct of numbers, one row each: what it is for, name, default, interval.
///
/// ```
/// vidmar_text::named_numbers! {
///     /// How tea is made.
///     #[derive(Copy, Clone)]
///     pub struct Tea;
///     /// Minutes that it draws.
///     minutes = 3 in 1..=9;
///     /// Spoons of sugar.
///     sugar = 0 in 0..=4;
/// }
/// let mut tea = Tea::default();
/// assert_eq!((tea.minutes, tea.get("sugar")), (3, Some(0)));
/// assert!(tea.set("sugar", 7) && !tea.set("milk", 1));
/// assert_eq!(tea.sugar, 4, "clamped to its interval");
/// assert_eq!(Tea::TABLE[0].about, "Minutes that it draws.");
/// ```
#[macro_export]
macro_rules! named_numbers {
    (
        $(#[$meta:meta])* $visibility:vis struct $struct:ident;
        $($(#[doc = $about:literal])+ $name:ident = $default:literal in $min:literal..=$max:literal;)*
    ) => {
        $(#[$meta])*
        #[derive(Debug, PartialEq, Eq)]
        $visibility struct $struct {
            $($(#[doc = $about])+ pub $name: i32,)*
        }

        impl Default for $struct {
            fn default() -> $struct {
                $struct { $($name: $default),* }
            }
        }

        impl $struct {
            /// All rows.
            $visibility const TABLE: &'static [$crate::NumberRow] = &[$($crate::NumberRow {
                name: stringify!($name),
                about: concat!($($about),+).trim_ascii(),
                default: $default,
                min: $min,
                max: $max,
            }),*];

            /// The value of a row.
            $visibility fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// Sets a row, clamped to its interval; false if there is none of that name.
            $visibility fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value.clamp($min, $max),)*
                    _ => return false,
                }
                true
            }
        }
    };
}
