//! Charts of days as inline SVG. The geometry is in the units of the `viewBox`.

mod days;
mod scale;

pub(crate) use days::{ChartDays, clicks_chart, spend_chart};
pub(crate) use scale::Scale;

use askama::Template;
use std::fmt::Write;

const WIDTH: u64 = 3_600;
/// The room for the numbers of the scale, left of the days.
const MARGIN: u64 = 800;
const HEIGHT: u64 = 1_500;
/// The upper end of the scale.
const TOP: u64 = 200;
/// The axis of days.
const BOTTOM: u64 = 1_300;
/// The height of the smallest bar that is not zero.
const MIN_BAR: u64 = 20;
const MAX_BAR_WIDTH: u64 = 400;
/// The middle of the scale.
const MIDDLE: u64 = TOP.midpoint(BOTTOM);
/// Most days with a label.
const MAX_LABELS: usize = 7;
/// Half of the width of a label.
const HALF_LABEL: u64 = 210;

/// The texts of a chart.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    /// Prefix of the chart's ids, unique on the page.
    pub(crate) id: String,
    pub(crate) title: String,
    /// The marks: their class, and the meaning.
    pub(crate) key: &'static [(&'static str, &'static str)],
    pub(crate) scale: Scale,
    /// Labels of days, with the middle of each.
    pub(crate) labels: Vec<(u64, String)>,
    /// The chart in a sentence.
    pub(crate) description: String,
}

/// A bar for each day, in two parts.
#[derive(Debug, Template)]
#[template(path = "kit/chart/chart_bars.html")]
pub(crate) struct Bars {
    frame: Frame,
    /// The classes of the lower and of the upper part.
    classes: (&'static str, &'static str),
    bars: Vec<Bar>,
}

/// The value of a day.
#[derive(Debug, Default)]
pub(crate) struct Column {
    /// Shown while the pointer is on the bar; may be empty.
    pub(crate) title: String,
    pub(crate) value: u64,
    /// The upper part of the value.
    pub(crate) upper: u64,
}

#[derive(Debug)]
struct Bar {
    title: String,
    x: u64,
    width: u64,
    /// Upper edge and height of the lower part.
    lower: (u64, u64),
    /// Upper edge and height of the upper part.
    upper: (u64, u64),
}

/// Lines over the days.
#[derive(Debug, Template)]
#[template(path = "kit/chart/chart_lines.html")]
pub(crate) struct Lines {
    frame: Frame,
    lines: Vec<Line>,
}

/// Path data. A day without a value interrupts the line.
#[derive(Debug, Default)]
struct Line {
    class: &'static str,
    is_dashed: bool,
    line: String,
    /// A path of no length for each day: round ends make it a dot.
    dots: String,
}

impl Frame {
    /// The frame with the labels of some days, as many as there is room for.
    pub(crate) fn over(self, days: &[&str]) -> Frame {
        let slots = Slots::of(days.len());
        let step = days.len().div_ceil(MAX_LABELS).max(1);
        let labels = (0..).zip(days).skip(step / 2).step_by(step);
        let labels = labels.map(|(at, day)| {
            let middle = slots.middle(at).clamp(HALF_LABEL, WIDTH - HALF_LABEL);
            (middle, (*day).to_owned())
        });
        Frame { labels: labels.collect(), ..self }
    }
}

impl Bars {
    /// Bars for the days in order. A day without a value has none.
    pub(crate) fn new(frame: Frame, classes: (&'static str, &'static str), columns: Vec<Column>) -> Bars {
        let max = columns.iter().map(|column| column.value).max().unwrap_or_default().max(frame.scale.top);
        let slots = Slots::of(columns.len());
        let shown = (0..).zip(columns).filter(|(_, column)| column.value > 0);
        Bars { frame, classes, bars: shown.map(|(at, column)| slots.bar(column, at, max)).collect() }
    }
}

impl Lines {
    /// A line for each class, the later ones on top. All but the last are dashed.
    pub(crate) fn new(frame: Frame, lines: &[(&'static str, Vec<Option<u64>>)]) -> Lines {
        let max = lines.iter().flat_map(|(_, values)| values).flatten().copied().max().unwrap_or_default();
        let max = max.max(frame.scale.top);
        let line = |(at, (class, values)): (usize, &(&'static str, Vec<Option<u64>>))| {
            let is_dashed = at + 1 < lines.len();
            Line { class, is_dashed, ..Slots::of(values.len()).line(values, max) }
        };
        Lines { frame, lines: lines.iter().enumerate().map(line).collect() }
    }
}

/// The width of each day.
struct Slots(u64);

impl Slots {
    fn of(days: usize) -> Slots {
        Slots(WIDTH / u64::try_from(days).unwrap_or(WIDTH).clamp(1, WIDTH))
    }

    /// The middle of a day.
    fn middle(&self, at: u64) -> u64 {
        at * self.0 + self.0 / 2
    }

    fn bar(&self, column: Column, at: u64, max: u64) -> Bar {
        let Column { title, value, upper } = column;
        let width = (self.0 * 7 / 10).min(MAX_BAR_WIDTH);
        let height = scaled(value, max).max(MIN_BAR);
        let upper = match upper {
            0 => 0,
            part => scaled(part, max).clamp(MIN_BAR, height),
        };
        let lower = height - upper;
        Bar {
            title,
            x: at * self.0 + (self.0 - width) / 2,
            width,
            lower: (BOTTOM - lower, lower),
            upper: (BOTTOM - height, upper),
        }
    }

    fn line(&self, values: &[Option<u64>], max: u64) -> Line {
        let mut line = Line::default();
        let mut command = 'M';
        for (value, at) in values.iter().zip(0..) {
            let Some(value) = *value else {
                command = 'M';
                continue;
            };
            let (x, y) = (self.middle(at), BOTTOM - scaled(value, max));
            // Writing to a string does not fail.
            let _ = write!(line.line, "{command}{x} {y}");
            let _ = write!(line.dots, "M{x} {y}h0");
            command = 'L';
        }
        line
    }
}

/// The height of a value, if `max` reaches from [`BOTTOM`] to [`TOP`].
fn scaled(value: u64, max: u64) -> u64 {
    value.min(max).saturating_mul(BOTTOM - TOP) / max.max(1)
}

#[cfg(test)]
mod tests;
