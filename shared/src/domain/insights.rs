//! Insights: what campaigns did, by day or in total. Amounts are decimals in the ad account's currency.

use super::{CampaignId, variants};
use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// A range of days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Days {
    /// First day.
    pub from: Date,
    /// Last day, not before the first.
    pub to: Date,
}

impl Days {
    /// The range; `None` if it ends before it starts.
    pub fn new(from: Date, to: Date) -> Option<Days> {
        (from <= to).then_some(Days { from, to })
    }

    /// Number of days.
    pub fn count(self) -> i32 {
        self.from.until(self.to).map_or(1, |span| span.get_days() + 1)
    }

    /// The first `count` days, or all if there are fewer.
    #[must_use]
    pub fn first(self, count: i32) -> Days {
        let to = self.from.saturating_add((count.clamp(1, self.count()) - 1).days());
        Days { to, ..self }
    }

    /// Whether a day is in the range.
    pub fn contains(self, day: Date) -> bool {
        (self.from..=self.to).contains(&day)
    }

    /// The days after those of an earlier part; `None` if none are left.
    pub fn after(self, part: Days) -> Option<Days> {
        Days::new(part.to.tomorrow().ok()?, self.to)
    }
}

/// Parses `YYYY-MM-DD`, and no other form of a date.
pub fn parse_date(text: &str) -> Option<Date> {
    text.parse::<Date>().ok().filter(|date| date.to_string() == text)
}

/// The rows of insights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Granularity {
    /// A row for each campaign and day.
    Day,
    /// A row for each campaign.
    Total,
}

impl Granularity {
    /// Every granularity.
    pub const ALL: [Granularity; 2] = variants();

    /// The name in the API: `day`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<Granularity> {
        name.parse().ok()
    }
}

/// The numbers of a campaign on a day, or in the whole range. `None` is a number that is not known, and never stands for
/// 0. A platform's correction may be below 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsightsRow {
    pub campaign: CampaignId,
    /// The day in the report's time zone; `None` for the whole range.
    pub date: Option<Date>,
    /// In major units of the ad account's currency.
    pub spend: Option<Decimal>,
    /// Number of times an ad was shown.
    pub impressions: Option<i64>,
    /// Number of clicks, as the platform counts them.
    pub clicks: Option<i64>,
    /// Number of conversions; a fraction where the platform divides them between ads.
    pub conversions: Option<Decimal>,
    pub conversion_value: Option<Decimal>,
    /// The names of the numbers that the platform sent and that could not be read.
    pub unreadable: Vec<&'static str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(from: &str, to: &str) -> Days {
        Days::new(from.parse().unwrap(), to.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_range_is_cut_into_parts_without_a_gap() {
        let whole = days("2026-01-30", "2026-03-02");
        assert_eq!(whole.count(), 32);
        let first = whole.first(30);
        assert_eq!(first, days("2026-01-30", "2026-02-28"));
        let rest = whole.after(first).unwrap();
        assert_eq!(rest, days("2026-03-01", "2026-03-02"));
        assert_eq!((rest.first(30), rest.first(i32::MAX)), (rest, rest));
        assert!(rest.contains(rest.from) && rest.contains(rest.to) && !rest.contains(first.to));
        assert_eq!(whole.after(rest), None);
        assert_eq!(Days::new(whole.to, whole.from), None);
    }

    #[test]
    fn a_date_has_one_form() {
        assert_eq!(parse_date("2026-01-01"), Some(jiff::civil::date(2026, 1, 1)));
        for text in ["", "2026-1-01", "20260101", "2026-W01-1", "2026-01-01T00:00", "2026-02-29"] {
            assert_eq!(parse_date(text), None, "{text}");
        }
    }
}
