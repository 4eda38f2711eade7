//! Plots: panels with axes, lines, bands and dots, on an SVG picture.

use std::fmt::Display;

use vidmar_text::svg::{Picture, Points, Tenths};

/// A sheet of panels.
pub(super) struct Sheet(Picture);

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

    fn points(&self, points: &[(f64, f64)]) -> Points {
        Points(points.iter().map(|&(x, y)| self.at(x, y)).collect())
    }
}

impl Sheet {
    pub(super) fn new(width: f64, height: f64) -> Sheet {
        let mut picture = Picture::new(&[
            ("viewBox", &format!("0 0 {width} {height}")),
            ("width", &width),
            ("height", &height),
            ("font-family", &"sans-serif"),
        ]);
        picture.shape(
            "rect",
            &[("width", &width), ("height", &height), ("fill", &"white")],
        );
        Sheet(picture)
    }

    pub(super) fn text(&mut self, x: f64, y: f64, anchor: &str, size: f64, text: &str) {
        let at = (Tenths(x), Tenths(y));
        let attributes: [(&str, &dyn Display); 4] = [
            ("x", &at.0),
            ("y", &at.1),
            ("text-anchor", &anchor),
            ("font-size", &size),
        ];
        self.0.text(&attributes, text);
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
        self.0.shape(
            "rect",
            &[
                ("x", &Tenths(left)),
                ("y", &Tenths(top)),
                ("width", &Tenths(width)),
                ("height", &Tenths(height)),
                ("fill", &"none"),
                ("stroke", &"#999"),
            ],
        );
        self.text(left + width / 2.0, top - 4.0, "middle", 9.0, title);
        self.text(left - 2.0, top + 7.0, "end", 7.0, &short(panel.y.1));
        self.text(left - 2.0, top + height, "end", 7.0, &short(panel.y.0));
        self.text(left, top + height + 8.0, "start", 7.0, &short(panel.x.0));
        self.text(left + width, top + height + 8.0, "end", 7.0, &short(panel.x.1));
    }

    pub(super) fn line(&mut self, panel: &Panel, points: &[(f64, f64)], color: &str) {
        self.0.shape(
            "polyline",
            &[
                ("points", &panel.points(points)),
                ("fill", &"none"),
                ("stroke", &color),
                ("stroke-width", &1.2),
            ],
        );
    }

    /// The area between two lines over the same places.
    pub(super) fn band(&mut self, panel: &Panel, lower: &[(f64, f64)], upper: &[(f64, f64)], color: &str) {
        let around: Vec<(f64, f64)> = lower.iter().copied().chain(upper.iter().rev().copied()).collect();
        self.0.shape(
            "polygon",
            &[
                ("points", &panel.points(&around)),
                ("fill", &color),
                ("fill-opacity", &0.2),
            ],
        );
    }

    pub(super) fn dot(&mut self, panel: &Panel, point: (f64, f64), color: &str) {
        let (x, y) = panel.at(point.0, point.1);
        self.0.shape(
            "circle",
            &[
                ("cx", &Tenths(x)),
                ("cy", &Tenths(y)),
                ("r", &2),
                ("fill", &color),
            ],
        );
    }

    pub(super) fn finish(self) -> String {
        self.0.finish()
    }
}

/// Whole where it is whole, else three digits.
pub(super) fn short(value: f64) -> String {
    if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}
