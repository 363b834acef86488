//! The days that a page shows, and those that they are compared with. Today is the day of the platform's reports on an ad
//! account, and no other.

use crate::kit::choice::{Choice, choices};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use shared::domain::Days;
use shared::domain::insights::parse_date;
use shared::domain::monthly::Month;
use shared::envelope::query::value;
use std::cmp::Reverse;

const WEEK: &str = "7";
const FORTNIGHT: &str = "14";
/// The last whole week, from Monday to Sunday.
const LAST_WEEK: &str = "last-week";
const THIS_MONTH: &str = "this-month";
const LAST_MONTH: &str = "last-month";
/// This month with today, which is no choice of a form.
const MONTH_SO_FAR: &str = "month-so-far";
/// The choices: the value, and what it says.
const CHOICES: &[(&str, &str)] = &[
    ("1", "Yesterday"),
    (WEEK, "Last 7 days"),
    (LAST_WEEK, "Last week (Mon–Sun)"),
    (THIS_MONTH, "This month"),
    (LAST_MONTH, "Last month"),
    (FORTNIGHT, "Last 14 days"),
    ("30", "Last 30 days"),
    ("90", "Last 90 days"),
];
/// Most days of a report of the API.
const MAX_DAYS: i32 = 90;
/// More days than these are folded, so that the page stays short.
const MAX_OPEN_DAYS: usize = 7;

/// Days, both ends included: those of the reports on an ad account ([`Range::for_today`]), or of UTC. All but the dates
/// that a person enters end yesterday.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) from: Date,
    pub(crate) to: Date,
    today: Date,
    /// The choice; empty for dates that a person entered.
    chosen: &'static str,
}

impl Range {
    /// The range that the address of the page chooses. Dates that are wrong leave the default.
    pub(crate) fn read(query: &[(String, String)], now: Timestamp) -> Range {
        let today = TimeZone::UTC.to_datetime(now).date();
        if let Some(Ok(Days { from, to })) = custom_days(query, today) {
            return Range { from, to, today, chosen: "" };
        }
        let given = value(query, "days").unwrap_or(WEEK);
        let known = CHOICES.iter().map(|(days, _)| *days).find(|days| *days == given);
        let chosen = known.unwrap_or(WEEK);
        let (from, to) = chosen_days(chosen, today);
        Range { from, to, today, chosen }
    }

    /// The last 7 full days of an ad account in whose reports it is this day.
    pub(crate) fn week(today: Date) -> Range {
        let (from, to) = chosen_days(WEEK, today);
        Range { from, to, today, chosen: WEEK }
    }

    /// The last 14 full days of such an account: those that lists keep.
    pub(crate) fn fortnight(today: Date) -> Range {
        let (from, to) = chosen_days(FORTNIGHT, today);
        Range { from, to, today, chosen: FORTNIGHT }
    }

    /// The month so far, today included. The day of UTC stands until [`Range::for_today`] has that of an ad account.
    pub(crate) fn month_so_far(now: Timestamp) -> Range {
        let today = TimeZone::UTC.to_datetime(now).date();
        let (from, to) = chosen_days(MONTH_SO_FAR, today);
        Range { from, to, today, chosen: MONTH_SO_FAR }
    }

    /// A whole month that is over.
    pub(crate) fn of_month(month: Month, now: Timestamp) -> Range {
        let (from, today) = (month.first(), TimeZone::UTC.to_datetime(now).date());
        Range { from, to: from.last_of_month(), today, chosen: "" }
    }

    /// The same choice for an ad account in whose reports it is this day. Dates that a person entered stay. The month so far
    /// does not go on into the next one.
    pub(crate) fn for_today(self, today: Date) -> Range {
        let (from, to) = match self.chosen {
            "" => (self.from, self.to),
            MONTH_SO_FAR => chosen_days(MONTH_SO_FAR, today.min(self.to.last_of_month())),
            chosen => chosen_days(chosen, today),
        };
        Range { from, to, today, chosen: self.chosen }
    }

    /// Joins two ranges of the same choice in different time zones. A day counts as complete only when it is over in
    /// both.
    pub(crate) fn union(self, other: Range) -> Range {
        let (from, to) = (self.from.min(other.from), self.to.max(other.to));
        Range { from, to, today: self.today.min(other.today), chosen: self.chosen }
    }

