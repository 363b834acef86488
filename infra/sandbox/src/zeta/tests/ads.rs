//! Ads, and the words for what keeps campaigns and accounts from running.

use super::{EUR, Session, USD};
use crate::ads::AdState::{Approved, InReview, Paused, Rejected};
use crate::ads::{AdState, Hold};
use crate::platform::AdPlatform as _;
use serde_json::{Value, json};

impl Session {
    /// An active campaign with ads.
    fn running(&mut self, ads: &[AdState]) -> String {
        let id = self.create_id(json!({ "configured_status": "ACTIVE" }));
        self.platform.ads().set(&id, ads);
        id
    }

    fn ads(&mut self, query: &str) -> Vec<Value> {
        let (status, body) = self.get(&format!("/ad_accounts/{USD}/ads?{query}"));
        assert_eq!(status, 200, "{body}");
        body["data"].as_array().unwrap().clone()
    }

    fn word(&mut self, campaign: &str) -> Value {
        self.get(&format!("/campaigns/{campaign}")).1["data"]["effective_status"].clone()
    }
}

/// One property of every ad.
fn all(ads: &[Value], name: &str) -> Value {
    ads.iter().map(|one| one[name].clone()).collect()
}

#[test]
fn an_ad_says_what_its_review_found() {
    let mut session = Session::new();
    let campaign = session.running(&[Paused, Rejected, InReview, Approved]);
    let ads = session.ads(&format!("campaign_id={campaign}"));
    assert_eq!(
        all(&ads, "effective_status"),
        json!(["ACTIVE", "PENDING_APPROVAL", "REJECTED", "PAUSED"]),
        "newest first"
    );
    assert_eq!(all(&ads, "configured_status"), json!(["ACTIVE", "ACTIVE", "ACTIVE", "PAUSED"]));
    assert_eq!(all(&ads, "delivery_status"), json!([[], ["PENDING_REVIEW"], ["REJECTED"], ["PAUSED"]]));
    assert_eq!(all(&ads, "rejection_reason"), json!([null, null, "DECEPTIVE", null]));
    assert!(ads.iter().all(|ad| ad["campaign_id"] == campaign && ad["ad_account_id"] == USD));
    assert!(ads[0]["id"].as_str().unwrap().bytes().all(|byte| byte.is_ascii_digit()));
}

#[test]
fn a_campaign_counts_as_active_without_ads() {
    let mut session = Session::new();
    let campaign = session.running(&[]);
    assert_eq!(session.word(&campaign), "ACTIVE");
    let (_, body) = session.get(&format!("/ad_accounts/{USD}/ads?campaign_id={campaign}"));
    assert_eq!(body, json!({ "data": [], "pagination": { "next_url": null, "previous_url": null } }));
}

#[test]
fn an_ad_shows_what_its_campaign_is_after_its_own_review() {
    let mut session = Session::new();
    let campaign = session.running(&[Paused, Rejected, InReview, Approved]);
    session.platform.ads().hold_campaign(&campaign, Some(Hold::Billing));
    assert_eq!(session.word(&campaign), "PENDING_BILLING_INFO");
    let words = |session: &mut Session| all(&session.ads(""), "effective_status");
    assert_eq!(words(&mut session), json!(["PENDING_BILLING_INFO", "PENDING_BILLING_INFO", "REJECTED", "PAUSED"]));
    session.update(&campaign, &json!({ "configured_status": "PAUSED" }));
    assert_eq!(session.word(&campaign), "PAUSED");
    assert_eq!(words(&mut session), json!(["CAMPAIGN_PAUSED", "CAMPAIGN_PAUSED", "REJECTED", "PAUSED"]));
}

