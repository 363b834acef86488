//! The demo customer of the local gateway. Its key is kept in `demo-key`, so that a restart prints the same one.

use crate::customers::{explain, open_account};
use crate::data;
use crate::error::StartError;
use shared::auth::{ApiKey, Mode};
use shared::clock::Clock;
use shared::domain::{CustomerId, Plan};
use shared::store::Store;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// The demo customer's address.
pub(crate) const EMAIL: &str = "demo@example.com";

/// The demo customer's key; the customer is made if absent.
///
/// The file is written before the account: a crash between the two leaves a key without an account, and the next
/// start opens that account.
pub(crate) async fn key(store: &Store, folder: Option<&Path>) -> Result<ApiKey, StartError> {
    let unavailable = |error| StartError::Service(explain(error));
    let key = match folder {
        Some(folder) => kept(folder)?,
        None => None,
    };
    let key = match key {
        Some(key) => key,
        None => {
            let key = generate()?;
            folder.map_or(Ok(()), |folder| keep(folder, &key))?;
            key
        }
    };
    match store.account(key.customer(), Clock::system().now()).await.map_err(unavailable)? {
        None => open_account(store, EMAIL, Plan::Enterprise, &key).await.map_err(unavailable)?,
        Some(account) if !account.key_matches(&key.hash()) => tracing::warn!(
            "the demo customer's key was rotated, so the one on file is no longer valid; \
             `gateway admin rotate-key --customer {}` makes a new one and keeps it",
            key.customer()
        ),
        Some(account) if account.customer.disabled => tracing::warn!("the demo customer is disabled"),
        Some(_) => {}
    }
    Ok(key)
}

/// The demo customer's key of a folder that another gateway runs on: read, and never made.
pub(crate) async fn shared_key(store: &Store, folder: &Path) -> Result<ApiKey, StartError> {
    let refused = |reason| StartError::not_joined(folder, reason);
    let key = kept(folder)?.ok_or_else(|| refused("its demo customer has no key"))?;
    match store.account(key.customer(), Clock::system().now()).await {
        Ok(Some(_)) => Ok(key),
        // After a kill the port may be anybody's, even another gateway's.
        Ok(None) => Err(refused("what answers in place of its engine does not know its demo customer")),
        Err(error) => Err(StartError::Service(explain(error))),
    }
}

/// Keeps a new key of a customer, if that is the demo customer of this folder.
pub(crate) fn renew(folder: &Path, key: &ApiKey) -> Result<bool, StartError> {
    let is_demo = kept(folder)?.is_some_and(|old| old.customer() == key.customer());
    if is_demo {
        keep(folder, key)?;
    }
    Ok(is_demo)
}

fn generate() -> Result<ApiKey, StartError> {
    ApiKey::generate(CustomerId(Uuid::new_v4()), Mode::Test).map_err(|error| StartError::Service(explain(error)))
}

fn kept(folder: &Path) -> Result<Option<ApiKey>, StartError> {
    let path = file(folder);
    let Some(text) = data::read(&path)? else { return Ok(None) };
    let reason = "does not hold an API key: delete it to get a new demo customer";
    ApiKey::parse(text.trim()).map(Some).ok_or(StartError::Content { path, reason: reason.to_owned() })
}

fn keep(folder: &Path, key: &ApiKey) -> Result<(), StartError> {
    data::write(&file(folder), &format!("{}\n", key.reveal()))
}

fn file(folder: &Path) -> PathBuf {
    folder.join("demo-key")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_demo_customers_key_is_renewed() {
        let folder = tempfile::tempdir().unwrap();
        let demo = generate().unwrap();
        assert!(!renew(folder.path(), &demo).unwrap());
        keep(folder.path(), &demo).unwrap();
        assert!(!renew(folder.path(), &generate().unwrap()).unwrap());
        assert_eq!(kept(folder.path()).unwrap().unwrap().hash(), demo.hash());
        let rotated = ApiKey::generate(demo.customer(), Mode::Test).unwrap();
        assert!(renew(folder.path(), &rotated).unwrap());
        assert_eq!(kept(folder.path()).unwrap().unwrap().hash(), rotated.hash());
    }

    #[test]
    fn a_file_without_a_key_is_named_and_not_quoted() {
        let folder = tempfile::tempdir().unwrap();
        data::write(&file(folder.path()), "uac_test_almost").unwrap();
        let error = kept(folder.path()).unwrap_err().to_string();
        assert!(error.contains("demo-key") && !error.contains("almost"), "{error}");
    }
}
