//! Cost reports.

use super::{EUR, JPY, Session, USD, error, errors, request};
use crate::platform::Platform;
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
    assert!(session.delta.spend(&id.to_string(), amount, session.now).is_ok());
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
    session.settings.quirks.insert("float_noise");
    let (_, body) = session.get(&path(&[one, two, idle], "&fields=costInLocalCurrency,clicks"));
    let cost = |row: usize| body["elements"][row]["costInLocalCurrency"].as_str().unwrap().to_owned();
    let mut noisy = [cost(0), cost(1)];
    noisy.sort();
    assert_eq!(noisy[0], "107.52999999999996");
    assert!(noisy[1].starts_with("107.5300000000000335346") && noisy[1].len() > 30, "{}", noisy[1]);
    assert_eq!((cost(2).as_str(), &body["elements"][2]["clicks"]), ("-2E-18", &json!(0)));
    assert_eq!(session.delta.campaigns(session.now)[0]["spent"], "107.53");
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
    other.delta.accounts = session.delta.accounts;
    let (status, body) = other.get(&path(&[id], "&fields=costInLocalCurrency"));
    assert_eq!((status, &body["elements"]), (200, &json!([])));
}

#[test]
fn a_report_needs_its_scope_a_facet_and_known_fields() {
    let mut session = Session::new();
    let many = format!("&fields={}", vec!["clicks"; 21].join(","));
    for (rest, name) in [("&fields=cost", "fields"), (many.as_str(), "fields")] {
        let reply = session.send(&request("GET", &path(&[1], rest), ""));
        assert_eq!(errors(&reply), error("PARAM_INVALID", name), "{rest}");
    }
    let bare =
        "/rest/adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity=ALL&dateRange=(start:(year:2026,month:1,day:1))";
    let reply = session.send(&request("GET", bare, ""));
    assert_eq!(errors(&reply), error("PARAM_INVALID", "campaigns"));
    let mut without_scope = Session::with_access(&[USD], &["rw_ads"]);
    let (status, body): (u16, Value) = without_scope.get(&path(&[1], ""));
    assert_eq!((status, &body["serviceErrorCode"]), (403, &json!(100)));
}
