//! What the campaigns of an ad account did, as its platform has reported it, and the sums of it. The numbers of every
//! page are such sums.

use crate::kit::numbers::Numbers;
use crate::kit::range::Range;
use crate::kit::total::Total;
use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;
use shared::domain::{CampaignId, ConnectionId, Days, InsightsRow};
use shared::envelope::AccountInsights;
use std::collections::BTreeMap;

/// What the campaigns of an ad account did in some days.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) connection: ConnectionId,
    /// The days that were asked for, as the platform's reports on the account count them.
    pub(crate) days: Days,
    /// The rows of each campaign that has some. On a day without a row it did nothing.
    pub(crate) rows: BTreeMap<CampaignId, Vec<DayNumbers>>,
    /// Rows are missing.
    pub(crate) is_cut: bool,
}

/// What a campaign did on a day.
#[derive(Clone, Debug)]
pub(crate) struct DayNumbers {
    /// `None` for all days together.
    pub(crate) day: Option<Date>,
    pub(crate) numbers: Numbers,
}

/// The sums of a reading over some days. They are lower bounds if rows are missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) total: Numbers,
    /// The days with a row.
    pub(crate) days: BTreeMap<Date, Numbers>,
    /// The campaigns with a row.
    pub(crate) campaigns: BTreeMap<CampaignId, Numbers>,
    is_partial: bool,
}

impl Reading {
    /// What the API has returned of an account for some days.
    pub(crate) fn of(account: AccountInsights, days: Days) -> Reading {
        let is_final = account.finality();
        let mut rows: BTreeMap<CampaignId, Vec<DayNumbers>> = BTreeMap::new();
        for row in account.rows {
            let numbers = Numbers::of(&row, is_final(&row));
            let InsightsRow { campaign, date: day, .. } = row;
            rows.entry(campaign).or_default().push(DayNumbers { day, numbers });
        }
        Reading { connection: account.connection_id, days, rows, is_cut: false }
    }

    /// Adds another part of the same account. The pages of the API may bring an account several times.
    pub(crate) fn add(&mut self, part: Reading) {
        for (campaign, rows) in part.rows {
            self.rows.entry(campaign).or_default().extend(rows);
        }
    }

    /// The sums of some days.
    pub(crate) fn sums(&self, days: Days) -> Sums {
        let mut sums = Sums::default();
        for (campaign, rows) in &self.rows {
            for DayNumbers { day, numbers } in rows.iter().filter(|row| row.day.is_none_or(|day| days.contains(day))) {
                sums.add_row(campaign, *day, numbers);
            }
        }
        let is_covered = self.days.contains(days.from) && self.days.contains(days.to);
        if self.is_cut || !is_covered { sums.lower_bound() } else { sums }
    }

    /// What a campaign spent on each of some days; `None` where that is not known.
    pub(crate) fn spend_by_day(&self, campaign: &CampaignId, days: Days) -> Vec<Option<Decimal>> {
        let rows = self.rows.get(campaign).map(Vec::as_slice).unwrap_or_default();
        let without_row = (!self.is_cut).then_some(Decimal::ZERO);
        let spend = |day: Date| {
            let mut total = Total::default();
            rows.iter().filter(|row| row.day == Some(day)).for_each(|row| total.add(row.numbers.spend));
            let spend = if total == Total::EMPTY { without_row } else { total.exact() };
            if self.days.contains(day) { spend } else { None }
        };
        days.from.series(1.day()).take_while(|day| *day <= days.to).map(spend).collect()
    }
}

impl Sums {
    /// What a campaign did. Without a row it did nothing, if none is missing.
    pub(crate) fn of(&self, campaign: &CampaignId) -> Numbers {
        self.campaigns.get(campaign).unwrap_or(self.without_row()).clone()
    }

    /// What all campaigns did. Without a row they did nothing, if none is missing.
    pub(crate) fn of_all(&self) -> &Numbers {
        if self.campaigns.is_empty() { self.without_row() } else { &self.total }
    }

    /// The days of a range in order; `None` for one without a row.
    pub(crate) fn by_day(&self, range: Range) -> Vec<(Date, Option<Numbers>)> {
        range.days().into_iter().map(|day| (day, self.days.get(&day).cloned())).collect()
    }

    /// Whether rows are missing, so that each sum is a lower bound.
    pub(crate) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Adds the sums of other rows of the same account.
    pub(crate) fn add(&mut self, other: Sums) {
        let Sums { total, days, campaigns, is_partial } = other;
        self.total.add(&total);
        for (day, numbers) in days {
            self.days.entry(day).or_default().add(&numbers);
        }
        for (campaign, numbers) in campaigns {
            self.campaigns.entry(campaign).or_default().add(&numbers);
        }
        self.is_partial |= is_partial;
    }

    /// The same sums as lower bounds: rows are missing.
    #[must_use]
    pub(crate) fn lower_bound(self) -> Sums {
        let Sums { total, days, campaigns, is_partial: _ } = self;
        Sums {
            total: total.lower_bound(),
            days: days.into_iter().map(|(day, numbers)| (day, numbers.lower_bound())).collect(),
            campaigns: campaigns.into_iter().map(|(campaign, numbers)| (campaign, numbers.lower_bound())).collect(),
            is_partial: true,
        }
    }

    fn add_row(&mut self, campaign: &CampaignId, day: Option<Date>, numbers: &Numbers) {
        self.total.add(numbers);
        if let Some(day) = day {
            self.days.entry(day).or_default().add(numbers);
        }
        match self.campaigns.get_mut(campaign) {
            Some(known) => known.add(numbers),
            None => drop(self.campaigns.insert(campaign.clone(), numbers.clone())),
        }
    }

