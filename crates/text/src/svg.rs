//! Just enough SVG to draw diagrams: elements with attributes, one a line, everything escaped.
//!
//! ```
//! use vidmar_text::svg::{Picture, Tenths};
//! let mut picture = Picture::new(&[("width", &20), ("height", &10)]);
//! picture.shape("circle", &[("cx", &Tenths(5.0)), ("cy", &Tenths(5.0)), ("r", &2)]);
//! picture.text(&[("x", &Tenths(9.0)), ("y", &Tenths(7.0))], "a < b");
//! assert_eq!(
//!     picture.finish(),
//!     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"10\">\n\
//!      <circle cx=\"5.0\" cy=\"5.0\" r=\"2\"/>\n\
//!      <text x=\"9.0\" y=\"7.0\">a &lt; b</text>\n\
//!      </svg>\n"
//! );
//! ```

use std::fmt::{self, Display, Write as _};

/// Names and values of an element's attributes.
pub type Attributes<'a> = [(&'a str, &'a dyn Display)];

/// A picture in the making.
#[derive(Clone, Debug)]
pub struct Picture(String);

impl Picture {
    /// An empty picture.
    pub fn new(attributes: &Attributes<'_>) -> Picture {
        let mut picture = Picture(String::new());
        picture.open("svg", &[("xmlns", &"http://www.w3.org/2000/svg")]);
        picture.attributes(attributes);
        picture.0.push_str(">\n");
        picture
    }

    /// What a reader who cannot see is told.
    pub fn title(&mut self, words: &str) {
        self.element("title", &[], words);
    }

    /// An element without contents.
    pub fn shape(&mut self, name: &str, attributes: &Attributes<'_>) {
        self.open(name, attributes);
        self.0.push_str("/>\n");
    }

    /// Words.
    pub fn text(&mut self, attributes: &Attributes<'_>, words: &str) {
        self.element("text", attributes, words);
    }

    /// The file.
    pub fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }

    fn element(&mut self, name: &str, attributes: &Attributes<'_>, words: &str) {
        self.open(name, attributes);
        self.0.push('>');
        self.0.push_str(&escaped(words));
        let _ = writeln!(self.0, "</{name}>");
    }

    fn open(&mut self, name: &str, attributes: &Attributes<'_>) {
        let _ = write!(self.0, "<{name}");
        self.attributes(attributes);
    }

    fn attributes(&mut self, attributes: &Attributes<'_>) {
        for (name, value) in attributes {
            let value = escaped(&value.to_string()).replace('"', "&quot;");
            let _ = write!(self.0, " {name}=\"{value}\"");
        }
    }
}

fn escaped(words: &str) -> String {
    words
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A coordinate with one digit behind the point.
#[derive(Copy, Clone, Debug)]
pub struct Tenths(pub f64);

impl Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", self.0)
    }
}

/// The points of a line or an area.
#[derive(Clone, Debug)]
pub struct Points(pub Vec<(f64, f64)>);

impl Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (x, y)) in self.0.iter().enumerate() {
            let gap = if number == 0 { "" } else { " " };
            write!(f, "{gap}{x:.1},{y:.1}")?;
        }
        Ok(())
    }
}
