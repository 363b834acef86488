//! How far a month is: what is expected of it by now, and what it comes to at the pace of the last days. All of it is exact
//! until it is rounded once, to the decimals of the currency, half away from zero.

use crate::kit::total::Total;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use rust_decimal::{Decimal, RoundingStrategy};
use shared::domain::Currency;
use shared::domain::monthly::{Month, begin_of, day_in};

/// What restarts in the last seconds of a month does not spend any more: maintenance and the platform take minutes.
const ENDING_S: i64 = 3_600;
/// Seconds of the seven days of a pace.
const WEEK_S: i64 = 7 * 86_400;

/// Whether a moment is in a month, by the reports on an ad account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The month begins then.
    NotBegun(Timestamp),
    Running,
    /// The month has ended then.
    Ended(Timestamp),
}

/// A moment in a month, in the time zone of a platform's reports on an ad account. One before the month stands at its
/// beginning, and one after it at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MonthClock {
    pub(crate) month: Month,
    pub(crate) phase: Phase,
    /// The days of it that are over.
    pub(crate) full_days: usize,
    /// Seconds of the month that are over, and all of them. A day on which clocks change has fewer or more than others.
    passed: i64,
    all: i64,
}

impl MonthClock {
    /// The moment in its own month; `None` for one whose month has no beginning or no end.
    pub(crate) fn at(now: Timestamp, zone: &TimeZone) -> Option<MonthClock> {
        MonthClock::in_month(Month::of(day_in(zone, now)), now, zone)
    }

    /// The moment as seen from a month, which may be another one at the ad account.
    pub(crate) fn in_month(month: Month, now: Timestamp, zone: &TimeZone) -> Option<MonthClock> {
        let (begin, end) = (begin_of(month.first(), zone)?, begin_of(month.next().first(), zone)?);
        let phase = match now {
            now if now < begin => Phase::NotBegun(begin),
            now if now >= end => Phase::Ended(end),
            _ => Phase::Running,
        };
        let full_days = match phase {
            Phase::NotBegun(_) => 0,
            Phase::Running => i32::from(day_in(zone, now).day()) - 1,
            Phase::Ended(_) => month.days(),
        };
        let all = end.duration_since(begin).as_secs();
        let passed = now.duration_since(begin).as_secs().clamp(0, all);
        Some(MonthClock { month, phase, full_days: usize::try_from(full_days).ok()?, passed, all })
    }

    /// The day of the moment.
    pub(crate) fn today(self) -> Date {
        self.month.first().saturating_add(i64::try_from(self.full_days).unwrap_or_default().days())
    }

    /// Whether the month is as good as over.
    pub(crate) fn is_ending(self) -> bool {
        self.all - self.passed <= ENDING_S
    }

    /// The even share of an amount until now.
    pub(crate) fn expected(self, amount: Decimal, currency: Currency) -> Option<Decimal> {
        part(amount, self.passed, self.all, currency)
    }

    /// The spend of the whole month, if each second that is left costs what one of the last seven full days did.
    pub(crate) fn forecast(self, spent: Total, week: Total, currency: Currency) -> Total {
        if matches!(self.phase, Phase::Ended(_)) {
            return spent;
        }
        // A week of corrections brings nothing back.
        let pace = week.known().map(|week| week.max(Decimal::ZERO));
        let more = Total::of(pace.and_then(|pace| part(pace, self.all - self.passed, WEEK_S, currency)));
        let mut all = spent;
        all.add(if week.exact().is_some() { more } else { more.lower_bound() });
        all
    }
}

/// A forecast that a monthly budget holds at its amount, or at what is spent if that is more.
pub(crate) fn held(forecast: Total, spent: Total, amount: Decimal) -> Total {
    if forecast.known().is_none_or(|known| known <= amount) {
        return forecast;
    }
    match spent.known().filter(|spent| *spent > amount) {
        Some(_) => spent,
        None => Total::of(Some(amount)),
    }
}