    fn without_row(&self) -> &'static Numbers {
        if self.is_partial { &Numbers::UNKNOWN } else { &Numbers::IDLE }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use shared::domain::{Currency, Platform};

    /// A row of a campaign with this spend in hundredths, 10 impressions and a click.
    pub(crate) fn row(campaign: &str, day: &str, spend: Option<i64>) -> InsightsRow {
        InsightsRow {
            campaign: CampaignId::parse(campaign).unwrap(),
            date: Some(day.parse().unwrap()),
            spend: spend.map(|spend| Decimal::new(spend, 2)),
            impressions: Some(10),
            clicks: Some(1),
            conversions: Some(Decimal::new(25, 1)),
            conversion_value: None,
            unreadable: Vec::new(),
        }
    }

    /// What the API returns of an account: its connection is `conn_{id}`.
    pub(crate) fn insights(id: &str, rows: Vec<InsightsRow>) -> AccountInsights {
        AccountInsights {
            platform: Platform::Beta,
            connection_id: ConnectionId(format!("conn_{id}")),
            account_id: id.to_owned(),
            currency: Currency::from_code("USD").unwrap(),
            time_zone: "UTC".to_owned(),
            attribution: "by click",
            as_of: "2026-11-23T09:00:00Z".parse().unwrap(),
            last_day: "2026-11-23".parse().unwrap(),
            restated_days: 3,
            rows,
        }
    }

    /// The days from one to another.
    pub(crate) fn days(from: &str, to: &str) -> Days {
        Days::new(from.parse().unwrap(), to.parse().unwrap()).unwrap()
    }

    fn reading() -> Reading {
        let whole = days("2026-11-16", "2026-11-23");
        let mut reading = Reading::of(insights("1", vec![row("beta_1_a", "2026-11-16", Some(10))]), whole);
        let more = [("beta_1_a", "2026-11-16", 20), ("beta_1_b", "2026-11-22", 100), ("beta_1_a", "2026-11-23", 700)];
        let more = more.map(|(campaign, day, spend)| row(campaign, day, Some(spend)));
        reading.add(Reading::of(insights("1", more.into()), whole));
        reading
    }

    fn hundredths(spend: i64) -> Total {
        Total::of(Some(Decimal::new(spend, 2)))
    }

    fn id(campaign: &str) -> CampaignId {
        CampaignId::parse(campaign).unwrap()
    }

    #[test]
    fn rows_are_added_by_day_by_campaign_and_in_all() {
        let sums = reading().sums(days("2026-11-16", "2026-11-22"));
        assert_eq!((sums.total.spend, sums.total.clicks), (hundredths(130), Total::of(Some(3.into()))));
        assert_eq!(sums.days[&"2026-11-16".parse().unwrap()].spend, hundredths(30));
        assert_eq!(sums.of(&id("beta_1_a")).spend, hundredths(30));
        assert_eq!(sums.of(&id("beta_1_c")), Numbers::IDLE, "no row is no spend");
        let first = days("2026-11-16", "2026-11-16");
        let (mut parts, rest) = (reading().sums(first), days("2026-11-17", "2026-11-22"));
        parts.add(reading().sums(rest));
        assert_eq!(parts, sums, "the sums of parts are those of the whole");
    }

    #[test]
    fn sums_without_rows_that_are_missing_are_lower_bounds() {
        let week = days("2026-11-16", "2026-11-22");
        let cut = Reading { is_cut: true, ..reading() }.sums(week);
        let earlier = reading().sums(days("2026-11-15", "2026-11-22"));
        for sums in [cut, earlier] {
            assert_eq!(sums.total.spend, hundredths(130).lower_bound());
            assert_eq!(sums.of(&id("beta_1_b")).spend, hundredths(100).lower_bound());
            assert_eq!(sums.of(&id("beta_1_c")), Numbers::UNKNOWN);
        }
        let before = reading().sums(days("2026-11-01", "2026-11-07"));
        assert_eq!((before.of_all().spend, before.campaigns.len()), (Total::UNKNOWN, 0));
        let none = Reading { rows: BTreeMap::new(), ..reading() };
        assert_eq!((none.sums(week).of_all(), none.sums(week).total), (&Numbers::IDLE, Numbers::default()));
    }

    #[test]
    fn a_day_without_a_row_is_one_without_spend_unless_rows_are_missing() {
        let shown = |reading: &Reading, campaign: &str| -> Vec<String> {
            let spend = reading.spend_by_day(&id(campaign), days("2026-11-15", "2026-11-17"));
            spend.into_iter().map(|spend| spend.map_or_else(String::new, |spend| spend.to_string())).collect()
        };
        assert_eq!(shown(&reading(), "beta_1_a"), ["", "0.30", "0"], "the first day was not read");
        assert_eq!(shown(&reading(), "beta_1_c"), ["", "0", "0"]);
        assert_eq!(shown(&Reading { is_cut: true, ..reading() }, "beta_1_a"), ["", "0.30", ""]);
    }

    #[test]
    fn the_last_days_are_open() {
        let sums = reading().sums(days("2026-11-16", "2026-11-23"));
        let open: Vec<bool> = sums.days.values().map(|numbers| numbers.is_open).collect();
        assert_eq!((open, sums.total.is_open), (vec![false, true, true], true));
        let total = InsightsRow { date: None, ..row("beta_1_a", "2026-11-01", Some(5)) };
        let month = Days { from: reading().days.from.saturating_sub(30.days()), ..reading().days };
        let sums = Reading::of(insights("1", vec![total]), month).sums(month);
        assert_eq!((sums.total.spend, sums.days.len()), (hundredths(5), 0));
    }
}
