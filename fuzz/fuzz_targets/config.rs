//! Any text as the configuration of a tuning run, and as a setting: an error or a configuration, never a panic; one survives being
//! written and read.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use vidmar_tune::config::Config;

fuzz_target!(|text: &str| {
    let file = |text: &str| Config::read(None, Some((Path::new("/x/config.toml"), text)), &[]);
    if let Ok(config) = file(text) {
        let written = config.to_toml();
        assert_eq!(file(&written).expect("our own file").to_toml(), written);
    }
    let sets: Vec<String> = text.lines().map(str::to_owned).collect();
    let _ = Config::read(None, None, &sets);
});
