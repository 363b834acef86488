use super::*;
use crate::domain::{CampaignStatus, StatusSet};
use crate::error::Kind;
use crate::platforms::AdPlatform;
use crate::platforms::fake::{Fake, ReceivedRequest, ok};
use crate::platforms::gamma::Gamma;
use fake_list::{campaigns, fake, parameter, response, session};
use scan::MAX_CALLS;
use serde_json::{Value, json};

mod fake_list;
mod order;
mod rows;

async fn page(fake: &Fake, statuses: StatusSet, limit: usize, after: Option<&str>) -> CampaignPage {
    let request = ListRequest { statuses, limit, after: after.map(str::to_owned) };
    Gamma.list_campaigns(&session(fake), &request).await.unwrap()
}

fn ids(page: &CampaignPage) -> Vec<u64> {
    page.rows.iter().map(|campaign| campaign.remote_id.parse().unwrap()).collect()
}

/// All pages, each continued from its last campaign.
async fn walk(fake: &Fake, statuses: StatusSet, limit: usize) -> Vec<u64> {
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = page(fake, statuses, limit, after.as_deref()).await;
        assert!(page.rows.len() <= limit && page.positions.len() == page.rows.len());
        seen.extend(ids(&page));
        if !page.has_more {
            return seen;
        }
        after = page.positions.last().cloned();
    }
}

fn all() -> StatusSet {
    StatusSet::of(&CampaignStatus::ALL)
}

#[tokio::test]
async fn pages_are_complete_newest_first_and_deleted_only_on_request() {
    let states = ["ENABLE", "DISABLE", "DELETE"];
    let campaigns = campaigns((1..=40).map(|id| (id, states[usize::try_from(id % 3).unwrap()])));
    let fake = fake(&campaigns);
    let with = |wanted: &[u64]| (1..=40).rev().filter(|id| wanted.contains(&(id % 3))).collect::<Vec<u64>>();
    for limit in [1, 3, 7, 39, 100] {
        assert_eq!(walk(&fake, StatusSet::not_final(), limit).await, with(&[0, 1]), "{limit}");
        assert_eq!(walk(&fake, StatusSet::of(&[CampaignStatus::Active]), limit).await, with(&[0]), "{limit}");
        assert_eq!(walk(&fake, StatusSet::of(&[CampaignStatus::Archived]), limit).await, with(&[2]), "{limit}");
        assert_eq!(walk(&fake, all(), limit).await, with(&[0, 1, 2]), "{limit}");
    }
}

#[tokio::test]
async fn every_position_continues_right_after_its_campaign_despite_changes() {
    let campaigns = campaigns((101..=160).map(|id| (id, "ENABLE")));
    let fake = fake(&campaigns);
    let statuses = StatusSet::not_final();
    let first = page(&fake, statuses, 20, None).await;
    for (index, position) in first.positions.iter().enumerate() {
        let next = page(&fake, statuses, 5, Some(position)).await;
        let from = 160 - u64::try_from(index).unwrap();
        assert_eq!(ids(&next), (from - 5..from).rev().collect::<Vec<u64>>());
    }
    let expected: Vec<u64> = (131..=140).rev().collect();
    let position = first.positions.last().unwrap();
    campaigns.lock().unwrap().extend((161..=250).map(|id| (id, "DISABLE")));
    assert_eq!(ids(&page(&fake, statuses, 10, Some(position)).await), expected, "campaigns were created");
    campaigns.lock().unwrap().retain(|(id, _)| *id < 141);
    assert_eq!(ids(&page(&fake, statuses, 10, Some(position)).await), expected, "and many are deleted");
    let far_off = format!("{}9999", position.trim_end_matches(|character| character != '.'));
    assert_eq!(ids(&page(&fake, statuses, 10, Some(&far_off)).await), expected, "the place is only a hint");
}

#[tokio::test]
async fn has_more_is_exact_and_the_calls_are_few() {
    let campaigns = campaigns((1..=20).map(|id| (id, "ENABLE")));
    let fake = fake(&campaigns);
    for (limit, has_more) in [(19, true), (20, false), (21, false)] {
        let before = fake.requests().len();
        assert_eq!(page(&fake, StatusSet::not_final(), limit, None).await.has_more, has_more, "{limit}");
        assert_eq!(fake.requests().len() - before, 2, "one for the campaigns, one for their spend");
    }
}

#[tokio::test]
async fn a_list_out_of_order_is_a_failure() {
    let row = |id: &str, created: &str| json!({"campaign_id": id, "create_time": created});
    let rows = json!([row("1", "2026-11-18 12:00:00"), row("2", "2026-11-19 12:00:01")]);
    let fake = Fake::answering(vec![ok(json!({"code": 0, "data": {"list": rows}}))]);
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 5, after: None };
    assert_eq!(Gamma.list_campaigns(&session(&fake), &request).await.unwrap_err().kind, Kind::PlatformFailed);
}

#[tokio::test]
async fn a_list_without_an_end_is_a_failure() {
    let endless = |_: &ReceivedRequest| {
        let list = [json!({"campaign_id": "5", "operation_status": "DISABLE"})];
        ok(json!({"code": 0, "data": {"list": list, "page_info": {"total_page": 1_000_000}}}))
    };
    let fake = Fake::new(endless);
    let request = ListRequest { statuses: StatusSet::of(&[CampaignStatus::Active]), limit: 5, after: None };
    let error = Gamma.list_campaigns(&session(&fake), &request).await.unwrap_err();
    assert_eq!((error.kind, fake.requests().len()), (Kind::PlatformFailed, MAX_CALLS));
}