    /// The days that a page names for several ad accounts. Of a number of days they are those of most accounts, so that
    /// they stay as many; of a month they are those of all.
    pub(crate) fn shared(ranges: impl Iterator<Item = Range>) -> Option<Range> {
        let ranges: Vec<Range> = ranges.collect();
        let all = ranges.iter().copied().reduce(Range::union)?;
        let votes = |range: &Range| ranges.iter().filter(|other| other.period() == range.period()).count();
        let most = ranges.iter().copied().max_by_key(|range| (votes(range), Reverse(range.from)));
        if all.is_number_of_days() { most } else { Some(all) }
    }

    /// The day of this range at the place of a day of another one of the same choice: the first stands for the first.
    pub(crate) fn day_at(&self, shown: Range, day: Date) -> Date {
        let place = Days { from: shown.from, to: day }.count() - 1;
        if self.is_number_of_days() { self.from.saturating_add(place.days()) } else { day }
    }

    /// Whether it has as many days in every time zone: a number of days up to yesterday, or a week.
    pub(crate) fn is_number_of_days(&self) -> bool {
        self.chosen == LAST_WEEK || self.chosen.parse::<u8>().is_ok()
    }

    /// The choice and the days for people: `Last 7 days: 16 Nov to 22 Nov 2026`.
    pub(crate) fn title(&self) -> String {
        let name = CHOICES.iter().find(|(days, _)| *days == self.chosen).map(|(_, name)| format!("{name}: "));
        format!("{}{}", name.unwrap_or_default(), self.text())
    }

    /// What is wrong with the dates in the address of the page.
    pub(crate) fn problem(query: &[(String, String)], now: Timestamp) -> Option<&'static str> {
        custom_days(query, TimeZone::UTC.to_datetime(now).date())?.err()
    }

    /// The options of the form.
    pub(crate) fn choices(&self) -> Vec<Choice> {
        choices(CHOICES, self.chosen)
    }

    /// The query of a page with this range.
    pub(crate) fn query(&self) -> String {
        if self.chosen.is_empty() { self.parameters() } else { format!("days={}", self.chosen) }
    }

    /// The days before: of a month those of the month before, else as many days.
    pub(crate) fn period_before(&self) -> Days {
        let last = self.from.saturating_sub(1.day());
        let month = self.from.saturating_sub(1.month());
        let (from, to) = match self.chosen {
            THIS_MONTH => (month, self.to.saturating_sub(1.month())),
            LAST_MONTH => (month, last),
            _ => (self.from.saturating_sub(self.count().days()), last),
        };
        Days { from, to }
    }

    /// Its days.
    pub(crate) fn period(&self) -> Days {
        Days { from: self.from, to: self.to }
    }

    /// Its days up to today, if today is the next one and a report may have so many days.
    pub(crate) fn with_today(&self, today: Option<Date>) -> Days {
        let next = today.filter(|today| self.to.tomorrow().ok() == Some(*today) && self.count() < MAX_DAYS);
        Days { from: self.from, to: next.unwrap_or(self.to) }
    }

    /// The same days, and with today all days of its month.
    pub(crate) fn with_month(&self, today: Option<Date>) -> Days {
        let Days { from, to } = self.with_today(today);
        let first = today.filter(|today| *today == to).map(Date::first_of_month);
        Days { from: first.map_or(from, |first| first.min(from)), to }
    }

    /// The days for people: `16 Nov to 22 Nov 2026`.
    pub(crate) fn text(&self) -> String {
        text(self.period())
    }

    /// The days for people, with the whole name of the month: `16–22 November 2026`.
    pub(crate) fn plain_text(&self) -> String {
        let Range { from, to, .. } = *self;
        let last = to.strftime("%-d %B %Y");
        if from == to {
            return last.to_string();
        }
        match (from.year() == to.year(), from.month() == to.month()) {
            (true, true) => format!("{}–{last}", from.day()),
            (true, false) => format!("{} – {last}", from.strftime("%-d %B")),
            (false, _) => format!("{} – {last}", from.strftime("%-d %B %Y")),
        }
    }

    /// The same, and that today is not in them where a person might expect it: `16–22 November 2026, without today`.
    pub(crate) fn complete_text(&self) -> String {
        let is_up_to_yesterday = !self.chosen.is_empty() && self.to.tomorrow().is_ok_and(|next| next == self.today);
        format!("{}{}", self.plain_text(), if is_up_to_yesterday { ", without today" } else { "" })
    }

    /// The days in order.
    pub(crate) fn days(&self) -> Vec<Date> {
        self.from.series(1.day()).take_while(|day| *day <= self.to).collect()
    }

    /// Whether a day is not over, so that its numbers are those of a part of it.
    pub(crate) fn is_running(&self, day: Date) -> bool {
        day >= self.today
    }

    /// Whether the table of the days is short enough to be shown at once.
    pub(crate) fn is_short(&self) -> bool {
        self.days().len() <= MAX_OPEN_DAYS
    }

    /// Its days as parameters of an address.
    fn parameters(&self) -> String {
        format!("from={}&to={}", self.from, self.to)
    }

    fn count(&self) -> i32 {
        self.period().count()
    }
}

