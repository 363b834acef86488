//! The demo customer of the local gateway. The file `demo-key` keeps its API key across restarts.

use crate::customers::{create_account, into_cause};
use crate::data_folder;
use crate::error::StartError;
use shared::auth::{ApiKey, Mode};
use shared::clock::Clock;
use shared::domain::{CustomerId, Person, PersonId, Plan, Role};
use shared::store::Store;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// The demo customer's email address.
pub(crate) const EMAIL: &str = sandbox::OIDC_EMAIL;

/// Returns the demo customer's key; creates the customer if absent.
///
/// The file is written before the account: after a crash between the two, the next start creates the account for the
/// stored key.
pub(crate) async fn load_or_create_key(store: &Store, folder: Option<&Path>) -> Result<ApiKey, StartError> {
    let unavailable = |error| StartError::Service(into_cause(error));
    let stored = match folder {
        Some(folder) => read_key(folder)?,
        None => None,
    };
    let key = match stored {
        Some(key) => key,
        None => {
            warn_of_earlier(store).await?;
            let key = generate_key()?;
            if let Some(folder) = folder {
                write_key(folder, &key)?;
            }
            key
        }
    };
    let now = Clock::system().now();
    match store.account(key.customer(), now).await.map_err(unavailable)? {
        None => create_account(store, EMAIL, Plan::Enterprise, &key).await.map_err(unavailable)?,
        Some(account) if account.keys.find(&key.hash(), now).is_none() => tracing::warn!(
            "the demo customer's key was rotated or deleted, and the key in demo-key is no longer valid; \
             `gateway admin rotate-key --customer {}` creates a new key and stores it",
            key.customer()
        ),
        Some(account) if account.customer.disabled => tracing::warn!("the demo customer is disabled"),
        Some(_) => {}
    }
    Ok(key)
}

/// Without its key an earlier demo customer stays in the table, but the gateway does not use it any more.
async fn warn_of_earlier(store: &Store) -> Result<(), StartError> {
    let accounts = store.all_accounts(Clock::system().now()).await;
    let accounts = accounts.map_err(|error| StartError::Service(into_cause(error)))?;
    if let Some(earlier) = accounts.iter().find(|account| account.customer.email == EMAIL) {
        tracing::warn!(
            customer = %earlier.customer.id,
            "demo-key is missing, so there is a new demo customer; the earlier one keeps its connections"
        );
    }
    Ok(())
}

/// Lets the person with the demo customer's address sign in as the demo customer. The port of the sandbox is part of
/// its issuer's identifier, so this is due at each start.
pub(crate) async fn link_person(store: &Store, issuer: &str, customer: CustomerId) -> Result<(), StartError> {
    let id = PersonId::of(issuer, &sandbox::oidc_subject(EMAIL));
    let person = Person::new(id, Some(EMAIL.to_owned()), Role::Owner, Clock::system().now());
    let linked = store.link_person(&person, customer).await;
    linked.map_err(|error| StartError::Service(into_cause(error)))
}

/// Reads the demo customer's key from the folder of another gateway.
pub(crate) async fn shared_key(store: &Store, folder: &Path) -> Result<ApiKey, StartError> {
    let not_joined = |reason| StartError::not_joined(folder, reason);
    let key = read_key(folder)?.ok_or_else(|| not_joined("the folder has no demo-key"))?;
    match store.account(key.customer(), Clock::system().now()).await {
        Ok(Some(_)) => Ok(key),
        Ok(None) => Err(not_joined("its table does not have the customer of its demo-key")),
        Err(error) => Err(StartError::Service(into_cause(error))),
    }
}

/// Stores a new key if it belongs to the folder's demo customer. Returns whether it does.
pub(crate) fn replace_key(folder: &Path, key: &ApiKey) -> Result<bool, StartError> {
    let is_demo = read_key(folder)?.is_some_and(|old| old.customer() == key.customer());
    if is_demo {
        write_key(folder, key)?;
    }
    Ok(is_demo)
}

fn generate_key() -> Result<ApiKey, StartError> {
    ApiKey::generate(CustomerId(Uuid::new_v4()), Mode::Test).map_err(|error| StartError::Service(into_cause(error)))
}

/// Reads the demo customer's key; `None` when there is none.
pub(crate) fn read_key(folder: &Path) -> Result<Option<ApiKey>, StartError> {
    let path = key_file(folder);
    let Some(text) = data_folder::read(&path)? else { return Ok(None) };
    let reason = "does not hold an API key: delete it to get a new demo customer";
    ApiKey::parse(text.trim()).map(Some).ok_or(StartError::Content { path, reason: reason.to_owned() })
}

fn write_key(folder: &Path, key: &ApiKey) -> Result<(), StartError> {
    data_folder::write(&key_file(folder), &format!("{}\n", key.reveal()))
}

pub(crate) fn key_file(folder: &Path) -> PathBuf {
    folder.join("demo-key")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_demo_customers_key_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let demo = generate_key().unwrap();
        assert!(!replace_key(folder.path(), &demo).unwrap());
        write_key(folder.path(), &demo).unwrap();
        assert!(!replace_key(folder.path(), &generate_key().unwrap()).unwrap());
        assert_eq!(read_key(folder.path()).unwrap().unwrap().hash(), demo.hash());
        let rotated = ApiKey::generate(demo.customer(), Mode::Test).unwrap();
        assert!(replace_key(folder.path(), &rotated).unwrap());
        assert_eq!(read_key(folder.path()).unwrap().unwrap().hash(), rotated.hash());
    }

    #[test]
    fn the_error_for_an_invalid_key_file_names_the_file_and_hides_its_text() {
        let folder = tempfile::tempdir().unwrap();
        data_folder::write(&key_file(folder.path()), "uac_test_almost").unwrap();
        let error = read_key(folder.path()).unwrap_err().to_string();
        assert!(error.contains("demo-key") && !error.contains("almost"), "{error}");
    }
}
