//! Ad groups, ads, and the words for what keeps campaigns from running.

use super::{ANALYST, EUR, NOW, Session, USD, request};
use crate::ads::AdState::{Approved, InReview, Paused, Rejected};
use crate::ads::{AdState, Hold};
use crate::platform::AdPlatform as _;
use serde_json::{Value, json};

impl Session {
    /// An active campaign with ads.
    fn running(&mut self, ads: &[AdState]) -> String {
        let campaign = self.create(json!({ "status": "ACTIVE" }));
        let id = campaign["id"].as_str().unwrap().to_owned();
        self.platform.ads().set(&id, ads);
        id
    }

    /// The items and the bookmark of a list.
    fn list(&mut self, query: &str) -> (Vec<Value>, Value) {
        let (status, body) = self.get(&format!("/v5/ad_accounts/{USD}/{query}"));
        assert_eq!(status, 200, "{body}");
        (body["items"].as_array().unwrap().clone(), body["bookmark"].clone())
    }

    fn word(&mut self, campaign: &str) -> Value {
        self.get(&format!("/v5/ad_accounts/{USD}/campaigns/{campaign}")).1["summary_status"].clone()
    }
}

/// One property of every item.
fn all(items: &[Value], name: &str) -> Value {
    items.iter().map(|one| one[name].clone()).collect()
}

#[test]
fn an_ad_says_what_its_review_found() {
    let mut session = Session::new();
    let campaign = session.running(&[Approved, InReview, Rejected, Paused]);
    let (ads, bookmark) = session.list(&format!("ads?campaign_ids={campaign}&page_size=250"));
    assert_eq!(bookmark, Value::Null);
    assert_eq!(all(&ads, "summary_status"), json!(["APPROVED", "PENDING", "REJECTED", "PAUSED"]));
    assert_eq!(all(&ads, "review_status"), json!(["APPROVED", "PENDING", "REJECTED", "APPROVED"]));
    assert_eq!(all(&ads, "status"), json!(["ACTIVE", "ACTIVE", "ACTIVE", "PAUSED"]));
    assert_eq!(all(&ads, "rejected_reasons"), json!([[], [], ["EXAGGERATED_CLAIMS"], []]));
    assert_eq!(all(&ads, "rejection_labels"), json!([[], [], ["Misleading claim"], []]));
    let (groups, _) = session.list(&format!("ad_groups?campaign_ids={campaign}&page_size=250"));
    assert_eq!(all(&groups, "summary_status"), json!(["RUNNING"]));
    assert_eq!((&groups[0]["campaign_id"], &groups[0]["type"]), (&json!(campaign), &json!("adgroup")));
    assert!(ads.iter().all(|ad| ad["ad_group_id"] == groups[0]["id"] && ad["campaign_id"] == campaign));
}

#[test]
fn a_campaign_counts_as_running_without_ads() {
    let mut session = Session::new();
    let campaign = session.running(&[]);
    assert_eq!(session.word(&campaign), "RUNNING");
    for list in ["ads", "ad_groups"] {
        let (status, body) = session.get(&format!("/v5/ad_accounts/{USD}/{list}?campaign_ids={campaign}"));
        assert_eq!((status, body), (200, json!({ "items": [], "bookmark": null })));
    }
}

#[test]
fn a_disabled_account_shows_in_campaigns_groups_and_ads() {
    let mut session = Session::new();
    let campaign = session.running(&[Approved, Paused]);
    let paused = session.create(json!({}))["id"].as_str().unwrap().to_owned();
    let draft = session.create(json!({ "status": "DRAFT" }))["id"].as_str().unwrap().to_owned();
    session.platform.ads().hold_account(USD, Some(Hold::Suspended));
    let words = [session.word(&campaign), session.word(&paused), session.word(&draft)];
    assert_eq!(words, ["ADVERTISER_DISABLED", "ADVERTISER_DISABLED", "DRAFT"]);
    let disabled = json!(["ADVERTISER_DISABLED"]);
    assert_eq!(all(&session.list("ad_groups").0, "summary_status"), disabled);
    assert_eq!(all(&session.list("ads").0[..1], "summary_status"), disabled);
    assert_eq!(session.list("campaigns").0[0]["summary_status"], disabled[0]);
    assert_eq!(session.update(&json!(paused), json!({ "name": "New" }))["summary_status"], disabled[0]);
    assert_eq!(session.create(json!({}))["summary_status"], "PAUSED", "it is known after the create");
    session.platform.ads().hold_account(USD, None);
    assert_eq!(session.word(&campaign), "RUNNING");
}