/// The days of a choice.
fn chosen_days(chosen: &str, today: Date) -> (Date, Date) {
    let yesterday = today.saturating_sub(1.day());
    match chosen {
        // On the first of a month no day of it is over.
        THIS_MONTH => (today.first_of_month(), yesterday.max(today.first_of_month())),
        MONTH_SO_FAR => (today.first_of_month(), today),
        LAST_WEEK => {
            let monday = today.saturating_sub(i64::from(today.weekday().to_monday_zero_offset()).days());
            (monday.saturating_sub(7.days()), monday.saturating_sub(1.day()))
        }
        LAST_MONTH => {
            let last = today.first_of_month().saturating_sub(1.day());
            (last.first_of_month(), last)
        }
        days => (today.saturating_sub(days.parse::<i64>().unwrap_or(1).days()), yesterday),
    }
}

/// The dates that a person entered; `None` without any.
fn custom_days(query: &[(String, String)], today: Date) -> Option<Result<Days, &'static str>> {
    let given = |name| value(query, name).map(str::trim).unwrap_or_default();
    let (from, to) = (given("from"), given("to"));
    (!from.is_empty() || !to.is_empty()).then(|| check(parse_date(from), parse_date(to), today))
}

fn check(from: Option<Date>, to: Option<Date>, today: Date) -> Result<Days, &'static str> {
    let (Some(from), Some(to)) = (from, to) else { return Err("Choose the first and the last day.") };
    let days = Days::new(from, to).ok_or("The first day must not be after the last day.")?;
    if to > today {
        return Err("The last day must not be in the future.");
    }
    if days.count() > MAX_DAYS {
        return Err("Choose at most 90 days.");
    }
    Ok(days)
}

/// Days for people: `16 Nov to 22 Nov 2026`.
pub(crate) fn text(days: Days) -> String {
    let Days { from, to } = days;
    let last = to.strftime("%-d %b %Y");
    if from == to {
        return last.to_string();
    }
    let first = if from.year() == to.year() { label(from) } else { from.strftime("%-d %b %Y").to_string() };
    format!("{first} to {last}")
}

