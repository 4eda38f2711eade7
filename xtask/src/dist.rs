//! `cargo xtask dist`: the binary that is passed on, and its bill of materials.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::cargo::{cargo, target_dir};
use crate::programs::run_shown;
use crate::{pgo, sbom, web};

/// Build the page and the binary of the profile `dist`, and list what it is made of (`CycloneDX`) beside it
#[derive(Args)]
pub(crate) struct Dist {
    /// Build nothing: only the list, for a binary that is there
    #[arg(long)]
    only_list: bool,
}

impl Dist {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if !self.only_list {
            web::install()?;
            web::build()?;
            run_shown(cargo(&[
                "build",
                "--locked",
                "--profile",
                "dist",
                "--package",
                "vidmar",
            ]))?;
        }
        let name = format!("vidmar{}", std::env::consts::EXE_SUFFIX);
        let binary = target_dir("dist").join(name);
        let bill = sbom::write_beside(&binary, &pgo::host()?)?;
        println!("{}\n{}", binary.display(), bill.display());
        Ok(ExitCode::SUCCESS)
    }
}
