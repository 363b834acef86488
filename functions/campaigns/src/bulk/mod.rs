//! Bulk changes of the status and of budgets: each campaign has a change of its own (D61).

mod start;

pub(crate) use start::{set_budgets, set_statuses, undo, undo_set};

use shared::domain::{BulkAccount, BulkId, CustomerId};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{BulkStatus, Reply};
use shared::error::Error;
use shared::serve::{ApiRequest, Call};

/// A bulk change, and its ad accounts.
pub(crate) type Prefetched = Result<(BulkId, Vec<BulkAccount>), Error>;

/// Returns how far a bulk change is: each ad account, and the states of its changes.
pub(crate) async fn status(call: &Call, prefetched: Prefetched) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let (bulk, found) = prefetched?;
    let visible: Vec<BulkAccount> = call.visible(found).collect();
    if visible.is_empty() {
        return Err(not_found());
    }
    let mut accounts = Vec::with_capacity(visible.len());
    for account in visible {
        let changes = call.store().changes_by_id(call.customer.id, &account.changes, call.request.now).await?;
        accounts.push((account, call.visible(changes).collect()));
    }
    Ok(Reply::BulkStatus(BulkStatus { bulk, accounts }))
}

/// Reads the ad accounts during authentication.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Prefetched {
    let bulk = BulkId::parse(&request.parameter).ok_or_else(not_found)?;
    prefetch_one(request, customer, bulk).await
}

/// Reads the ad accounts of a bulk change.
pub(crate) async fn prefetch_one(request: &ApiRequest, customer: CustomerId, bulk: BulkId) -> Prefetched {
    let accounts = request.app.store.bulk_accounts(customer, bulk, request.now).await?;
    if accounts.is_empty() { Err(not_found()) } else { Ok((bulk, accounts)) }
}

pub(crate) fn not_found() -> Error {
    Error::not_found("bulk change")
}
