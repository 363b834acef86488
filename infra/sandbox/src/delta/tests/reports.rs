//! Cost reports.

use super::{EUR, JPY, Session, USD, error, errors, request};
use crate::delivery::Delivery;
use crate::money::micros;
use crate::platform::AdPlatform;
use jiff::ToSpan;
use jiff::civil::{Date, date};
use serde_json::{Value, json};

fn path(ids: &[i64], rest: &str) -> String {
    let urns: Vec<_> = ids.iter().map(|id| format!("urn%3Ali%3AsponsoredCampaign%3A{id}")).collect();
    format!(
        "/rest/adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity=ALL&dateRange=(start:(year:2026,month:1,day:1),\
         end:(year:2199,month:1,day:1))&campaigns=List({}){rest}",
        urns.join(",")
    )
}

fn spend(session: &mut Session, id: i64, amount: &str) {
    assert!(session.platform.spend(&id.to_string(), amount, session.now).is_ok());
}

#[test]
fn the_cost_is_a_decimal_text_in_the_currency_of_the_account() {
    let mut session = Session::new();
    let dollars = session.campaign(USD, &json!({}));
    let yen = session.campaign(JPY, &json!({}));
    let idle = session.campaign(USD, &json!({}));
    spend(&mut session, dollars, "12.34");
    spend(&mut session, dollars, "0.1");
    spend(&mut session, yen, "5000");
    let fields = "&fields=costInLocalCurrency,costInUsd,pivotValues";
    let (status, body) = session.get(&path(&[dollars, yen, idle], fields));
    assert_eq!(status, 200, "{body}");
    let rows = body["elements"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["costInLocalCurrency"], "12.44");
    assert_eq!(rows[0]["pivotValues"], json!([format!("urn:li:sponsoredCampaign:{dollars}")]));
    assert_eq!((&rows[1]["costInLocalCurrency"], &rows[1]["costInUsd"]), (&json!("5000"), &json!("50")));
}

#[test]
fn float_noise_stays_near_the_exact_cost() {
    let mut session = Session::new();
    let [one, two, idle] = [(); 3].map(|()| session.campaign(USD, &json!({})));
    spend(&mut session, one, "107.53");
    spend(&mut session, two, "107.53");
    session.quirk("float_noise");
    let (_, body) = session.get(&path(&[one, two, idle], "&fields=costInLocalCurrency,clicks"));
    let cost = |row: usize| body["elements"][row]["costInLocalCurrency"].as_str().unwrap().to_owned();
    let mut noisy = [cost(0), cost(1)];
    noisy.sort();
    assert_eq!(noisy[0], "107.52999999999996");
    assert!(noisy[1].starts_with("107.5300000000000335346") && noisy[1].len() > 30, "{}", noisy[1]);
    assert_eq!((cost(2).as_str(), &body["elements"][2]["clicks"]), ("-2E-18", &json!(0)));
    assert_eq!(session.platform.campaigns(session.now)[0]["spent"], "107.53");
}

#[test]
fn the_default_fields_are_impressions_and_clicks() {
    let mut session = Session::new();
    let id = session.campaign(USD, &json!({}));
    spend(&mut session, id, "1");
    let (_, body) = session.get(&path(&[id], ""));
    let row = body["elements"][0].as_object().unwrap();
    assert_eq!(row.keys().collect::<Vec<_>>(), ["clicks", "impressions"]);
}

#[test]
fn a_report_silently_omits_inaccessible_campaigns() {
    let mut session = Session::with_access(&[USD, EUR], &["rw_ads", "r_ads_reporting"]);
    session.group(USD);
    let id = session.campaign(USD, &json!({}));
    spend(&mut session, id, "1");
    let mut other = Session::with_access(&[EUR], &["r_ads_reporting"]);
    other.platform.accounts = session.platform.accounts;
    let (status, body) = other.get(&path(&[id], "&fields=costInLocalCurrency"));
    assert_eq!((status, &body["elements"]), (200, &json!([])));
}

#[test]
fn a_report_needs_its_scope_a_facet_and_known_fields() {
    let mut session = Session::new();
    let many = format!("&fields={}", vec!["clicks"; 21].join(","));
    for (rest, name) in [("&fields=cost", "fields"), (many.as_str(), "fields")] {
        let response = session.send(&request("GET", &path(&[1], rest), ""));
        assert_eq!(errors(&response), error("PARAM_INVALID", name), "{rest}");
    }
    let bare =
        "/rest/adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity=ALL&dateRange=(start:(year:2026,month:1,day:1))";
    let response = session.send(&request("GET", bare, ""));
    assert_eq!(errors(&response), error("PARAM_INVALID", "campaigns"));
    let mut without_scope = Session::with_access(&[USD], &["rw_ads"]);
    let (status, body): (u16, Value) = without_scope.get(&path(&[1], ""));
    assert_eq!((status, &body["serviceErrorCode"]), (403, &json!(100)));
}

const NUMBERS: &str = "&fields=dateRange,pivotValues,impressions,clicks,costInLocalCurrency,externalWebsiteConversions,\
                       conversionValueInLocalCurrency";

/// A report of an account from the first to the last day.
fn dated(granularity: &str, account: i64, first: Date, last: Date) -> String {
    let day = |date: Date| format!("(year:{},month:{},day:{})", date.year(), date.month(), date.day());
    format!(
        "/rest/adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity={granularity}&dateRange=(start:{},end:{})\
         &accounts=List(urn%3Ali%3AsponsoredAccount%3A{account}){NUMBERS}",
        day(first),
        day(last)
    )
}

