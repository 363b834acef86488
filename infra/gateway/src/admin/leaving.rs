//! The commands for a customer who leaves: export and deletion.

use super::Failure;
use super::output::{count, ensure_found};
use super::target::Target;
use crate::customers::into_cause;
use shared::clock::Clock;
use shared::domain::erasure::Walk;
use shared::domain::{ChangeFilters, ChangeState, CustomerId};
use std::fmt::Write;

/// Changes of a page.
const PAGE_SIZE: i32 = 100;

/// Prints all records of a customer, one a line.
pub(super) async fn export(target: &Target, customer: CustomerId) -> Result<String, Failure> {
    let account = target.store.account(customer, Clock::system().now()).await.map_err(into_cause)?;
    ensure_found(account.is_some(), customer)?;
    let (mut output, mut next) = (String::new(), Some(Walk::default()));
    while let Some(walk) = next {
        let page = target.store.export_page(customer, &walk).await.map_err(into_cause)?;
        for record in page.records {
            writeln!(output, "{record}")?;
        }
        next = walk.after_page(page.last);
    }
    Ok(output)
}

/// Deletes a customer who is disabled, so that no request is under way.
pub(super) async fn delete(
    target: &Target,
    customer: CustomerId,
    email: &str,
    leave_running: bool,
) -> Result<String, Failure> {
    let store = &target.store;
    let now = Clock::system().now();
    let account = store.account(customer, now).await.map_err(into_cause)?;
    let Some(account) = account else { return Err(format!("no customer has the id {customer}").into()) };
    if account.customer.email != email {
        return Err(format!("the customer {customer} has another email address; nothing was deleted").into());
    }
    if !account.customer.disabled {
        let first = format!("`disable-customer --customer {customer}` first, and wait two minutes");
        return Err(format!("the customer {customer} is active: {first}; nothing was deleted").into());
    }
    if !leave_running {
        ensure_nothing_runs(target, customer, account.connections).await?;
    }
    let billing = store.billing(customer).await.map_err(into_cause)?;
    let deleted = delete_records(target, customer).await?;
    store.delete_account(customer).await.map_err(into_cause)?;
    let mut output = format!("Deleted {customer} with {}.\n", count(deleted + 1, "record"));
    if let Some(id) = billing.payment_customer_id {
        writeln!(output, "The payment provider knows the customer as {id}: end the subscription and delete it there.")?;
    }
    Ok(output)
}

/// Refuses while ad accounts are connected, or a change has no outcome.
async fn ensure_nothing_runs(target: &Target, customer: CustomerId, connections: usize) -> Result<(), Failure> {
    if connections > 0 {
        let advice = "`enable-customer`, remove them by the API, which revokes their grants, and disable it again; or pass \
                      --leave-running: then campaigns go on running, and grants are not revoked";
        let number = count(connections, "connected ad account");
        return Err(format!("the customer {customer} has {number}: {advice}; nothing was deleted").into());
    }
    let (filters, now, mut after) = (ChangeFilters::default(), Clock::system().now(), None);
    loop {
        let page = target.store.history(customer, &filters, after, PAGE_SIZE, now).await.map_err(into_cause)?;
        if let Some(open) = page.changes.iter().find(|change| change.state == ChangeState::Sending) {
            let id = open.id;
            return Err(format!(
                "the outcome of the change {id} is unknown: wait for it, or pass --leave-running; nothing was deleted"
            )
            .into());
        }
        after = page.next;
        if after.is_none() {
            return Ok(());
        }
    }
}

/// Deletes all records but the account, until one walk finds none: maintenance may have stored some meanwhile.
async fn delete_records(target: &Target, customer: CustomerId) -> Result<usize, Failure> {
    let mut deleted = 0;
    loop {
        let (mut found, mut next) = (0, Some(Walk::default()));
        while let Some(walk) = next {
            let page = target.store.delete_page(customer, &walk).await.map_err(into_cause)?;
            found += page.records;
            next = walk.after_page(page.last);
        }
        deleted += found;
        if found == 0 {
            return Ok(deleted);
        }
    }
}
