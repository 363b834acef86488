//! Ads, the primary status that follows from them, and holds.

use super::{Session, USD};
use crate::ads::{AdState, Hold};
use serde_json::{Value, json};

const ADS: &str = "SELECT campaign.id, ad_group.id, ad_group.name, ad_group_ad.ad.id, ad_group_ad.ad.name, \
    ad_group_ad.status, ad_group_ad.primary_status, ad_group_ad.primary_status_reasons, \
    ad_group_ad.policy_summary.review_status, ad_group_ad.policy_summary.approval_status, \
    ad_group_ad.policy_summary.policy_topic_entries FROM ad_group_ad \
    WHERE ad_group.status != 'REMOVED' AND ad_group_ad.status != 'REMOVED'";

impl Session {
    /// The id of a running campaign with ads, and its resource name.
    fn with_ads(&mut self, name: &str, states: &[AdState]) -> (String, String) {
        let (campaign, _) = self.campaign(USD, json!({ "name": name, "status": "ENABLED" }));
        let id = campaign.rsplit('/').next().unwrap().to_owned();
        self.platform.ads.set(&id, states);
        (id, campaign)
    }

    fn rows(&mut self, query: &str) -> Vec<Value> {
        let (status, body) = self.search(USD, query);
        assert_eq!(status, 200, "{body}");
        body["results"].as_array().cloned().unwrap_or_default()
    }

    /// The primary status of a campaign and its reasons.
    fn primary(&mut self, campaign: &str) -> (String, Vec<String>) {
        let query = "SELECT campaign.primary_status, campaign.primary_status_reasons FROM campaign";
        let rows = self.rows(&format!("{query} WHERE campaign.resource_name = '{campaign}'"));
        let reasons = rows[0]["campaign"]["primaryStatusReasons"].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&rows[0]["campaign"]["primaryStatus"]), reasons.iter().map(text).collect())
    }

    fn query_error(&mut self, query: &str) -> String {
        let (status, body) = self.search(USD, query);
        assert_eq!(status, 400, "{body}");
        super::errors(&body)[0].0.clone()
    }
}

#[test]
fn an_ad_has_a_primary_status_a_review_and_its_topics() {
    let mut session = Session::new();
    let (id, campaign) = session.with_ads("Sale", AdState::ALL);
    let rows = session.rows(&format!("{ADS} AND campaign.id IN ({id}, 5)"));
    let ads: Vec<_> = rows.iter().map(|row| row["adGroupAd"].clone()).collect();
    let words: Vec<_> = ads.iter().map(|ad| ad["primaryStatus"].as_str().unwrap()).collect();
    assert_eq!(words, ["ELIGIBLE", "PENDING", "NOT_ELIGIBLE", "PAUSED"]);
    assert_eq!((&ads[0]["primaryStatusReasons"], &ads[0]["status"]), (&Value::Null, &json!("ENABLED")));
    assert_eq!(
        (&ads[3]["primaryStatusReasons"], &ads[3]["status"]),
        (&json!(["AD_GROUP_AD_PAUSED"]), &json!("PAUSED"))
    );
    assert_eq!(ads[1]["policySummary"], json!({ "reviewStatus": "REVIEW_IN_PROGRESS" }));
    let topics = json!([{ "type": "PROHIBITED", "topic": "MISLEADING_CLAIM" }]);
    let rejected = json!({ "reviewStatus": "REVIEWED", "approvalStatus": "DISAPPROVED", "policyTopicEntries": topics });
    assert_eq!(ads[2]["policySummary"], rejected);
    assert_eq!(rows[0]["campaign"], json!({ "resourceName": campaign, "id": id }));
    assert!(rows[0]["adGroup"]["name"].is_string() && ads[0]["ad"]["id"].is_string(), "{}", rows[0]);
}

#[test]
fn the_primary_status_of_a_campaign_follows_from_its_ads() {
    use AdState::{Approved, InReview, Paused, Rejected};
    let mut session = Session::new();
    let (id, campaign) = session.with_ads("Sale", &[]);
    let cases: [(&[AdState], &str, &[&str]); 7] = [
        (&[], "NOT_ELIGIBLE", &["NO_AD_GROUPS"]),
        (&[Approved, Paused], "ELIGIBLE", &[]),
        (&[Approved, Rejected], "LIMITED", &["HAS_ADS_DISAPPROVED"]),
        (&[Rejected, Paused], "NOT_ELIGIBLE", &["NO_AD_GROUP_ADS", "HAS_ADS_DISAPPROVED"]),
        (&[Paused], "NOT_ELIGIBLE", &["AD_GROUP_ADS_PAUSED"]),
        (&[InReview], "PENDING", &["MOST_ADS_UNDER_REVIEW"]),
        (&[Approved, InReview], "ELIGIBLE", &[]),
    ];
    for (states, status, reasons) in cases {
        session.platform.ads.set(&id, states);
        let (found, why) = session.primary(&campaign);
        assert_eq!((found.as_str(), why), (status, reasons.iter().map(|&one| one.to_owned()).collect()), "{states:?}");
    }
    for (hold, reason) in [(Hold::BudgetSpent, "BUDGET_CONSTRAINED"), (Hold::Audience, "SEARCH_VOLUME_LIMITED")] {
        session.platform.ads.hold_campaign(&id, Some(hold));
        assert_eq!(session.primary(&campaign), ("LIMITED".to_owned(), vec![reason.to_owned()]));
    }
}

