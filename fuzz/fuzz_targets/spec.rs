//! Any text as a player: an error or a specification, never a panic; one survives being written and read, as text and as JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_players::PlayerSpec;

fuzz_target!(|text: &str| {
    if let Ok(spec) = text.parse::<PlayerSpec>() {
        let written = spec.to_string();
        let again: PlayerSpec = written.parse().expect("our own specification");
        assert_eq!(again.to_string(), written);
        let json = serde_json::to_string(&spec).expect("a specification is JSON");
        let again: PlayerSpec = serde_json::from_str(&json).expect("our own JSON");
        assert_eq!(again.to_string(), written);
    }
    let _ = serde_json::from_str::<PlayerSpec>(text);
});
