//! Campaigns and their spend.

use super::*;
use crate::domain::{
    AdReview, AdState, BudgetPeriod, CampaignDraft, CampaignStatus, DeliveryReason, Effect, Goal, Hold, Level, Signals,
    StatusSet,
};
use crate::platforms::AdsRequest;
use crate::platforms::delta::translate::campaign;
use crate::platforms::delta::translate::tests::decimal;
use crate::platforms::engine::AdPlatform;
use crate::platforms::engine::list::{CampaignPage, ListRequest};
use crate::platforms::fake::{create, marker};
use crate::platforms::fixtures;
use rust_decimal::Decimal;
use serde_json::json;

async fn listed(account: &str, statuses: StatusSet, page: &str, report: &str) -> CampaignPage {
    let fake = by_path([(200, "/adAnalytics?", report.to_owned()), (200, "/adCampaigns?", page.to_owned())]);
    let request = ListRequest { statuses, limit: 10, after: None };
    Delta.list_campaigns(&session(&fake, account), &request).await.unwrap()
}

pub(super) async fn rows_without_audit_stamps_are_read(body: &str) {
    let (page, nothing) = (enveloped(body), enveloped("[]"));
    // The rows are of two accounts: each is shown in its own alone.
    let ended = listed("508720451", StatusSet::of(&[CampaignStatus::Ended]), &page, &nothing).await.rows;
    let [ended] = ended.as_slice() else { panic!("{ended:?}") };
    assert_eq!((ended.remote_id.as_str(), ended.goal), ("168387646", Some(Goal::BrandAwareness)));
    assert_eq!((ended.budget_amount, ended.budget_period), (Some(decimal("10")), Some(BudgetPeriod::Daily)));
    assert_eq!(ended.start_at, Some("2021-08-06T06:09:04.426Z".parse().unwrap()));
    assert_eq!(ended.end_at, Some("2021-09-06T23:45:00Z".parse().unwrap()));
    let drafts = listed("508774356", StatusSet::not_final(), &page, &nothing).await.rows;
    let [draft] = drafts.as_slice() else { panic!("{drafts:?}") };
    assert_eq!((draft.remote_id.as_str(), draft.status), ("169185036", CampaignStatus::Draft));
    assert_eq!((draft.goal, draft.budget_amount), (Some(Goal::WebsiteTraffic), Some(decimal("75"))));
    assert_eq!((draft.end_at, draft.created_at), (None, None));
    let held: Vec<_> = draft.signals.holds.iter().map(|hold| (hold.effect, hold.reason)).collect();
    let (off, blocks) = (Effect::SwitchesOff, Effect::Blocks);
    let expected =
        [(off, DeliveryReason::CampaignStatus), (blocks, DeliveryReason::Account), (blocks, DeliveryReason::ParentOff)];
    assert_eq!(held, expected, "a draft is off, its group too, and its account is held back");
}

pub(super) async fn creatives_repeat_the_holds_of_their_campaigns(body: &str) {
    let fake = by_path([(200, "/creatives?", enveloped(body))]);
    let session = session(&fake, "508720451");
    let row = |id: u64| json!({"id": id, "status": "ACTIVE"}).to_string();
    let campaigns = [168_387_646, 169_185_036].map(|id| campaign(&session.account, &row(id)).unwrap().unwrap());
    let request = AdsRequest { campaigns: &campaigns, with_rejections: true };
    let report = Delta.read_ads(&session, request).await.unwrap();
    let [ended] = report.of("168387646").unwrap() else { panic!("{report:?}") };
    assert_eq!((ended.id.as_str(), ended.state(), ended.review), ("133813726", AdState::Off, AdReview::Approved));
    let reasons: Vec<DeliveryReason> = ended.holds.iter().map(|hold| hold.reason).collect();
    let (end, spent) = (DeliveryReason::Ended, DeliveryReason::BudgetSpent);
    assert_eq!(reasons, [end, DeliveryReason::CampaignStatus, end, spent]);
    let [reviewed] = report.of("169185036").unwrap() else { panic!("{report:?}") };
    assert_eq!((reviewed.id.as_str(), reviewed.review), ("136324456", AdReview::InReview));
    assert_eq!((reviewed.state(), reviewed.holds.len()), (AdState::Off, 4));
}

