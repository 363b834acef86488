//! The ad accounts that a user reaches: directly, and through the managers that the user reaches directly.

use super::api::{self, API};
use super::query::{CLIENTS, CUSTOMER, number};
use super::wire::{Customer, GoogleAdsRow, ListAccessibleCustomersResponse};
use crate::platforms::engine::accounts::{by_id, known_currency};
use crate::platforms::prelude::*;
use futures_util::{StreamExt, stream};

/// Customers that are read at the same time.
const CONCURRENCY: usize = 8;

/// Accounts that can hold campaigns, by id, each once: reached directly where possible, else through the manager with
/// the lowest id. A customer that refuses access fails the call only when no account is left.
pub(super) async fn accounts(call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
    let client = Client::new(&API, call, Some(token));
    let response = client.read(api::accessible_customers()).await?;
    let reached: ListAccessibleCustomersResponse = read_object(Platform::Alpha, &response.body)?;
    let ids: Result<Vec<String>, Error> = reached.resource_names.iter().map(|name| customer_id(name)).collect();
    let reads = stream::iter(ids?.into_iter().map(|id| reached_through(client, id)));
    let outcomes: Vec<Result<Vec<AdAccount>, Error>> = reads.buffer_unordered(CONCURRENCY).collect().await;
    let mut found = Vec::new();
    let mut refusal = None;
    for outcome in outcomes {
        match outcome {
            Ok(accounts) => found.extend(accounts),
            Err(error) if error.platform_code() == Some("authorizationError.CUSTOMER_NOT_ENABLED") => {}
            Err(error) if error.kind == Kind::Forbidden => refusal = refusal.or(Some(error)),
            Err(error) => return Err(error),
        }
    }
    if let Some(error) = refusal {
        if found.is_empty() {
            return Err(error);
        }
        tracing::warn!(platform = %Platform::Alpha, %error, "a customer was left out");
    }
    Ok(by_id(found))
}

fn customer_id(resource_name: &str) -> Result<String, Error> {
    let id = resource_name.strip_prefix("customers/").filter(|id| number(id).is_some());
    id.map(str::to_owned).ok_or_else(|| unreadable(Platform::Alpha, "a customer without an id"))
}

/// The customer itself, or the accounts below it when it is a manager, which holds no campaigns of its own. The status
/// of a manager says nothing about its clients: test managers say CLOSED (recorded live, 2026-07).
async fn reached_through(client: Client<'_>, id: String) -> Result<Vec<AdAccount>, Error> {
    let Some(customer) = customers(&client, &id, CUSTOMER).await?.pop() else { return Ok(Vec::new()) };
    if !customer.manager {
        let customer = Some(customer).filter(is_enabled);
        return Ok(customer.and_then(|customer| account(customer, None)).into_iter().collect());
    }
    let clients = customers(&client, &id, CLIENTS).await?.into_iter();
    let clients = clients.filter(|client| is_enabled(client) && !client.manager && !client.hidden);
    Ok(clients.filter_map(|client| account(client, Some(&id))).collect())
}

fn is_enabled(customer: &Customer) -> bool {
    customer.status.as_deref() == Some("ENABLED")
}

/// The customers that a query finds, except rows without an id.
async fn customers(client: &Client<'_>, id: &str, query: &str) -> Result<Vec<Customer>, Error> {
    let rows = api::search(id, query).all(client).await?;
    Ok(readable(Platform::Alpha, &rows, customer)?.into_iter().flatten().collect())
}

fn customer(row: &RawValue) -> Result<Customer, Error> {
    let row: GoogleAdsRow = read_object(Platform::Alpha, row.get().as_bytes())?;
    let customer = row.customer_client.or(row.customer).filter(|customer| customer.id.is_some_and(|id| id.0 > 0));
    customer.ok_or_else(|| unreadable(Platform::Alpha, "a customer without an id"))
}

/// An account, or `None` for one in an unknown currency.
fn account(customer: Customer, manager_id: Option<&str>) -> Option<AdAccount> {
    let id = customer.id?.0.to_string();
    let currency = known_currency(Platform::Alpha, &id, customer.currency_code.as_deref())?;
    Some(AdAccount {
        id,
        name: customer.descriptive_name.unwrap_or_default(),
        currency,
        time_zone: customer.time_zone.unwrap_or_default(),
        manager_id: manager_id.map(str::to_owned),
    })
}

#[cfg(test)]
mod tests;
