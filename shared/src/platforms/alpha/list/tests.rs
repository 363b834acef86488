//! Tests of rows that only Google Ads has.

use crate::domain::{BudgetPeriod, PlatformCampaign, StatusSet};
use crate::error::Kind;
use crate::platforms::alpha::Alpha;
use crate::platforms::alpha::sample::SAMPLE;
use crate::platforms::fake::Fake;
use crate::platforms::laws::{Set, with};
use crate::platforms::{AdPlatform, ListRequest};

async fn listed(pointer: &'static str, json: &'static str) -> PlatformCampaign {
    let row = with(SAMPLE.made(2, 0), &[Set(pointer, json)]);
    let fake = Fake::answering(vec![SAMPLE.page(vec![row], None)]);
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 10, after: None };
    Alpha.list_campaigns(&SAMPLE.session(&fake), &request).await.unwrap().rows.remove(0)
}

#[tokio::test]
async fn an_unknown_value_is_none_and_never_another_one() {
    assert_eq!(listed("/campaign/id", "2").await.remote_id, "2");
    assert_eq!(listed("/campaign/startDateTime", "\"yesterday\"").await.start_at, None);
    assert_eq!(listed("/metrics/costMicros", "\"x\"").await.total_spend_amount, None, "not known, and not 0");
    assert_eq!(listed("/campaignBudget/totalAmountMicros", "1.5").await.budget_amount, None);
    let of_another_period = listed("/campaignBudget/period", "\"FIXED_DAILY\"").await;
    assert_eq!(of_another_period.budget_period, None::<BudgetPeriod>);
}

#[tokio::test]
async fn a_list_in_an_unknown_time_zone_is_a_failure_and_not_empty() {
    let fake = Fake::answering(vec![SAMPLE.page(vec![SAMPLE.made(2, 0)], None)]);
    let mut session = SAMPLE.session(&fake);
    session.account.time_zone = "Mars/Olympus".into();
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 10, after: None };
    assert_eq!(Alpha.list_campaigns(&session, &request).await.unwrap_err().kind, Kind::PlatformFailed);
}
