//! The same limits and defaults on every path: for every player and every setting, what one way of saying it refuses, all refuse.

use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

use vidmar_engine::Thinker as _;
use vidmar_engine::settings::{Kind, Role, Setting, Unset, Value};
use vidmar_engine::uci::{ServerSettings, serve};
use vidmar_players::{AnyPlayer, Build, PLAYER_TYPES, PlayerSpec, PlayerType};

/// Every setting that a specification can have; of the hundreds for tuners, some.
fn rows() -> impl Iterator<Item = (&'static PlayerType, &'static Setting)> {
    PLAYER_TYPES.iter().flat_map(|player| {
        let rows = player
            .all_settings()
            .filter(|row| !matches!(row.kind, Kind::Button));
        let rows = rows
            .enumerate()
            .filter(|(index, row)| row.role != Role::Tuning || index % 20 == 0);
        rows.map(move |(_, row)| (player, row))
    })
}

/// Values that do not fit a row, as text.
fn unfit(row: &Setting) -> Vec<String> {
    match &row.kind {
        Kind::Integer { min, max, .. } => {
            let above = max.checked_add(1).map(|number| number.to_string());
            let numbers = [Some((min - 1).to_string()), above, Some("many".to_owned())];
            numbers.into_iter().flatten().collect()
        }
        Kind::Switch { .. } | Kind::Choice { .. } | Kind::Vector { .. } => vec!["no such value".to_owned()],
        Kind::Text { .. } if !["initstr", "args"].contains(&row.key.as_ref()) => {
            vec!["no such value".to_owned()]
        }
        _ => Vec::new(),
    }
}

/// The specification with what it cannot do without; none of it is looked at before the player is made.
fn with_required(player: &'static PlayerType) -> PlayerSpec {
    let required = player.required().map(|(row, _)| row.key.as_ref());
    required.fold(PlayerSpec::new(player), |spec, key| {
        spec.with(key, "x").expect(key)
    })
}

/// What the UCI engine complains of.
fn complaints(lines: &str) -> Vec<String> {
    #[derive(Clone, Default)]
    struct Output(Arc<Mutex<Vec<u8>>>);
    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no panic").write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let output = Output::default();
    let input = Cursor::new(lines.to_owned().into_bytes());
    let thinker = Box::<AnyPlayer>::default();
    serve(input, output.clone(), thinker, ServerSettings::default()).expect("served");
    let bytes = output.0.lock().expect("no panic").clone();
    let text = String::from_utf8(bytes).expect("UTF-8");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn what_one_path_refuses_all_refuse_with_the_same_words() {
    let player = AnyPlayer::default();
    for (row_player, row) in rows() {
        let options: Vec<&Setting> = player
            .settings()
            .iter()
            .filter(|option| {
                option.key == row.key || *option.key == format!("{}:{}", row_player.key, row.key)
            })
            .filter(|option| option.key.contains(':') == (row_player.key != PLAYER_TYPES[0].key))
            .collect();
        for text in unfit(row) {
            let spec = with_required(row_player);
            let by_text = spec
                .clone()
                .with_text(&row.key, &text)
                .expect_err(&row.key)
                .to_string();
            assert!(by_text.starts_with(&format!("{}: ", row.key)), "{by_text}");
            let reason = &by_text[row.key.len()..];
            // As data: what JSON has, a number or a text.
            let value = text
                .parse()
                .map_or_else(|_| Value::Text(text.clone()), Value::Integer);
            let by_value = spec.with(&row.key, value).expect_err(&row.key).to_string();
            assert!(by_value.starts_with(&format!("{}: ", row.key)), "{by_value}");
            for option in &options {
                let heard = complaints(&format!("setoption name {} value {text}\nquit\n", option.uci));
                let expected = format!("info string option {}{reason}", option.uci);
                assert_eq!(heard, [expected], "{}", option.uci);
            }
        }
    }
}

#[test]
fn ends_of_ranges_and_defaults_fit_on_every_path() {
    for (player, row) in rows() {
        let mut values: Vec<Value> = row.default_value().into_iter().collect();
        if let Kind::Integer { min, max, .. } = row.kind {
            values.extend([Value::Integer(min), Value::Integer(max)]);
        }
        if let Kind::Choice { values: words, .. } = &row.kind {
            values.extend(words.iter().map(|&word| Value::from(word)));
        }
        for value in values {
            let spec = with_required(player);
            let by_value = spec.clone().with(&row.key, value.clone()).expect(&row.key);
            let by_text = spec.with_text(&row.key, &value.to_string()).expect(&row.key);
            assert_eq!(by_value, by_text, "{}:{}", player.key, row.key);
            assert_eq!(by_value.chosen(&row.key), Some(&value));
        }
    }
}

#[test]
fn a_player_is_built_as_its_defaults_say() {
    for player in PLAYER_TYPES {
        let Build::BuiltIn(make) = player.build else {
            continue;
        };
        // To set every default changes nothing and is refused by nobody.
        let mut thinker = make();
        for row in (player.settings)()
            .iter()
            .filter(|row| row.unset == Unset::Default)
        {
            let value = row.default_value().unwrap_or(Value::Switch(true));
            assert_eq!(
                thinker.set(&row.key, &value),
                Ok(()),
                "{}:{}",
                player.key,
                row.key
            );
        }
        assert_eq!(thinker.check(), Ok(()), "{}", player.key);
    }
}

#[test]
fn keys_and_options_are_unique_and_explained() {
    for player in PLAYER_TYPES {
        let rows: Vec<&Setting> = player.all_settings().collect();
        for (index, row) in rows.iter().enumerate() {
            assert!(
                !row.key.is_empty() && !row.label.is_empty() && !row.help.is_empty(),
                "{row:?}"
            );
            let is_same = |other: &&Setting| {
                other.key == row.key || !row.uci.is_empty() && other.uci.eq_ignore_ascii_case(&row.uci)
            };
            assert_eq!(rows.iter().position(is_same), Some(index), "{}", row.key);
        }
        for key in player.basic {
            assert!(player.setting(key).is_some(), "{}: {key}", player.key);
        }
    }
}
