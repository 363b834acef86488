use super::super::Epsilon;
use super::super::tests::support::{campaign, session};
use super::*;
use crate::domain::StatusSet;
use crate::platforms::AdPlatform;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, ok};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// The platform's campaigns, highest id first; a bookmark is the id behind which its page begins.
type Kept = Arc<Mutex<Vec<Value>>>;

fn kept(ids: std::ops::RangeInclusive<u64>) -> Kept {
    Arc::new(Mutex::new(ids.rev().map(|id| campaign(id, "PAUSED")).collect()))
}

fn call(kept: &Kept) -> Fake {
    let kept = kept.clone();
    Fake::new(move |request| response(request, &kept.lock().unwrap()))
}

fn response(request: &ReceivedRequest, kept: &[Value]) -> ScriptedResponse {
    if request.line.contains("/analytics?") {
        return ok(json!([]));
    }
    let query = request.line.split(['?', ' ']).nth(2).unwrap();
    let pairs: Vec<(&str, &str)> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    let single: BTreeMap<&str, &str> = pairs.iter().copied().collect();
    let statuses: Vec<&str> =
        pairs.iter().filter(|(name, _)| *name == "entity_statuses").map(|(_, value)| *value).collect();
    let from: u64 = match single.get("bookmark").map(|bookmark| bookmark.parse()) {
        Some(Err(_)) => return (400, r#"{"code":1,"message":"Invalid bookmark."}"#.into()),
        Some(Ok(from)) => from,
        None => u64::MAX,
    };
    let id = |campaign: &Value| campaign["id"].as_str().unwrap().parse::<u64>().unwrap();
    let size: usize = single["page_size"].parse().unwrap();
    assert!(size <= 250 && single["order"] == "DESCENDING");
    let mut rest =
        kept.iter().filter(|campaign| id(campaign) < from && statuses.contains(&campaign["status"].as_str().unwrap()));
    let items: Vec<Value> = rest.by_ref().take(size).cloned().collect();
    let bookmark = rest.next().map(|_| id(&items[items.len() - 1]).to_string());
    ok(json!({"items": items, "bookmark": bookmark}))
}

async fn page(fake: &Fake, statuses: StatusSet, limit: usize, after: Option<String>) -> CampaignPage {
    let request = ListRequest { statuses, limit, after };
    Epsilon.list_campaigns(&session(fake), &request).await.unwrap()
}

fn ids(page: &CampaignPage) -> Vec<u64> {
    page.rows.iter().map(|campaign| campaign.remote_id.parse().unwrap()).collect()
}

#[tokio::test]
async fn every_position_continues_right_after_its_campaign() {
    let kept = kept(1..=7);
    let fake = call(&kept);
    for limit in [1, 2, 3, 7, 100] {
        let first = page(&fake, StatusSet::not_final(), limit, None).await;
        assert_eq!(first.has_more, limit < 7, "{limit}");
        for (id, position) in ids(&first).into_iter().zip(first.positions) {
            let next = page(&fake, StatusSet::not_final(), limit, Some(position)).await;
            let expected: Vec<u64> = (1..id).rev().take(limit).collect();
            assert_eq!(ids(&next), expected, "after {id} by {limit}");
            assert_eq!(next.has_more, usize::try_from(id - 1).unwrap() > limit, "after {id} by {limit}");
        }
    }
}

#[tokio::test]
async fn a_long_list_is_walked_whole_in_few_calls() {
    let kept = kept(1..=700);
    let fake = call(&kept);
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = page(&fake, StatusSet::not_final(), 100, after).await;
        assert!(page.rows.len() <= 100);
        seen.extend(ids(&page));
        after = page.positions.last().cloned();
        if !page.has_more {
            break;
        }
    }
    assert_eq!(seen, (1..=700).rev().collect::<Vec<u64>>());
    let lists = fake.requests().iter().filter(|request| !request.line.contains("/analytics?")).count();
    assert!(lists <= 11, "{lists} calls for 7 pages");
}

#[tokio::test]
async fn campaigns_that_come_and_go_between_two_pages_do_not_move_the_rest() {
    let kept = kept(1..=6);
    let fake = call(&kept);
    let first = page(&fake, StatusSet::not_final(), 2, None).await;
    assert_eq!(ids(&first), [6, 5]);
    let mut new: Vec<Value> = [9, 8, 7].map(|id| campaign(id, "PAUSED")).to_vec();
    new.extend(kept.lock().unwrap().iter().filter(|kept| kept["id"] != "6").cloned());
    *kept.lock().unwrap() = new;
    let second = page(&fake, StatusSet::not_final(), 2, first.positions.last().cloned()).await;
    assert_eq!((ids(&second), second.has_more), (vec![4, 3], true));
}

#[tokio::test]
async fn states_are_asked_for_by_name_and_archived_ones_only_on_demand() {
    let kept = kept(1..=2);
    kept.lock().unwrap().push(campaign(0x7fff, "ARCHIVED"));
    let fake = call(&kept);
    assert_eq!(ids(&page(&fake, StatusSet::not_final(), 5, None).await), [2, 1]);
    let archived = StatusSet::of(&[CampaignStatus::Archived]);
    assert_eq!(ids(&page(&fake, archived, 5, None).await), [0x7fff]);
    let lines: Vec<String> = fake.requests().into_iter().map(|request| request.line).collect();
    let query = "?entity_statuses=ACTIVE&entity_statuses=PAUSED&entity_statuses=DRAFT&page_size=6&order=DESCENDING ";
    assert!(lines[0].contains(query), "{}", lines[0]);
    assert!(lines[1].contains("&campaign_ids=2&campaign_ids=1&"), "one report for the page: {}", lines[1]);
    assert_eq!(lines.len(), 4);
}

#[tokio::test]
async fn ended_campaigns_are_told_from_active_ones_by_their_end() {
    let kept = kept(1..=300);
    for row in kept.lock().unwrap().iter_mut() {
        row["status"] = json!("ACTIVE");
        if row["id"] == "3" || row["id"] == "299" {
            row["end_time"] = json!(1_763_600_000);
        }
    }
    let fake = call(&kept);
    let ended = StatusSet::of(&[CampaignStatus::Ended]);
    let first = page(&fake, ended, 1, None).await;
    assert_eq!((ids(&first), first.has_more), (vec![299], true));
    let second = page(&fake, ended, 1, first.positions.last().cloned()).await;
    assert_eq!((ids(&second), second.has_more), (vec![3], false));
    let active = page(&fake, StatusSet::of(&[CampaignStatus::Active]), 2, None).await;
    assert_eq!(ids(&active), [300, 298]);
}

#[tokio::test]
async fn a_bookmark_that_the_platform_refuses_is_the_cursors_fault() {
    let request = ListRequest { statuses: StatusSet::not_final(), limit: 2, after: Some("2.2.forged".to_owned()) };
    let error = Epsilon.list_campaigns(&session(&call(&kept(1..=3))), &request).await.unwrap_err();
    assert_eq!(error.details[0].field, "cursor");
}

#[tokio::test]
async fn a_page_of_deleted_drafts_is_an_empty_list() {
    let fake = Fake::new(|_| ok(json!({"items": [campaign(2, "DELETED_DRAFT"), null], "bookmark": null})));
    assert!(page(&fake, StatusSet::not_final(), 9, None).await.rows.is_empty());
}
