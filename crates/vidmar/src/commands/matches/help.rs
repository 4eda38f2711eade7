//! The help of `vidmar match`, from its table.

use std::fmt::Write as _;

use super::arguments::{ROWS, Shape};

/// The help, from the table.
pub(crate) fn help() -> String {
    let mut text = String::from(
        "Play a match between engines or built-in players\n\n\
         Usage: vidmar match -engine cmd=PATH … -engine player=SPEC … [-each …] [ARGUMENTS]\n       \
         vidmar match -resume FILE [ARGUMENTS]\n       \
         vidmar match --compliance CMD [ARGS]\n\n\
         The arguments of cutechess-cli and fastchess are taken as they are. Every finished game is in the store \
         (--store) at once;\na match that was stopped or killed goes on with -resume. docs/match.md tells more.\n\n\
         Arguments:\n",
    );
    let line = |text: &mut String, indent: usize, name: &str, help: &str| {
        let width = 40 - indent;
        let _ = writeln!(text, "{:indent$}{name:<width$} {help}", "");
    };
    for row in ROWS {
        line(&mut text, 2, &row.usage(), &row.line_of_help());
        // The keys of -each are those of -engine.
        if let Shape::Keys(group) = row.shape
            && row.name != "-each"
        {
            for key in group.help() {
                line(&mut text, 6, &format!("{}={}", key.name, key.value), &key.help);
            }
        }
    }
    text.push_str(
        "\nExamples:\n  \
         vidmar match -engine player=engine:nodes=5000 name=new -engine player=engine:nodes=5000,eval=default name=old \
         -rounds 50 -concurrency 2\n  \
         vidmar match -engine cmd=stockfish -engine cmd=glaurung -each tc=2+0.02 option.Hash=16 -rounds 100 -repeat \
         -openings file=book.epd format=epd order=random -pgnout file=games.pgn -sprt elo0=0 elo1=5\n  \
         vidmar match -resume runs/match-new-old.db\n",
    );
    text
}
