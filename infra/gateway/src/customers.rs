//! Customers and their first key: what `gateway admin`, the demo and the tests make.

use shared::app::App;
use shared::auth::{ApiKey, Mode};
use shared::clock::Clock;
use shared::domain::{Customer, CustomerId, Plan};
use shared::error::Error;
use shared::store::{Account, Store};
use uuid::Uuid;

/// Makes a customer with a new key. The key is nowhere else: the table keeps only its hash.
pub async fn create_customer(app: &App, email: &str, plan: Plan, mode: Mode) -> Result<(CustomerId, ApiKey), Error> {
    create(&app.store, email, plan, mode).await
}

/// The same over a table alone.
pub(crate) async fn create(store: &Store, email: &str, plan: Plan, mode: Mode) -> Result<(CustomerId, ApiKey), Error> {
    let key = ApiKey::generate(CustomerId(Uuid::new_v4()), mode)?;
    open_account(store, email, plan, &key).await?;
    Ok((key.customer(), key))
}

/// Opens the account that a key is for.
pub(crate) async fn open_account(store: &Store, email: &str, plan: Plan, key: &ApiKey) -> Result<(), Error> {
    let customer = Customer {
        id: key.customer(),
        email: email.to_owned(),
        plan,
        created_at: Clock::system().now(),
        disabled: false,
    };
    store.create_account(&Account::new(customer, key.hash())).await
}

/// What went wrong with the table, for the operator, who may know more than a caller.
pub(crate) fn explain(error: Error) -> Box<dyn std::error::Error + Send + Sync> {
    error.source.unwrap_or_else(|| error.message.into())
}
