//! Creatives: their finder, and why one is not served.

use super::{Session, USD, error, errors, request};
use crate::ads::AdState::{Approved, InReview, Paused, Rejected};
use crate::ads::{AdState, Hold};
use crate::http::Request;
use crate::platform::AdPlatform as _;
use serde_json::{Value, json};

impl Session {
    /// A running campaign with creatives.
    fn running(&mut self, creatives: &[AdState]) -> i64 {
        let start = json!({ "start": self.now_ms() });
        let id = self.campaign(USD, &json!({ "status": "ACTIVE", "runSchedule": start }));
        self.platform.ads().set(&id.to_string(), creatives);
        id
    }

    fn creatives(&mut self, query: &str) -> Value {
        let response = self.send(&finder(query));
        assert_eq!(response.status, 200, "{}", response.body);
        serde_json::from_str(&response.body).unwrap()
    }

    fn creatives_of(&mut self, campaign: i64) -> Vec<Value> {
        let found = self.creatives(&format!("q=criteria&campaigns=List({})", urn(campaign)));
        found["elements"].as_array().unwrap().clone()
    }
}

fn finder(query: &str) -> Request {
    let mut finder = request("GET", &format!("/rest/adAccounts/{USD}/creatives?{query}"), "");
    finder.headers.insert("x-restli-method".to_owned(), "FINDER".to_owned());
    finder
}

/// The URN of a campaign, encoded.
fn urn(campaign: i64) -> String {
    format!("urn%3Ali%3AsponsoredCampaign%3A{campaign}")
}

/// One field of every creative.
fn all(creatives: &[Value], field: &str) -> Value {
    creatives.iter().map(|one| one[field].clone()).collect()
}

#[test]
fn a_creative_serves_once_it_is_approved_and_has_no_hold_then() {
    let mut session = Session::new();
    let campaign = session.running(&[Approved, InReview, Rejected, Paused]);
    let found = session.creatives_of(campaign);
    assert_eq!(all(&found, "isServing"), json!([true, false, false, false]));
    assert!(found[0].get("servingHoldReasons").is_none(), "the field is absent");
    assert_eq!(all(&found[1..], "servingHoldReasons"), json!([["UNDER_REVIEW"], ["REJECTED"], ["STOPPED"]]));
    assert_eq!(all(&found, "intendedStatus"), json!(["ACTIVE", "ACTIVE", "ACTIVE", "PAUSED"]));
    let reviews = all(&found, "review");
    let reviews: Vec<&Value> = reviews.as_array().unwrap().iter().map(|review| &review["status"]).collect();
    assert_eq!(json!(reviews), json!(["APPROVED", "PENDING", "REJECTED", "APPROVED"]));
    assert_eq!(found[2]["review"]["rejectionReasons"].as_array().unwrap().len(), 1);
    assert_eq!(found[0]["campaign"], json!(format!("urn:li:sponsoredCampaign:{campaign}")));
    assert!(found[0]["id"].as_str().unwrap().starts_with("urn:li:sponsoredCreative:"));
}

#[test]
fn a_campaign_runs_without_creatives_as_far_as_its_words_say() {
    let mut session = Session::new();
    let campaign = session.running(&[]);
    assert_eq!(session.creatives_of(campaign), [] as [Value; 0]);
    assert_eq!(session.get_campaign(campaign)["servingStatuses"], json!(["RUNNABLE"]));
}

#[test]
fn holds_show_in_a_campaign_and_in_its_creatives() {
    let mut session = Session::new();
    let campaign = session.running(&[Approved, Rejected]);
    let id = campaign.to_string();
    for (hold, word) in
        [(Hold::BudgetSpent, "CAMPAIGN_TOTAL_BUDGET_HOLD"), (Hold::Audience, "CAMPAIGN_AUDIENCE_COUNT_HOLD")]
    {
        session.platform.ads().hold_campaign(&id, Some(hold));
        assert_eq!(session.get_campaign(campaign)["servingStatuses"], json!([word]));
        assert_eq!(all(&session.creatives_of(campaign), "servingHoldReasons"), json!([[word], ["REJECTED", word]]));
    }
    session.platform.ads().hold_campaign(&id, None);
    for (hold, word) in [(Hold::Suspended, "RESTRICTED_HOLD"), (Hold::Billing, "BILLING_HOLD")] {
        session.platform.ads().hold_account(&USD.to_string(), Some(hold));
        assert_eq!(session.get_campaign(campaign)["servingStatuses"], json!(["ACCOUNT_SERVING_HOLD"]));
        assert_eq!(session.creatives_of(campaign)[0]["isServing"], false);
        assert_eq!(session.get(&format!("/rest/adAccounts/{USD}")).1["servingStatuses"], json!([word]));
    }
    session.platform.ads().hold_account(&USD.to_string(), None);
    session.patch(campaign, &json!({ "$set": { "status": "PAUSED" } }));
    assert_eq!(session.get_campaign(campaign)["servingStatuses"], json!(["STOPPED"]));
    assert_eq!(session.creatives_of(campaign)[0]["servingHoldReasons"], json!(["CAMPAIGN_STOPPED"]));
}

