mod rows;

use super::*;
use crate::platforms::AdPlatform;
use crate::platforms::beta::Beta;
use crate::platforms::beta::tests::{account, parameter};
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use serde_json::{Value, json};

/// An account with campaigns of falling ids; every third has ended. A page has as many as are requested, and at
/// most `cut`. Cursors are offsets, and the last page has one too.
fn world(count: u32, cut: usize) -> Fake {
    Fake::new(move |request| response(request, count, cut))
}

fn response(request: &ReceivedRequest, count: u32, cut: usize) -> ScriptedResponse {
    if request.line.contains("/insights?") {
        return ok(json!({"data": [{"campaign_id": format!("{count}"), "spend": "1.50"}]}));
    }
    let node = |id: u32| {
        let stop = if id.is_multiple_of(3) { "2026-01-01T00:00:00+0000" } else { "2027-01-01T00:00:00+0000" };
        json!({"id": id.to_string(), "account_id": "111222333", "name": "c", "status": "ACTIVE", "stop_time": stop})
    };
    let from =
        parameter(request, "after").map_or(0, |cursor| cursor.trim_start_matches("c-").parse::<usize>().unwrap());
    let size = parameter(request, "limit").unwrap().parse::<usize>().unwrap().min(cut);
    let rows: Vec<Value> = (1..=count).rev().skip(from).take(size).map(node).collect();
    let end = from + rows.len();
    let mut paging = json!({"cursors": {"before": "b", "after": format!("c-{end}")}});
    if end < usize::try_from(count).unwrap() {
        // It must never be called.
        paging["next"] = json!("http://127.0.0.1:1/elsewhere?access_token=access-secret");
    }
    ok(json!({"data": rows, "paging": paging}))
}

async fn page(fake: &Fake, statuses: StatusSet, limit: usize, after: Option<&str>) -> Result<CampaignPage, Error> {
    let request = ListRequest { statuses, limit, after: after.map(str::to_owned) };
    Beta.list_campaigns(&fake.session_of(Platform::Beta, account()), &request).await
}

/// All campaigns, page by page, each page after the `step`-th campaign of the one before.
async fn all(fake: &Fake, statuses: StatusSet, limit: usize, step: usize) -> Vec<u32> {
    let (mut ids, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = page(fake, statuses, limit, after.as_deref()).await.unwrap();
        assert!(page.rows.len() <= limit && page.positions.len() == page.rows.len());
        assert!(page.rows.iter().all(|campaign| statuses.contains(campaign.status)));
        let taken = if page.has_more { step.min(page.rows.len()) } else { page.rows.len() };
        ids.extend(page.rows[..taken].iter().map(|campaign| campaign.remote_id.parse::<u32>().unwrap()));
        if !page.has_more {
            return ids;
        }
        assert!(taken > 0, "a page with more after it is not empty");
        after = Some(page.positions[taken - 1].clone());
    }
}

#[tokio::test]
async fn every_position_leads_to_the_next_campaign() {
    let active = StatusSet::of(&[CampaignStatus::Active]);
    for (count, cut) in [(0, 100), (1, 100), (25, 100), (26, 100), (60, 7), (230, 100), (230, 500)] {
        let fake = world(count, cut);
        let every: Vec<u32> = (1..=count).rev().collect();
        let active_ones: Vec<u32> = every.iter().copied().filter(|id| !id.is_multiple_of(3)).collect();
        for (limit, step) in [(1, 1), (10, 10), (10, 3), (25, 25), (100, 100), (100, 99)] {
            if limit == 1 && count > 30 {
                continue;
            }
            assert_eq!(all(&fake, StatusSet::not_final(), limit, step).await, every, "{count} {cut} {limit} {step}");
            assert_eq!(all(&fake, active, limit, step).await, active_ones, "{count} {cut} {limit} {step}");
        }
    }
}

#[tokio::test]
async fn paging_stops_without_next_and_never_calls_its_address() {
    let fake = world(30, 10);
    assert_eq!(all(&fake, StatusSet::not_final(), 100, 100).await.len(), 30);
    let lists: Vec<ReceivedRequest> =
        fake.requests().into_iter().filter(|request| request.line.contains("/campaigns?")).collect();
    let cursors: Vec<Option<String>> = lists.iter().map(|request| parameter(request, "after")).collect();
    assert_eq!(cursors, [None, Some("c-10".into()), Some("c-20".into())], "though the last page has a cursor too");
    assert!(lists.iter().all(|request| request.line.starts_with("GET /v26.0/act_111222333/campaigns?fields=")));
}

