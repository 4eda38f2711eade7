//! `cargo xtask bench perft`: everybody built for this very processor, as users of speed build them.

use std::process::ExitCode;

use anyhow::{Context, Result};

use super::build_peers;
use crate::cargo::command;
use crate::programs::search_path;

pub(super) fn run(arguments: &[String]) -> Result<ExitCode> {
    let program = build_peers("native", has_pext())?;
    let status = command(&program)
        .args(arguments)
        .env("PATH", search_path())
        .status()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Whether the processor has the PEXT instruction, which two of the libraries can use.
fn has_pext() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