#[test]
fn a_paused_campaign_pauses_its_ads_and_a_removed_one_removes_them() {
    let mut session = Session::new();
    let (_, campaign) = session.with_ads("Sale", &[AdState::Rejected]);
    let pause = json!({ "resourceName": campaign, "status": "PAUSED" });
    session.mutate_ok(USD, json!([{ "campaignOperation": { "update": pause, "updateMask": "status" } }]));
    assert_eq!(session.primary(&campaign), ("PAUSED".to_owned(), vec!["CAMPAIGN_PAUSED".to_owned()]));
    let ad = session.rows(ADS)[0]["adGroupAd"].clone();
    assert_eq!(ad["primaryStatus"], "PAUSED");
    assert_eq!(ad["primaryStatusReasons"], json!(["CAMPAIGN_PAUSED", "AD_GROUP_AD_DISAPPROVED"]));
    session.mutate_ok(USD, json!([{ "campaignOperation": { "remove": campaign } }]));
    session.quirk("unknown_word");
    assert_eq!(session.primary(&campaign).0, "REMOVED", "no quirk hides a removal");
}

#[test]
fn a_suspended_customer_says_so_from_campaigns_and_ads() {
    let mut session = Session::new();
    session.with_ads("Sale", &[AdState::Approved]);
    session.platform.ads.hold_account(USD, Some(Hold::Suspended));
    for from in ["customer", "campaign", "ad_group_ad"] {
        assert_eq!(session.rows(&format!("SELECT customer.status FROM {from}"))[0]["customer"]["status"], "SUSPENDED");
    }
}

#[test]
fn a_query_for_ads_knows_its_fields_and_resources_only() {
    let mut session = Session::new();
    for (query, code) in [
        ("SELECT ad_group_ad.ad.colour FROM ad_group_ad", "UNRECOGNIZED_FIELD"),
        ("SELECT ad_group_ad.ad.id FROM ads", "BAD_RESOURCE_TYPE_IN_FROM_CLAUSE"),
        ("SELECT ad_group_ad.ad.id FROM campaign", "PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE"),
        ("SELECT campaign.id FROM campaign WHERE ad_group.id = 1", "PROHIBITED_RESOURCE_TYPE_IN_WHERE_CLAUSE"),
        ("SELECT campaign_budget.id FROM ad_group_ad", "PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE"),
        ("SELECT ad_group_ad.ad.id FROM ad_group_ad WHERE ad_group_ad.status = 'GONE'", "BAD_ENUM_CONSTANT"),
        (
            "SELECT campaign.id FROM campaign WHERE campaign.primary_status_reasons = 'CAMPAIGN_PAUSED'",
            "OPERATOR_FIELD_MISMATCH",
        ),
        (
            "SELECT campaign.id FROM campaign ORDER BY campaign.primary_status_reasons",
            "PROHIBITED_FIELD_IN_ORDER_BY_CLAUSE",
        ),
    ] {
        assert_eq!(session.query_error(query), format!("queryError.{code}"), "{query}");
    }
}

#[test]
fn quirks_change_the_words_of_campaigns_and_the_number_of_ads() {
    let mut session = Session::new();
    let (id, campaign) = session.with_ads("Sale", &[AdState::Approved]);
    session.quirk("late_status");
    assert_eq!(session.primary(&campaign).0, "ELIGIBLE");
    session.platform.ads.set(&id, &[AdState::Rejected]);
    let statuses = [(); 4].map(|()| session.primary(&campaign).0);
    assert_eq!(statuses, ["ELIGIBLE", "ELIGIBLE", "ELIGIBLE", "NOT_ELIGIBLE"]);
    session.quirk("unknown_word");
    assert_eq!(session.primary(&campaign), ("UNHEARD_OF".to_owned(), vec!["UNHEARD_OF".to_owned()]));
    assert_eq!(session.rows(ADS)[0]["adGroupAd"]["primaryStatus"], "UNHEARD_OF");
    session.settings.quirks.clear();
    session.quirk("many_ads");
    assert_eq!(session.rows(ADS).len(), 2_101);
}