#[test]
fn states_are_requested_in_the_platforms_terms_without_deleted_ones() {
    let filter = |statuses: &[CampaignStatus]| effective_statuses(StatusSet::of(statuses));
    let live = r#"["ACTIVE","IN_PROCESS","WITH_ISSUES"]"#;
    assert_eq!(filter(&[CampaignStatus::Active]).as_deref(), Some(live));
    assert_eq!(filter(&[CampaignStatus::Ended]).as_deref(), Some(live));
    assert_eq!(filter(&[CampaignStatus::Paused]).as_deref(), Some(r#"["PAUSED","IN_PROCESS","WITH_ISSUES"]"#));
    assert_eq!(filter(&[CampaignStatus::Archived]).as_deref(), Some(r#"["ARCHIVED"]"#));
    let never = [CampaignStatus::Draft, CampaignStatus::ScheduledForDeletion, CampaignStatus::Unspecified];
    assert_eq!(filter(&never), None);
}

#[tokio::test]
async fn the_spend_of_a_page_is_one_call() {
    let fake = world(3, 100);
    let page = page(&fake, StatusSet::not_final(), 2, None).await.unwrap();
    let spent: Vec<Option<Decimal>> = page.rows.iter().map(|campaign| campaign.total_spend_amount).collect();
    assert_eq!(spent, [Some(Decimal::new(15, 1)), Some(Decimal::ZERO)], "no row is no delivery");
    let requests = fake.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[1].line.starts_with("GET /v26.0/act_111222333/insights?level=campaign&"), "{}", requests[1].line);
    assert_eq!(parameter(&requests[1], "date_preset").as_deref(), Some("maximum"));
    let filtering = r#"[{"field":"campaign.id","operator":"IN","value":["3","2"]}]"#;
    assert_eq!(parameter(&requests[1], "filtering").as_deref(), Some(filtering));
}

async fn with_report(status: &'static str, report: ScriptedResponse) -> Result<CampaignPage, Error> {
    let fake = Fake::new(move |request| {
        if request.line.contains("/insights?") {
            return report.clone();
        }
        ok(json!({"data": [{"id": "1", "account_id": "111222333", "status": status}]}))
    });
    page(&fake, StatusSet::of(&CampaignStatus::ALL), 5, None).await
}

#[tokio::test]
async fn an_incomplete_report_leaves_the_spend_unknown() {
    let spend = |page: Result<CampaignPage, Error>| page.unwrap().rows[0].total_spend_amount;
    let cut = json!({"data": [], "paging": {"cursors": {"after": "x"}, "next": "y"}});
    assert_eq!(spend(with_report("PAUSED", ok(cut)).await), None);
    let none = || ok(json!({"data": []}));
    assert_eq!(spend(with_report("PAUSED", none()).await), Some(Decimal::ZERO));
    assert_eq!(spend(with_report("ARCHIVED", none()).await), None, "an account's report may leave archived ones out");
}

fn refusal(message: &str, error_data: Value) -> ScriptedResponse {
    (400, json!({"error": {"code": 100, "message": message, "error_data": error_data}}).to_string())
}

#[tokio::test]
async fn a_refusal_about_the_cursor_names_the_cursor() {
    for refusal in [
        refusal("(#100) Invalid cursor", json!(null)),
        refusal("Cursors are not valid", json!(null)),
        refusal("Invalid parameter", json!({"blame_field_specs": [["after"]]})),
        refusal("Invalid parameter", json!({"blame_field": "after"})),
    ] {
        let fake = Fake::answering(vec![refusal.clone(), refusal.clone()]);
        let error = page(&fake, StatusSet::not_final(), 5, Some("3.7.gone")).await.unwrap_err();
        assert_eq!((error.kind, error.details[0].field.as_str()), (Kind::Validation, "cursor"), "{refusal:?}");
        let error = page(&fake, StatusSet::not_final(), 5, None).await.unwrap_err();
        assert!(error.is_for_operator, "without a cursor it is not the cursor's fault");
    }
}

#[tokio::test]
async fn another_refusal_is_not_about_the_cursor() {
    for refused in [
        (400, include_str!("../../fixtures/errors/status-blamed.json").to_owned()),
        (400, include_str!("../../fixtures/errors/policy-block.json").to_owned()),
        refusal("Invalid parameter", json!(null)),
        refusal("Precursor audience missing", json!(null)),
    ] {
        let fake = Fake::answering(vec![refused.clone()]);
        let error = page(&fake, StatusSet::not_final(), 5, Some("3.7.gone")).await.unwrap_err();
        assert_eq!((error.kind, error.details.len()), (Kind::PlatformFailed, 0), "{refused:?}");
        assert!(error.is_for_operator, "{refused:?}");
    }
}

#[tokio::test]
async fn a_campaign_that_is_deleted_between_two_pages_hides_no_other() {
    let list = |ids: &'static [u32]| {
        Fake::new(move |request| {
            let node = |id: &u32| json!({"id": id.to_string(), "account_id": "111222333", "status": "PAUSED"});
            let rows: Vec<Value> = ids.iter().map(node).collect();
            ok(if request.line.contains("/insights?") { json!({"data": []}) } else { json!({"data": rows}) })
        })
    };
    let first = page(&list(&[9, 8, 7, 6]), StatusSet::not_final(), 2, None).await.unwrap();
    let after = first.positions.last().map(String::as_str);
    let cases: [(&'static [u32], &[&str]); 6] = [
        (&[9, 8, 7, 6], &["7", "6"]),
        (&[8, 7, 6], &["7", "6"]),
        (&[9, 7, 6], &["7", "6"]),
        (&[7, 6], &["7", "6"]),
        (&[10, 9, 8, 7, 6], &["7", "6"]),
        (&[10, 9], &[]),
    ];
    for (now, rest) in cases {
        let second = page(&list(now), StatusSet::not_final(), 5, after).await.unwrap();
        let ids: Vec<&str> = second.rows.iter().map(|campaign| campaign.remote_id.as_str()).collect();
        assert_eq!(ids, rest, "{now:?}");
    }
}
