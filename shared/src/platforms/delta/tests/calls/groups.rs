//! The campaign group of a new campaign.

use super::*;

/// As [`sent`], with each search for the group.
fn all(fake: &Fake) -> Vec<ReceivedRequest> {
    fake.requests().into_iter().filter(|request| request.line != ACCOUNT_READ).collect()
}

#[tokio::test]
async fn a_campaign_goes_into_the_group_with_the_configured_name() {
    let groups = json!([
        {"id": 1, "name": "Unified Ads", "status": "ARCHIVED"},
        {"id": 2, "name": "Unified Ads", "status": "PAUSED"},
        {"id": 3, "name": "Unified Ads II", "status": "ACTIVE"},
        {"id": 4, "name": "Unified Ads", "status": "ACTIVE", "runSchedule": {"start": 1, "end": 2}},
        {"id": 6, "name": "Unified Ads", "status": "ACTIVE", "runSchedule": {"start": 1}},
        {"id": 5, "name": "Unified Ads", "status": "ACTIVE"},
    ]);
    let fake = in_order(None, vec![found(groups), new_id("141234567"), bare(200, DAILY)]);
    create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap();
    let search = "GET /rest/adAccounts/512345678/adCampaignGroups\
        ?q=search&search=(name:(values:List(Unified%20Ads)))&pageSize=100";
    assert_eq!(lines(&all(&fake))[0], search, "a space is %20");
    assert_eq!(all(&fake)[1].body["campaignGroup"], "urn:li:sponsoredCampaignGroup:5");
}

#[tokio::test]
async fn a_group_is_created_where_there_is_none() {
    let fake = in_order(None, vec![found(json!([])), new_id("77"), new_id("141234567"), bare(200, DAILY)]);
    create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap();
    let requests = all(&fake);
    assert_eq!(lines(&requests)[1], "POST /rest/adAccounts/512345678/adCampaignGroups");
    let start = requests[1].body["runSchedule"]["start"].as_i64().unwrap();
    let expected = json!({
        "account": "urn:li:sponsoredAccount:512345678",
        "name": "Unified Ads",
        "status": "ACTIVE",
        "runSchedule": {"start": start},
    });
    assert_eq!(requests[1].body, expected);
    assert_eq!(requests[2].body["campaignGroup"], "urn:li:sponsoredCampaignGroup:77");
    assert!(
        requests[2].body["runSchedule"]["start"].as_i64().unwrap() >= start,
        "the campaign starts within its group"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failure_before_the_create_creates_no_campaign() {
    let before = || found(json!([]));
    let cases = [
        (vec![bare(500, "")], Kind::PlatformFailed, true),
        (vec![bare(0, "")], Kind::PlatformTimeout, true),
        (vec![before(), bare(503, "")], Kind::PlatformFailed, true),
        (vec![before(), bare(201, "")], Kind::PlatformFailed, true),
        (vec![before(), bare(0, "")], Kind::PlatformTimeout, true),
        (vec![bare(404, include_str!("../../fixtures/errors/not-found.json"))], Kind::PlatformRefused, false),
        (vec![before(), bare(403, include_str!("../../fixtures/errors/access-denied.json"))], Kind::Forbidden, false),
    ];
    for (responses, kind, retryable) in cases {
        let (shown, count) = (format!("{responses:?}"), responses.len());
        let fake = in_order(None, responses);
        let error = create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{shown}");
        assert!(!error.unknown_outcome, "{shown}");
        assert_eq!(all(&fake).len(), count, "no campaign was sent");
    }
}

#[tokio::test]
async fn a_group_of_unknown_outcome_is_found_by_the_next_create() {
    for lost in [bare(502, ""), bare(201, ""), new_id("x"), bare(302, "")] {
        let shown = format!("{lost:?}");
        let group = json!([{"id": 77, "name": "Unified Ads", "status": "ACTIVE", "runSchedule": {"start": 1}}]);
        let fake = in_order(None, vec![found(json!([])), lost, found(group), new_id("141234567"), bare(200, DAILY)]);
        let session = session(&fake);
        let error = create(&Delta, &session, &draft(), &marker()).await.unwrap_err();
        assert!(!error.unknown_outcome, "no campaign can have been created: {shown}");
        create(&Delta, &session, &draft(), &marker()).await.unwrap();
        let groups = lines(&all(&fake)).into_iter().filter(|line| line.starts_with("POST") && line.ends_with("Groups"));
        assert_eq!(groups.count(), 1, "{shown}");
        assert_eq!(all(&fake)[3].body["campaignGroup"], "urn:li:sponsoredCampaignGroup:77");
    }
}

#[tokio::test]
async fn an_interrupted_search_for_the_group_creates_none() {
    let first = bare(200, &json!({"elements": [], "metadata": {"nextPageToken": "t"}}).to_string());
    for second in [bare(500, ""), bare(200, r#"{"elements":[]}"#), bare(200, "<html>")] {
        let fake = in_order(None, vec![first.clone(), second]);
        let error = create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap_err();
        assert_eq!((error.kind, error.retryable, error.unknown_outcome), (Kind::PlatformFailed, true, false));
        assert!(lines(&all(&fake)).iter().all(|line| line.starts_with("GET")));
    }
}
