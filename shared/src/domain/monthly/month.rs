//! Calendar months of an ad account.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// A calendar month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Month(Date);

impl Month {
    /// The month of a day.
    pub fn of(day: Date) -> Month {
        Month(day.first_of_month())
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<Month> {
        let month = Month::of(format!("{name}-01").parse().ok()?);
        (month.name() == name).then_some(month)
    }

    /// Its first day.
    pub fn first(self) -> Date {
        self.0
    }

    /// Number of its days.
    pub fn days(self) -> i32 {
        i32::from(self.0.days_in_month())
    }

    /// Number of its days from this one on, this one included.
    pub fn days_from(self, day: Date) -> i32 {
        (self.days() - i32::from(day.day()) + 1).max(1)
    }

    /// The month after it.
    #[must_use]
    pub fn next(self) -> Month {
        Month(self.0.last_of_month().tomorrow().unwrap_or(self.0))
    }

    /// The name in the API: `2026-11`.
    pub fn name(self) -> String {
        self.0.strftime("%Y-%m").to_string()
    }
}

/// The day of a moment in a time zone.
pub fn day_in(zone: &TimeZone, at: Timestamp) -> Date {
    zone.to_datetime(at).date()
}

/// The moment at which a day begins; where the clocks skip midnight, the first moment after it.
pub fn begin_of(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    day.to_zoned(zone.clone()).ok().map(|midnight| midnight.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_month_has_its_own_length_and_ends_in_the_next() {
        let february = Month::of(date(2028, 2, 10));
        assert_eq!(
            (february.days(), february.days_from(date(2028, 2, 29)), february.days_from(date(2028, 2, 1))),
            (29, 1, 29)
        );
        assert_eq!((february.name(), february.next().name()), ("2028-02".into(), "2028-03".into()));
        assert_eq!(Month::of(date(2026, 12, 31)).next().first(), date(2027, 1, 1));
        assert_eq!(Month::parse("2028-02"), Some(february));
        assert_eq!((Month::parse("2028-2"), Month::parse("2028-02-01")), (None, None));
    }

    #[test]
    fn a_day_begins_in_the_zone_of_the_account_where_clocks_change_too() {
        let new_york = TimeZone::get("America/New_York").unwrap();
        let begin = begin_of(date(2026, 12, 1), &new_york).unwrap();
        assert_eq!(begin.to_string(), "2026-12-01T05:00:00Z");
        assert_eq!(day_in(&new_york, "2026-12-01T04:59:59Z".parse().unwrap()), date(2026, 11, 30));
        // Cairo skips the first hour of this day.
        let cairo = TimeZone::get("Africa/Cairo").unwrap();
        let begin = begin_of(date(2026, 4, 24), &cairo).unwrap();
        assert_eq!(day_in(&cairo, begin), date(2026, 4, 24));
        assert_eq!(begin.to_string(), "2026-04-23T22:00:00Z");
    }
}
