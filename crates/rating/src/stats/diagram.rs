//! The critical-difference diagram (Demšar 2006, section 3.2.4) as an SVG picture.
//!
//! An axis of mean ranks, best on the left; every algorithm hangs on its rank; a bar above the axis shows
//! the critical difference. Without a control, bars under the axis join algorithms that do not differ
//! (Nemenyi); with one, a single bar covers what does not differ from the control (Bonferroni-Dunn).

use std::fmt::Display;

use vidmar_text::svg::{Picture, Points, Tenths};

/// What the diagram shows.
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a> {
    /// Names of the algorithms.
    pub algorithms: &'a [String],
    /// Their mean ranks.
    pub ranks: &'a [f64],
    /// Differences of at least this much are significant.
    pub critical_difference: f64,
    /// The control's place, where all are compared with one.
    pub control: Option<usize>,
}

const AXIS_WIDTH: f64 = 480.0;
const AXIS_Y: f64 = 72.0;
const BAR_GAP: f64 = 11.0;
const LABEL_GAP: f64 = 24.0;
/// Mean width of a letter at the font size below, on the generous side: names must never be cut.
const LETTER: f64 = 8.2;
const FONT: &str = "Helvetica, Arial, sans-serif";

/// Draws the diagram.
pub fn critical_difference_svg(diagram: &Diagram) -> String {
    let layout = Layout::new(diagram);
    let mut svg = layout.sheet();
    layout.axis(&mut svg);
    layout.critical_difference(&mut svg);
    layout.bars(&mut svg);
    layout.labels(&mut svg);
    svg.finish()
}

struct Layout<'a> {
    diagram: &'a Diagram<'a>,
    /// Places from the best mean rank to the worst.
    order: Vec<usize>,
    bars: Vec<(f64, f64, usize)>,
    margin: f64,
}

impl<'a> Layout<'a> {
    fn new(diagram: &'a Diagram<'a>) -> Self {
        let mut order: Vec<usize> = (0..diagram.ranks.len()).collect();
        order.sort_by(|&a, &b| diagram.ranks[a].total_cmp(&diagram.ranks[b]).then(a.cmp(&b)));
        let sorted: Vec<f64> = order.iter().map(|&index| diagram.ranks[index]).collect();
        let spans = match diagram.control {
            Some(control) => {
                let (rank, reach) = (diagram.ranks[control], diagram.critical_difference);
                vec![((rank - reach).max(1.0), (rank + reach).min(sorted.len() as f64))]
            }
            None => indistinct_spans(&sorted, diagram.critical_difference),
        };
        let longest = diagram
            .algorithms
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        let margin = 48.0 + LETTER * (longest as f64 + 7.0);
        Layout {
            diagram,
            order,
            bars: stacked(&spans),
            margin,
        }
    }

    fn count(&self) -> usize {
        self.order.len()
    }

    fn x(&self, rank: f64) -> f64 {
        self.margin + (rank - 1.0) / (self.count() as f64 - 1.0).max(1.0) * AXIS_WIDTH
    }

    fn left_labels(&self) -> usize {
        self.count().div_ceil(2)
    }

    fn first_label_y(&self) -> f64 {
        let levels = self.bars.iter().map(|bar| bar.2 + 1).max().unwrap_or(0);
        AXIS_Y + 16.0 + BAR_GAP * levels as f64 + 16.0
    }

    /// The white sheet that the diagram is drawn on.
    fn sheet(&self) -> Picture {
        let width = 2.0 * self.margin + AXIS_WIDTH;
        let height = self.first_label_y() + LABEL_GAP * (self.left_labels() as f64 - 1.0) + 20.0;
        let mut svg = Picture::new(&[
            ("width", &format!("{width:.0}")),
            ("height", &format!("{height:.0}")),
            ("viewBox", &format!("0 0 {width:.0} {height:.0}")),
            ("font-family", &FONT),
            ("font-size", &14),
        ]);
        svg.title("Critical difference diagram of mean ranks");
        svg.shape(
            "rect",
            &[("width", &"100%"), ("height", &"100%"), ("fill", &"white")],
        );
        svg
    }

    fn axis(&self, svg: &mut Picture) {
        line(
            svg,
            (self.x(1.0), AXIS_Y),
            (self.x(self.count() as f64), AXIS_Y),
            1.5,
        );
        for rank in 1..=self.count() {
            let x = self.x(rank as f64);
            line(svg, (x, AXIS_Y), (x, AXIS_Y - 8.0), 1.5);
            text(svg, (x, AXIS_Y - 13.0), "middle", &rank.to_string(), false);
            if rank < self.count() {
                let x = self.x(rank as f64 + 0.5);
                line(svg, (x, AXIS_Y), (x, AXIS_Y - 5.0), 1.0);
            }
        }
    }

    /// The ruler of one critical difference above the axis, from rank 1 to the right.
    fn critical_difference(&self, svg: &mut Picture) {
        let difference = self.diagram.critical_difference;
        let start = self.x(1.0);
        let end = start + self.x(1.0 + difference) - self.x(1.0);
        let (y, clipped) = (30.0, end > self.margin + AXIS_WIDTH + 0.5 * self.margin);
        let end = if clipped { self.margin + AXIS_WIDTH } else { end };
        line(svg, (start, y), (end, y), 1.5);
        line(svg, (start, y - 5.0), (start, y + 5.0), 1.5);
        if !clipped {
            line(svg, (end, y - 5.0), (end, y + 5.0), 1.5);
        }
        let label = format!("CD = {difference:.3}");
        let middle = f64::midpoint(start, end).max(start + 0.5 * LETTER * label.len() as f64);
        text(svg, (middle, y - 9.0), "middle", &label, false);
    }

