//! The optimisers from outside, in one program that is linked once.

mod conformance;
mod dynamic_bounds;
mod evolution;
mod exact_history;
mod initial;
mod landscapes;
mod late_answers;
mod rated;
mod space;
mod support;
mod tuning_algorithm;
