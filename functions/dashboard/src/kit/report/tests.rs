use super::*;
use rust_decimal::Decimal;
use shared::domain::{CampaignId, InsightsRow};
use shared::envelope::query::pairs;

fn range(query: &str) -> Range {
    Range::read(&pairs(Some(query)), "2026-11-23T09:00:00Z".parse().unwrap())
}

/// A day with this spend, and whether its numbers are final.
fn row(day: &str, spend: &str, is_final: bool) -> (Date, Numbers) {
    let row = InsightsRow {
        campaign: CampaignId::parse("beta_1_2").unwrap(),
        date: None,
        spend: Decimal::from_str_exact(spend).ok(),
        impressions: Some(12_345),
        clicks: Some(123),
        conversions: Some(Decimal::new(45, 1)),
        conversion_value: None,
        unreadable: Vec::new(),
    };
    (day.parse().unwrap(), Numbers::of(&row, is_final))
}

fn html(rows: &[(Date, Numbers)], query: &str) -> String {
    let range = range(query);
    let mut total = Numbers::default();
    rows.iter().for_each(|(_, numbers)| total.add(numbers));
    let on = |day: Date| rows.iter().find(|(known, _)| *known == day).map(|(_, numbers)| numbers.clone());
    let reported = ReportedDays {
        platform: Platform::Beta,
        currency: Currency::from_code("USD").unwrap(),
        zone: "Europe/Berlin".to_owned(),
        range,
        days: range.days().into_iter().map(|day| (day, on(day))).collect(),
        total,
    };
    DailyReport::new(&reported, 1).render().unwrap()
}

#[test]
fn a_chart_and_its_table_have_the_same_numbers() {
    let html = html(&[row("2026-11-16", "55.5", true), row("2026-11-22", "1234.5", false)], "days=7");
    assert!(html.contains("1,290.00 USD spent and 246 clicks, 16 Nov to 22 Nov 2026."), "{html}");
    assert!(html.contains("Most in a day: 1,234.50 USD."), "{html}");
    let first = "<td>55.50</td><td>12,345</td><td>123</td><td>1.00%</td><td>0.45</td><td>4.5</td><td>12.33</td><td>–</td><td>–</td>";
    assert!(html.contains(first), "{html}");
    let all = "<td>1,290.00</td><td>24,690</td><td>246</td><td>1.00%</td><td>5.24</td><td>9</td><td>143.33</td>";
    assert!(html.contains(all), "{html}");
    assert!(html.contains("The scale is from 0 to 2,000.00 USD."), "{html}");
    assert_eq!(html.matches("<th scope=\"row\">").count(), 8, "seven days and the sum: {html}");
    assert!(html.contains("Europe/Berlin") && html.contains("7 days after a click and 1 day after a view."), "{html}");
}

#[test]
fn what_conversions_are_is_told_in_plain_words() {
    for platform in Platform::ALL {
        let words = conversion_words(platform);
        assert!(words.ends_with('.') && !words.contains('_') && !words.contains("TOTAL"), "{words}");
    }
}

#[test]
fn conversions_that_may_grow_are_marked_and_spend_is_not() {
    let html = html(&[row("2026-11-16", "55.5", true), row("2026-11-22", "1234.5", false)], "days=7");
    let last = "<td>1,234.50</td><td>12,345</td><td>123</td><td>1.00%</td><td>10.04</td>\
                <td class=\"provisional\">4.5</td><td class=\"provisional\">274.33</td>\
                <td class=\"provisional\">–</td><td class=\"provisional\">–</td>";
    assert!(html.contains(last), "{html}");
    assert_eq!(html.matches("class=\"provisional\"").count(), 4, "{html}");
    assert!(html.contains("From 22 Nov on, Meta may still add conversions"), "{html}");
    assert_eq!((html.matches("\"chart-good\"").count(), html.matches("\"chart-open\"").count()), (4, 0), "{html}");
    assert!(!html.contains("chart-key"), "{html}");
}

#[test]
fn a_day_in_progress_is_open() {
    let html = html(&[row("2026-11-23", "1", false)], "from=2026-11-22&to=2026-11-23");
    assert_eq!((html.matches("\"chart-good\"").count(), html.matches("\"chart-open\"").count()), (0, 2), "{html}");
    assert_eq!(
        (html.matches("day in progress").count(), html.matches("in progress</small>").count()),
        (2, 1),
        "{html}"
    );
}

#[test]
fn a_long_table_is_folded() {
    let rows = [row("2026-11-22", "1", true)];
    assert!(html(&rows, "days=7").contains("<details open>") && !html(&rows, "days=90").contains("<details open>"));
    assert_eq!(html(&rows, "days=90").matches("<th scope=\"row\">").count(), 91);
    assert!(!html(&rows, "days=7").contains("may still add"), "all days are final");
}
