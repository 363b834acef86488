//! Searches for the campaign of a create, in recorded lists.

use super::*;
use crate::domain::ChangeId;

async fn found_since(name: &str, draft: &CampaignDraft, since: i64) -> Vec<String> {
    let marker = ChangeId::new(at(since).unwrap(), uuid::Uuid::from_u128(1), 0).marker();
    let fake = Fake::answering(vec![recorded(name)]);
    let found = Epsilon.find_created(&session(&fake, SEED), draft, &marker).await.unwrap();
    found.into_iter().map(|campaign| campaign.remote_id).collect()
}

#[tokio::test]
async fn both_namesakes_may_have_come_of_a_create() {
    let since = 1_783_592_990;
    assert_eq!(found_since("campaigns-page.json", &draft(), since).await, ["626759225166", "626759225167"]);
    let an_hour_later = since + 3_600;
    assert!(found_since("campaigns-page.json", &draft(), an_hour_later).await.is_empty());
}

#[tokio::test]
async fn a_campaign_that_changed_since_its_create_is_found() {
    let seed = CampaignDraft { name: "Nango Seed Campaign Keep".into(), ..draft() };
    assert_eq!(found_since("campaigns-page-later.json", &seed, 1_783_586_780).await, ["626759223935"]);
    let after_its_change = 1_783_594_060;
    assert!(found_since("campaigns-page-later.json", &seed, after_its_change).await.is_empty(), "its age decides");
}
