//! What campaigns cost.

use serde_json::{Value, json};

use super::{EUR, JPY, Scene, USD, error, errors, request};
use crate::platform::Platform;

fn path(ids: &[i64], rest: &str) -> String {
    let urns: Vec<_> = ids.iter().map(|id| format!("urn%3Ali%3AsponsoredCampaign%3A{id}")).collect();
    format!(
        "/rest/adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity=ALL&dateRange=(start:(year:2026,month:1,day:1),\
         end:(year:2199,month:1,day:1))&campaigns=List({}){rest}",
        urns.join(",")
    )
}

fn spend(scene: &mut Scene, id: i64, amount: &str) {
    assert!(scene.delta.spend(&id.to_string(), amount, scene.now).is_ok());
}

#[test]
fn the_cost_is_a_decimal_text_in_the_account_s_currency() {
    let mut scene = Scene::new();
    let dollars = scene.campaign(USD, &json!({}));
    let yen = scene.campaign(JPY, &json!({}));
    let idle = scene.campaign(USD, &json!({}));
    spend(&mut scene, dollars, "12.34");
    spend(&mut scene, dollars, "0.1");
    spend(&mut scene, yen, "5000");
    let fields = "&fields=costInLocalCurrency,costInUsd,pivotValues";
    let (status, body) = scene.get(&path(&[dollars, yen, idle], fields));
    assert_eq!(status, 200, "{body}");
    let rows = body["elements"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["costInLocalCurrency"], "12.44");
    assert_eq!(rows[0]["pivotValues"], json!([format!("urn:li:sponsoredCampaign:{dollars}")]));
    assert_eq!((&rows[1]["costInLocalCurrency"], &rows[1]["costInUsd"]), (&json!("5000"), &json!("50")));
}

#[test]
fn float_noise_stays_near_the_true_sum() {
    let mut scene = Scene::new();
    let [one, two, idle] = [(); 3].map(|()| scene.campaign(USD, &json!({})));
    spend(&mut scene, one, "107.53");
    spend(&mut scene, two, "107.53");
    scene.settings.quirks.insert("float_noise");
    let (_, body) = scene.get(&path(&[one, two, idle], "&fields=costInLocalCurrency,clicks"));
    let cost = |row: usize| body["elements"][row]["costInLocalCurrency"].as_str().unwrap().to_owned();
    let mut noisy = [cost(0), cost(1)];
    noisy.sort();
    assert_eq!(noisy[0], "107.52999999999996");
    assert!(noisy[1].starts_with("107.5300000000000335346") && noisy[1].len() > 30, "{}", noisy[1]);
    assert_eq!((cost(2).as_str(), &body["elements"][2]["clicks"]), ("-2E-18", &json!(0)));
    assert_eq!(scene.delta.campaigns(scene.now)[0]["spent"], "107.53");
}

#[test]
fn without_fields_only_impressions_and_clicks_come() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, &json!({}));
    spend(&mut scene, id, "1");
    let (_, body) = scene.get(&path(&[id], ""));
    let row = body["elements"][0].as_object().unwrap();
    assert_eq!(row.keys().collect::<Vec<_>>(), ["clicks", "impressions"]);
}

#[test]
fn a_campaign_out_of_reach_is_left_out_in_silence() {
    let mut scene = Scene::open_to(&[USD, EUR], &["rw_ads", "r_ads_reporting"]);
    scene.group(USD);
    let id = scene.campaign(USD, &json!({}));
    spend(&mut scene, id, "1");
    let mut other = Scene::open_to(&[EUR], &["r_ads_reporting"]);
    other.delta.accounts = scene.delta.accounts;
    let (status, body) = other.get(&path(&[id], "&fields=costInLocalCurrency"));
    assert_eq!((status, &body["elements"]), (200, &json!([])));
}

#[test]
fn a_report_needs_its_scope_a_facet_and_known_fields() {
    let mut scene = Scene::new();
    let many = format!("&fields={}", vec!["clicks"; 21].join(","));
    for (rest, name) in [("&fields=cost", "fields"), (many.as_str(), "fields")] {
        let reply = scene.send(&request("GET", &path(&[1], rest), ""));
        assert_eq!(errors(&reply), error("PARAM_INVALID", name), "{rest}");
    }
    let bare =
        "/rest/adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity=ALL&dateRange=(start:(year:2026,month:1,day:1))";
    let reply = scene.send(&request("GET", bare, ""));
    assert_eq!(errors(&reply), error("PARAM_INVALID", "campaigns"));
    let mut deaf = Scene::open_to(&[USD], &["rw_ads"]);
    let (status, body): (u16, Value) = deaf.get(&path(&[1], ""));
    assert_eq!((status, &body["serviceErrorCode"]), (403, &json!(100)));
}
