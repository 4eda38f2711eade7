//! Lists as their tuners write them.

use super::*;
use vidmar_optim::{Method, Space};

fn list(text: &str) -> ParameterList {
    text.parse().unwrap()
}

fn error(text: &str) -> String {
    text.parse::<ParameterList>().unwrap_err().to_string()
}

fn row(name: &str, start: f64, min: f64, max: f64) -> Listed {
    Listed {
        name: name.into(),
        start: Some(start),
        min: Some(min),
        max: Some(max),
        ..Listed::default()
    }
}

fn space_of(list: &ParameterList) -> Space {
    let parameters = list.over(Config::of_preset("narrow").unwrap()).parameters;
    Tunables::new(&parameters, &[]).unwrap().space().clone()
}

const OPEN_BENCH: &str =
    "NullDivisor, int, 217.4, 1, 4000, 50.0, 0.003\nLmrBase, float, 0.79, 0.0, 3.0, 0.05, 0.002\n";

#[test]
fn lines_of_fishtest_and_open_bench() {
    let gains = |c_end, r_end, row: Listed| Listed {
        c_end: Some(c_end),
        r_end: Some(r_end),
        ..row
    };
    assert_eq!(
        list("# search\n\nRazor,461,300,600,15,0.002\r\n").parameters,
        [gains(15.0, 0.002, row("Razor", 461.0, 300.0, 600.0))]
    );
    let float = Listed {
        real: true,
        ..row("LmrBase", 0.79, 0.0, 3.0)
    };
    assert_eq!(
        list(OPEN_BENCH).parameters,
        [
            gains(50.0, 0.003, row("NullDivisor", 217.0, 1.0, 4000.0)),
            gains(0.05, 0.002, float)
        ]
    );
}

#[test]
fn files_of_weather_factory_and_chess_tuning_tools() {
    let weather = r#"{ "Zeta": {"value": 100, "min_value": 50, "max_value": 150, "step": 10},
                       "Alpha": {"value": 3.4, "min_value": 0, "max_value": 8, "step": 0.5} }"#;
    let step = |step, row: Listed| Listed {
        c_end: Some(step),
        ..row
    };
    assert_eq!(
        list(weather).parameters,
        [
            step(10.0, row("Zeta", 100.0, 50.0, 150.0)),
            step(0.5, row("Alpha", 3.0, 0.0, 8.0))
        ]
    );
    let tools = r#"{"engines": [{"command": "lc0", "fixed_parameters": {"Threads": 2}}],
                    "parameter_ranges": {"CPuct": "Real(0.5, 3.0)", "Razor": "Integer(1, 30)", "Temp": "(0.0, 1.0)"}}"#;
    let range = |name: &str, min, max, real| Listed {
        start: None,
        real,
        ..row(name, 0.0, min, max)
    };
    assert_eq!(
        list(tools).parameters,
        [
            range("CPuct", 0.5, 3.0, true),
            range("Razor", 1.0, 30.0, false),
            range("Temp", 0.0, 1.0, true)
        ]
    );
}

/// What is written in a form that has everything reads back as the same space.
#[test]
fn what_is_written_is_read_again() {
    let space = space_of(&list(OPEN_BENCH));
    let start = space.start().to_vec();
    let written =
        |format, space: &Space, vector: &[f64]| written(format, &Tunables::of_options(space), vector);
    let again = |format| space_of(&written(format, &space, &start).parse().unwrap());
    assert_eq!(again(ListFormat::OpenBench), space);
    assert_eq!(
        written(ListFormat::Uci, &space, &[210.0, 0.8]),
        "setoption name NullDivisor value 210\nsetoption name LmrBase value 0.8\n"
    );
    assert_eq!(
        written(ListFormat::Fishtest, &space, &[210.0, 0.8]),
        "NullDivisor,210,1,4000,50,0.003\nLmrBase,0.8,0,3,0.05,0.002\n"
    );
    let whole = space_of(&list("Razor,461,300,600,15,0.002"));
    for format in [
        ListFormat::Fishtest,
        ListFormat::WeatherFactory,
        ListFormat::ChessTuningTools,
    ] {
        let text = written(format, &whole, whole.start());
        let read = list(&text).parameters;
        assert_eq!(read[0].name, "Razor", "{format}: {text}");
        assert_eq!((read[0].min, read[0].max), (Some(300.0), Some(600.0)), "{format}");
    }
}

/// A dimension may be in pawns, or drive several parameters: an engine knows only its own options.
#[test]
fn an_engine_is_told_its_own_options() {
    let parameters = Config::of_preset("dynamic-bounds").unwrap().parameters;
    let tunables = Tunables::new(&parameters, &[]).unwrap();
    let mut vector = tunables.space().start().to_vec();
    vector[1] = 9.126;
    let text = written(ListFormat::Uci, &tunables, &vector);
    assert!(text.contains("setoption name queen value 913\n"), "{text}");
    assert!(text.contains("setoption name mobility value 10\n"), "{text}");
}

#[test]
fn a_list_with_gains_is_for_spsa_and_other_methods_do_without() {
    let config = list(OPEN_BENCH).over(Config::of_preset("narrow").unwrap());
    assert_eq!(config.optimizer.method(), Method::Spsa);
    assert_eq!(config.optimizer.lag(), u64::from(USUAL_LAG));
    assert_eq!(config.clone().without_unused_gains(), config);
    let other = |method: Method| {
        let mut config = config.clone();
        config.optimizer = method.settings();
        let listed = config.without_unused_gains().parameters.list;
        (listed[0].c_end, listed[0].r_end)
    };
    assert_eq!(other(Method::ScaledSpsa), (Some(50.0), None));
    assert_eq!(other(Method::RatedDe), (None, None));
}

#[test]
fn mistakes_are_named() {
    assert_eq!(error("\n# nothing\n"), "no parameter in it");
    assert!(error("a,1,2").starts_with("line 1: 3 fields, expected 6"));
    assert_eq!(
        error("ok,1,0,2,1,1\nRazor, bool, 1, 0, 2, 1, 1"),
        "line 2: type 'bool': expected int or float"
    );
    assert_eq!(error("Razor,x,0,2,1,1"), "line 1: value 'x': expected a number");
    assert_eq!(error("Razor,1,0,inf,1,1"), "line 1: max 'inf': expected a number");
    assert_eq!(
        error(",1,0,2,1,1"),
        "line 1: name '': expected the name of an option"
    );
    assert!(error(r#"{"A": {"value": 1}}"#).contains("missing field `min_value`"));
    assert!(error("{").contains("EOF"));
    let range = |text: &str| error(&format!(r#"{{"parameter_ranges": {{"A": "{text}"}}}}"#));
    for text in [
        "Categorical(['a'])",
        "Real(1)",
        "Real(0.1, 1.0, 'log-uniform')",
        "",
        "Real(nan, 1)",
    ] {
        assert!(
            range(text).starts_with(&format!("A: '{text}': expected Integer(MIN")),
            "{text}"
        );
    }
}
