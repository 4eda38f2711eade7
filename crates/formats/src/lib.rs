//! Chess files.
