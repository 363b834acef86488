use crate::domain::{CampaignDraft, CampaignStatus, PlatformCampaign};
use crate::error::Error;
use crate::platforms::AdPlatform;
use crate::platforms::delta::Delta;
use crate::platforms::delta::sample::SAMPLE;
use crate::platforms::fake::{Fake, ScriptedResponse, marker};
use crate::platforms::laws::{Set, with};
use serde_json::json;

fn page(name: &str) -> ScriptedResponse {
    let mut row = SAMPLE.made(7, 1);
    row["name"] = json!(name);
    SAMPLE.page(vec![row], None)
}

async fn found_by(fake: &Fake, name: &str) -> Result<Vec<PlatformCampaign>, Error> {
    let draft = CampaignDraft { name: name.into(), ..(SAMPLE.draft)() };
    Delta.find_created(&SAMPLE.session(fake), &draft, &marker()).await
}

#[tokio::test]
async fn a_search_encodes_any_name_exactly_once() {
    let cases = [
        ("Winter", "Winter"),
        ("Winter sale", "Winter%20sale"),
        ("a+b", "a%2Bb"),
        ("50% (new), 'x': \"y\"", "50%25%20%28new%29%2C%20%27x%27%3A%20%22y%22"),
        ("a%20b", "a%2520b"),
        ("List(a,b)&x=1#y/..?", "List%28a%2Cb%29%26x%3D1%23y%2F..%3F"),
        ("Zürich 🎄", "Z%C3%BCrich%20%F0%9F%8E%84"),
        ("~_-.\\*", "~_-.%5C%2A"),
    ];
    for (name, encoded) in cases {
        let fake = Fake::answering(vec![page(name)]);
        assert_eq!(found_by(&fake, name).await.unwrap().len(), 1, "{name}");
        let expected = format!(
            "GET /rest/adAccounts/512345678/adCampaigns?q=search&search=(name:(values:List({encoded})))\
             &pageSize=101 HTTP/1.1"
        );
        assert_eq!(fake.requests()[0].line, expected);
    }
    let longest = "🎄".repeat(255);
    let fake = Fake::answering(vec![SAMPLE.page(vec![], None)]);
    assert!(found_by(&fake, &longest).await.unwrap().is_empty());
    assert!(fake.requests()[0].line.len() < 4_096, "the longest name fits into a query");
}

#[tokio::test]
async fn a_campaign_that_was_switched_since_its_create_is_found() {
    for (word, status) in [
        ("\"ACTIVE\"", CampaignStatus::Active),
        ("\"ARCHIVED\"", CampaignStatus::Archived),
        ("\"PENDING_DELETION\"", CampaignStatus::ScheduledForDeletion),
    ] {
        let row = with(SAMPLE.made(7, 1), &[Set("/status", word)]);
        let fake = Fake::answering(vec![SAMPLE.page(vec![row], None)]);
        let found = SAMPLE.search(&fake).await.unwrap();
        assert_eq!((found[0].status, found[0].total_spend_amount), (status, None));
        assert_eq!(fake.requests().len(), 1, "and no report of what they spent");
    }
}
