use super::*;
use crate::config::{Config, PRESETS};

fn tunables(change: impl FnOnce(&mut Parameters)) -> Result<Tunables, ParametersError> {
    let mut parameters = Config::of_preset("narrow").unwrap().parameters;
    change(&mut parameters);
    Tunables::new(&parameters, &[])
}

#[test]
fn presets_have_the_published_numbers_of_parameters() {
    let degrees = |name: &str| {
        let parameters = Config::of_preset(name).unwrap().parameters;
        Tunables::new(&parameters, &[]).unwrap().space().degrees()
    };
    let found: Vec<usize> = PRESETS.iter().map(|preset| degrees(preset.name)).collect();
    // Five that drive both phases first; of the 262 at the end, two are fixed and eight are driven by four.
    assert_eq!(found, [5, 16, 16, 190, 190, 190, 190, 6, 256]);
}

#[test]
fn the_start_of_the_narrow_preset_is_the_guess() {
    let tunables = tunables(|_| {}).unwrap();
    assert_eq!(
        tunables.candidate(tunables.space().start()).vector,
        Vector::guess()
    );
    let text = tunables.file(tunables.space().start());
    assert_eq!(text.parse::<Vector>().unwrap(), Vector::guess());
}

#[test]
fn one_dimension_may_drive_several_parameters() {
    let tunables = queen_in_pawns();
    let vector = tunables.candidate(&[9.126]).vector;
    let of = |name: &str| vector.get(name).unwrap();
    assert_eq!((of("QueenValueOpening"), of("QueenValueEndgame")), (913, 913));
    assert_eq!(
        of("RookValueOpening"),
        Vector::guess().get("RookValueOpening").unwrap()
    );
}

fn queen_in_pawns() -> Tunables {
    tunables(|p| {
        p.set = "none".into();
        p.list = vec![Listed {
            name: "queen".into(),
            min: Some(0.0),
            max: Some(20.0),
            real: true,
            drives: PHASES.map(|phase| format!("QueenValue{phase}")).to_vec(),
            scale: 100.0,
            ..Listed::default()
        }];
    })
    .unwrap()
}

/// The weights of the simple evaluation, in pawns as the preset has them and in hundredths as their table does.
#[test]
fn the_simple_evaluation_has_parameters_of_its_own() {
    let mut parameters = Config::of_preset("dynamic-bounds").unwrap().parameters;
    let tunables = Tunables::new(&parameters, &[]).unwrap();
    let names = |tunables: &Tunables| {
        let dimensions = tunables.space().dimensions().iter();
        dimensions.map(|d| d.name.clone()).collect::<Vec<String>>()
    };
    assert_eq!(
        names(&tunables),
        ["pawn", "queen", "rook", "bishop", "knight", "doubled", "mobility"]
    );
    assert_eq!(tunables.space().start(), [1.0, 9.0, 5.0, 3.0, 3.0, 0.0, 0.1]);
    let candidate = tunables.candidate(&[1.0, 9.126, 5.0, 3.0, 3.0, 0.2, 0.114]);
    assert_eq!(
        candidate.weights,
        SimpleWeights {
            queen: 913,
            doubled: 20,
            mobility: 11,
            ..SimpleWeights::default()
        }
    );
    parameters.list[1].drives = vec!["quen".into()];
    let error = Tunables::new(&parameters, &[]).unwrap_err().to_string();
    assert_eq!(error, "drives: unknown parameter 'quen' (did you mean 'queen'?)");
    parameters.set = "all".into();
    parameters.list.clear();
    parameters.frozen.clear();
    parameters.constraints.clear();
    let tunables = Tunables::new(&parameters, &[]).unwrap();
    assert_eq!(names(&tunables).len(), SimpleWeights::TABLE.len());
    let start = tunables.candidate(tunables.space().start());
    assert_eq!(start.weights, SimpleWeights::default());
}

#[test]
fn a_driver_moves_what_it_drives() {
    let of = |name: &str| Tunables::new(&Config::of_preset(name).unwrap().parameters, &[]).unwrap();
    let (drivers, driven) = (queen_in_pawns(), of("no-knowledge"));
    let moved = driven.moved_by(&drivers, 0, 0.5);
    let names = driven.space().dimensions().iter().map(|d| d.name.as_str());
    let found: Vec<(&str, f64)> = names.zip(moved).filter(|(_, by)| by.abs() > 0.0).collect();
    assert_eq!(found, [("QueenValueOpening", 50.0), ("QueenValueEndgame", 50.0)]);
}

#[test]
fn frozen_and_constrained_as_said() {
    let tunables = tunables(|p| {
        p.frozen = vec!["PawnValueEndgame".into()];
        p.constraints = vec!["RookValueOpening >= BishopValueOpening + PawnValueOpening + 60".into()];
    })
    .unwrap();
    assert_eq!(tunables.space().degrees(), 189);
    let mut vector = tunables.space().start().to_vec();
    vector[2] = 375.0;
    vector[3] = 450.0;
    let settled = tunables.space().settled(&vector, vidmar_optim::Repair::Mirror);
    assert!(settled[3] >= settled[2] + settled[0] + 60.0, "{settled:?}");
}

