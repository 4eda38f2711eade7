//! search
pub mod flagship;
mod value;
pub use value::*;
