//! Bulk changes for tests.

use super::sample::{now, person, update};
use shared::domain::{
    BulkAccount, BulkAction, BulkId, CampaignChanges, Change, ChangeState, ConnectionId, CustomerId, Listing, Platform,
};
use shared::envelope::BulkStatus;
use uuid::Uuid;

/// A bulk change in an account of Google Ads, where each campaign's is in one of these states.
pub(crate) fn bulk(action: BulkAction, states: Vec<ChangeState>) -> BulkStatus {
    let changes = match action {
        BulkAction::Status(status) => CampaignChanges::of_status(status),
        _ => CampaignChanges { budget_amount: Some(12.into()), ..CampaignChanges::default() },
    };
    let change = |state| Change { state, ..update(changes.clone()) };
    let account = BulkAccount {
        bulk: BulkId(Uuid::nil()),
        customer: CustomerId(Uuid::nil()),
        platform: Platform::Alpha,
        account_id: "1".to_owned(),
        connection: ConnectionId("conn_1".to_owned()),
        external_ref: None,
        action,
        requested_by: person(None),
        reference: None,
        key_digest: None,
        created_at: now(),
        listing: Listing::Listed,
        undoes: Vec::new(),
        changes: Vec::new(),
        refused: Vec::new(),
    };
    BulkStatus { bulk: BulkId(Uuid::nil()), accounts: vec![(account, states.into_iter().map(change).collect())] }
}
