//! Reports of campaigns.

use super::{CREATE, EUR, JPY, Session, USD, assert_error, manual};
use crate::delivery::Delivery;
use crate::money::micros;
use crate::platform::AdPlatform;
use jiff::civil::{Date, date};
use serde_json::{Value, json};

const REPORT: &str = "/report/integrated/get/";
const DAILY: &str = r#"["campaign_id","stat_time_day"]"#;
const METRICS: &str = r#"["spend","impressions","clicks","conversion"]"#;

/// Parameters of a valid lifetime report with changes. An empty value omits the parameter.
fn report<'a>(changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut query = std::collections::BTreeMap::from([
        ("advertiser_id", USD),
        ("report_type", "BASIC"),
        ("data_level", "AUCTION_CAMPAIGN"),
        ("dimensions", r#"["campaign_id"]"#),
        ("metrics", r#"["spend"]"#),
        ("query_lifetime", "true"),
        ("page_size", "1000"),
    ]);
    query.extend(changes.iter().copied());
    query.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

/// The same for the days of a range.
fn dated<'a>(first: &'a str, last: &'a str, changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut all = vec![("query_lifetime", ""), ("start_date", first), ("end_date", last), ("metrics", METRICS)];
    all.extend(changes);
    report(&all)
}

fn filter(field: &str, values: &[&str]) -> String {
    json!([{ "field_name": field, "filter_type": "IN", "filter_value": json!(values).to_string() }]).to_string()
}

fn delivery(spend: &str, impressions: u64, clicks: u64, conversions: &str) -> Delivery {
    let [spend, conversions] = [spend, conversions].map(|number| micros(number).unwrap());
    Delivery { spend, impressions, clicks, conversions, conversion_value: 0 }
}

fn metrics(spend: &str, impressions: &str, clicks: &str, conversion: &str) -> Value {
    json!({ "spend": spend, "impressions": impressions, "clicks": clicks, "conversion": conversion })
}

impl Session {
    fn deliver(&mut self, campaign: &str, day: Date, delivery: &Delivery) {
        assert!(self.platform.deliver(campaign, day, delivery).is_ok());
    }

    fn rows(&mut self, query: &[(&str, &str)]) -> Vec<Value> {
        let response = self.get(REPORT, query);
        assert_eq!(response["code"], 0, "{response}");
        response["data"]["list"].as_array().unwrap().clone()
    }
}

#[test]
fn the_report_has_decimal_spend_and_omits_campaigns_without_spend() {
    let mut session = Session::new();
    let (one, two, _idle) = (session.campaign(), session.campaign(), session.campaign());
    session.spend(&one, "12.3");
    session.spend(&two, "0.01");
    let row = |id: &str, spend: &str| json!({ "dimensions": { "campaign_id": id }, "metrics": { "spend": spend } });
    let response = session.get(REPORT, &report(&[]));
    assert_eq!(response["data"]["list"], json!([row(&two, "0.01"), row(&one, "12.30")]));
    assert_eq!(response["data"]["page_info"]["total_number"], 2);
    let ids = filter("campaign_ids", &[&one]);
    assert_eq!(session.rows(&report(&[("filtering", &ids)])), [row(&one, "12.30")]);
    let yen = session.create(CREATE, &manual(json!({ "advertiser_id": JPY, "budget": 5000 })));
    session.spend(&yen, "1200");
    assert_eq!(session.rows(&report(&[("advertiser_id", JPY)])), [row(&yen, "1200")]);
}

#[test]
fn a_report_by_day_has_a_row_for_each_day_with_activity() {
    let mut session = Session::new();
    let id = session.campaign();
    session.deliver(&id, date(2026, 2, 27), &delivery("1.5", 100, 7, "2"));
    session.deliver(&id, date(2026, 2, 28), &Delivery::default());
    session.deliver(&id, date(2026, 3, 1), &delivery("9", 1, 1, "1"));
    // The numbers of a day are restated.
    session.deliver(&id, date(2026, 3, 1), &delivery("0.25", 40, 0, "0"));
    let row = |day: &str, metrics: Value| {
        let dimensions = json!({ "campaign_id": id, "stat_time_day": format!("{day} 00:00:00") });
        json!({ "dimensions": dimensions, "metrics": metrics })
    };
    let (first, second) =
        (row("2026-02-27", metrics("1.50", "100", "7", "2")), row("2026-03-01", metrics("0.25", "40", "0", "0")));
    let by_day = [("dimensions", DAILY)];
    assert_eq!(session.rows(&dated("2026-02-01", "2026-03-02", &by_day)), [first, second.clone()]);
    assert_eq!(session.rows(&dated("2026-02-28", "2026-03-01", &by_day)), [second]);
    assert!(session.rows(&dated("2026-03-02", "2026-03-02", &by_day)).is_empty());
    let total = json!({ "dimensions": { "campaign_id": id }, "metrics": metrics("1.75", "140", "7", "2") });
    assert_eq!(session.rows(&dated("2026-02-01", "2026-03-02", &[])), [total]);
    session.settings.page_size = Some(1);
    let second_page = session.get(REPORT, &dated("2026-02-01", "2026-03-02", &[("dimensions", DAILY), ("page", "2")]));
    assert_eq!(second_page["data"]["page_info"]["total_page"], 2);
    assert_eq!(second_page["data"]["list"][0]["metrics"]["spend"], "0.25");
}

