//! Any text as a file of parameters, and as an assignment: an error or values, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_eval::Vector;

fuzz_target!(|text: &str| {
    let mut vector = Vector::guess();
    if vector.read(text).is_ok() {
        let mut again = Vector::guess();
        again.read(&vector.to_string()).expect("our own file");
        assert_eq!(again.values(), vector.values());
    }
    let _ = vector.assign(text);
    let _ = Vector::named(text);
});
