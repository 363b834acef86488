//! Medians, ratios and budgets, and the table that shows them.

use std::fmt;

/// What a measure must keep to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Budget {
    /// Nothing: it is told for its own sake.
    None,
    /// Ours is at most this.
    Most(f64),
    /// The ratio is at most this.
    MostTimes(f64),
    /// Both: the ratio, and ours.
    MostTimesAnd(f64, f64),
    /// The ratio is at least this.
    LeastTimes(f64),
}

/// One measure, ours beside its floor.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) measure: String,
    pub(crate) ours: f64,
    pub(crate) floor: f64,
    pub(crate) budget: Budget,
}

/// The middle of some values; `None` when there are none.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    percentile(values, 50)
}

/// The least value that so many percent are not above.
pub(crate) fn percentile(values: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

impl Row {
    /// A measure and its floor.
    pub(crate) fn beside(measure: impl Into<String>, ours: f64, floor: f64, budget: Budget) -> Row {
        Row { measure: measure.into(), ours, floor, budget }
    }

    fn ratio(&self) -> Option<f64> {
        (self.floor > 0.0).then(|| self.ours / self.floor)
    }

    /// Whether the budget is kept; `None` when there is none, or nothing to hold it against.
    fn is_kept(&self) -> Option<bool> {
        match self.budget {
            Budget::None => None,
            Budget::Most(most) => Some(self.ours <= most),
            Budget::MostTimes(most) => self.ratio().map(|ratio| ratio <= most),
            Budget::MostTimesAnd(times, most) => self.ratio().map(|ratio| ratio <= times && self.ours <= most),
            Budget::LeastTimes(least) => self.ratio().map(|ratio| ratio >= least),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::None => Ok(()),
            Budget::Most(most) => write!(f, "at most {most}"),
            Budget::MostTimes(most) => write!(f, "at most {most}x"),
            Budget::MostTimesAnd(times, most) => write!(f, "at most {times}x and {most}"),
            Budget::LeastTimes(least) => write!(f, "at least {least}x"),
        }
    }
}

/// As many digits as a figure with this noise deserves.
pub(crate) fn figure(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// The rows in Markdown.
pub(crate) fn render(rows: &[Row]) -> String {
    let mut text = "| measure | ours | floor | ratio | budget | |\n|---|---|---|---|---|---|\n".to_owned();
    for row in rows {
        let verdict = match row.is_kept() {
            Some(true) => "ok",
            Some(false) => "over",
            None => "",
        };
        let (ours, floor) = (figure(row.ours), figure(row.floor));
        let ratio = row.ratio().map_or_else(String::new, figure);
        text.push_str(&format!("| {} | {ours} | {floor} | {ratio} | {} | {verdict} |\n", row.measure, row.budget));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_whatever_the_order() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0, 5.0]), Some(5.0));
        assert_eq!(median(&[1.0, 100.0, 2.0, 3.0, 2.5]), Some(2.5));
    }

    #[test]
    fn of_a_hundred_values_one_is_above_the_ninety_ninth_percentile() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(percentile(&values, 99), Some(99.0));
        assert_eq!(percentile(&values, 100), Some(100.0));
        assert_eq!(percentile(&values[..50], 99), Some(50.0), "of fifty none is");
    }

    #[test]
    fn a_row_says_whether_its_budget_is_kept() {
        let kept = |ours, floor, budget| Row::beside("m", ours, floor, budget).is_kept();
        assert_eq!(kept(2.0, 1.0, Budget::MostTimes(2.0)), Some(true));
        assert_eq!(kept(2.1, 1.0, Budget::MostTimes(2.0)), Some(false));
        assert_eq!(kept(3.0, 2.0, Budget::MostTimesAnd(2.0, 2.5)), Some(false), "the ratio alone is not enough");
        assert_eq!(kept(60.0, 100.0, Budget::LeastTimes(0.5)), Some(true));
        assert_eq!(kept(40.0, 100.0, Budget::LeastTimes(0.5)), Some(false));
        assert_eq!(kept(40.0, 0.0, Budget::MostTimes(2.0)), None, "nothing is no floor");
        assert_eq!(kept(9.0, 9.0, Budget::Most(8.0)), Some(false));
        assert_eq!(kept(9.0, 9.0, Budget::None), None);
    }

    #[test]
    fn the_table_is_markdown() {
        let rows = [
            Row::beside("start, ms", 1.913, 1.1, Budget::MostTimes(2.0)),
            Row::beside("binary, MB", 8.25, 2.0, Budget::Most(8.0)),
            Row::beside("told only", 1234.6, 0.0, Budget::None),
        ];
        let lines: Vec<String> = render(&rows).lines().skip(2).map(str::to_owned).collect();
        assert_eq!(lines[0], "| start, ms | 1.91 | 1.10 | 1.74 | at most 2x | ok |");
        assert_eq!(lines[1], "| binary, MB | 8.25 | 2.00 | 4.12 | at most 8 | over |");
        assert_eq!(lines[2], "| told only | 1235 | 0.00 |  |  |  |");
    }
}
