//! One total of all currencies, in the customer's reporting currency and by the customer's own rates (D201). It stands beside
//! the sums of the currencies.

use crate::kit::money::in_currency;
use crate::kit::range::label;
use crate::kit::text::listed;
use crate::kit::total::Total;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use shared::domain::{Currency, Reporting};

/// The line: `kit/together.html`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Together {
    /// `≈ 3,410.00 EUR together, by your rates of 30 Nov`
    pub(crate) text: String,
    /// The words of the link to the settings, where a rate is missing: `set its rate`.
    pub(crate) link: Option<String>,
}

/// A sum for each currency, and the words behind their total: ` today`.
pub(crate) type Sums = (&'static str, Vec<(Currency, Total)>);

impl Together {
    /// The line of some sums; `None` without a reporting currency, and if nothing was spent in another one. The totals are
    /// lower bounds if a part of the sums is missing.
    pub(crate) fn of(
        reporting: Option<&Reporting>,
        sums: &[Sums],
        lacks_some: bool,
        now: Timestamp,
    ) -> Option<Together> {
        let reporting = reporting?;
        let all = || sums.iter().flat_map(|(_, sums)| sums);
        let mut spent: Vec<Currency> =
            all().filter(|(_, sum)| has_amount(*sum)).map(|(currency, _)| *currency).collect();
        spent.sort_by_key(|currency| currency.code());
        spent.dedup();
        if spent.iter().all(|currency| *currency == reporting.currency) {
            return None;
        }
        let (counted, missing): (Vec<Currency>, Vec<Currency>) =
            spent.into_iter().partition(|currency| reporting.counts(*currency));
        let names = listed(&missing.iter().map(|currency| currency.code()).collect::<Vec<_>>());
        if counted.is_empty() {
            let text = format!("No total in {} yet", reporting.currency.code());
            let link = format!("set the {} of {names}", if missing.len() == 1 { "rate" } else { "rates" });
            return Some(Together { text, link: Some(link) });
        }
        if counted == [reporting.currency] && !missing.is_empty() {
            // Without any rate the total would be the sum of its own currency once more.
            let text = format!("No total in {} yet", reporting.currency.code());
            let link = "set rates under Settings to add the other currencies".to_owned();
            return Some(Together { text, link: Some(link) });
        }
        let totals: Option<Vec<String>> = sums.iter().map(|sums| total_words(reporting, sums, lacks_some)).collect();
        let totals: Vec<String> = totals?.into_iter().filter(|words| !words.is_empty()).collect();
        let totals = totals.join(", ");
        Some(match missing.as_slice() {
            [] => {
                let days = days(reporting, &counted, now);
                Together { text: format!("{totals} together, by your rates of {days}"), link: None }
            }
            [_] => Together { text: format!("{totals} without {names}"), link: Some("set its rate".to_owned()) },
            _ => Together { text: format!("{totals} without {names}"), link: Some("set their rates".to_owned()) },
        })
    }
}

/// A total with its words; empty if it says nothing. `None` if no number holds it.
fn total_words(reporting: &Reporting, (words, sums): &Sums, lacks_some: bool) -> Option<String> {
    let known = sums.iter().filter_map(|(currency, sum)| Some((*currency, sum.known()?)));
    let total = Total::of(Some(reporting.together(known)?));
    // A currency that the line leaves out by name makes no lower bound.
    let is_in = |currency, sum| reporting.counts(currency) || !has_amount(sum);
    let is_partial = lacks_some || sums.iter().any(|(currency, sum)| sum.is_partial() && is_in(*currency, *sum));
    let total = if is_partial { total.lower_bound() } else { total };
    let Some(_) = total.value_to_show() else { return Some(String::new()) };
    let about = if is_partial { "" } else { "≈ " };
    Some(format!("{about}{}{words}", total.text(|sum| in_currency(sum, reporting.currency))))
}

fn has_amount(sum: Total) -> bool {
    sum.known().is_some_and(|known| !known.is_zero())
}

/// The days of the rates of some currencies: `30 Nov`, or the first and the last: `3 Nov to 30 Nov`.
fn days(reporting: &Reporting, currencies: &[Currency], now: Timestamp) -> String {
    let year = TimeZone::UTC.to_datetime(now).date().year();
    let text = |day: Date| if day.year() == year { label(day) } else { day.strftime("%-d %b %Y").to_string() };
    let days = || currencies.iter().filter_map(|currency| Some(reporting.rate(*currency)?.set_on));
    let mut ends: Vec<String> = days().min().into_iter().chain(days().max()).map(text).collect();
    ends.dedup();
    ends.join(" to ")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use rust_decimal::Decimal;
    use shared::domain::{Rate, Reporting};

    fn now() -> Timestamp {
        "2026-12-02T09:00:00Z".parse().unwrap()
    }

    fn currency(code: &str) -> Currency {
        Currency::from_code(code).unwrap()
    }

    /// Euros, with these rates of 30 November.
    pub(crate) fn euros(rates: &[(&str, &str)]) -> Reporting {
        let rates: Vec<_> = rates.iter().map(|(code, rate)| (currency(code), Rate::parse(rate).unwrap())).collect();
        Reporting::new(currency("EUR")).with_rates(&rates, jiff::civil::date(2026, 11, 30))
    }

    fn whole(amount: i64) -> Total {
        Total::of(Some(Decimal::from(amount)))
    }

    fn line(reporting: &Reporting, sums: &[(&str, Total)]) -> Option<(String, Option<String>)> {
        let sums = sums.iter().map(|(code, sum)| (currency(code), *sum)).collect();
        Together::of(Some(reporting), &[("", sums)], false, now()).map(|line| (line.text, line.link))
    }

    fn told(text: &str, link: Option<&str>) -> Option<(String, Option<String>)> {
        Some((text.to_owned(), link.map(str::to_owned)))
    }

    #[test]
    fn currencies_are_added_by_the_rates_of_the_customer() {
        let rated = euros(&[("USD", "0.92"), ("JPY", "0.006")]);
        let sums = [("EUR", whole(3_000)), ("USD", whole(100)), ("JPY", whole(53_000)), ("CHF", whole(0))];
        assert_eq!(line(&rated, &sums), told("≈ 3,410.00 EUR together, by your rates of 30 Nov", None));
        let partial = [("EUR", whole(3_000).lower_bound()), ("USD", whole(100))];
        let at_least = told("at least 3,092.00 EUR together, by your rates of 30 Nov", None);
        assert_eq!(line(&rated, &partial), at_least);
        assert_eq!(line(&rated, &[("EUR", whole(3_000)), ("USD", whole(100)), ("CHF", Total::UNKNOWN)]), at_least);
    }

    #[test]
    fn a_currency_without_a_rate_is_left_out_by_name() {
        let rated = euros(&[("USD", "0.5")]);
        let sums = [("EUR", whole(3_409)), ("USD", whole(2)), ("JPY", whole(5_000).lower_bound()), ("CHF", whole(1))];
        assert_eq!(line(&rated, &sums[..3]), told("≈ 3,410.00 EUR without JPY", Some("set its rate")));
        assert_eq!(line(&rated, &sums), told("≈ 3,410.00 EUR without CHF and JPY", Some("set their rates")));
        let sums = [("EUR", whole(1)), ("USD", whole(1)), ("JPY", whole(1))];
        let other = "set rates under Settings to add the other currencies";
        assert_eq!(line(&euros(&[]), &sums), told("No total in EUR yet", Some(other)), "no second sum of euros");
        assert_eq!(line(&euros(&[]), &sums[1..]), told("No total in EUR yet", Some("set the rates of JPY and USD")));
    }

    #[test]
    fn there_is_no_line_where_it_says_nothing() {
        let rated = euros(&[("USD", "0.92")]);
        assert_eq!(line(&rated, &[("EUR", whole(5)), ("USD", whole(0))]), None, "it is in euros alone");
        assert_eq!(line(&rated, &[("USD", Total::of(Some(Decimal::MAX))), ("EUR", whole(5))]), None, "too large");
        assert_eq!(Together::of(None, &[("", vec![(currency("USD"), whole(5))])], false, now()), None);
    }

    #[test]
    fn two_sums_are_in_one_line_with_the_days_of_their_rates() {
        let first = euros(&[("USD", "0.5")]);
        let rates = [("USD", "0.5"), ("JPY", "0.01")].map(|(code, rate)| (currency(code), Rate::parse(rate).unwrap()));
        let sums = |dollars, yen| vec![(currency("USD"), whole(dollars)), (currency("JPY"), whole(yen))];
        let both = [(" today", sums(10, 0)), (" in 7 days", sums(100, 700))];
        let line = |day| {
            let line = Together::of(Some(&first.with_rates(&rates, day)), &both, false, now());
            line.map(|line| line.text).unwrap()
        };
        let text = "≈ 5.00 EUR today, ≈ 57.00 EUR in 7 days together, by your rates of 30 Nov to 1 Dec";
        assert_eq!(line(jiff::civil::date(2026, 12, 1)), text);
        assert!(line(jiff::civil::date(2025, 12, 1)).ends_with("by your rates of 1 Dec 2025 to 30 Nov"));
        let unknown = [(" today", vec![(currency("USD"), Total::UNKNOWN)]), (" in 7 days", sums(100, 0))];
        let line = Together::of(Some(&first), &unknown, true, now()).unwrap();
        assert_eq!(line.text, "at least 50.00 EUR in 7 days together, by your rates of 30 Nov");
    }
}