#[tokio::test]
async fn spend_is_one_call_a_page_and_its_failure_hides_only_the_spend() {
    let campaigns = campaigns([(4, "ENABLE"), (3, "ENABLE"), (2, "DELETE"), (1, "DELETE")]);
    let fake = fake(&campaigns);
    let listed = page(&fake, all(), 10, None).await;
    let spent = |page: &CampaignPage| -> Vec<Option<String>> {
        page.rows.iter().map(|campaign| campaign.total_spend_amount.map(|amount| amount.to_string())).collect()
    };
    assert_eq!(spent(&listed), [Some("0.04".into()), Some("0".into()), Some("0.02".into()), None]);
    let unreadable = Fake::new(|request| {
        let row = |id: &str, spend: &str| json!({"dimensions": {"campaign_id": id}, "metrics": {"spend": spend}});
        let campaign = |id: &str| json!({"campaign_id": id, "operation_status": "ENABLE"});
        ok(json!({"code": 0, "data": match request.line.contains("/report/") {
            true => json!({"list": [row("4", "1.25"), row("3", "-")]}),
            false => json!({"list": [campaign("4"), campaign("3"), campaign("2")]}),
        }}))
    });
    let listed = page(&unreadable, StatusSet::not_final(), 10, None).await;
    assert_eq!(spent(&listed), [Some("1.25".into()), None, Some("0".into())], "a malformed one hides itself only");
    let reports: Vec<ReceivedRequest> =
        fake.requests().into_iter().filter(|request| request.line.contains("/report/")).collect();
    assert_eq!(reports.len(), 1);
    assert!(reports[0].line.starts_with("GET /open_api/v1.3/report/integrated/get/?"));
    for (name, value) in [("data_level", "AUCTION_CAMPAIGN"), ("query_lifetime", "true"), ("metrics", r#"["spend"]"#)] {
        assert_eq!(parameter(&reports[0], name), value);
    }
    let failing = |code: i64| {
        let campaigns = campaigns.clone();
        Fake::new(move |request| match request.line.contains("/report/") {
            true => ok(json!({"code": code, "message": "no", "data": {}})),
            false => response(&campaigns, request),
        })
    };
    assert_eq!(spent(&page(&failing(50_000), StatusSet::not_final(), 10, None).await), [None, None]);
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 10, after: None };
    let error = Gamma.list_campaigns(&session(&failing(40_105)), &request).await.unwrap_err();
    assert_eq!(error.kind, Kind::TokenExpired);
    assert_eq!(Gamma.get_campaign(&session(&failing(40_001)), "4").await.unwrap().total_spend_amount, None);
    assert_eq!(Gamma.get_campaign(&session(&failing(40_105)), "4").await.unwrap_err().kind, Kind::TokenExpired);
}

#[tokio::test]
async fn one_campaign_is_read_deleted_or_not() {
    let fake = fake(&campaigns([(4, "DISABLE"), (2, "DELETE")]));
    let session = session(&fake);
    let found = Gamma.get_campaign(&session, "4").await.unwrap();
    assert_eq!(
        (found.status, found.total_spend_amount.map(|amount| amount.to_string()).as_deref()),
        (CampaignStatus::Paused, Some("0.04"))
    );
    let deleted = Gamma.get_campaign(&session, "2").await.unwrap();
    assert_eq!(deleted.status, CampaignStatus::Archived);
    assert_eq!(deleted.total_spend_amount.map(|amount| amount.to_string()).as_deref(), Some("0.02"));
    assert_eq!(Gamma.get_campaign(&session, "5").await.unwrap_err().kind, Kind::NotFound);
}

#[tokio::test]
async fn every_path_ends_in_a_slash() {
    let fake = fake(&campaigns([(4, "DISABLE")]));
    page(&fake, all(), 10, None).await;
    Gamma.get_campaign(&session(&fake), "4").await.unwrap();
    for request in fake.requests() {
        let path = request.line.split([' ', '?']).nth(1).unwrap().to_owned();
        assert!(path.ends_with('/'), "{path}");
    }
}

/// The spend of campaigns 4 and 3 beside this report.
async fn spent_beside(report: serde_json::Value) -> Vec<Option<String>> {
    let fake = Fake::new(move |request| {
        let campaign = |id: &str| json!({"campaign_id": id, "operation_status": "ENABLE"});
        ok(json!({"code": 0, "data": match request.line.contains("/report/") {
            true => report.clone(),
            false => json!({"list": [campaign("4"), campaign("3")]}),
        }}))
    });
    let listed = page(&fake, StatusSet::not_final(), 10, None).await;
    listed.rows.iter().map(|one| one.total_spend_amount.map(|amount| amount.to_string())).collect()
}

#[tokio::test]
async fn a_spend_that_cannot_be_true_is_unknown() {
    let row = |metrics: serde_json::Value| json!({"dimensions": {"campaign_id": "4"}, "metrics": metrics});
    for metrics in [json!({"spend": "-1.00"}), json!({"spend": null}), json!({}), json!(null), json!("none")] {
        let spent = spent_beside(json!({"list": [row(metrics.clone())]})).await;
        assert_eq!(spent, [None, Some("0".to_owned())], "{metrics}");
    }
    let twice = json!({"list": [row(json!({"spend": "1.00"})), row(json!({"spend": "2.00"}))]});
    assert_eq!(spent_beside(twice).await, [None, Some("0".to_owned())], "two rows of one campaign");
    for report in [json!({}), json!({"list": null}), json!({"list": [{"metrics": {"spend": "1.00"}}]})] {
        assert_eq!(spent_beside(report.clone()).await, [None, None], "{report}");
    }
}
