use super::super::groups::groups;
use super::*;

fn range(days: &str) -> Range {
    Range::read(&[("days".to_owned(), days.to_owned())], "2026-11-23T09:00:00Z".parse().unwrap())
}

fn account(platform: &str, rows: &[String]) -> super::super::wire::Account {
    let json = format!(
        r#"{{"platform":"{platform}","organization_id":"120300400500600","currency":"USD","time_zone":"Europe/Berlin",
            "attribution":"7 days after a click, 1 day after a view","rows":[{}]}}"#,
        rows.join(",")
    );
    serde_json::from_str(&json).unwrap()
}

fn row(day: &str, spend: &str, is_final: bool) -> String {
    format!(
        r#"{{"campaign_id":"a","date":"{day}","spend":{spend},"impressions":12345,"clicks":123,"conversions":4.5,
            "conversion_value":null,"is_final":{is_final}}}"#
    )
}

fn html(rows: &[String], days: &str) -> String {
    let groups = groups(vec![account("BETA", rows)], range(days));
    Report::new(&groups[0], range(days), 1).render().unwrap()
}

#[test]
fn a_chart_and_its_table_have_the_same_numbers() {
    let html = html(&[row("2026-11-16", "55.5", true), row("2026-11-22", "1234.5", false)], "7");
    assert!(html.contains("1,290.00 USD spent and 246 clicks, 16 Nov to 22 Nov 2026."), "{html}");
    assert!(html.contains("Most in a day: 1,234.50 USD."), "{html}");
    let first = "<td>55.50</td><td>12,345</td><td>123</td><td>1.00%</td><td>0.45</td><td>4.5</td><td>–</td>";
    assert!(html.contains(first), "{html}");
    assert!(
        html.contains("<td>1,290.00</td><td>24,690</td><td>246</td><td>1.00%</td><td>5.24</td><td>9</td>"),
        "{html}"
    );
    assert_eq!(html.matches("<th scope=\"row\">").count(), 8, "seven days and the sum: {html}");
    assert_eq!(html.matches("still changing</small>").count(), 1, "{html}");
    assert_eq!((html.matches("\"chart-good\"").count(), html.matches("\"chart-open\"").count()), (2, 2), "{html}");
    assert!(html.contains("Europe/Berlin") && html.contains("7 days after a click, 1 day after a view."), "{html}");
}

#[test]
fn a_long_table_is_folded() {
    let rows = [row("2026-11-22", "1", true)];
    assert!(html(&rows, "7").contains("<details open>") && !html(&rows, "90").contains("<details open>"));
    assert_eq!(html(&rows, "90").matches("<th scope=\"row\">").count(), 91);
    assert!(!html(&rows, "7").contains("still changing"), "all days are final");
}

#[test]
fn heights_are_parts_of_the_largest_value() {
    let decimal = |text: &str| Decimal::from_str_exact(text).unwrap();
    assert_eq!(height(decimal("0.1"), decimal("0.2")), FULL / 2);
    assert_eq!(height(decimal("0.000001"), decimal("79228162514264337593543950335")), 1, "it can be seen");
    assert_eq!(height(decimal("-5"), decimal("5")), 0, "a credit has no bar");
    assert_eq!(height(Decimal::ZERO, Decimal::ZERO), 0);
    assert_eq!(height(Decimal::MAX, Decimal::MAX), FULL);
}
