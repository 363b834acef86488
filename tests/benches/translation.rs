//! Translation: the time in which an adapter translates a create and reads its responses, and reads a page of 100
//! campaigns.

use crate::figures::Figures;
use crate::recorded::session;
use serde_json::json;
use shared::domain::{Campaign, CampaignDraft, IntentId, Marker, Platform, StatusSet};
use shared::envelope::{Shape, read_create};
use shared::platforms::{CallContext, CampaignPage, CreateInput, ListRequest, Session, adapter};
use tokio::runtime::Runtime;
use uuid::Uuid;

/// Campaigns on a page.
pub(crate) const PAGE: usize = 100;

pub(crate) fn bench(figures: &mut Figures, runtime: &Runtime) {
    for platform in Platform::ALL {
        let (creating, draft) = runtime.block_on(a_create(platform));
        let (id, since) = (IntentId { request: Uuid::from_u128(1), target: 0 }, creating.call.now);
        figures.measure(&format!("translation/create/{platform}"), || {
            runtime.block_on(create(&creating, &draft, &id.marker(since)))
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
    create(&session, &draft, &marker).await;
    (recorder.replay(&session), draft)
}

/// A session with one recorded list, and its response.
pub(crate) async fn a_list(platform: Platform) -> (Session, CampaignPage) {
    let (session, recorder) = session(platform).await;
    for number in 0..PAGE {
        let id = IntentId { request: Uuid::from_u128(number as u128), target: 0 };
        let draft = draft(&session, &format!("Campaign {number}"));
        create(&session, &draft, &id.marker(session.call.now)).await;
    }
    recorder.rewind();
    let page = list(&session).await;
    (recorder.replay(&session), page)
}

/// Checks and translates a draft, and sends it.
async fn create(session: &Session, draft: &CampaignDraft, marker: &Marker) -> Campaign {
    let CallContext { config, now, .. } = &session.call;
    let input = CreateInput { account: &session.account, draft, marker, settings: &config.settings, now: *now };
    let adapter = adapter(config.platform);
    let prepared = adapter.prepare_create(&input).expect("a valid draft");
    adapter.create_campaign(session, &prepared).await.expect("a campaign")
}

async fn list(session: &Session) -> CampaignPage {
    let request = ListRequest { statuses: StatusSet::not_final(), limit: PAGE, after: None };
    let page = adapter(session.call.config.platform).list_campaigns(session, &request).await.expect("a page");
    assert_eq!(page.rows.len(), PAGE);
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
