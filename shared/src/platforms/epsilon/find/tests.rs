use crate::domain::CampaignDraft;
use crate::platforms::AdPlatform;
use crate::platforms::epsilon::Epsilon;
use crate::platforms::epsilon::sample::SAMPLE;
use crate::platforms::fake::{Fake, ScriptedResponse, marker};
use crate::platforms::laws::{Set, with};
use serde_json::Value;

fn page(rows: &[Value], bookmark: Option<&str>) -> ScriptedResponse {
    SAMPLE.page(rows.to_vec(), bookmark)
}

fn undated(id: u64) -> Value {
    with(SAMPLE.made(id, 0), &[Set("/created_time", "null")])
}

#[tokio::test]
async fn campaigns_in_every_state_are_asked_for_newest_first_page_by_page() {
    let fake = Fake::answering(vec![page(&[SAMPLE.made(9, 5)], None)]);
    SAMPLE.search(&fake).await.unwrap();
    let path = "GET /v5/ad_accounts/549755885175/campaigns?entity_statuses=ACTIVE&entity_statuses=PAUSED\
        &entity_statuses=DRAFT&entity_statuses=ARCHIVED&page_size=250&order=DESCENDING HTTP/1.1";
    assert_eq!(fake.requests()[0].line, path);
}

#[tokio::test]
async fn a_campaign_without_a_time_or_in_another_state_is_found() {
    let active = with(SAMPLE.made(8, 4), &[Set("/status", "\"ACTIVE\"")]);
    let archived = with(SAMPLE.made(9, 3), &[Set("/status", "\"ARCHIVED\"")]);
    let rows = [archived, active.clone(), undated(7)];
    assert_eq!(SAMPLE.found(vec![page(&rows, None)]).await.unwrap(), ["7", "9", "8"]);
    let found = SAMPLE.search(&Fake::answering(vec![page(&[active], None)])).await.unwrap();
    assert_eq!(found[0].total_spend_amount, None, "it may have spent something");
}

#[tokio::test]
async fn reading_ends_at_a_page_of_campaigns_that_are_all_older() {
    let newer = || page(&[SAMPLE.made(9, 5), SAMPLE.made(8, -500)], Some("b"));
    let older = || page(&[SAMPLE.made(7, -501), SAMPLE.made(6, -700)], Some("c"));
    assert_eq!(SAMPLE.found(vec![newer(), older()]).await.unwrap(), ["9"], "there is no third page to be asked for");
    let going_on = [
        page(&[], Some("c")),
        page(&[SAMPLE.made(7, -501), SAMPLE.made(6, 1)], Some("c")),
        page(&[SAMPLE.made(7, -501), undated(6)], Some("c")),
        page(&[SAMPLE.made(6, -700), SAMPLE.made(7, -501)], Some("c")),
    ];
    for second in going_on {
        let shown = format!("{second:?}");
        let found = SAMPLE.found(vec![newer(), second, page(&[SAMPLE.made(5, 2)], None)]).await.unwrap();
        assert!(found.contains(&"5".to_owned()), "{shown}");
    }
}

#[tokio::test]
async fn a_name_that_is_written_as_a_number_is_a_name() {
    let row = with(SAMPLE.made(7, 1), &[Set("/name", "2026")]);
    let fake = Fake::answering(vec![page(&[row], None)]);
    let draft = CampaignDraft { name: "2026".into(), ..(SAMPLE.draft)() };
    let found = Epsilon.find_created(&SAMPLE.session(&fake), &draft, &marker()).await.unwrap();
    assert_eq!((found.len(), found[0].name.as_str()), (1, "2026"));
}
