//! Ratings and rank tests against published tables, in one program that is linked once.

mod published_lists;
mod rank_tests_published;
mod ratings;
