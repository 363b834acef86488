use crate::domain::{CampaignDraft, ChangeId};
use crate::platforms::AdPlatform;
use crate::platforms::fake::{Fake, ScriptedResponse, marker};
use crate::platforms::laws::{Set, with};
use crate::platforms::zeta::Zeta;
use crate::platforms::zeta::sample::SAMPLE;
use serde_json::{Value, json};

/// The label of one of the creates that began when those of the sample did.
fn label(target: usize) -> String {
    let since = "2026-11-20T12:00:00Z".parse().unwrap();
    ChangeId::new(since, uuid::Uuid::from_u128(1), target).marker().label()
}

fn labelled(mut row: Value, label: &str) -> Value {
    row["invoice_label"] = json!(label);
    row
}

fn renamed(row: Value) -> Value {
    with(row, &[Set("/name", "\"Summer\"")])
}

fn page(rows: &[Value]) -> ScriptedResponse {
    SAMPLE.page(rows.to_vec(), None)
}

#[tokio::test]
async fn a_campaign_with_our_label_is_ours_on_any_page() {
    let changes = [Set("/name", "\"Summer\""), Set("/goal_value", "1"), Set("/configured_status", "\"ACTIVE\"")];
    let changed = labelled(with(SAMPLE.made(7, 1), &changes), &label(0));
    let first = SAMPLE.page(vec![SAMPLE.made(9, 5)], Some("t%26"));
    let fake = Fake::answering(vec![first, page(&[changed, SAMPLE.made(6, 2)])]);
    let found = SAMPLE.search(&fake).await.unwrap();
    assert_eq!(found.len(), 1, "what merely fits counts no longer");
    assert_eq!((found[0].remote_id.as_str(), found[0].name.as_str()), ("7", "Summer"));
    assert_eq!(found[0].total_spend_amount, None, "it may have spent something");
    let path = "GET /api/v3/ad_accounts/a2_example/campaigns?page.size=100 HTTP/1.1";
    assert_eq!((fake.requests().len(), fake.requests()[0].line.as_str()), (2, path), "and no report");
}

#[tokio::test]
async fn a_campaign_with_the_label_of_another_create_is_never_ours() {
    let unnamed = with(SAMPLE.made(7, 1), &[Set("/name", "null")]);
    let rows = [SAMPLE.made(9, 5), unnamed].map(|row| labelled(row, &label(1)));
    let old = labelled(SAMPLE.made(8, 5), "ua-0000000000000000");
    let found = SAMPLE.found(vec![page(&[rows.to_vec(), vec![old]].concat())]).await.unwrap();
    assert_eq!(found, [""; 0]);
}

#[tokio::test]
async fn without_a_label_of_ours_the_name_the_budget_and_the_age_decide() {
    let rows = [
        with(SAMPLE.made(2, 3), &[Set("/invoice_label", "null")]),
        labelled(SAMPLE.made(11, 4), ""),
        labelled(SAMPLE.made(12, 5), "Cost centre 7"),
        labelled(SAMPLE.made(13, 6), "ua-2026"),
        // As on an account that began to pay by credit card: older campaigns carry labels, newer ones none.
        labelled(SAMPLE.made(8, 4), &label(1)),
        labelled(renamed(SAMPLE.made(6, 2)), &label(2)),
    ];
    assert_eq!(SAMPLE.found(vec![page(&rows)]).await.unwrap(), ["2", "11", "12", "13"]);
    let undated = with(SAMPLE.made(7, 1), &[Set("/created_at", "null")]);
    assert_eq!(SAMPLE.found(vec![page(&[undated])]).await.unwrap(), ["7"]);
}

#[tokio::test]
async fn a_name_that_cannot_be_read_does_not_matter_beside_our_label() {
    let unnamed = with(SAMPLE.made(7, 1), &[Set("/name", "null")]);
    let ours = labelled(with(unnamed.clone(), &[Set("/id", "\"8\"")]), &label(0));
    assert_eq!(SAMPLE.found(vec![page(&[unnamed.clone(), ours])]).await.unwrap(), ["8"]);
    let foreign = labelled(unnamed, "Cost centre 7");
    assert!(SAMPLE.found(vec![page(&[foreign])]).await.is_err(), "it may be the one");
}

#[tokio::test]
async fn a_name_that_is_written_as_a_number_is_a_name() {
    let row = with(SAMPLE.made(7, 1), &[Set("/name", "2026")]);
    let fake = Fake::answering(vec![page(&[row])]);
    let draft = CampaignDraft { name: "2026".into(), ..(SAMPLE.draft)() };
    let found = Zeta.find_created(&SAMPLE.session(&fake), &draft, &marker()).await.unwrap();
    assert_eq!((found.len(), found[0].name.as_str()), (1, "2026"));
}
