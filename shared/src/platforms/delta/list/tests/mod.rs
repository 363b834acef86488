use super::*;
use crate::domain::{CampaignStatus, StatusSet};
use crate::platforms::delta;
use crate::platforms::engine::AdPlatform;
use crate::platforms::fake::{Fake, ScriptedResponse, ok};
use serde_json::{Value, json};

mod rows;

/// A token with characters that have a meaning in a query.
const TOKEN: &str = "a+b/c=&d%20";

fn row(id: u32, status: &str) -> Value {
    json!({"id": id, "name": format!("c{id}"), "status": status, "runSchedule": {"start": 1_764_633_600_000_i64},
        "changeAuditStamps": {"created": {"time": 1_764_633_600_000_i64}}})
}

/// An account whose campaigns are on these pages; page n has the token `TOKEN` and n.
fn paged(pages: Vec<Vec<Value>>) -> Fake {
    Fake::new(move |request| {
        if request.line.contains("/adAnalytics?") {
            return ok(json!({"elements": []}));
        }
        let token = request.line.split("&pageToken=").nth(1).and_then(|rest| rest.split(' ').next());
        let encoded = crate::platforms::delta::query::encoded(TOKEN);
        let index = token.map_or(0, |token| token.strip_prefix(&encoded).unwrap().parse().unwrap());
        let next = (index + 1 < pages.len()).then(|| json!(format!("{TOKEN}{}", index + 1)));
        let metadata = next.map_or(json!({}), |token| json!({"nextPageToken": token}));
        ok(json!({"elements": pages[index], "metadata": metadata}))
    })
}

async fn page(fake: &Fake, statuses: StatusSet, limit: usize, after: Option<&str>) -> Result<CampaignPage, Error> {
    let session = fake.session_of(Platform::Delta, delta::translate::tests::account());
    let request = ListRequest { statuses, limit, after: after.map(str::to_owned) };
    delta::Delta.list_campaigns(&session, &request).await
}

fn ids(page: &CampaignPage) -> Vec<&str> {
    assert_eq!(page.rows.len(), page.positions.len());
    page.rows.iter().map(|campaign| campaign.remote_id.as_str()).collect()
}

#[tokio::test]
async fn every_position_continues_right_after_its_campaign() {
    let pages = || {
        vec![
            vec![row(9, "ACTIVE"), row(8, "PAUSED")],
            vec![],
            vec![row(7, "DRAFT"), row(6, "ACTIVE")],
            vec![row(5, "PAUSED")],
        ]
    };
    let all = ["9", "8", "7", "6", "5"];
    for limit in 1..=6 {
        let (fake, mut after, mut seen) = (paged(pages()), None, Vec::new());
        loop {
            let page = page(&fake, StatusSet::not_final(), limit, after.as_deref()).await.unwrap();
            assert!(page.rows.len() <= limit);
            seen.extend(ids(&page).into_iter().map(str::to_owned));
            assert_eq!(page.has_more, seen.len() < all.len(), "limit {limit}, {seen:?}");
            after = page.positions.last().cloned();
            if !page.has_more {
                break;
            }
        }
        assert_eq!(seen, all, "limit {limit}");
    }
    let fake = paged(pages());
    let whole = page(&fake, StatusSet::not_final(), 5, None).await.unwrap();
    for (index, position) in whole.positions.iter().enumerate() {
        let rest = page(&fake, StatusSet::not_final(), 5, Some(position)).await.unwrap();
        assert_eq!(ids(&rest), all[index + 1..], "{position}");
    }
}

#[tokio::test]
async fn a_campaign_created_or_removed_between_pages_shifts_nothing() {
    let fake = paged(vec![vec![row(10, "ACTIVE"), row(9, "ACTIVE")], vec![row(7, "ACTIVE"), row(6, "ACTIVE")]]);
    let after = |id: &'static str| format!("{id}.");
    let rest = page(&fake, StatusSet::not_final(), 5, Some(&after("9"))).await.unwrap();
    assert_eq!(ids(&rest), ["7", "6"], "10 is new");
    let rest = page(&fake, StatusSet::not_final(), 5, Some(&after("8"))).await.unwrap();
    assert_eq!(ids(&rest), ["7", "6"], "8 is gone");
    let rest = page(&fake, StatusSet::not_final(), 5, Some(&after("7"))).await.unwrap();
    assert_eq!(ids(&rest), ["6"], "7 has moved to the second page");
}

