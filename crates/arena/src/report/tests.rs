use vidmar_chess::Outcome;
use vidmar_store::Outline;

use super::*;
use crate::matches::{CountingSettings, Ended};

/// The report of pairs in which the first player made so many half points in either game, in all output formats.
fn reports(pairs: &[[u8; 2]]) -> [String; 3] {
    let counting = CountingSettings {
        games: 100,
        paired: true,
        sprt: None,
    };
    let mut scoreboard = counting.scoreboard(2);
    for (number, &half_points) in (0..).zip(pairs.as_flattened()) {
        let first_is_white = number % 2 == 0;
        let won = if first_is_white {
            Outcome::WHITE_WINS
        } else {
            Outcome::BLACK_WINS
        };
        let lost = if first_is_white {
            Outcome::BLACK_WINS
        } else {
            Outcome::WHITE_WINS
        };
        scoreboard.add(Outline {
            number,
            round: number / 2,
            white: u32::from(!first_is_white),
            black: u32::from(first_is_white),
            result: Some([lost, Outcome::Draw, won][usize::from(half_points)]),
        });
    }
    let names = ["new".to_owned(), "old".to_owned()];
    let report = MatchReport::new(&names, &scoreboard, None);
    [
        OutputFormat::Table,
        OutputFormat::Fastchess,
        OutputFormat::Cutechess,
    ]
    .map(|format| format.in_the_end(&report, Ended::Complete))
}

/// Ten pairs with 14 wins, 3 draws and 3 losses.
const FOURTEEN: [[u8; 2]; 10] = [
    [2, 2],
    [2, 2],
    [2, 2],
    [2, 2],
    [2, 2],
    [2, 2],
    [2, 1],
    [2, 0],
    [1, 1],
    [0, 0],
];

#[test]
fn a_lopsided_result_is_a_gain() {
    let [table, fastchess, cutechess] = reports(&FOURTEEN);
    assert!(table.contains("+214.8 (+51.5 to +646.9)"), "{table}");
    assert!(table.contains("-214.8 (-646.9 to -51.5)"), "{table}");
    let statement = "Gain proven for new against old: +214.8 Elo (95 % between +51.5 and +646.9).";
    assert!(table.contains(statement), "{table}");
    assert!(table.contains("LOS 99.6 %"), "{table}");
    assert!(fastchess.contains("Elo: 214.85 +/- 297.7"), "{fastchess}");
    assert!(
        cutechess.contains("Elo difference: 214.8 +/- 297.7, LOS: 99.6 %"),
        "{cutechess}"
    );
}

#[test]
fn a_handful_has_no_superiority() {
    let [table, fastchess, _] = reports(&FOURTEEN[5..]);
    assert!(table.contains("Nothing proven for new against old: "), "{table}");
    assert!(!table.contains("LOS") && !table.contains("normalised"), "{table}");
    assert!(
        fastchess.contains("\nDrawRatio: ") && !fastchess.contains("LOS"),
        "{fastchess}"
    );
}

/// From a pair or two nothing is certain, whoever's lines are printed; with six won there is a superiority.
#[test]
fn other_peoples_lines_flatter_nobody() {
    for pairs in [
        &[[2_u8, 1]] as &[[u8; 2]],
        &[[2, 1], [2, 1], [2, 1]],
        &[[1, 1]; 9],
        &[[2, 2]],
        &[[2, 2]; 10],
        &[[0, 0]; 10],
    ] {
        for text in reports(pairs) {
            let small = text.to_lowercase();
            for word in ["nan", "inf", "+/- 0.0", "los:", "los ", "nelo", "normalised"] {
                assert!(!small.contains(word), "{pairs:?}: {word}: {text}");
            }
        }
    }
    let [_, fastchess, cutechess] = reports(&[[2, 1]]);
    assert!(
        fastchess.contains("Elo: +190.8 (-687.5 to +880.6)\n"),
        "{fastchess}"
    );
    assert!(
        cutechess.contains("Elo difference: +190.8 (-687.5 to +880.6), DrawRatio"),
        "{cutechess}"
    );
    // An upper end of which nothing is known goes with no normalised Elo of a narrow one.
    let mut nearly = vec![[2_u8, 2]; 17];
    nearly.push([0, 0]);
    let [table, fastchess, _] = reports(&nearly);
    assert!(
        !table.contains("normalised") && !fastchess.contains("nElo"),
        "{table}{fastchess}"
    );
}

#[test]
fn all_won_is_a_bound_and_nothing_is_no_number() {
    let [table, fastchess, cutechess] = reports(&[[2, 2]; 10]);
    assert!(
        table.contains("> +140.2") && table.contains("< -140.2"),
        "{table}"
    );
    assert!(
        table.contains("every game won (95 % above +140.2 Elo)"),
        "{table}"
    );
    assert!(
        fastchess.contains("Elo: > +140.2\nDrawRatio: 0.00 %\n"),
        "{fastchess}"
    );
    assert!(
        cutechess.contains("Elo difference: > +140.2, DrawRatio: 0.0 %"),
        "{cutechess}"
    );
    let [table, ..] = reports(&[[2, 2]; 2]);
    assert!(
        table.contains("Nothing proven for new against old: every game won"),
        "{table}"
    );
    for text in reports(&[]) {
        let text = text.to_lowercase();
        assert!(!text.contains("nan") && !text.contains("inf"), "{text}");
    }
    let [table, ..] = reports(&[]);
    assert!(!table.contains("0.0 %") && !table.contains("pairs"), "{table}");
}
