//! What was spent lately: today, in the last seven full days, and in the seven days before those.

use super::reading::{Reading, Sums};
use crate::kit::numbers::Numbers;
use crate::kit::range::Range;
use crate::kit::total::Total;
use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;
use shared::domain::{CampaignId, Days};

/// What was spent lately, in one currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecentSpend {
    pub(crate) today: Total,
    /// In the seven full days before today.
    pub(crate) week: Total,
    /// In the seven days before those.
    pub(crate) week_before: Total,
}

/// What a campaign did lately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecentNumbers {
    pub(crate) spend: RecentSpend,
    /// All numbers of the seven full days before today.
    pub(crate) week: Numbers,
    /// Spend of the fourteen full days before today, in order. `None` is not known.
    pub(crate) days: Vec<Option<Decimal>>,
}

/// A reading of an ad account, as of a day.
pub(super) struct RecentReading {
    reading: Reading,
    today: Sums,
    week: Sums,
    week_before: Sums,
    /// The two weeks.
    fortnight: Days,
}

impl RecentSpend {
    /// The spend of which nothing is known.
    pub(crate) const UNKNOWN: RecentSpend =
        RecentSpend { today: Total::UNKNOWN, week: Total::UNKNOWN, week_before: Total::UNKNOWN };

    /// The same as lower bounds: a part is missing.
    #[must_use]
    pub(crate) fn lower_bound(self) -> RecentSpend {
        let RecentSpend { today, week, week_before } = self;
        RecentSpend { today: today.lower_bound(), week: week.lower_bound(), week_before: week_before.lower_bound() }
    }

    /// Adds that of another account.
    pub(crate) fn add(&mut self, other: RecentSpend) {
        let RecentSpend { today, week, week_before } = other;
        self.today.add(today);
        self.week.add(week);
        self.week_before.add(week_before);
    }
}

impl RecentNumbers {
    /// The numbers of a campaign of which nothing is known.
    pub(crate) const UNKNOWN: RecentNumbers =
        RecentNumbers { spend: RecentSpend::UNKNOWN, week: Numbers::UNKNOWN, days: Vec::new() };

    /// What several campaigns did, without its days.
    pub(crate) fn sum<'a>(parts: impl Iterator<Item = &'a RecentNumbers>) -> RecentNumbers {
        let none = RecentNumbers { spend: RecentSpend::default(), week: Numbers::default(), days: Vec::new() };
        parts.fold(none, |mut sum, part| {
            sum.spend.add(part.spend);
            sum.week.add(&part.week);
            sum
        })
    }

    /// The same as lower bounds: a part is missing.
    #[must_use]
    pub(crate) fn lower_bound(self) -> RecentNumbers {
        let RecentNumbers { spend, week, days } = self;
        RecentNumbers { spend: spend.lower_bound(), week: week.lower_bound(), days }
    }
}

/// Whether a page shows the impressions and conversions of a day: it shows those of today and of the seven days before. A zone
/// in which it is still yesterday needs one day more.
pub(super) fn is_of_results(day: Date, last: Date) -> bool {
    day >= last.saturating_sub(8.days())
}

/// The days that are read of an account in whose reports it is this day: two weeks, and today.
pub(super) fn days_to_read(today: Date) -> Days {
    Days { from: Range::week(today).period_before().from, to: today }
}

impl RecentReading {
    /// What a reading contains of an account. `read_on` was the day in its reports at the reading, `today` is that of
    /// now.
    pub(super) fn of(reading: Reading, read_on: Date, today: Date) -> RecentReading {
        let range = Range::week(today);
        let (week, before) = (range.period(), range.period_before());
        let sums = |days: Days| {
            let sums = reading.sums(days);
            // A day that was read before it was over has more by now.
            let is_read = days.to < read_on || (days.to == today && read_on == today);
            if is_read { sums } else { sums.lower_bound() }
        };
        RecentReading {
            today: sums(Days { from: today, to: today }),
            week: sums(week),
            week_before: sums(before),
            fortnight: Days { from: before.from, to: week.to },
            reading,
        }
    }

    /// Whether any campaign did something.
    pub(super) fn has_rows(&self) -> bool {
        !self.reading.rows.is_empty()
    }

    /// What all campaigns of the account spent, also those that are removed.
    pub(super) fn spend(&self) -> RecentSpend {
        let RecentReading { today, week, week_before, .. } = self;
        RecentSpend { today: today.of_all().spend, week: week.of_all().spend, week_before: week_before.of_all().spend }
    }

    /// The numbers of a campaign today, and in the seven full days before.
    pub(super) fn today_and_week(&self, id: &CampaignId) -> (Numbers, Numbers) {
        (self.today.of(id), self.week.of(id))
    }

    /// What a campaign did.
    pub(super) fn of_campaign(&self, id: &CampaignId) -> RecentNumbers {
        let [today, week, week_before] = [&self.today, &self.week, &self.week_before].map(|sums| sums.of(id));
        RecentNumbers {
            spend: RecentSpend { today: today.spend, week: week.spend, week_before: week_before.spend },
            week,
            days: self.reading.spend_by_day(id, self.fortnight),
        }
    }
}
