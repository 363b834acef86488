//! Ads, their reviews, and what holds campaigns back.

use super::{CREATE, SMART, Session, USD, assert_error, manual, smart};
use crate::ads::{AdState, Hold};
use serde_json::{Value, json};

const LIST: &str = "/ad/get/";
const SMART_LIST: &str = "/smart_plus/ad/get/";

impl Session {
    /// A running campaign with ads.
    fn with_ads(&mut self, is_smart: bool, states: &[AdState]) -> String {
        let name = json!({ "campaign_name": format!("Campaign {}", self.platform.last_campaign) });
        let (path, body) = if is_smart { (SMART, smart(name)) } else { (CREATE, manual(name)) };
        let id = self.create(path, &body);
        self.platform.ads.set(&id, states);
        let path = if is_smart { "/smart_plus/campaign/status/update/" } else { "/campaign/status/update/" };
        let change = json!({ "advertiser_id": USD, "campaign_ids": [id], "operation_status": "ENABLE" });
        assert_eq!(self.post(path, &change)["code"], 0);
        id
    }

    fn ads(&mut self, path: &str, filtering: Value) -> Vec<Value> {
        let answer = self.get(path, &[("advertiser_id", USD), ("filtering", &filtering.to_string())]);
        assert_eq!(answer["code"], 0, "{answer}");
        answer["data"]["list"].as_array().unwrap().clone()
    }

    fn statuses(&mut self, path: &str) -> Vec<String> {
        let rows = self.ads(path, json!({}));
        rows.iter().map(|row| row["secondary_status"].as_str().unwrap().to_owned()).collect()
    }

    fn campaign_status(&mut self) -> Value {
        self.list(&[])["data"]["list"][0]["secondary_status"].clone()
    }
}

#[test]
fn an_ad_has_the_word_of_its_state() {
    let mut session = Session::new();
    let id = session.with_ads(false, AdState::ALL);
    let words = ["AD_STATUS_DELIVERY_OK", "AD_STATUS_AUDIT", "AD_STATUS_AUDIT_DENY", "AD_STATUS_DISABLE"];
    assert_eq!(session.statuses(LIST), words);
    assert_eq!(session.campaign_status(), "CAMPAIGN_STATUS_ENABLE", "with rejected ads, too");
    let rows = session.ads(LIST, json!({ "campaign_ids": [id] }));
    assert_eq!((rows.len(), &rows[0]["campaign_id"], &rows[3]["operation_status"]), (4, &json!(id), &json!("DISABLE")));
    assert_eq!(session.ads(LIST, json!({ "campaign_ids": ["1"] })), [] as [Value; 0]);
    session.set_status(&id, "DISABLE");
    assert_eq!(session.statuses(LIST), ["AD_STATUS_CAMPAIGN_DISABLE"; 4]);
    session.set_status(&id, "DELETE");
    assert_eq!(session.statuses(LIST), [""; 0], "deleted ads are listed on request only");
    let all = session.ads(LIST, json!({ "primary_status": "STATUS_ALL" }));
    assert_eq!(all[0]["secondary_status"], "AD_STATUS_CAMPAIGN_DELETE");
}

#[test]
fn a_smart_plus_ad_has_two_ids() {
    let mut session = Session::new();
    let id = session.with_ads(true, &[AdState::Rejected]);
    let smart = session.ads(SMART_LIST, json!({ "campaign_ids": [id] }));
    let inside = session.ads(LIST, json!({ "campaign_ids": [id] }));
    assert_eq!((smart.len(), inside.len()), (1, 1));
    assert_eq!(smart[0]["smart_plus_ad_id"], inside[0]["smart_plus_ad_id"]);
    assert_ne!(smart[0]["smart_plus_ad_id"], inside[0]["ad_id"]);
    assert_eq!(smart[0]["ad_id"], Value::Null);
    session.with_ads(false, &[AdState::Approved]);
    assert_eq!((session.ads(SMART_LIST, json!({})).len(), session.ads(LIST, json!({})).len()), (1, 2));
}

#[test]
fn a_hold_has_the_words_of_campaign_and_ads() {
    let mut session = Session::new();
    let id = session.with_ads(false, &[AdState::Approved, AdState::Rejected]);
    session.platform.ads.hold_campaign(&id, Some(Hold::BudgetSpent));
    assert_eq!(session.campaign_status(), "CAMPAIGN_STATUS_BUDGET_EXCEED");
    assert_eq!(session.statuses(LIST), ["AD_STATUS_CAMPAIGN_EXCEED", "AD_STATUS_AUDIT_DENY"]);
    session.platform.ads.hold_campaign(&id, None);
    session.platform.ads.hold_account(USD, Some(Hold::Billing));
    assert_eq!(session.campaign_status(), "CAMPAIGN_STATUS_ENABLE");
    assert_eq!(session.statuses(LIST), ["AD_STATUS_BALANCE_EXCEED", "AD_STATUS_AUDIT_DENY"]);
    session.platform.ads.hold_account(USD, Some(Hold::Suspended));
    assert_eq!(session.campaign_status(), "ADVERTISER_ACCOUNT_PUNISH");
    assert_eq!(session.statuses(LIST), ["ADVERTISER_ACCOUNT_PUNISH"; 2]);
}

