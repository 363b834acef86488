//! Ads, what a review said about them, and what holds campaigns and accounts back.

use super::{Session, USD};
use crate::ads::{AdState, Hold};
use serde_json::{Value, json};

impl Session {
    /// A running campaign with ads.
    fn with_ads(&mut self, states: &[AdState]) -> String {
        let id = self.campaign(USD, json!({ "status": "ACTIVE" }));
        self.platform.ads.set(&id, states);
        id
    }

    fn ads(&mut self, path: &str, fields: &str) -> Vec<Value> {
        let mark = if path.contains('?') { '&' } else { '?' };
        self.get(&format!("/v26.0/{path}{mark}fields={fields}"))["data"].as_array().unwrap().clone()
    }

    fn statuses(&mut self, path: &str) -> Vec<String> {
        let rows = self.ads(path, "effective_status");
        rows.iter().map(|row| row["effective_status"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn an_ad_has_the_status_of_its_state_or_of_its_paused_campaign() {
    let mut session = Session::new();
    let id = session.with_ads(AdState::ALL);
    let path = format!("{id}/ads");
    assert_eq!(session.statuses(&path), ["ACTIVE", "PENDING_REVIEW", "DISAPPROVED", "PAUSED"]);
    assert_eq!(session.field(&id, "effective_status"), "ACTIVE", "with rejected ads, too");
    session.quirk("masked_review");
    assert_eq!(session.statuses(&path), ["ADSET_PAUSED", "ADSET_PAUSED", "ADSET_PAUSED", "PAUSED"]);
    assert!(session.ads(&path, "ad_review_feedback").iter().all(|row| row["ad_review_feedback"].is_null()));
    session.settings.quirks.clear();
    session.call("POST", &format!("/v26.0/{id}"), &json!({ "status": "PAUSED" }));
    assert_eq!(session.statuses(&path), ["CAMPAIGN_PAUSED", "CAMPAIGN_PAUSED", "CAMPAIGN_PAUSED", "PAUSED"]);
    session.call("DELETE", &format!("/v26.0/{id}"), &Value::Null);
    assert_eq!(session.statuses(&path), [""; 0]);
    assert_eq!(session.statuses(&format!("{path}?effective_status=[\"DELETED\"]")).len(), 4);
}

#[test]
fn a_rejected_ad_has_feedback_for_all_placements_or_for_one() {
    let mut session = Session::new();
    let id = session.with_ads(&[AdState::Rejected, AdState::Rejected, AdState::Approved]);
    let fields = "id,name,campaign_id,ad_review_feedback,adset{id,name,start_time,end_time}";
    let rows = session.ads(&format!("{id}/ads"), fields);
    let reasons = json!({ "MISLEADING_CLAIMS": "Misleading claim" });
    let both = [json!({ "placement_specific": { "facebook": reasons } }), json!({ "global": reasons })];
    let feedback = [rows[0]["ad_review_feedback"].clone(), rows[1]["ad_review_feedback"].clone()];
    assert!(feedback == both || feedback == [both[1].clone(), both[0].clone()], "{feedback:?}");
    assert_eq!((&rows[2]["ad_review_feedback"], &rows[2]["campaign_id"]), (&Value::Null, &json!(id)));
    let ad_set = rows[2]["adset"].as_object().unwrap();
    assert_eq!(ad_set["start_time"], "2026-03-02T07:00:00-0500");
    assert!(ad_set["id"].is_string() && ad_set["name"].is_string() && !ad_set.contains_key("end_time"), "{ad_set:?}");
}

#[test]
fn a_hold_shows_in_the_campaign_its_ads_or_the_account() {
    let mut session = Session::new();
    let id = session.with_ads(&[AdState::Approved]);
    let path = format!("{id}/ads");
    session.platform.ads.hold_campaign(&id, Some(Hold::Audience));
    assert_eq!(session.field(&id, "effective_status"), "WITH_ISSUES");
    let issue = session.field(&id, "issues_info")[0].clone();
    assert_eq!((&issue["error_type"], &issue["level"]), (&json!("HARD_ERROR"), &json!("AD_SET")));
    assert_eq!(session.ads(&path, "issues_info")[0]["issues_info"][0], issue);
    session.platform.ads.hold_campaign(&id, Some(Hold::Billing));
    assert_eq!(
        (session.field(&id, "issues_info"), session.field(&id, "effective_status")),
        (Value::Null, json!("ACTIVE"))
    );
    assert_eq!(session.statuses(&path), ["PENDING_BILLING_INFO"]);
    for (hold, status, reason) in [(Some(Hold::Suspended), 2, 1), (Some(Hold::Billing), 8, 0), (None, 1, 0)] {
        session.platform.ads.hold_account(USD, hold);
        let account = session.get(&format!("/v26.0/{USD}?fields=account_status,disable_reason"));
        assert_eq!((&account["account_status"], &account["disable_reason"]), (&json!(status), &json!(reason)));
    }
}

#[test]
fn the_ads_of_an_account_are_filtered_by_campaign_and_paged() {
    let mut session = Session::new();
    let ids = [(); 3].map(|()| session.with_ads(&[AdState::Approved, AdState::Rejected]));
    let filter = json!([{ "field": "campaign.id", "operator": "IN", "value": ids[..2] }]);
    let rows = session.ads(&format!("{USD}/ads?limit=200&filtering={filter}"), "campaign_id");
    let campaigns: Vec<_> = rows.iter().map(|row| row["campaign_id"].as_str().unwrap()).collect();
    assert_eq!(campaigns, [&ids[0], &ids[0], &ids[1], &ids[1]]);
    let first = session.get(&format!("/v26.0/{USD}/ads?limit=4"));
    let after = first["paging"]["cursors"]["after"].as_str().unwrap();
    assert!(first["paging"]["next"].is_string());
    let last = session.get(&format!("/v26.0/{USD}/ads?limit=4&after={after}"));
    assert_eq!((last["data"].as_array().unwrap().len(), &last["paging"]["next"]), (2, &Value::Null));
}

#[test]
fn a_call_for_ads_that_breaks_a_rule_is_refused() {
    let mut session = Session::new();
    let id = session.with_ads(&[AdState::Approved]);
    for bad in [
        "fields=nmae",
        "fields=adset{budget}",
        "fields=creative{body}",
        "filtering={}",
        "filtering=[{\"field\":\"campaign.id\",\"operator\":\"IN\",\"value\":[]}]",
        "filtering=[{\"field\":\"campaign.id\",\"operator\":\"LIKE\",\"value\":[\"1\"]}]",
        "filtering=[{\"field\":\"colour\",\"operator\":\"IN\",\"value\":[\"1\"]}]",
        "effective_status=[\"RUNNING\"]",
        "limit=0",
    ] {
        for path in [USD, id.as_str()] {
            let error = session.call_error("GET", &format!("/v26.0/{path}/ads?{bad}"), &Value::Null);
            assert_eq!(error.0, 100, "{bad}");
        }
    }
    assert_eq!(session.call_error("GET", "/v26.0/5/ads", &Value::Null).0, 100);
    session.platform.grants.set_access(USD, true);
    assert_eq!(session.call_error("GET", &format!("/v26.0/{USD}/ads"), &Value::Null).0, 200);
}

#[test]
fn a_word_of_delivery_may_be_unknown_or_late() {
    let mut session = Session::new();
    let id = session.with_ads(&[AdState::Approved]);
    session.quirk("late_status");
    let mut read = || session.field(&id, "effective_status");
    assert_eq!(read(), "ACTIVE");
    session.call("POST", &format!("/v26.0/{id}"), &json!({ "status": "PAUSED" }));
    let mut read = || session.field(&id, "effective_status");
    assert_eq!([read(), read(), read(), read()], ["ACTIVE", "ACTIVE", "ACTIVE", "PAUSED"]);
    session.quirk("unknown_word");
    assert_eq!(
        (session.field(&id, "effective_status"), session.field(&id, "status")),
        (json!("UNHEARD_OF"), json!("PAUSED"))
    );
    assert_eq!(session.statuses(&format!("{id}/ads")), ["UNHEARD_OF"]);
}