/// As published, factors and sums on both sides; a name without its phase holds in both.
#[test]
fn a_constraint_holds_in_both_phases() {
    let tunables = tunables(|p| {
        p.constraints = vec![
            "RookValue < BishopValue + 2 PawnValue".into(),
            "2*KnightValueOpening <= RookValueOpening + BishopValueOpening - 10".into(),
        ];
    })
    .unwrap();
    let space = tunables.space();
    assert_eq!(space.constraints().len(), 3);
    let index = |name: &str| space.dimensions().iter().position(|d| d.name == name).unwrap();
    for seed in 0..50 {
        let mut rng = vidmar_optim::purpose::Purpose::Initial.rng(seed, 0, 0, 0);
        let settled = space.settled(&space.random(&mut rng), vidmar_optim::Repair::Mirror);
        let of = |name: &str| settled[index(name)];
        for phase in PHASES {
            let [pawn, bishop, rook] =
                ["Pawn", "Bishop", "Rook"].map(|piece| of(&format!("{piece}Value{phase}")));
            assert!(rook < bishop + 2.0 * pawn, "{phase}: {rook} {bishop} {pawn}");
        }
        let [knight, bishop, rook] =
            ["Knight", "Bishop", "Rook"].map(|piece| of(&format!("{piece}ValueOpening")));
        assert!(2.0 * knight <= rook + bishop - 10.0, "{knight} {bishop} {rook}");
    }
}

#[test]
fn mistakes_are_named() {
    let message = |result: Result<Tunables, ParametersError>| result.unwrap_err().to_string();
    assert_eq!(
        message(tunables(|p| p.set = "published".into())),
        "unknown set 'published' (did you mean 'published190'?)"
    );
    assert_eq!(
        message(tunables(|p| p.frozen = vec!["PawnValue".into()])),
        "frozen: unknown parameter 'PawnValue' (did you mean 'PawnValueOpening'?)"
    );
    assert_eq!(
        message(tunables(|p| p.interval = Some((10.0, 5.0)))),
        "dimension \"PawnValueOpening\" has min 10 > max 5"
    );
    let constrained = |text: &str| message(tunables(|p| p.constraints = vec![text.into()]));
    assert_eq!(
        constrained("RookValueOpenning > BishopValueOpening"),
        "constraints: unknown parameter 'RookValueOpenning' (did you mean 'RookValueOpening'?)"
    );
    assert_eq!(
        constrained("RookValue > Xyzzy"),
        "constraints: unknown parameter 'Xyzzy'"
    );
    // A name for both phases is as good as one of a phase.
    assert_eq!(
        constrained("RokValue < QueenValue"),
        "constraints: unknown parameter 'RokValue' (did you mean 'RookValue'?)"
    );
    assert_eq!(
        constrained("QuenValue < RookValue"),
        "constraints: unknown parameter 'QuenValue' (did you mean 'QueenValue'?)"
    );
    // What was written is what is told, and what it is of a phase where it is one for each.
    assert!(constrained("2 < 1").starts_with("constraint \"2 < 1\" relates fewer than two dimensions"));
    assert!(
        constrained("QueenValue >= 5")
            .starts_with("constraint \"QueenValue >= 5, of which QueenValueOpening >= 5\" relates")
    );
    assert!(constrained("RookValue = BishopValue").contains("expected <, <=, > or >=, found '='"));
    assert!(constrained("QueenValue >= 5").contains("relates fewer than two dimensions"));
    assert_eq!(
        message(tunables(|p| p.set = "xyzzy".into())),
        "unknown set 'xyzzy'"
    );
    assert!(message(tunables(|p| p.start = "gues".into())).contains("did you mean 'guess'?"));
    let listed = |name: &str| Listed {
        name: name.into(),
        min: Some(0.0),
        max: Some(5.0),
        ..Listed::default()
    };
    let twice = tunables(|p| {
        p.source = Source::List;
        p.list = vec![listed("Weight"), listed("Weight")];
    });
    assert_eq!(message(twice), "dimension \"Weight\" is declared twice");
    let bare = tunables(|p| {
        p.source = Source::List;
        p.list = vec![Listed {
            max: None,
            ..listed("Weight")
        }];
    });
    assert_eq!(message(bare), "parameter 'Weight' has no max");
}

#[test]
fn options_of_an_engine_are_told_as_text() {
    let spin = SpinOption {
        name: "Passed Pawns".into(),
        min: 0,
        max: 200,
        default: 100,
    };
    let mut parameters = Config::of_preset("narrow").unwrap().parameters;
    parameters.source = Source::Options;
    let tunables = Tunables::new(&parameters, &[spin]).unwrap();
    assert_eq!(tunables.space().start(), [100.0]);
    assert_eq!(
        tunables.candidate(&[70.0]).options,
        [("Passed Pawns".to_owned(), "70".to_owned())]
    );
    assert!(!tunables.is_evaluation());
}
