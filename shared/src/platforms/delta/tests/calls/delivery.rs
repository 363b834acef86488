//! Fields without which the platform accepts a campaign but never shows it.

use super::*;
use crate::domain::Moment;

/// Answers the read of the ad account like this, and creates a campaign.
fn in_account(account: Full) -> Fake {
    Fake::with_headers(move |request: &ReceivedRequest| match request.line.split(' ').next() {
        Some("POST") => new_id("141234567"),
        _ if request.line == ACCOUNT_READ => account.clone(),
        _ if request.line.starts_with(GROUP_SEARCH) => group(),
        _ => bare(200, DAILY),
    })
}

async fn created(fake: &Fake, draft: &CampaignDraft) -> Value {
    create(&Delta, &session(fake), draft, &marker()).await.unwrap();
    let read = fake.requests().iter().filter(|request| request.line == ACCOUNT_READ).count();
    assert_eq!(read, 1, "the ad account is read once");
    sent(fake)[0].body.clone()
}

#[tokio::test]
async fn a_create_states_the_target_of_its_automatic_bidding() {
    for (goal, cost, target) in [
        (Goal::BrandAwareness, "CPM", "MAX_IMPRESSION"),
        (Goal::Reach, "CPM", "MAX_REACH"),
        (Goal::WebsiteTraffic, "CPM", "MAX_CLICK"),
        (Goal::Leads, "CPM", "MAX_CLICK"),
        (Goal::Sales, "CPM", "MAX_CLICK"),
        (Goal::Conversions, "CPM", "MAX_CLICK"),
    ] {
        let body = created(&in_account(bare(200, ACCOUNT)), &CampaignDraft { goal, ..draft() }).await;
        assert_eq!((&body["costType"], &body["optimizationTargetType"]), (&json!(cost), &json!(target)), "{goal:?}");
        assert!(body.get("unitCost").is_none(), "no bid of its own: {goal:?}");
    }
}

#[tokio::test]
async fn a_create_names_the_page_of_its_ad_account_where_it_has_one() {
    let body = created(&in_account(bare(200, ACCOUNT)), &draft()).await;
    assert_eq!(body["associatedEntity"], "urn:li:organization:2414183");
    for reference in [json!({}), json!({"reference": null}), json!({"reference": ""}), json!({"reference": 7})] {
        let body = created(&in_account(bare(200, &reference.to_string())), &draft()).await;
        assert_eq!(body.get("associatedEntity"), None, "{reference}");
    }
}

#[tokio::test]
async fn a_total_budget_is_paced_over_the_whole_run() {
    let total = CampaignDraft {
        budget_amount: decimal("500"),
        budget_period: BudgetPeriod::Total,
        end_at: Moment::parse("2999-12-31"),
        ..draft()
    };
    assert_eq!(created(&in_account(bare(200, ACCOUNT)), &total).await["pacingStrategy"], "LIFETIME");
    let daily = created(&in_account(bare(200, ACCOUNT)), &draft()).await;
    assert_eq!(daily.get("pacingStrategy"), None, "the field belongs to a total budget");
}

#[tokio::test]
async fn an_unreadable_ad_account_creates_no_campaign() {
    let missing = include_str!("../../fixtures/errors/not-found.json");
    let denied = include_str!("../../fixtures/errors/access-denied.json");
    for (account, kind, retryable) in [
        (bare(500, ""), Kind::PlatformFailed, true),
        (bare(200, "<html>"), Kind::PlatformFailed, true),
        (bare(401, ""), Kind::TokenExpired, false),
        (bare(403, denied), Kind::Forbidden, false),
        (bare(404, missing), Kind::PlatformRefused, false),
    ] {
        let shown = format!("{account:?}");
        let fake = in_account(account);
        let error = create(&Delta, &session(&fake), &draft(), &marker()).await.unwrap_err();
        assert_eq!((error.kind, error.retryable, error.unknown_outcome), (kind, retryable, false), "{shown}");
        assert!(sent(&fake).is_empty(), "{shown}");
    }
}