#[tokio::test]
async fn a_list_is_filtered_by_the_platform_and_checked_again() {
    let fake = paged(vec![vec![row(9, "ACTIVE"), row(8, "PAUSED"), row(7, "REMOVED")]]);
    let active = page(&fake, StatusSet::of(&[CampaignStatus::Active]), 5, None).await.unwrap();
    assert_eq!((ids(&active), active.has_more), (vec!["9"], false));
    let expected = "GET /rest/adAccounts/512345678/adCampaigns?q=search&search=(status:(values:List(ACTIVE)))\
        &sortOrder=DESCENDING&pageSize=101 HTTP/1.1";
    assert_eq!(fake.requests()[0].line, expected);
}

fn reported(response: fn() -> ScriptedResponse) -> Fake {
    Fake::new(move |request| {
        let listed = json!({"elements": [row(9, "ACTIVE"), row(8, "PAUSED")], "metadata": {}});
        if request.line.contains("/adAnalytics?") { response() } else { ok(listed) }
    })
}

async fn spent(response: fn() -> ScriptedResponse) -> Result<Vec<Option<String>>, Error> {
    let page = page(&reported(response), StatusSet::not_final(), 5, None).await?;
    let spent = page.rows.iter().map(|campaign| campaign.total_spend_amount);
    Ok(spent.map(|amount| amount.map(|amount| amount.to_string())).collect())
}

#[tokio::test]
async fn spend_comes_from_one_report_for_the_page() {
    let fake = reported(|| ok(json!({"elements": []})));
    page(&fake, StatusSet::not_final(), 5, None).await.unwrap();
    let expected = "GET /rest/adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity=ALL\
        &dateRange=(start:(year:2025,month:12,day:2))\
        &campaigns=List(urn%3Ali%3AsponsoredCampaign%3A9,urn%3Ali%3AsponsoredCampaign%3A8)\
        &fields=costInLocalCurrency,pivotValues HTTP/1.1";
    let requests = fake.requests();
    assert_eq!((requests.len(), requests[1].line.as_str()), (2, expected));
    let zero = Some("0".to_owned());
    let zero_row = || {
        let row = json!({"costInLocalCurrency": "0E-18", "pivotValues": ["urn:li:sponsoredCampaign:9"]});
        ok(json!({"elements": [row]}))
    };
    assert_eq!(spent(zero_row).await.unwrap(), [zero.clone(), zero]);
}

#[tokio::test]
async fn a_full_page_is_one_search_and_two_reports_of_fitting_size() {
    let fake = paged(vec![(1..=101).rev().map(|id| row(400_000_000 + id, "ACTIVE")).collect()]);
    let page = page(&fake, StatusSet::not_final(), 100, None).await.unwrap();
    assert_eq!((page.rows.len(), page.has_more), (100, true));
    assert!(page.rows.iter().all(|campaign| campaign.total_spend_amount.is_some()));
    let lines: Vec<String> = fake.requests().into_iter().map(|request| request.line).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line.len() < 4_096));
}

#[tokio::test]
async fn a_report_that_cannot_be_read_leaves_spend_unknown() {
    let failures: [fn() -> ScriptedResponse; 3] = [
        || (403, r#"{"status":403,"code":"ACCESS_DENIED","message":"no"}"#.to_owned()),
        || ok(json!({})),
        || ok(json!({"elements": [{"costInLocalCurrency": "1.5", "pivotValues": ["urn:li:sponsoredAccount:9"]}]})),
    ];
    for failure in failures {
        assert_eq!(spent(failure).await.unwrap(), [None, None], "{:?}", failure());
    }
}

#[tokio::test]
async fn a_page_keeps_a_row_with_malformed_fields() {
    let malformed = json!({
        "id": "8", "name": null, "status": "PAUSED", "objectiveType": "SOMETHING_NEW", "dailyBudget": {"amount": "ten"},
        "runSchedule": {"start": null, "end": "1767225599000"}, "changeAuditStamps": {"created": {"time": null}},
    });
    let fake = paged(vec![vec![row(9, "ACTIVE"), malformed, row(7, "PAUSED")]]);
    let page = page(&fake, StatusSet::not_final(), 5, None).await.unwrap();
    assert_eq!(ids(&page), ["9", "8", "7"]);
    let malformed = &page.rows[1];
    assert_eq!(
        (malformed.goal, malformed.budget_amount, malformed.start_at, malformed.created_at),
        (None, None, None, None)
    );
    assert_eq!(malformed.end_at, Some("2025-12-31T23:59:59Z".parse().unwrap()), "a number may be text");
}