/// A day for people: `22 Nov`.
pub(crate) fn label(day: Date) -> String {
    day.strftime("%-d %b").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::envelope::query::pairs;

    fn at(query: &str, now: &str) -> Range {
        Range::read(&pairs(Some(query)), now.parse().unwrap())
    }

    fn read(query: &str) -> Range {
        at(query, "2026-03-03T00:00:00Z")
    }

    fn days(range: Range) -> (String, String) {
        let Days { from, to } = range.period_before();
        (format!("{}..{}", range.from, range.to), format!("{from}..{to}"))
    }

    fn expected(now: &str, before: &str) -> (String, String) {
        (now.to_owned(), before.to_owned())
    }

    #[test]
    fn a_range_has_full_days_up_to_yesterday() {
        for (given, count, first) in
            [("7", 7, "2026-02-24"), ("14", 14, "2026-02-17"), ("30", 30, "2026-02-01"), ("90", 90, "2025-12-03")]
        {
            let range = read(&format!("days={given}"));
            assert_eq!(
                (range.days().len(), range.from.to_string(), range.to.to_string().as_str()),
                (count, first.to_owned(), "2026-03-02")
            );
        }
        assert_eq!(read("").parameters(), "from=2026-02-24&to=2026-03-02");
        assert_eq!(read("").text(), "24 Feb to 2 Mar 2026");
        assert_eq!(read("days=90").text(), "3 Dec 2025 to 2 Mar 2026");
    }

    #[test]
    fn a_choice_ends_with_the_day_before_that_of_the_reports() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        let on = |query: &str, today: &str| read(query).for_today(day(today)).parameters();
        assert_eq!(on("days=7", "2026-03-02"), "from=2026-02-23&to=2026-03-01", "west of UTC");
        assert_eq!(on("days=7", "2026-03-04"), "from=2026-02-25&to=2026-03-03", "east of it");
        assert_eq!(on("days=last-month", "2026-03-04"), on("days=last-month", "2026-03-02"));
        assert_eq!(on("from=2026-02-01&to=2026-03-03", "2026-03-04"), "from=2026-02-01&to=2026-03-03");
        assert_eq!(Range::week(day("2026-03-04")), read("").for_today(day("2026-03-04")));
        let both = read("").for_today(day("2026-03-02")).union(read("").for_today(day("2026-03-03")));
        assert_eq!(both.text(), "23 Feb to 2 Mar 2026");
        assert!(both.is_running(day("2026-03-02")) && !both.is_running(day("2026-03-01")));
    }

    #[test]
    fn seven_days_of_several_time_zones_stay_seven() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        let on = |query: &str, today: &str| read(query).for_today(day(today));
        let (west, east) = (on("days=7", "2026-03-02"), on("days=7", "2026-03-03"));
        let shown = Range::shared([west, east, east].into_iter()).unwrap();
        assert_eq!((shown, shown.days().len()), (east, 7));
        assert_eq!(shown.title(), "Last 7 days: 24 Feb to 2 Mar 2026");
        assert_eq!(Range::shared([east, west].into_iter()), Some(west), "of as many the earlier ones");
        assert_eq!((west.day_at(east, east.from), west.day_at(east, east.to)), (west.from, west.to));
        let (behind, ahead) = (on("days=this-month", "2026-03-03"), on("days=this-month", "2026-03-04"));
        let both = Range::shared([behind, behind, ahead].into_iter()).unwrap();
        assert_eq!((both.title().as_str(), both.days().len()), ("This month: 1 Mar to 3 Mar 2026", 3));
        assert_eq!(behind.day_at(both, both.to), both.to, "a day of a month is itself");
        assert_eq!(Range::shared(std::iter::empty()), None);
    }

    #[test]
    fn last_week_is_from_monday_to_sunday_and_yesterday_is_a_day() {
        // The third of March 2026 is a Tuesday.
        let on = |today: &str| read("days=last-week").for_today(today.parse().unwrap());
        assert_eq!(days(on("2026-03-03")), expected("2026-02-23..2026-03-01", "2026-02-16..2026-02-22"));
        assert_eq!(on("2026-03-02").parameters(), on("2026-03-08").parameters(), "from Monday to Sunday");
        assert_eq!(on("2026-03-09").parameters(), "from=2026-03-02&to=2026-03-08");
        assert_eq!(
            (on("2026-03-03").query().as_str(), on("2026-03-03").title().as_str()),
            ("days=last-week", "Last week (Mon–Sun): 23 Feb to 1 Mar 2026")
        );
        let (sunday, monday) = (on("2026-03-08"), on("2026-03-09"));
        let shown = Range::shared([sunday, monday, monday].into_iter()).unwrap();
        assert_eq!((shown, shown.days().len()), (monday, 7), "a week stays one where it is another day");
        assert_eq!(sunday.day_at(monday, monday.from), sunday.from);
        assert_eq!(days(read("days=1")), expected("2026-03-02..2026-03-02", "2026-03-01..2026-03-01"));
    }

    #[test]
    fn days_are_told_with_the_name_of_their_month() {
        let text = |query: &str| read(query).plain_text();
        assert_eq!(read("").complete_text(), format!("{}, without today", text("")));
        assert_eq!(read("days=last-month").complete_text(), text("days=last-month"));
        assert_eq!(text("from=2026-02-23&to=2026-02-28"), "23–28 February 2026");
        assert_eq!(text("days=1"), "2 March 2026");
        assert_eq!(text("days=7"), "24 February – 2 March 2026");
        assert_eq!(text("days=90"), "3 December 2025 – 2 March 2026");
    }

    #[test]
    fn the_month_so_far_has_today_and_a_month_that_is_over_all_its_days() {
        let now: Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
        let so_far = Range::month_so_far(now);
        assert_eq!(so_far.parameters(), "from=2026-03-01&to=2026-03-01");
        let west = so_far.for_today("2026-02-28".parse().unwrap());
        assert_eq!(west.parameters(), "from=2026-02-01&to=2026-02-28", "the month before is not over there");
        let before = Range::month_so_far("2026-02-28T20:00:00Z".parse().unwrap());
        let east = before.for_today("2026-03-01".parse().unwrap());
        assert_eq!(east.parameters(), west.parameters(), "the month is over there, and the next one is not in it");
        let over = Range::of_month(Month::parse("2026-02").unwrap(), now).for_today("2026-03-02".parse().unwrap());
        assert_eq!(over.parameters(), "from=2026-02-01&to=2026-02-28");
    }

    #[test]
    fn another_choice_is_the_default() {
        for given in ["", "8", "-7", "<b>"] {
            assert_eq!(read(&format!("days={given}")), read("days=7"));
        }
        let chosen: Vec<String> = read("days=30")
            .choices()
            .into_iter()
            .filter(|choice| choice.is_chosen)
            .map(|choice| choice.value)
            .collect();
        assert_eq!(chosen, ["30"]);
        assert!(read("days=7").is_short() && !read("days=30").is_short());
    }

    #[test]
    fn as_many_days_before_are_compared() {
        assert_eq!(days(read("days=7")), expected("2026-02-24..2026-03-02", "2026-02-17..2026-02-23"));
        let leap = at("days=7", "2028-03-05T23:59:59Z");
        assert_eq!(days(leap), expected("2028-02-27..2028-03-04", "2028-02-20..2028-02-26"));
        let own = read("from=2026-02-28&to=2026-02-28");
        assert_eq!(days(own), expected("2026-02-28..2026-02-28", "2026-02-27..2026-02-27"));
        assert_eq!((own.text().as_str(), own.query().as_str()), ("28 Feb 2026", "from=2026-02-28&to=2026-02-28"));
    }

    #[test]
    fn a_month_is_compared_with_the_month_before() {
        let this = |now| days(at("days=this-month", now));
        assert_eq!(this("2026-11-26T09:00:00Z"), expected("2026-11-01..2026-11-25", "2026-10-01..2026-10-25"));
        assert_eq!(this("2026-03-31T09:00:00Z"), expected("2026-03-01..2026-03-30", "2026-02-01..2026-02-28"));
        assert_eq!(this("2028-03-31T09:00:00Z"), expected("2028-03-01..2028-03-30", "2028-02-01..2028-02-29"));
        assert_eq!(this("2026-01-02T09:00:00Z"), expected("2026-01-01..2026-01-01", "2025-12-01..2025-12-01"));
        let last = |now| days(at("days=last-month", now));
        assert_eq!(last("2026-03-01T00:00:00Z"), expected("2026-02-01..2026-02-28", "2026-01-01..2026-01-31"));
        assert_eq!(last("2028-03-31T00:00:00Z"), expected("2028-02-01..2028-02-29", "2028-01-01..2028-01-31"));
        assert_eq!(last("2026-01-31T00:00:00Z"), expected("2025-12-01..2025-12-31", "2025-11-01..2025-11-30"));
    }

    #[test]
    fn a_month_is_read_with_the_days_up_to_today() {
        let days = |query: &str, now: &str| {
            let range = at(query, now);
            let Days { from, to } = range.with_month(Some(range.today));
            format!("{from}..{to}")
        };
        assert_eq!(days("days=7", "2026-11-30T09:00:00Z"), "2026-11-01..2026-11-30");
        assert_eq!(days("days=7", "2026-12-01T09:00:00Z"), "2026-11-24..2026-12-01", "the first");
        assert_eq!(days("from=2026-10-01&to=2026-10-09", "2026-12-02T09:00:00Z"), "2026-10-01..2026-10-09");
    }

    #[test]
    fn the_first_of_a_month_is_running() {
        let range = at("days=this-month", "2026-12-01T09:00:00Z");
        assert_eq!(days(range), expected("2026-12-01..2026-12-01", "2026-11-01..2026-11-01"));
        assert!(range.is_running(range.to) && !read("").is_running(read("").to));
    }

    #[test]
    fn dates_that_are_wrong_are_told_and_leave_the_default() {
        let problem = |query: &str| {
            assert_eq!(read(query), read(""), "{query}");
            Range::problem(&pairs(Some(query)), "2026-03-03T00:00:00Z".parse().unwrap())
        };
        assert_eq!(problem(""), None);
        assert_eq!(problem("from=&to=+"), None);
        for query in ["from=2026-02-01", "to=2026-02-01", "from=2026-02-29&to=2026-03-01", "from=1.2.26&to=%3Cb%3E"] {
            assert_eq!(problem(query), Some("Choose the first and the last day."), "{query}");
        }
        assert!(problem("from=2026-03-02&to=2026-03-01").unwrap().contains("must not be after"));
        assert!(problem("from=2026-03-01&to=2026-03-04").unwrap().contains("in the future"));
        assert!(problem("from=2025-12-03&to=2026-03-03").unwrap().contains("at most 90 days"));
        let most =
            Range::problem(&pairs(Some("from=2025-12-04&to=2026-03-03")), "2026-03-03T00:00:00Z".parse().unwrap());
        assert_eq!(most, None, "today may be the last");
    }
}