    fn bars(&self, svg: &mut Picture) {
        for &(from, to, level) in &self.bars {
            let y = AXIS_Y + 14.0 + BAR_GAP * level as f64;
            // A little over both ends, so that a bar visibly takes in the stems it joins; around a control the
            // ends themselves are what counts.
            let over = if self.diagram.control.is_none() { 4.0 } else { 0.0 };
            line(svg, (self.x(from) - over, y), (self.x(to) + over, y), 5.0);
        }
    }

    fn labels(&self, svg: &mut Picture) {
        for (index, &algorithm) in self.order.iter().enumerate() {
            let left = index < self.left_labels();
            // The outermost label is the highest on both sides: stems and arms never cross.
            let row = if left { index } else { self.count() - 1 - index };
            let y = self.first_label_y() + LABEL_GAP * row as f64;
            let rank = self.diagram.ranks[algorithm];
            let x = self.x(rank);
            let arm = if left {
                self.margin - 24.0
            } else {
                self.margin + AXIS_WIDTH + 24.0
            };
            let points = Points(vec![(x, AXIS_Y), (x, y), (arm, y)]);
            svg.shape(
                "polyline",
                &[
                    ("points", &points),
                    ("fill", &"none"),
                    ("stroke", &"black"),
                    ("stroke-width", &1),
                ],
            );
            let name = &self.diagram.algorithms[algorithm];
            let (label, anchor, at) = if left {
                (format!("{name} ({rank:.2})"), "end", arm - 6.0)
            } else {
                (format!("({rank:.2}) {name}"), "start", arm + 6.0)
            };
            text(
                svg,
                (at, y + 5.0),
                anchor,
                &label,
                self.diagram.control == Some(algorithm),
            );
        }
    }
}

/// The widest runs of sorted ranks whose ends differ by less than the critical difference.
fn indistinct_spans(sorted: &[f64], critical_difference: f64) -> Vec<(f64, f64)> {
    let mut spans: Vec<(f64, f64)> = Vec::new();
    let mut furthest = 0;
    for (start, &from) in sorted.iter().enumerate() {
        let end = sorted
            .iter()
            .rposition(|&to| to - from < critical_difference)
            .unwrap_or(start);
        if end > start && (end > furthest || spans.is_empty()) {
            spans.push((from, sorted[end]));
            furthest = end;
        }
    }
    spans
}

/// Each span with the first level on which it touches no other.
fn stacked(spans: &[(f64, f64)]) -> Vec<(f64, f64, usize)> {
    let mut ends: Vec<f64> = Vec::new();
    let mut bars = Vec::with_capacity(spans.len());
    for &(from, to) in spans {
        let level = ends.iter().position(|&end| end < from).unwrap_or(ends.len());
        if level == ends.len() {
            ends.push(to);
        } else {
            ends[level] = to;
        }
        bars.push((from, to, level));
    }
    bars
}

fn line(svg: &mut Picture, from: (f64, f64), to: (f64, f64), width: f64) {
    svg.shape(
        "line",
        &[
            ("x1", &Tenths(from.0)),
            ("y1", &Tenths(from.1)),
            ("x2", &Tenths(to.0)),
            ("y2", &Tenths(to.1)),
            ("stroke", &"black"),
            ("stroke-width", &width),
        ],
    );
}

fn text(svg: &mut Picture, at: (f64, f64), anchor: &str, words: &str, bold: bool) {
    let (x, y) = (Tenths(at.0), Tenths(at.1));
    let mut attributes: Vec<(&str, &dyn Display)> = vec![("x", &x), ("y", &y), ("text-anchor", &anchor)];
    if bold {
        attributes.push(("font-weight", &"bold"));
    }
    svg.text(&attributes, words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_join_what_does_not_differ() {
        let spans = indistinct_spans(&[1.3, 1.9, 2.9, 3.9], 1.483);
        assert_eq!(spans, [(1.3, 1.9), (1.9, 2.9), (2.9, 3.9)]);
        assert_eq!(indistinct_spans(&[1.0, 2.0, 3.0], 0.5), []);
        assert_eq!(indistinct_spans(&[1.0, 2.0, 3.0], 5.0), [(1.0, 3.0)]);
    }

    #[test]
    fn overlapping_spans_are_stacked() {
        let levels: Vec<usize> = stacked(&[(1.0, 2.0), (1.5, 3.0), (2.5, 4.0)])
            .iter()
            .map(|bar| bar.2)
            .collect();
        assert_eq!(levels, [0, 1, 0]);
    }

    #[test]
    fn names_are_escaped() {
        let names = vec!["a<b".to_owned(), "c&d".to_owned()];
        let diagram = Diagram {
            algorithms: &names,
            ranks: &[1.0, 2.0],
            critical_difference: 0.4,
            control: None,
        };
        let svg = critical_difference_svg(&diagram);
        assert!(svg.contains("a&lt;b (1.00)") && svg.contains("(2.00) c&amp;d"));
    }
}
