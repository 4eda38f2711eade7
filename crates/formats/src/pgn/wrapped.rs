//! Words in lines of limited width.

/// A text that grows by words. One word is held back, so that a parenthesis can still join it.
#[derive(Debug)]
pub(super) struct Wrapped {
    text: String,
    width: usize,
    column: usize,
    held: String,
    /// Parentheses to open before the next word.
    opening: usize,
}

impl Wrapped {
    /// Goes on after a text that ends with a line.
    pub(super) fn new(text: String, width: usize) -> Wrapped {
        Wrapped {
            text,
            width,
            column: 0,
            held: String::new(),
            opening: 0,
        }
    }

    pub(super) fn word(&mut self, word: &str) {
        self.flush();
        self.held.extend(std::iter::repeat_n('(', self.opening));
        self.opening = 0;
        self.held.push_str(word);
    }

    pub(super) fn open(&mut self) {
        self.opening += 1;
    }

    pub(super) fn close(&mut self) {
        // An empty variation has nothing to join.
        if self.opening > 0 || (self.held.is_empty() && self.column == 0) {
            self.word("");
        }
        self.held.push(')');
    }

    /// Text that must be the last of its line.
    pub(super) fn rest_of_line(&mut self, text: &str) {
        self.word(text);
        self.flush();
        self.text.push('\n');
        self.column = 0;
    }

    fn flush(&mut self) {
        if self.held.is_empty() {
            return;
        }
        let length = self.held.chars().count();
        if self.column > 0 {
            if self.column + 1 + length > self.width {
                self.text.push('\n');
                self.column = 0;
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text.push_str(&self.held);
        self.column += length;
        self.held.clear();
    }

    pub(super) fn finish(mut self) -> String {
        self.flush();
        if self.column > 0 {
            self.text.push('\n');
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_inside_the_width() {
        let mut words = Wrapped::new(String::new(), 9);
        for word in ["1.", "e4", "e5", "a-word-too-long"] {
            words.word(word);
        }
        words.open();
        words.word("2.");
        words.word("f4");
        words.close();
        words.rest_of_line("; x");
        words.word("*");
        assert_eq!(words.finish(), "1. e4 e5\na-word-too-long\n(2. f4)\n; x\n*\n");
    }
}
