//! Delivery: what a campaign did on a day, before a platform writes it in its own units and with its own quirks.

use crate::money::MICROS;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::RangeBounds;

/// The numbers of a campaign on one day.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Delivery {
    /// Amount spent, in micros of the account's currency.
    pub(crate) spend: i64,
    pub(crate) impressions: u64,
    pub(crate) clicks: u64,
    /// Conversions in micros, because some platforms count fractions.
    pub(crate) conversions: i64,
    /// Value of the conversions, in micros of the account's currency.
    pub(crate) conversion_value: i64,
}

impl Delivery {
    /// Refuses a fraction of a conversion.
    pub(crate) fn check_whole_conversions(&self) -> Result<(), SpendError> {
        if self.conversions % MICROS == 0 { Ok(()) } else { Err(SpendError::FractionalConversions) }
    }

    /// The sum of two days; too large numbers stay at the maximum.
    pub(crate) fn add(&mut self, other: &Self) {
        self.spend = self.spend.saturating_add(other.spend);
        self.impressions = self.impressions.saturating_add(other.impressions);
        self.clicks = self.clicks.saturating_add(other.clicks);
        self.conversions = self.conversions.saturating_add(other.conversions);
        self.conversion_value = self.conversion_value.saturating_add(other.conversion_value);
    }
}

/// Reason why a delivery or spend cannot be stored.
pub(crate) enum SpendError {
    /// No campaign has this id.
    UnknownCampaign,
    /// The amount is not a decimal with up to six places, or the total overflows.
    InvalidAmount,
    /// The amount has more places than this currency, or the total overflows.
    InvalidForCurrency(String),
    /// The platform counts whole conversions only.
    FractionalConversions,
}

/// The days of a campaign.
pub(crate) type DeliveredDays = BTreeMap<Date, Delivery>;

/// The total spend of all days or hours; a too large number stays at the maximum.
pub(crate) fn total_spend<T>(delivered: &BTreeMap<T, Delivery>) -> i64 {
    delivered.values().fold(0, |sum, one| sum.saturating_add(one.spend))
}

/// Adds to the spend of a day, or of an hour on a platform that counts hours. Returns the total spend, which must not
/// overflow.
pub(crate) fn add_spend<T: Ord>(
    delivered: &mut BTreeMap<T, Delivery>,
    day_or_hour: T,
    amount: i64,
) -> Result<i64, SpendError> {
    let total = total_spend(delivered).checked_add(amount).ok_or(SpendError::InvalidAmount)?;
    delivered.entry(day_or_hour).or_default().spend += amount;
    Ok(total)
}

/// Stores a delivery under a day or an hour, in place of every delivery in `replaced`. The total spend must not
/// overflow.
pub(crate) fn set<T: Ord>(
    delivered: &mut BTreeMap<T, Delivery>,
    replaced: impl RangeBounds<T>,
    day_or_hour: T,
    delivery: &Delivery,
) -> Result<(), SpendError> {
    let others = delivered.iter().filter(|(known, _)| !replaced.contains(*known));
    let total = others.map(|(_, one)| one.spend).try_fold(delivery.spend, i64::checked_add);
    total.ok_or(SpendError::InvalidAmount)?;
    delivered.retain(|known, _| !replaced.contains(known));
    delivered.insert(day_or_hour, delivery.clone());
    Ok(())
}

/// The sum of the days in a range, both ends included; `None` without a day in it.
pub(crate) fn sum(days: &DeliveredDays, first: Date, last: Date) -> Option<Delivery> {
    let mut within = (first <= last).then(|| days.range(first..=last))?.map(|(_, day)| day);
    let mut total = within.next()?.clone();
    within.for_each(|day| total.add(day));
    Some(total)
}

/// The delivery of a day from a seed: the same seed, campaign and day give the same numbers. About one day in seven has
/// none. Amounts have at most `places` decimal places.
pub(crate) fn seeded(seed: u64, campaign: &str, day: Date, places: u32) -> Option<Delivery> {
    let mut numbers = Numbers::of(&format!("{seed}/{campaign}/{day}"));
    if numbers.below(7) == 0 {
        return None;
    }
    let unit = MICROS / 10_i64.pow(places.min(6));
    let impressions = 200 + numbers.below(20_000);
    let clicks = impressions * (1 + numbers.below(40)) / 1_000;
    let conversions = clicks * numbers.below(120) / 1_000;
    let amount =
        |numbers: &mut Numbers, most: u64| i64::try_from(numbers.below(most)).unwrap_or(0).saturating_mul(unit);
    let per_unit = 10_u64.pow(places.min(6));
    Some(Delivery {
        spend: amount(&mut numbers, 300 * per_unit),
        impressions,
        clicks,
        conversions: i64::try_from(conversions).unwrap_or(0).saturating_mul(MICROS),
        conversion_value: amount(&mut numbers, 40 * per_unit * conversions),
    })
}

/// A sequence of pseudo-random numbers (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn of(text: &str) -> Self {
        // FNV-1a spreads texts that differ in one digit.
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(text.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_days_with_gaps_and_without_fractions_of_a_cent() {
        let first: Date = "2026-01-01".parse().unwrap();
        let day = |days: i64| first.saturating_add(jiff::Span::new().days(days));
        let month: Vec<_> = (0..60).map(|index| seeded(7, "1", day(index), 2)).collect();
        assert_eq!(month, (0..60).map(|index| seeded(7, "1", day(index), 2)).collect::<Vec<_>>());
        assert!(month.iter().any(Option::is_none) && month.iter().flatten().count() > 40);
        assert!(month.iter().flatten().all(|day| day.spend % 10_000 == 0 && day.clicks <= day.impressions));
        assert!(seeded(7, "1", first, 0).is_none_or(|day| day.spend % MICROS == 0));
        assert_ne!(month, (0..60).map(|index| seeded(8, "1", day(index), 2)).collect::<Vec<_>>());
    }

    #[test]
    fn a_sum_is_of_the_days_in_the_range() {
        let date = |text: &str| text.parse::<Date>().unwrap();
        let day = |spend| Delivery { spend, clicks: 1, ..Delivery::default() };
        let days = DeliveredDays::from([(date("2026-01-01"), day(5)), (date("2026-01-03"), day(7))]);
        assert_eq!(sum(&days, date("2026-01-01"), date("2026-01-03")), Some(Delivery { clicks: 2, ..day(12) }));
        assert_eq!(sum(&days, date("2026-01-02"), date("2026-01-02")), None);
    }
}