#[test]
fn a_review_says_why_an_ad_was_rejected() {
    let mut session = Session::new();
    session.with_ads(false, &[AdState::Approved, AdState::Rejected]);
    let rows = session.ads(LIST, json!({}));
    let ids = [&rows[0]["ad_id"], &rows[1]["ad_id"]];
    let answer = session.get("/ad/review_info/", &[("advertiser_id", USD), ("ad_ids", &json!(ids).to_string())]);
    let map = &answer["data"]["ad_review_map"];
    assert_eq!(map[ids[0].as_str().unwrap()]["reject_info"], json!([]));
    assert_eq!(map[ids[1].as_str().unwrap()]["reject_info"][0]["reasons"], json!(["Misleading claim"]));
    session.with_ads(true, &[AdState::Rejected]);
    let id = session.ads(SMART_LIST, json!({}))[0]["smart_plus_ad_id"].clone();
    let ids = json!([id]).to_string();
    let mut review = |extra: &str| {
        let query = [("advertiser_id", USD), ("smart_plus_ad_ids", ids.as_str()), ("extra_info_setting", extra)];
        session.get("/smart_plus/ad/review_info/", &query)
    };
    let info = |answer: &Value| answer["data"]["smart_plus_ad_review_infos"][0]["reject_info"].clone();
    assert_eq!(info(&review("{}")), Value::Null, "on request only");
    assert_eq!(info(&review("{\"include_reject_info\":true}"))[0]["reasons"], json!(["Misleading claim"]));
    assert_error(&review("{\"include_violation_frame\":true}"), 40002, "extra_info_setting");
}

#[test]
fn a_call_for_ads_that_breaks_a_rule_is_refused() {
    let mut session = Session::new();
    let ids: Vec<String> = (0..101).map(|id| id.to_string()).collect();
    let many = json!({ "campaign_ids": ids }).to_string();
    for (path, name, value) in [
        (LIST, "page_size", "1001"),
        (SMART_LIST, "page_size", "101"),
        (LIST, "filtering", many.as_str()),
        (LIST, "filtering", "{\"campaign_ids\":[]}"),
        (LIST, "filtering", "{\"campaign\":[\"1\"]}"),
        (LIST, "filtering", "{\"smart_plus_ad_ids\":[\"1\"]}"),
        (SMART_LIST, "filtering", "{\"ad_ids\":[\"1\"]}"),
        (LIST, "fields", "[\"status\"]"),
        (SMART_LIST, "fields", "[\"ad_id\"]"),
        (LIST, "campaign_ids", "[\"1\"]"),
        ("/ad/review_info/", "ad_ids", "[]"),
        ("/ad/review_info/", "ad_ids", "7"),
        ("/smart_plus/ad/review_info/", "ad_ids", "[\"1\"]"),
    ] {
        let answer = session.get(path, &[("advertiser_id", USD), (name, value)]);
        assert_error(&answer, 40002, name);
    }
    let unknown = session.get("/ad/review_info/", &[("advertiser_id", USD), ("ad_ids", "[\"1\"]")]);
    assert_error(&unknown, 40007, "1");
}

#[test]
fn the_quirks_of_ads_hide_them_or_change_their_words() {
    let mut session = Session::new();
    session.with_ads(false, &[AdState::Approved]);
    session.quirk("many_ads");
    let page = session.get(LIST, &[("advertiser_id", USD), ("page_size", "1000")]);
    assert_eq!(page["data"]["page_info"]["total_number"], 2_101);
    session.settings.quirks.clear();
    session.quirk("unknown_word");
    assert_eq!(
        (session.campaign_status(), session.statuses(LIST)),
        (json!("UNHEARD_OF"), vec!["UNHEARD_OF".to_owned()])
    );
    session.quirk("no_ad_permission");
    assert_error(&session.get(LIST, &[("advertiser_id", USD)]), 40001, "permission");
}

#[test]
fn an_old_smart_plus_campaign_is_listed_and_not_changed() {
    let mut session = Session::at_noon();
    session.quirk("old_smart_plus");
    let account = crate::gamma::quirks::OLD_SMART;
    session.platform.grants.open(super::CLIENT.id, vec![account.to_owned()], &[], session.now.as_second(), 60);
    let request = super::request("GET", "/campaign/get/", &format!("advertiser_id={account}"), "");
    let answer = session.send_json(&request);
    let row = answer["data"]["list"][0].clone();
    assert_eq!((&row["campaign_automation_type"], &row["operation_status"]), (&json!("SMART_PLUS"), &json!("ENABLE")));
    let change =
        json!({ "advertiser_id": account, "campaign_ids": [row["campaign_id"]], "operation_status": "DISABLE" });
    assert_error(&session.post("/campaign/status/update/", &change), 40002, "Smart+");
}
