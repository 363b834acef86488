//! Creates customers with their first API key, for `gateway admin`, the demo customer and tests.

use shared::app::App;
use shared::auth::{ApiKey, Mode};
use shared::clock::Clock;
use shared::domain::{Customer, CustomerId, Person, PersonId, Plan, Role};
use shared::error::Error;
use shared::store::{Account, Store};
use uuid::Uuid;

/// Creates a customer with a new key. The table stores only the key's hash, so the caller must keep the key.
pub async fn create_customer(app: &App, email: &str, plan: Plan, mode: Mode) -> Result<(CustomerId, ApiKey), Error> {
    create(&app.store, email, plan, mode).await
}

/// Like [`create_customer`], for callers that have a store and no [`App`].
pub(crate) async fn create(store: &Store, email: &str, plan: Plan, mode: Mode) -> Result<(CustomerId, ApiKey), Error> {
    let key = ApiKey::generate(CustomerId(Uuid::new_v4()), mode)?;
    create_account(store, email, plan, &key).await?;
    Ok((key.customer(), key))
}

/// Like [`create`], and gives the customer to a person. `None` if the person has a customer already: nothing is stored.
pub(crate) async fn create_owned(
    store: &Store,
    email: &str,
    plan: Plan,
    mode: Mode,
    owner: PersonId,
) -> Result<Option<(CustomerId, ApiKey)>, Error> {
    let key = ApiKey::generate(CustomerId(Uuid::new_v4()), mode)?;
    let account = new_account(email, plan, &key);
    let person = Person::new(owner, Some(email.to_owned()), Role::Owner, account.customer.created_at);
    let is_new = store.create_owned_account(&person, &account).await?;
    Ok(is_new.then(|| (key.customer(), key)))
}

/// Creates the account that a key authenticates.
pub(crate) async fn create_account(store: &Store, email: &str, plan: Plan, key: &ApiKey) -> Result<(), Error> {
    store.create_account(&new_account(email, plan, key)).await
}

fn new_account(email: &str, plan: Plan, key: &ApiKey) -> Account {
    let customer = Customer {
        id: key.customer(),
        email: email.to_owned(),
        plan,
        created_at: Clock::system().now(),
        disabled: false,
    };
    Account::new(customer, key.hash(), key.display())
}

/// The underlying cause of an error. Callers of the API never see it; an operator may.
pub(crate) fn into_cause(error: Error) -> Box<dyn std::error::Error + Send + Sync> {
    error.source.unwrap_or_else(|| error.message.to_string().into())
}