#[test]
fn the_dates_of_a_group_hold_its_campaigns() {
    let mut session = Session::new();
    let group = session.platform.accounts[0].groups.values_mut().next().unwrap();
    let (id, end) = (group.id, group.start().unwrap() + 60_000);
    group.fields["runSchedule"]["end"] = json!(end);
    let campaign = session.running(&[Approved]);
    session.now += jiff::SignedDuration::from_mins(2);
    let words = json!(["CAMPAIGN_GROUP_STATUS_HOLD", "CAMPAIGN_GROUP_END_DATE_HOLD"]);
    assert_eq!(session.get_campaign(campaign)["servingStatuses"], words);
    let (_, group) = session.get(&format!("/rest/adAccounts/{USD}/adCampaignGroups/{id}"));
    assert_eq!(group["servingStatuses"], json!(["STOPPED", "CAMPAIGN_GROUP_END_DATE_HOLD"]));
}

#[test]
fn the_finder_of_creatives_demands_its_method_header() {
    let mut session = Session::new();
    let mut plain = finder("q=criteria");
    for header in [None, Some("GET"), Some("finder")] {
        plain.headers.remove("x-restli-method");
        plain.headers.extend(header.map(|value| ("x-restli-method".to_owned(), value.to_owned())));
        let expected = if header == Some("finder") { 200 } else { 400 };
        assert_eq!(session.send(&plain).status, expected, "{header:?}");
    }
}

#[test]
fn pages_of_creatives_have_100_rows_at_most_and_their_own_criteria() {
    let mut session = Session::new();
    let campaign = session.running(&[Approved; 101]);
    let other = session.running(&[Paused]);
    assert_eq!(session.creatives_of(campaign).len(), 100, "the default");
    let query = format!("q=criteria&campaigns=List({})&sortOrder=ASCENDING&pageSize=100", urn(campaign));
    let first = session.creatives(&query);
    let token = first["metadata"]["nextPageToken"].as_str().unwrap();
    let rest = session.creatives(&format!("{query}&pageToken={token}"));
    assert_eq!((rest["elements"].as_array().unwrap().len(), &rest["metadata"]), (1, &json!({})));
    assert_ne!(rest["elements"][0]["id"], first["elements"][99]["id"]);
    let foreign = format!("q=criteria&campaigns=List({})&sortOrder=ASCENDING&pageToken={token}", urn(other));
    assert_eq!(errors(&session.send(&finder(&foreign))), error("PARAM_INVALID", "pageToken"));
    let both = session.creatives(&format!("q=criteria&campaigns=List({},{},{})", urn(other), urn(9), urn(other)));
    assert_eq!(both["elements"].as_array().unwrap().len(), 1, "unknown campaigns have none");
    let paused = session.creatives("q=criteria&intendedStatuses=List(PAUSED,DRAFT)");
    assert_eq!(paused["elements"], both["elements"]);
}

#[test]
fn the_finder_of_creatives_refuses_other_encodings_and_parameters() {
    let mut session = Session::new();
    let many = vec![urn(1); 130].join(",");
    for (query, code, name) in [
        ("campaigns=List(urn:li:sponsoredCampaign:1)", "PARAM_INVALID", "campaigns"),
        ("campaigns=List(1)", "PARAM_INVALID", "campaigns"),
        ("campaigns=List%28urn%253Ali%253AsponsoredCampaign%253A1%29", "PARAM_INVALID", "campaigns"),
        ("campaigns=urn%3Ali%3AsponsoredCampaign%3A1", "PARAM_INVALID", "campaigns"),
        ("creatives=List(urn%3Ali%3AsponsoredCampaign%3A1)", "PARAM_INVALID", "creatives"),
        ("intendedStatuses=List(ENABLED)", "PARAM_INVALID", "intendedStatuses"),
        ("pageSize=101", "PARAM_INVALID", "pageSize"),
        ("sortOrder=NEWEST", "PARAM_INVALID", "sortOrder"),
        ("count=10", "QUERY_PARAM_NOT_ALLOWED", "count"),
        ("search=(id:(values:List()))", "QUERY_PARAM_NOT_ALLOWED", "search"),
    ] {
        let response = session.send(&finder(&format!("q=criteria&{query}")));
        assert_eq!(errors(&response), error(code, name), "{query}");
    }
    let mut old = finder(&format!("q=criteria&campaigns=List({})", urn(1)));
    old.headers.remove("x-restli-protocol-version");
    assert_eq!(errors(&session.send(&old)), error("PARAM_INVALID", "campaigns"));
    assert_eq!(session.send(&finder("q=search")).status, 404);
    assert_eq!(session.send(&finder(&format!("q=criteria&campaigns=List({many})"))).status, 414);
}

#[test]
fn quirks_change_the_words_of_campaigns_and_creatives() {
    let mut session = Session::new();
    let campaign = session.running(&[Approved]);
    let words = |session: &mut Session| session.get_campaign(campaign)["servingStatuses"].clone();
    session.quirk("late_status");
    assert_eq!(words(&mut session), json!(["RUNNABLE"]));
    session.platform.ads().hold_campaign(&campaign.to_string(), Some(Hold::Audience));
    let (_, list) = session.get(&format!("/rest/adAccounts/{USD}/adCampaigns?q=search"));
    assert_eq!(list["elements"][0]["servingStatuses"], json!(["RUNNABLE"]));
    let seen = [words(&mut session), words(&mut session), words(&mut session)];
    assert_eq!(json!(seen), json!([["RUNNABLE"], ["RUNNABLE"], ["CAMPAIGN_AUDIENCE_COUNT_HOLD"]]));
    session.quirk("unknown_word");
    assert_eq!(words(&mut session), json!(["UNHEARD_OF"]));
    let found = session.creatives_of(campaign);
    assert_eq!((&found[0]["servingHoldReasons"], &found[0]["isServing"]), (&json!(["UNHEARD_OF"]), &json!(false)));
}
