//! Medians, ratios and budgets, and the table of them.

use std::fmt;

/// The limit of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Budget {
    /// No limit: the measure is for information.
    None,
    /// Largest value.
    Max(f64),
    /// Largest ratio to the baseline.
    MaxRatio(f64),
    /// Smallest ratio to the baseline.
    MinRatio(f64),
}

/// A measure and its baseline.
#[derive(Clone, Debug)]
pub(crate) struct TableRow {
    pub(crate) measure: String,
    pub(crate) ours: f64,
    pub(crate) baseline: f64,
    pub(crate) budget: Budget,
}

/// The median; `None` without values.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    percentile(values, 50)
}

/// The smallest value that at least `percent` % of the values do not exceed.
pub(crate) fn percentile(values: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

/// The mean of the values between the quartiles. Where values come in steps it does not jump from one to the next as
/// the median does, and outliers do not affect it. `None` without values.
pub(crate) fn interquartile_mean(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quarter = sorted.len() / 4;
    let middle = &sorted[quarter..sorted.len() - quarter];
    (!middle.is_empty()).then(|| middle.iter().sum::<f64>() / middle.len() as f64)
}

impl TableRow {
    pub(crate) fn new(measure: impl Into<String>, ours: f64, baseline: f64, budget: Budget) -> TableRow {
        TableRow { measure: measure.into(), ours, baseline, budget }
    }

    fn ratio(&self) -> Option<f64> {
        (self.baseline > 0.0).then(|| self.ours / self.baseline)
    }

    /// Whether the measure is within its budget; `None` without a budget or a baseline.
    fn is_within_budget(&self) -> Option<bool> {
        match self.budget {
            Budget::None => None,
            Budget::Max(most) => Some(self.ours <= most),
            Budget::MaxRatio(most) => self.ratio().map(|ratio| ratio <= most),
            Budget::MinRatio(least) => self.ratio().map(|ratio| ratio >= least),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::None => Ok(()),
            Budget::Max(most) => write!(f, "at most {most}"),
            Budget::MaxRatio(most) => write!(f, "at most {most}x"),
            Budget::MinRatio(least) => write!(f, "at least {least}x"),
        }
    }
}

/// Formats a value with about three significant digits: noise hides the rest.
pub(crate) fn figure(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// The rows in Markdown.
pub(crate) fn render(rows: &[TableRow]) -> String {
    let mut text = "| measure | ours | baseline | ratio | budget | |\n|---|---|---|---|---|---|\n".to_owned();
    for row in rows {
        let verdict = match row.is_within_budget() {
            Some(true) => "ok",
            Some(false) => "over",
            None => "",
        };
        let (ours, baseline) = (figure(row.ours), figure(row.baseline));
        let ratio = row.ratio().map_or_else(String::new, figure);
        text.push_str(&format!("| {} | {ours} | {baseline} | {ratio} | {} | {verdict} |\n", row.measure, row.budget));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_does_not_depend_on_the_order() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0, 5.0]), Some(5.0));
        assert_eq!(median(&[1.0, 100.0, 2.0, 3.0, 2.5]), Some(2.5));
    }

    #[test]
    fn the_interquartile_mean_lies_between_steps_and_ignores_outliers() {
        assert_eq!(interquartile_mean(&[]), None);
        assert_eq!(interquartile_mean(&[3.0]), Some(3.0));
        assert_eq!(interquartile_mean(&[40.0, 20.0, 999.0, 1.0]), Some(30.0));
        assert_eq!(interquartile_mean(&[20.0, 20.0, 20.0, 40.0, 40.0, 40.0, 999.0, 1.0]), Some(30.0));
    }

    #[test]
    fn one_of_a_hundred_values_exceeds_the_99th_percentile() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(percentile(&values, 99), Some(99.0));
        assert_eq!(percentile(&values, 100), Some(100.0));
        assert_eq!(percentile(&values[..50], 99), Some(50.0), "none of fifty values exceeds it");
    }

    #[test]
    fn a_row_shows_whether_it_is_within_its_budget() {
        let within = |ours, baseline, budget| TableRow::new("m", ours, baseline, budget).is_within_budget();
        assert_eq!(within(2.0, 1.0, Budget::MaxRatio(2.0)), Some(true));
        assert_eq!(within(2.1, 1.0, Budget::MaxRatio(2.0)), Some(false));
        assert_eq!(within(60.0, 100.0, Budget::MinRatio(0.5)), Some(true));
        assert_eq!(within(40.0, 100.0, Budget::MinRatio(0.5)), Some(false));
        assert_eq!(within(40.0, 0.0, Budget::MaxRatio(2.0)), None, "0 is not a baseline");
        assert_eq!(within(9.0, 9.0, Budget::Max(8.0)), Some(false));
        assert_eq!(within(9.0, 9.0, Budget::None), None);
    }

    #[test]
    fn the_table_is_markdown() {
        let rows = [
            TableRow::new("start, ms", 1.913, 1.1, Budget::MaxRatio(2.0)),
            TableRow::new("binary, MB", 8.25, 2.0, Budget::Max(8.0)),
            TableRow::new("for information", 1234.6, 0.0, Budget::None),
        ];
        let lines: Vec<String> = render(&rows).lines().skip(2).map(str::to_owned).collect();
        assert_eq!(lines[0], "| start, ms | 1.91 | 1.10 | 1.74 | at most 2x | ok |");
        assert_eq!(lines[1], "| binary, MB | 8.25 | 2.00 | 4.12 | at most 8 | over |");
        assert_eq!(lines[2], "| for information | 1235 | 0.00 |  |  |  |");
    }
}