#[test]
fn a_group_has_the_dates_of_its_campaign() {
    let mut session = Session::new();
    let (start, end) = (NOW + 600, NOW + 1_200);
    let made = session.create(json!({ "status": "ACTIVE", "start_time": start, "end_time": end }));
    let campaign = made["id"].as_str().unwrap();
    session.platform.ads().set(campaign, &[Approved]);
    for (seconds, word) in [(0, "NOT_STARTED"), (600, "RUNNING"), (600, "COMPLETED")] {
        session.now += jiff::SignedDuration::from_secs(seconds);
        assert_eq!(session.word(campaign), word);
        assert_eq!(all(&session.list("ad_groups").0, "summary_status"), json!([word]));
    }
}

#[test]
fn a_list_takes_one_kind_of_ids_of_which_250() {
    let mut session = Session::new();
    let campaign = session.running(&[Approved, Rejected]);
    let other = session.running(&[Approved]);
    let (ads, _) = session.list("ads");
    let (ad, group) = (ads[1]["id"].as_str().unwrap(), ads[1]["ad_group_id"].as_str().unwrap());
    let ids = |session: &mut Session, query: &str| all(&session.list(query).0, "id");
    assert_eq!(ids(&mut session, &format!("ads?ad_ids={ad}")), json!([ad]));
    assert_eq!(ids(&mut session, &format!("ads?ad_group_ids={group}")), all(&ads[..2], "id"));
    let both = format!("ads?campaign_ids={campaign}&campaign_ids={other}&order=DESCENDING");
    assert_eq!(ids(&mut session, &both), json!([ads[2]["id"], ads[1]["id"], ads[0]["id"]]));
    let many = vec!["campaign_ids=1"; 251].join("&");
    for query in [
        "ads?page_size=251",
        "ads?entity_statuses=REJECTED",
        &format!("ads?campaign_ids={campaign}&ad_group_ids={group}"),
        &format!("ads?ad_ids={ad}&ad_group_ids={group}"),
        &format!("ad_groups?campaign_ids={campaign}&ad_group_ids={group}"),
        &format!("ad_groups?ad_ids={ad}"),
        &format!("ads?campaign_ids={campaign},{other}"),
        &format!("ads?{many}"),
    ] {
        let (status, body) = session.get(&format!("/v5/ad_accounts/{USD}/{query}"));
        assert_eq!((status, &body["code"]), (400, &json!(1)), "{query}");
    }
}

#[test]
fn pages_of_ads_follow_bookmarks_and_hide_other_statuses() {
    let mut session = Session::new();
    let campaign = session.running(&[Approved, Paused, Approved]);
    let list = format!("ads?campaign_ids={campaign}&page_size=2");
    let (first, next) = session.list(&list);
    let (rest, last) = session.list(&format!("{list}&bookmark={}", next.as_str().unwrap()));
    assert_eq!((first.len(), rest.len(), last), (2, 1, Value::Null));
    assert_ne!(first[1]["id"], rest[0]["id"]);
    let foreign = format!("/v5/ad_accounts/{USD}/ad_groups?bookmark={}", next.as_str().unwrap());
    assert_eq!(session.get(&foreign).0, 400);
    assert_eq!(all(&session.list("ads?entity_statuses=PAUSED").0, "status"), json!(["PAUSED"]));
    assert_eq!(session.list("ads?entity_statuses=ARCHIVED").0, [] as [Value; 0]);
    assert_eq!(session.get(&format!("/v5/ad_accounts/{ANALYST}/ads")).0, 200, "an analyst reads");
    assert_eq!(session.get(&format!("/v5/ad_accounts/{EUR}/ads")).0, 403);
    assert_eq!(session.call(&request("POST", &format!("/v5/ad_accounts/{USD}/ads"), "[]")).0, 405);
}

#[test]
fn quirks_change_the_words_of_campaigns_groups_and_ads() {
    let mut session = Session::new();
    let campaign = session.running(&[Approved]);
    session.quirk("late_status");
    assert_eq!(session.word(&campaign), "RUNNING");
    session.update(&json!(campaign), json!({ "status": "PAUSED" }));
    let seen: Vec<Value> = (0..4).map(|_| session.word(&campaign)).collect();
    assert_eq!(seen, ["RUNNING", "RUNNING", "RUNNING", "PAUSED"]);
    session.update(&json!(campaign), json!({ "status": "ARCHIVED" }));
    session.quirk("unknown_word");
    assert_eq!(session.word(&campaign), "ARCHIVED", "a removed campaign says so");
    let unheard = json!(["UNHEARD_OF"]);
    assert_eq!(all(&session.list("ads").0, "summary_status"), unheard);
    assert_eq!(all(&session.list("ad_groups").0, "summary_status"), unheard);
}
