//! Stores from outside, in one program that is linked once.

mod files;
mod pages;
mod survival;
