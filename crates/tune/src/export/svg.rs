//! Just enough SVG for plots: a panel with axes, lines, bands and bars.

use std::fmt::Write as _;

/// A picture in the making.
pub(super) struct Picture {
    width: f64,
    height: f64,
    body: String,
}

/// A rectangle of the picture with its own coordinates.
#[derive(Clone, Copy)]
pub(super) struct Panel {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// The values at the left and right edge.
    pub(super) x: (f64, f64),
    /// The values at the lower and upper edge.
    pub(super) y: (f64, f64),
}

impl Panel {
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let share = |value: f64, (from, to): (f64, f64)| {
            if to > from {
                (value - from) / (to - from)
            } else {
                0.5
            }
        };
        (
            self.left + self.width * share(x, self.x),
            self.top + self.height * (1.0 - share(y, self.y)),
        )
    }
}

impl Picture {
    pub(super) fn new(width: f64, height: f64) -> Picture {
        Picture {
            width,
            height,
            body: String::new(),
        }
    }

    pub(super) fn text(&mut self, x: f64, y: f64, anchor: &str, size: f64, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{text}</text>"
        );
    }

    /// The frame of a panel with its title and the values at its corners.
    pub(super) fn frame(&mut self, panel: &Panel, title: &str) {
        let Panel {
            left,
            top,
            width,
            height,
            ..
        } = *panel;
        let _ = writeln!(
            self.body,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"none\" stroke=\"#999\"/>"
        );
        self.text(left + width / 2.0, top - 4.0, "middle", 9.0, title);
        self.text(left - 2.0, top + 7.0, "end", 7.0, &short(panel.y.1));
        self.text(left - 2.0, top + height, "end", 7.0, &short(panel.y.0));
        self.text(left, top + height + 8.0, "start", 7.0, &short(panel.x.0));
        self.text(left + width, top + height + 8.0, "end", 7.0, &short(panel.x.1));
    }

    pub(super) fn line(&mut self, panel: &Panel, points: &[(f64, f64)], color: &str) {
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.2\"/>",
            path(panel, points)
        );
    }

    /// The area between two lines over the same places.
    pub(super) fn band(&mut self, panel: &Panel, lower: &[(f64, f64)], upper: &[(f64, f64)], color: &str) {
        let around: Vec<(f64, f64)> = lower.iter().copied().chain(upper.iter().rev().copied()).collect();
        let _ = writeln!(
            self.body,
            "<polygon points=\"{}\" fill=\"{color}\" fill-opacity=\"0.2\"/>",
            path(panel, &around)
        );
    }

    pub(super) fn dot(&mut self, panel: &Panel, point: (f64, f64), color: &str) {
        let (x, y) = panel.at(point.0, point.1);
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\" fill=\"{color}\"/>"
        );
    }

    pub(super) fn finish(self) -> String {
        let (w, h) = (self.width, self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
             font-family=\"sans-serif\">\n<rect width=\"{w}\" height=\"{h}\" fill=\"white\"/>\n{}</svg>\n",
            self.body
        )
    }
}

fn path(panel: &Panel, points: &[(f64, f64)]) -> String {
    let shown = |&(x, y): &(f64, f64)| {
        let (x, y) = panel.at(x, y);
        format!("{x:.1},{y:.1}")
    };
    points.iter().map(shown).collect::<Vec<_>>().join(" ")
}

/// Whole where it is whole, else three digits.
pub(super) fn short(value: f64) -> String {
    if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}
