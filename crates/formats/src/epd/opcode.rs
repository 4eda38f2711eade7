//! The opcodes of the standard, and what operands they take (PGN standard, 16.2.5).

/// What an opcode's operands are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Moves,
    Line,
    Number,
    Text,
    Words,
}

const OPCODES: [(&str, Form); 25] = [
    ("acd", Form::Number),
    ("acn", Form::Number),
    ("acs", Form::Number),
    ("am", Form::Moves),
    ("bm", Form::Moves),
    ("ce", Form::Number),
    ("dm", Form::Number),
    ("draw_accept", Form::Words),
    ("draw_claim", Form::Words),
    ("draw_offer", Form::Words),
    ("draw_reject", Form::Words),
    ("eco", Form::Text),
    ("fmvn", Form::Number),
    ("hmvc", Form::Number),
    ("id", Form::Text),
    ("nic", Form::Text),
    ("noop", Form::Words),
    ("pm", Form::Moves),
    ("pv", Form::Line),
    ("rc", Form::Number),
    ("resign", Form::Words),
    ("sm", Form::Moves),
    ("tcgs", Form::Words),
    ("tcri", Form::Words),
    ("tcsi", Form::Words),
];

/// The form of a known opcode.
pub(super) fn form(opcode: &str) -> Option<Form> {
    match opcode.as_bytes() {
        [b'c' | b'v', b'0'..=b'9'] => Some(Form::Text),
        _ => OPCODES
            .iter()
            .find(|(known, _)| *known == opcode)
            .map(|(_, form)| *form),
    }
}

/// Whether the standard would take it as an opcode: a letter, then letters, digits and `_`. (It limits
/// the length to 14, which writers exceed.)
pub(super) fn is_wellformed(opcode: &str) -> bool {
    opcode.starts_with(|c: char| c.is_ascii_alphabetic())
        && opcode
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