fn rows(session: &mut Session, path: &str) -> Vec<Value> {
    let (status, body) = session.get(path);
    assert_eq!(status, 200, "{body}");
    body["elements"].as_array().unwrap().clone()
}

fn deliver(session: &mut Session, id: i64, day: Date, delivery: &Delivery) {
    assert!(session.platform.deliver(&id.to_string(), day, delivery).is_ok());
}

#[test]
fn a_daily_report_has_a_row_for_each_day_with_activity() {
    let mut session = Session::new();
    let id = session.campaign(USD, &json!({}));
    let delivery = |spend: &str, impressions, conversions: &str| Delivery {
        spend: micros(spend).unwrap(),
        impressions,
        clicks: 3,
        conversions: micros(conversions).unwrap(),
        conversion_value: micros("7.5").unwrap(),
    };
    deliver(&mut session, id, date(2026, 2, 27), &delivery("1.5", 100, "2"));
    deliver(&mut session, id, date(2026, 2, 28), &Delivery::default());
    deliver(&mut session, id, date(2026, 3, 1), &delivery("9", 1, "1"));
    // The numbers of a day are restated.
    deliver(&mut session, id, date(2026, 3, 1), &delivery("0.25", 40, "0"));
    spend(&mut session, id, "2");
    let row = |from: i64, to: i64, cost: &str, [impressions, clicks, conversions]: [u64; 3], value: &str| {
        let day = |number: i64| match number {
            27.. => json!({ "year": 2026, "month": 2, "day": number }),
            _ => json!({ "year": 2026, "month": 3, "day": number }),
        };
        json!({
            "dateRange": { "start": day(from), "end": day(to) },
            "pivotValues": [format!("urn:li:sponsoredCampaign:{id}")],
            "costInLocalCurrency": cost,
            "impressions": impressions,
            "clicks": clicks,
            "externalWebsiteConversions": conversions,
            "conversionValueInLocalCurrency": value,
        })
    };
    let (first, last) = (date(2026, 2, 27), date(2026, 3, 2));
    let expected =
        [row(27, 27, "1.5", [100, 3, 2], "7.5"), row(1, 1, "0.25", [40, 3, 0], "7.5"), row(2, 2, "2", [0, 0, 0], "0")];
    assert_eq!(rows(&mut session, &dated("DAILY", USD, first, last)), expected);
    assert_eq!(rows(&mut session, &dated("ALL", USD, first, last)), [row(27, 2, "3.75", [140, 6, 2], "15")]);
    assert!(rows(&mut session, &dated("DAILY", USD, date(2026, 2, 28), date(2026, 2, 28))).is_empty());
    assert!(rows(&mut session, &dated("DAILY", JPY, first, last)).is_empty());
    let facets = format!("{}&campaigns=List(urn%3Ali%3AsponsoredCampaign%3A{id})", dated("ALL", JPY, first, last));
    assert!(rows(&mut session, &facets).is_empty(), "a row matches both facets");
}

#[test]
fn float_noise_adds_no_days() {
    let mut session = Session::new();
    let id = session.campaign(USD, &json!({}));
    let (first, last) = (date(2026, 2, 1), date(2026, 3, 1));
    let delivery = Delivery { spend: micros("12.30").unwrap(), ..Delivery::default() };
    deliver(&mut session, id, first, &delivery);
    session.quirk("float_noise");
    let noisy = rows(&mut session, &dated("DAILY", USD, first, last));
    assert_eq!(noisy.len(), 1);
    assert_ne!(noisy[0]["costInLocalCurrency"], "12.3");
}

#[test]
fn single_days_are_kept_for_six_months_and_a_report_is_cut() {
    let mut session = Session::new();
    let id = session.campaign(USD, &json!({}));
    let some = Delivery { clicks: 1, ..Delivery::default() };
    for day in [date(2025, 9, 1), date(2025, 9, 2)] {
        deliver(&mut session, id, day, &some);
    }
    let (first, last) = (date(2025, 1, 1), date(2026, 3, 1));
    assert_eq!(rows(&mut session, &dated("DAILY", USD, first, last)).len(), 1);
    assert_eq!(rows(&mut session, &dated("ALL", USD, first, last))[0]["clicks"], 2);
    let account = session.platform.accounts.iter_mut().find(|account| account.id == USD).unwrap();
    let mut campaign = account.campaigns[&id].clone();
    campaign.delivered = (0..100).map(|back| (last.saturating_sub(back.days()), some.clone())).collect();
    for id in id..id + 151 {
        campaign.id = id;
        account.campaigns.insert(id, campaign.clone());
    }
    assert_eq!(rows(&mut session, &dated("DAILY", USD, first, last)).len(), 15_000);
}

#[test]
fn a_report_needs_a_known_granularity_and_a_range() {
    let mut session = Session::new();
    let day = date(2026, 3, 1);
    for (path, name) in [
        (dated("MONTHLY", USD, day, day), "timeGranularity"),
        (dated("DAILY", USD, day, date(2026, 2, 28)), "dateRange"),
    ] {
        assert_eq!(errors(&session.send(&request("GET", &path, ""))), error("PARAM_INVALID", name));
    }
    let missing = dated("DAILY", USD, day, day).replace("&timeGranularity=DAILY", "");
    let response = session.send(&request("GET", &missing, ""));
    assert_eq!(errors(&response), error("MISSING_FIELD", "timeGranularity"));
}