#[test]
fn a_suspended_account_says_why() {
    let mut session = Session::new();
    let campaign = session.running(&[Approved]);
    let account = |session: &mut Session| {
        let account = session.get(&format!("/ad_accounts/{USD}")).1["data"].clone();
        (account["admin_approval"].clone(), account["suspension_reason"].clone())
    };
    assert_eq!(account(&mut session), (json!("VALID"), Value::Null));
    session.platform.ads().hold_account(USD, Some(Hold::Suspended));
    assert_eq!(account(&mut session), (json!("SUSPENDED"), json!("ADVERTISING_POLICY")));
    assert_eq!(session.word(&campaign), "ACTIVE", "only the account says it");
}

#[test]
fn filters_of_ads_apply_together_and_their_values_are_alternatives() {
    let mut session = Session::new();
    let first = session.running(&[Approved, Paused]);
    let second = session.running(&[Rejected]);
    let both = session.ads(&format!("campaign_id={first},{second},5"));
    assert_eq!(all(&both, "effective_status"), json!(["REJECTED", "PAUSED", "ACTIVE"]));
    let (id, group) = (both[1]["id"].as_str().unwrap(), both[1]["ad_group_id"].as_str().unwrap());
    assert_eq!(session.ads(&format!("id={id}")), both[1..2]);
    assert_eq!(session.ads(&format!("ad_group_id={group}")), both[1..]);
    assert_eq!(session.ads(&format!("campaign_id={first}&effective_status=ACTIVE,REJECTED")), both[2..]);
    assert_eq!(session.ads("configured_status=PAUSED"), both[1..2]);
    let many = vec!["1"; 201].join(",");
    for query in [
        "campaign_id=",
        "campaign_ids=1",
        "effective_status=NEW",
        "configured_status=PAUSED,",
        "page.size=1001",
        &format!("campaign_id={many}"),
        &format!("campaign_id={first}&campaign_id={second}"),
    ] {
        assert_eq!(session.get(&format!("/ad_accounts/{USD}/ads?{query}")).0, 400, "{query}");
    }
    assert_eq!(session.get(&format!("/ad_accounts/{EUR}/ads")).0, 403);
    assert_eq!(session.call("POST", &format!("/ad_accounts/{USD}/ads"), &json!({})).0, 404);
}

#[test]
fn the_next_page_of_ads_keeps_the_filter() {
    let mut session = Session::new();
    let campaign = session.running(&[Approved, Rejected, Approved]);
    session.running(&[Approved]);
    let query = format!("campaign_id={campaign}&effective_status=ACTIVE&page.size=1");
    let (_, page) = session.get(&format!("/ad_accounts/{USD}/ads?{query}"));
    let next = page["pagination"]["next_url"].as_str().unwrap();
    let next = next.strip_prefix("http://127.0.0.1:4567/zeta_ads/api/v3").unwrap();
    let (_, last) = session.get(next);
    assert_eq!((last["data"].as_array().unwrap().len(), &last["pagination"]["next_url"]), (1, &Value::Null));
    assert_eq!(
        (&last["data"][0]["campaign_id"], &last["data"][0]["effective_status"]),
        (&json!(campaign), &json!("ACTIVE"))
    );
    assert_ne!(last["data"][0]["id"], page["data"][0]["id"]);
}

#[test]
fn quirks_change_the_words_of_campaigns_and_ads() {
    let mut session = Session::new();
    let campaign = session.running(&[Approved]);
    session.quirk("late_status");
    assert_eq!(session.word(&campaign), "ACTIVE");
    session.update(&campaign, &json!({ "configured_status": "PAUSED" }));
    let seen: Vec<Value> = (0..4).map(|_| session.word(&campaign)).collect();
    assert_eq!(seen, ["ACTIVE", "ACTIVE", "ACTIVE", "PAUSED"]);
    session.quirk("unknown_word");
    assert_eq!(session.word(&campaign), "UNHEARD_OF");
    let ads = session.ads("");
    assert_eq!(
        (&ads[0]["effective_status"], &ads[0]["delivery_status"]),
        (&json!("UNHEARD_OF"), &json!(["UNHEARD_OF"]))
    );
}
