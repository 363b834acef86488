//! Changes of many campaigns for tests.

use crate::kit::changes::sample::{now, person, update};
use shared::domain::{
    BulkAccount, BulkId, CampaignChanges, CampaignStatus, Change, ChangeState, ConnectionId, CustomerId, Listing,
    Platform,
};
use shared::envelope::BulkStatus;
use uuid::Uuid;

/// A change of many campaigns in an account of Google Ads, where each campaign's is in one of these states.
pub(super) fn bulk(status: CampaignStatus, states: Vec<ChangeState>) -> BulkStatus {
    let change = |state| Change { state, ..update(CampaignChanges::of_status(status)) };
    let account = BulkAccount {
        bulk: BulkId(Uuid::nil()),
        customer: CustomerId(Uuid::nil()),
        platform: Platform::Alpha,
        account_id: "1".to_owned(),
        connection: ConnectionId("conn_1".to_owned()),
        status,
        requested_by: person(None),
        created_at: now(),
        listing: Listing::Listed,
        changes: Vec::new(),
    };
    BulkStatus { bulk: BulkId(Uuid::nil()), accounts: vec![(account, states.into_iter().map(change).collect())] }
}
