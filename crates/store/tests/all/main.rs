//! Stores from outside, in one program that is linked once.

mod damage;
mod files;
mod pages;
mod survival;
mod versions;