fn part(amount: Decimal, of: i64, all: i64, currency: Currency) -> Option<Decimal> {
    let part = amount.checked_mul(Decimal::from(of))?.checked_div(Decimal::from(all))?;
    Some(part.round_dp_with_strategy(currency.decimals(), RoundingStrategy::MidpointAwayFromZero))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::from_str_exact(text).unwrap()
    }

    fn currency(code: &str) -> Currency {
        Currency::from_code(code).unwrap()
    }

    fn clock(now: &str, zone: &str) -> MonthClock {
        MonthClock::at(now.parse().unwrap(), &TimeZone::get(zone).unwrap()).unwrap()
    }

    fn whole(amount: &str) -> Total {
        Total::of(Some(decimal(amount)))
    }

    #[test]
    fn the_expected_part_of_an_amount_grows_evenly_over_the_month() {
        for (now, zone, amount, expected) in [
            ("2026-11-01T00:00:00Z", "UTC", "3000", "0"),
            ("2026-11-16T00:00:00Z", "UTC", "3000", "1500"),
            ("2026-11-16T12:00:00Z", "UTC", "3000", "1550"),
            ("2026-02-28T23:59:59Z", "UTC", "2800", "2800.00"),
            ("2026-12-01T00:00:00Z", "America/New_York", "3000", "2979.20"),
            ("2026-11-30T16:00:00Z", "Asia/Tokyo", "3100", "4.17"),
        ] {
            let found = clock(now, zone).expected(decimal(amount), currency("USD"));
            assert_eq!(found, Some(decimal(expected)), "{now} in {zone}");
        }
    }

    #[test]
    fn a_moment_outside_of_a_month_stands_at_its_beginning_or_its_end() {
        let in_month = |month: &str, zone: &str| {
            let now = "2026-12-01T01:00:00Z".parse().unwrap();
            MonthClock::in_month(Month::parse(month).unwrap(), now, &TimeZone::get(zone).unwrap()).unwrap()
        };
        let of = |clock: MonthClock| {
            let forecast = clock.forecast(Total::ZERO, whole("7"), currency("USD"));
            (clock.full_days, clock.expected(decimal("310"), currency("USD")).unwrap(), forecast)
        };
        let before = in_month("2026-12", "America/Los_Angeles");
        assert_eq!(before.phase, Phase::NotBegun("2026-12-01T08:00:00Z".parse().unwrap()));
        assert_eq!(of(before), (0, Decimal::ZERO, whole("31")), "the whole month is left");
        let after = in_month("2026-11", "Asia/Tokyo");
        assert_eq!(after.phase, Phase::Ended("2026-11-30T15:00:00Z".parse().unwrap()));
        assert_eq!(of(after), (30, decimal("310"), Total::ZERO), "nothing is left");
        assert!(after.is_ending() && in_month("2026-12", "UTC").phase == Phase::Running);
    }

    #[test]
    fn an_expected_part_is_rounded_once_half_away_from_zero() {
        let noon = clock("2026-11-01T12:00:00Z", "UTC");
        assert_eq!(noon.expected(decimal("0.30"), currency("USD")), Some(decimal("0.01")), "0.005");
        assert_eq!(noon.expected(decimal("30"), currency("JPY")), Some(decimal("1")), "0.5");
        assert_eq!(noon.expected(decimal("0.29"), currency("USD")), Some(decimal("0.00")));
        assert_eq!(noon.expected(Decimal::MAX, currency("USD")), None, "no decimal has the product");
    }

    #[test]
    fn a_month_is_as_good_as_over_in_its_last_hour() {
        let at = |now| (clock(now, "America/New_York").today().day(), clock(now, "America/New_York").is_ending());
        assert_eq!((at("2026-12-01T03:59:59Z"), at("2026-12-01T04:00:00Z")), ((30, false), (30, true)));
        assert_eq!(at("2026-12-01T05:00:00Z"), (1, false));
    }

    #[test]
    fn a_forecast_adds_a_seventh_of_the_week_for_each_day_that_is_left() {
        let tenth = clock("2026-11-11T00:00:00Z", "UTC");
        let of = |spent, week| tenth.forecast(spent, week, currency("USD"));
        assert_eq!(of(whole("1000"), whole("700")), whole("3000"));
        assert_eq!(of(whole("0"), whole("1")), whole("2.86"), "20 sevenths");
        assert_eq!(of(whole("5"), Total::ZERO), whole("5.00"), "nothing more");
        assert_eq!(of(whole("5"), whole("-7")), whole("5.00"), "corrections bring nothing back");
        assert_eq!(of(whole("1000"), whole("700").lower_bound()), whole("3000").lower_bound());
        assert_eq!(of(whole("1000").lower_bound(), whole("700")), whole("3000").lower_bound());
        assert_eq!(of(whole("5"), Total::UNKNOWN), whole("5").lower_bound());
        assert_eq!(of(Total::UNKNOWN, Total::UNKNOWN), Total::UNKNOWN);
    }

    #[test]
    fn a_monthly_budget_holds_the_forecast_at_its_amount() {
        let amount = decimal("3000");
        assert_eq!(held(whole("2999"), whole("1000"), amount), whole("2999"));
        assert_eq!(held(whole("4000"), whole("1000"), amount), whole("3000"));
        assert_eq!(held(whole("4000").lower_bound(), whole("1000"), amount), whole("3000"));
        assert_eq!(held(whole("4000"), whole("3100"), amount), whole("3100"), "it is spent already");
        assert_eq!(held(Total::UNKNOWN, Total::UNKNOWN, amount), Total::UNKNOWN);
    }
}