#[test]
fn spend_counts_for_the_day_in_the_time_zone_of_the_account() {
    let mut session = Session::new();
    session.now = "2026-03-02T03:00:00Z".parse().unwrap();
    let id = session.campaign();
    session.deliver(&id, date(2026, 3, 1), &delivery("1", 5, 0, "0"));
    session.spend(&id, "2");
    let rows = session.rows(&dated("2026-02-28", "2026-03-02", &[("dimensions", DAILY)]));
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!(row["dimensions"]["stat_time_day"], "2026-03-01 00:00:00", "it is still the first in New York");
    assert_eq!(row["metrics"], metrics("3.00", "5", "0", "0"));
    assert_eq!(session.platform.campaigns(session.now)[0]["spent"], "3.00");
}

#[test]
fn deleted_campaigns_are_reported_on_request() {
    let mut session = Session::new();
    let (kept, gone) = (session.campaign(), session.campaign());
    for id in [&kept, &gone] {
        session.spend(id, "1");
    }
    session.set_status(&gone, "DELETE");
    let ids = |rows: Vec<Value>| -> Vec<String> {
        rows.iter().map(|row| row["dimensions"]["campaign_id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(session.rows(&report(&[]))), [kept.as_str()]);
    for (status, expected) in
        [("STATUS_ALL", vec![&gone, &kept]), ("STATUS_NOT_DELETE", vec![&kept]), ("STATUS_DELETE", vec![&gone])]
    {
        let status = filter("campaign_status", &[status]);
        assert_eq!(ids(session.rows(&report(&[("filtering", &status)]))).iter().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn errors_of_an_unsupported_report_name_the_parameter() {
    let mut session = Session::new();
    let no_ids = filter("campaign_ids", &[]);
    let unknown = filter("campaign_name", &["x"]);
    let paused = filter("campaign_status", &["PAUSED"]);
    let many = filter("campaign_ids", &["1"; 101]);
    for (name, value) in [
        ("report_type", "AUDIENCE"),
        ("data_level", "AUCTION_AD"),
        ("data_level", ""),
        ("dimensions", "campaign_id"),
        ("dimensions", ""),
        ("dimensions", r#"["stat_time_day"]"#),
        ("dimensions", r#"["campaign_id","campaign_id"]"#),
        ("dimensions", r#"["campaign_id","country_code"]"#),
        ("metrics", r#"["cost"]"#),
        ("metrics", "[]"),
        ("metrics", ""),
        ("filtering", r#"{"campaign_ids":["1"]}"#),
        ("filtering", &no_ids),
        ("filtering", &unknown),
        ("filtering", &paused),
        ("filtering", &many),
        ("service_type", "RESERVATION"),
        ("query_lifetime", "True"),
        ("page_size", "1001"),
        ("page", "0"),
        ("advertiser_id", ""),
    ] {
        let word = if name == "metrics" { "metric" } else { name };
        assert_error(&session.get(REPORT, &report(&[(name, value)])), 40002, word);
    }
    assert_error(&session.get(REPORT, &report(&[("dimensions", DAILY)])), 40002, "query_lifetime");
    assert_error(&session.get(REPORT, &report(&[("query_lifetime", "")])), 40002, "start_date: Missing");
    assert_error(&session.get(REPORT, &report(&[("advertiser_id", EUR)])), 40001, "No permission");
}

#[test]
fn a_report_has_thirty_days_by_day_and_a_year_without() {
    let mut session = Session::new();
    let limit = "max time span is 30 days when use stat_time_day";
    for (first, last, by_day, word) in [
        ("2026-01-30", "2026-03-01", true, limit),
        ("2025-03-01", "2026-03-01", false, "365 days"),
        ("2026-03-02", "2026-03-01", false, "end_date"),
        ("2026-3-02", "2026-03-03", false, "start_date"),
        ("2026-03-02", "", false, "end_date: Missing"),
    ] {
        let changes = [("dimensions", if by_day { DAILY } else { r#"["campaign_id"]"# })];
        assert_error(&session.get(REPORT, &dated(first, last, &changes)), 40002, word);
    }
    assert!(session.rows(&dated("2026-01-31", "2026-03-01", &[("dimensions", DAILY)])).is_empty());
}
