//! Bulk changes of the status (D61 in docs/decisions.md).

mod start;

pub(crate) use start::start;

use shared::domain::{BulkAccount, BulkId, CustomerId};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{BulkStatus, Reply};
use shared::error::Error;
use shared::serve::{ApiRequest, Call};

/// A bulk change, and its ad accounts.
pub(crate) type Prefetched = Result<(BulkId, Vec<BulkAccount>), Error>;

/// Tells how far a bulk change is: each ad account, and the states of its changes.
pub(crate) async fn status(call: &Call, prefetched: Prefetched) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let (bulk, found) = prefetched?;
    let seen: Vec<BulkAccount> = call.visible(found).collect();
    if seen.is_empty() {
        return Err(not_found());
    }
    let mut accounts = Vec::with_capacity(seen.len());
    for account in seen {
        let changes = call.store().changes_by_id(call.customer.id, &account.changes, call.request.now).await?;
        accounts.push((account, changes));
    }
    Ok(Reply::BulkStatus(BulkStatus { bulk, accounts }))
}

/// Reads the ad accounts during authentication.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Prefetched {
    let bulk = BulkId::parse(&request.parameter).ok_or_else(not_found)?;
    let accounts = request.app.store.bulk_accounts(customer, bulk, request.now).await?;
    if accounts.is_empty() { Err(not_found()) } else { Ok((bulk, accounts)) }
}

fn not_found() -> Error {
    Error::not_found("bulk change")
}
