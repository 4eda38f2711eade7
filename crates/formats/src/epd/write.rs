//! Writing a record as the standard wants it.

use std::fmt::{self, Write};

use super::{Epd, Value};

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position.setup().epd())?;
        for operation in &self.operations {
            write!(f, " {}", operation.opcode)?;
            match &operation.value {
                Value::Moves(moves) => {
                    for &m in moves {
                        write!(f, " {}", self.position.san(m))?;
                    }
                }
                Value::Line(moves) => {
                    let mut position = self.position.clone();
                    for &m in moves {
                        write!(f, " {}", position.san(m))?;
                        position.play(m);
                    }
                }
                Value::Mate(moves) => write!(f, " #{moves}")?,
                Value::Number(number) => write!(f, " {number}")?,
                Value::Text(text) => write_quoted(f, text)?,
                Value::Words(operands) => {
                    for operand in operands {
                        if operand.quoted {
                            write_quoted(f, &operand.text)?;
                        } else {
                            write!(f, " {}", operand.text)?;
                        }
                    }
                }
            }
            f.write_char(';')?;
        }
        self.write_counters(f)
    }
}

impl Epd {
    /// The counters, where they are not the usual ones.
    fn write_counters(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (halfmoves, fullmoves) = (self.position.halfmoves(), self.position.fullmoves().get());
        for (opcode, number, usual) in [("hmvc", halfmoves, 0), ("fmvn", fullmoves, 1)] {
            if number != usual {
                write!(f, " {opcode} {number};")?;
            }
        }
        Ok(())
    }
}

/// A text in quotes; EPD has no way to write a quote inside.
fn write_quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str(" \"")?;
    for c in text.chars() {
        f.write_char(match c {
            '"' => '\'',
            c if c.is_control() => ' ',
            c => c,
        })?;
    }
    f.write_char('"')
}
