//! The outcome of a create.

use super::*;
use crate::platforms::fake::prepare;

#[tokio::test]
async fn the_id_of_a_new_campaign_is_in_a_header_and_it_is_read_back_once() {
    let fake = answering(vec![new_id("141234567"), bare(200, DAILY)]);
    let campaign = create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), ("141234567", CampaignStatus::Paused));
    // As it was read back.
    assert_eq!((campaign.budget_amount, campaign.goal), (Some(decimal("12.5")), Some(Goal::Sales)));
    assert_eq!((campaign.raw.as_str(), campaign.created_at.is_some()), (DAILY, true));
    let path = "/rest/adAccounts/512345678/adCampaigns";
    assert_eq!(lines(&sent(&fake)), [format!("POST {path}"), format!("GET {path}/141234567")]);
    assert_eq!(sent(&fake)[0].body["campaignGroup"], "urn:li:sponsoredCampaignGroup:601234567");
}

#[tokio::test(start_paused = true)]
async fn a_campaign_that_cannot_be_read_back_is_still_created() {
    for read_back in
        [bare(500, ""), bare(401, ""), bare(404, "{}"), bare(200, "<html>"), bare(200, LIFETIME), bare(0, "")]
    {
        let status = read_back.0;
        let fake = answering(vec![new_id("141234567"), read_back]);
        let campaign = create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap();
        assert_eq!((campaign.remote_id.as_str(), campaign.raw.as_str()), ("141234567", r#"{"id":141234567}"#));
        assert_eq!((campaign.name.as_str(), campaign.status), ("Winter", CampaignStatus::Paused), "{status}");
        assert_eq!(campaign.total_spend_amount, Some(decimal("0")));
    }
}

#[tokio::test]
async fn a_create_that_names_no_id_has_an_unknown_outcome() {
    for id in ["", "x", "0", "12/34"] {
        let error = create_answered(new_id(id)).await;
        assert!(error.unknown_outcome && !error.retryable, "{id}");
    }
}

#[tokio::test]
async fn a_create_at_a_retired_version_is_certain_to_have_made_nothing() {
    for (status, body) in [
        (400, include_str!("../../fixtures/errors/version-missing.json")),
        (426, include_str!("../../fixtures/errors/version-gone.json")),
    ] {
        let error = create_answered(bare(status, body)).await;
        let meaning = (error.kind, error.retryable, error.unknown_outcome);
        assert_eq!(meaning, (Kind::PlatformFailed, false, false), "{status}");
    }
}

#[tokio::test]
async fn a_wrong_draft_is_refused_without_a_call() {
    let fake = answering(vec![]);
    let wrong = CampaignDraft { budget_amount: decimal("9"), ..draft() };
    assert_eq!(create(&Delta, &session(&fake), &wrong, &marker()).await.unwrap_err().kind, Kind::Validation);
    assert_eq!(prepare(&Delta, &account(), &wrong).unwrap_err().details[0].field, "budget_amount");
    assert!(prepare(&Delta, &account(), &draft()).is_ok());
    assert!(fake.requests().is_empty());
}
