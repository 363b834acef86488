//! Replies to mutates.

use super::{account, good};
use crate::domain::{BudgetPeriod, CampaignChanges, CampaignDraft, CampaignStatus, Goal, Platform, PlatformCampaign};
use crate::error::{Error, Kind};
use crate::platforms::alpha::{Alpha, translate};
use crate::platforms::fake::{self, Fake, ScriptedResponse, marker};
use crate::platforms::{AccountSession, AdPlatform};
use rust_decimal::Decimal;

pub(super) const REPLAYED: &[&str] = &[CAMPAIGN, BUDGET_AND_CAMPAIGN, REMOVED, VALIDATED];

/// A reply of `campaigns:mutate`. The adapter creates with `googleAds:mutate`, so it sees this form after a change.
const CAMPAIGN: &str = "created-campaign.json";
const BUDGET_AND_CAMPAIGN: &str = "created-budget-and-campaign.json";
const REMOVED: &str = "removed-campaign.json";
/// A reply to `validateOnly`, which only a dry run asks for.
const VALIDATED: &str = "validated-only.json";

async fn create(id: &str, response: ScriptedResponse) -> Result<PlatformCampaign, Error> {
    let draft = CampaignDraft::new("Winter".into(), Goal::Sales, Decimal::TEN, BudgetPeriod::Daily);
    let fake = Fake::answering(vec![response]);
    fake::create(&Alpha, &fake.session_of(Platform::Alpha, account(id)), &draft, &marker()).await
}

fn current(session: &AccountSession) -> PlatformCampaign {
    translate::campaign(&session.account, include_str!("../fixtures/row-daily.json")).unwrap()
}

async fn renamed(response: ScriptedResponse) -> Result<Option<PlatformCampaign>, Error> {
    let session = Fake::answering(vec![response]).session();
    let changes = CampaignChanges { name: Some("New".into()), ..CampaignChanges::default() };
    Alpha.update_campaign(&session, &current(&session), &changes).await
}

#[tokio::test]
async fn a_recorded_create_answers_its_campaign() {
    let campaign = create("1011240876", good(BUDGET_AND_CAMPAIGN)).await.unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), ("12198358971", CampaignStatus::Paused));
    assert_eq!((campaign.budget_amount, campaign.total_spend_amount), (Some(Decimal::TEN), Some(Decimal::ZERO)));
    let elsewhere = create("1781900691", good(BUDGET_AND_CAMPAIGN)).await.unwrap_err();
    assert!(elsewhere.unknown_outcome, "the campaign of another customer is not the one that was ordered");
}

#[tokio::test]
async fn a_recorded_reply_of_another_form_leaves_a_create_unknown() {
    for name in [CAMPAIGN, REMOVED, VALIDATED] {
        let error = create("1781900691", good(name)).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{name}");
        assert!(error.unknown_outcome && error.message.contains("\"Winter\""), "{name}: {}", error.message);
    }
}

#[tokio::test]
async fn recorded_replies_confirm_a_change_and_a_removal() {
    for name in [CAMPAIGN, REMOVED] {
        assert_eq!(renamed(good(name)).await.unwrap(), None, "{name}: it names the campaign and shows nothing of it");
        let session = Fake::answering(vec![good(name)]).session();
        Alpha.delete_campaign(&session, &current(&session)).await.unwrap();
    }
    let error = renamed(good(VALIDATED)).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "nothing says that it was changed");
}
