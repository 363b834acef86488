//! Translation: the time in which an adapter translates a create and reads its responses, and reads a page of 100
//! campaigns.

use crate::figures::Figures;
use crate::recorded::session;
use serde_json::json;
use shared::domain::{CampaignDraft, IntentId, Platform, StatusSet};
use shared::envelope::{Shape, read_create};
use shared::platforms::{CampaignPage, ListRequest, Session, adapter};
use tokio::runtime::Runtime;
use uuid::Uuid;

/// Campaigns on a page.
pub(crate) const PAGE: usize = 100;

pub(crate) fn bench(figures: &mut Figures, runtime: &Runtime) {
    for platform in Platform::ALL {
        let (creating, draft) = runtime.block_on(a_create(platform));
        let (id, since) = (IntentId { request: Uuid::from_u128(1), target: 0 }, creating.call.now);
        figures.measure(&format!("translation/create/{platform}"), || {
            let create = async { adapter(platform).create_campaign(&creating, &draft, &id.marker(since)).await };
            runtime.block_on(create).expect("a campaign")
        });
        let listing = runtime.block_on(a_list(platform)).0;
        figures.measure(&format!("translation/list of {PAGE}/{platform}"), || runtime.block_on(list(&listing)));
    }
}

/// A session with one recorded create.
async fn a_create(platform: Platform) -> (Session, CampaignDraft) {
    let (session, recorder) = session(platform).await;
    let draft = draft(&session, "Recorded");
    let marker = IntentId { request: Uuid::from_u128(1), target: 0 }.marker(session.call.now);
    adapter(platform).create_campaign(&session, &draft, &marker).await.expect("a campaign");
    (recorder.replay(&session), draft)
}

/// A session with one recorded list, and its response.
pub(crate) async fn a_list(platform: Platform) -> (Session, CampaignPage) {
    let (session, recorder) = session(platform).await;
    for number in 0..PAGE {
        let id = IntentId { request: Uuid::from_u128(number as u128), target: 0 };
        let draft = draft(&session, &format!("Campaign {number}"));
        let made = adapter(platform).create_campaign(&session, &draft, &id.marker(session.call.now)).await;
        made.expect("a campaign");
    }
    recorder.rewind();
    let page = list(&session).await;
    (recorder.replay(&session), page)
}

async fn list(session: &Session) -> CampaignPage {
    let request = ListRequest { statuses: StatusSet::not_final(), limit: PAGE, after: None };
    let page = adapter(session.call.config.platform).list_campaigns(session, &request).await.expect("a page");
    assert_eq!(page.campaigns.len(), PAGE);
    page
}

fn draft(session: &Session, name: &str) -> CampaignDraft {
    let platform = session.call.config.platform.as_str();
    let body = json!({"name": name, "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
        "platform": platform})
    .to_string();
    let request = read_create(Shape::Flat, body.as_bytes()).expect("a request");
    request.draft_for(&session.account).expect("a draft")
}