pub(super) async fn a_campaign_without_an_objective_has_no_goal(body: &str) {
    let responses = [(200, "/adCampaigns/141049524", body.to_owned()), (200, "/adAnalytics?", enveloped("[]"))];
    let fake = by_path(responses);
    let campaign = Delta.get_campaign(&session(&fake, "506289162"), "141049524").await.unwrap();
    assert_eq!((campaign.goal, campaign.status), (None, CampaignStatus::Active));
    let held = Hold::new(Effect::Blocks, DeliveryReason::Account, Level::Account, "ACCOUNT_SERVING_HOLD");
    assert_eq!(campaign.signals, Signals::of(vec![held]), "the account stops its delivery");
    assert_eq!((campaign.budget_amount, campaign.currency.code()), (Some(decimal("1800")), "USD"));
    assert_eq!(campaign.start_at, Some("2009-02-13T23:31:30.987Z".parse().unwrap()));
    assert_eq!(campaign.end_at, Some("2282-12-22T20:13:30.123Z".parse().unwrap()));
    assert_eq!(campaign.created_at, Some("2018-06-27T17:16:17Z".parse().unwrap()));
    assert_eq!((campaign.total_spend_amount, campaign.raw.as_str()), (Some(Decimal::ZERO), body));
}

pub(super) async fn a_new_campaign_is_known_by_a_header(body: &str) {
    assert!(body.is_empty());
    let created = body.to_owned();
    let fake = Fake::with_headers(move |request: &ReceivedRequest| match request.line.split(' ').next() {
        Some("POST") => (201, "x-restli-id: 141049524\r\n".to_owned(), created.clone()),
        _ if request.line.contains("/adCampaignGroups?") => {
            let group = json!([{"id": 7, "name": "Unified Ads", "status": "ACTIVE"}]);
            (200, String::new(), enveloped(&group.to_string()))
        }
        _ => (200, String::new(), "{}".to_owned()),
    });
    let name = "Campaign Sponsored update B".into();
    let draft = CampaignDraft { name, ..fixtures::aimed_draft(Goal::WebsiteTraffic, "1800") };
    let campaign = create(&Delta, &session(&fake, "506289162"), &draft, &marker()).await.unwrap();
    assert_eq!((campaign.remote_id.as_str(), campaign.status), ("141049524", CampaignStatus::Paused));
}

/// The spend of two campaigns beside a report; only the first has rows in it.
async fn spent(first: u64, report: &str) -> [Option<Decimal>; 2] {
    let stamps = json!({"created": {"time": 1_609_459_200_000_i64}});
    let rows = json!([{"id": first, "status": "ACTIVE", "changeAuditStamps": stamps},
        {"id": 5, "status": "PAUSED", "changeAuditStamps": stamps}]);
    let page = listed("1", StatusSet::not_final(), &enveloped(&rows.to_string()), report).await;
    [0, 1].map(|index: usize| page.rows[index].total_spend_amount)
}

pub(super) async fn the_noise_of_a_cost_is_rounded_away(body: &str) {
    let spent = spent(168_387_646, &enveloped(body)).await;
    assert_eq!(spent, [Some(decimal("15.42")), Some(Decimal::ZERO)], "0.42 and 15.00");
}

pub(super) async fn a_cost_below_zero_is_nothing(body: &str) {
    let spent = spent(252_074_216, &enveloped(&format!("[{body}]"))).await;
    assert_eq!(spent, [Some(Decimal::ZERO), Some(Decimal::ZERO)]);
}

pub(super) async fn a_report_in_dollars_alone_says_nothing(body: &str) {
    assert_eq!(
        spent(1111, body).await,
        [None, Some(Decimal::ZERO)],
        "dollars are not taken for the account's currency"
    );
}
