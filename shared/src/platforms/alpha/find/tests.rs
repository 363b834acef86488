use super::*;
use crate::platforms::AdPlatform;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, marker, ok};
use crate::platforms::fixtures;
use serde_json::{Value, json};

const NAME: &str = r#"Bob's "50 %" \ 冬 ❄️ + more"#;

fn rows(budget: &Value) -> ScriptedResponse {
    let campaign = json!({"id": "7", "name": NAME, "status": "PAUSED"});
    ok(json!({"results": [{"campaign": campaign, "campaignBudget": budget}], "fieldMask": "x"}))
}

async fn found(
    responses: Vec<ScriptedResponse>,
    name: &str,
    period: BudgetPeriod,
) -> (Result<Vec<PlatformCampaign>, Error>, Vec<ReceivedRequest>) {
    let fake = Fake::answering(responses);
    let draft = CampaignDraft { budget_period: period, name: name.into(), ..fixtures::draft(Goal::Sales, "10.50") };
    (Alpha.find_created(&fake.session(), &draft, &marker()).await, fake.requests())
}

#[tokio::test]
async fn a_created_campaign_is_searched_by_its_exact_name() {
    let daily = json!({"period": "DAILY", "amountMicros": "10500000"});
    let (found, requests) = found(vec![rows(&daily)], NAME, BudgetPeriod::Daily).await;
    assert_eq!(found.unwrap()[0].name, NAME);
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].line, "POST /v26/customers/1234567890/googleAds:search HTTP/1.1");
    let condition = r#"'Bob\'s "50 %" \\ 冬 ❄️ + more' AND campaign.status != 'REMOVED' ORDER BY campaign.id"#;
    let query = requests[0].body["query"].as_str().unwrap();
    assert!(query.ends_with(&format!(" FROM campaign WHERE campaign.name = {condition}")), "{query}");
}

#[tokio::test]
async fn a_total_budget_is_a_lifetime_budget() {
    let total = json!({"period": "CUSTOM_PERIOD", "totalAmountMicros": "10500000"});
    let (found, _) = found(vec![rows(&total)], NAME, BudgetPeriod::Total).await;
    assert_eq!(found.unwrap()[0].remote_id, "7");
}

#[tokio::test]
async fn a_name_that_no_query_can_hold_is_not_searched() {
    let (found, requests) = found(vec![], "Win\nter", BudgetPeriod::Daily).await;
    assert!(found.is_err() && requests.is_empty());
}
