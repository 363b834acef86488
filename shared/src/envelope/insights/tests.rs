use super::super::query::pairs;
use super::*;

fn read(query: &str) -> Result<InsightsQuery, Error> {
    read_insights(Shape::Flat, &pairs(Some(query)), "2026-11-23".parse().unwrap())
}

fn days(query: &str) -> (String, String) {
    let Days { from, to } = read(query).unwrap().days;
    (from.to_string(), to.to_string())
}

#[test]
fn the_last_seven_full_days_are_the_default() {
    assert_eq!(days(""), ("2026-11-16".to_owned(), "2026-11-22".to_owned()));
    assert_eq!(days("to=2026-03-01"), ("2026-02-23".to_owned(), "2026-03-01".to_owned()));
    assert_eq!(days("from=2026-11-20"), ("2026-11-20".to_owned(), "2026-11-22".to_owned()));
    assert_eq!(days("from=2026-11-23"), ("2026-11-23".to_owned(), "2026-11-23".to_owned()));
    assert_eq!(days("from=2026-08-26&to=2026-11-23").0, "2026-08-26", "90 days");
    let query = read("").unwrap();
    assert_eq!((query.granularity, query.limit), (Granularity::Day, 500));
}

#[test]
fn a_list_keeps_the_days_of_its_first_page_after_midnight() {
    let continued = |query: &str, report: &str| {
        let mut query = read(query).unwrap();
        query.continue_report(report);
        query.report()
    };
    let (today, before) = ("2026-11-16..2026-11-22 day", "2026-11-15..2026-11-21 day");
    assert_eq!(continued("", before), before);
    assert_eq!(continued("granularity=total", before), "2026-11-15..2026-11-21 total");
    assert_eq!(continued("from=2026-11-15", before), before, "the end depends on the day too");
    for other in ["", "day", "2026-11-14..2026-11-21 day", "2026-11-17..2026-11-23 day", "2026-11-21..2026-11-15 day"] {
        assert_eq!(continued("", other), today, "{other}");
    }
    assert_eq!(continued("from=2026-11-16", before), today, "another start");
    assert_eq!(continued("to=2026-11-22", before), today, "the days are given");
}

#[test]
fn each_invalid_value_names_its_parameter() {
    for (query, expected) in [
        ("from=2026-11-23T00:00:00Z", vec!["from"]),
        ("from=2026-13-01&to=yesterday", vec!["to", "from"]),
        ("from=2026-11-22&to=2026-11-21", vec!["from"]),
        ("from=2026-08-25&to=2026-11-23", vec!["from"]),
        ("to=2026-11-25", vec!["to"]),
        ("granularity=hour&limit=0", vec!["limit", "granularity"]),
        ("limit=5001&platform=ALPHA", vec!["platform", "limit"]),
        ("organization_id=", vec!["organization_id"]),
        ("since=2026-11-01", vec!["since"]),
        ("from=2026-11-01&from=2026-11-02", vec!["from"]),
    ] {
        let fields: Vec<String> = read(query).unwrap_err().details.into_iter().map(|error| error.field).collect();
        assert_eq!(fields, expected, "{query}");
    }
    let one = read_campaign_insights(&pairs(Some("limit=5")), "2026-11-23".parse().unwrap());
    assert_eq!(one.unwrap_err().details[0].field, "limit", "a campaign has no pages");
}

#[test]
fn an_unknown_number_is_null_and_a_total_has_no_date() {
    let row = InsightsRow {
        campaign: crate::domain::CampaignId::new(Platform::Beta, "9", "7"),
        date: None,
        spend: Some("12.50".parse().unwrap()),
        impressions: Some(i64::MAX),
        clicks: Some(0),
        conversions: None,
        conversion_value: None,
        unreadable: Vec::new(),
    };
    let text = serde_json::to_string(&row_body(&row, false)).unwrap();
    let rest = r#""spend":12.5,"impressions":9223372036854775807,"clicks":0,"conversions":null,"conversion_value":null,"is_final":false}"#;
    assert!(text.ends_with(rest) && !text.contains("date"), "{text}");
    let row = InsightsRow { unreadable: vec!["conversions"], clicks: Some(-1), ..row };
    let text = serde_json::to_string(&row_body(&row, false)).unwrap();
    assert!(text.contains(r#""clicks":-1"#) && text.contains(r#""unreadable":["conversions"]"#), "{text}");
}
