//! Landscapes.
