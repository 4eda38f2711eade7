//! Chess rules, boards and text.
