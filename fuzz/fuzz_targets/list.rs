//! Any text as a list of parameters of another tuner: an error or a list, never a panic; a parameter has a name and numbers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_tune::parameter_list::ParameterList;

fuzz_target!(|text: &str| {
    let Ok(list) = text.parse::<ParameterList>() else {
        return;
    };
    assert!(!list.parameters.is_empty());
    let _ = list.gains();
    for parameter in &list.parameters {
        let numbers = [parameter.start, parameter.min, parameter.max, parameter.c_end, parameter.r_end];
        assert!(numbers.into_iter().flatten().all(f64::is_finite), "{parameter:?}");
    }
});
