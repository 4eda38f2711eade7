//! The evaluations from outside, in one program: what is generic is compiled once for all of it.

mod full_evaluation;
mod meanings;
mod parameters;
mod positions;
