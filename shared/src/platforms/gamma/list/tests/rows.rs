//! Tests of lists with malformed rows: one row never costs the others.

use super::fake_list::{CampaignsHandle, campaigns, response};
use super::*;

/// The platform's list with a malformed row for one campaign.
fn with_malformed(campaigns: &CampaignsHandle, id: u64, malformed: &Value) -> Fake {
    let (campaigns, id, malformed) = (campaigns.clone(), json!(id.to_string()), malformed.clone());
    Fake::new(move |request| {
        let (status, body) = response(&campaigns, request);
        let mut body: Value = serde_json::from_str(&body).unwrap();
        for row in body["data"]["list"].as_array_mut().unwrap() {
            if row["campaign_id"] == id {
                *row = malformed.clone();
            }
        }
        (status, body.to_string())
    })
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_left_out_and_positions_hold() {
    let campaigns = campaigns((1..=40).map(|id| (id, "ENABLE")));
    let malformed = [
        json!(null),
        json!(7),
        json!({"campaign_id": null, "operation_status": "ENABLE"}),
        json!({"campaign_id": "20", "advertiser_id": {"id": 7}}),
        json!({"campaign_id": "20", "advertiser_id": "8"}),
    ];
    for malformed in &malformed {
        for id in [40, 20, 1] {
            let expected: Vec<u64> = (1..=40).rev().filter(|other| *other != id).collect();
            for limit in [1, 7, 39, 40] {
                let fake = with_malformed(&campaigns, id, malformed);
                assert_eq!(walk(&fake, StatusSet::not_final(), limit).await, expected, "{id} {limit} {malformed}");
            }
        }
    }
}
