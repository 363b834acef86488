//! Registered redirect URIs. A transaction keeps their count in step.

use super::transactions::{delete_write, put_write, update_write};
use super::{Item, Store, Values, from_item, number, table_keys, to_item};
use crate::domain::{CustomerId, MAX_REDIRECT_URIS, RedirectUri, RedirectUriId, RegisteredUri};
use crate::error::Error;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Result of a registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registration {
    /// The URI is registered now.
    Registered,
    /// The URI was registered before.
    Duplicate,
    /// The customer has [`MAX_REDIRECT_URIS`] already.
    LimitReached,
}

#[derive(Serialize, Deserialize)]
struct RedirectUriItem {
    uri: String,
    created_at: Timestamp,
}

/// Indices of the writes in a transaction.
const URI: usize = 0;
const COUNT: usize = 1;

impl Store {
    /// Registers a URI. The limit is exact under concurrency.
    pub async fn register_redirect_uri(
        &self,
        customer: CustomerId,
        registered: &RegisteredUri,
    ) -> Result<Registration, Error> {
        let RegisteredUri { uri, created_at } = registered;
        let item = RedirectUriItem { uri: uri.as_str().to_owned(), created_at: *created_at };
        let item = to_item(&table_keys::redirect_uri(customer, &uri.id()), &item)?;
        let put = self.put_item(item).condition_expression("attribute_not_exists(pk)");
        let count = self
            .count(customer, 1)
            .condition_expression("attribute_not_exists(uris) OR uris < :max")
            .value(":max", number(MAX_REDIRECT_URIS));
        let failed = self.transact(vec![put_write(put)?, update_write(count)?]).await?;
        // A duplicate is reported even at the limit.
        Ok(match failed {
            failed if failed.contains(&URI) => Registration::Duplicate,
            failed if failed.contains(&COUNT) => Registration::LimitReached,
            _ => Registration::Registered,
        })
    }

    /// Removes a URI. `false` if there is none with this id.
    pub async fn remove_redirect_uri(&self, customer: CustomerId, id: &RedirectUriId) -> Result<bool, Error> {
        let delete =
            self.delete_item(&table_keys::redirect_uri(customer, id)).condition_expression("attribute_exists(pk)");
        let failed = self.transact(vec![delete_write(delete)?, update_write(self.count(customer, -1))?]).await?;
        Ok(failed.is_empty())
    }

    /// Reads the URIs of a customer, newest first.
    pub async fn redirect_uris(&self, customer: CustomerId) -> Result<Vec<RegisteredUri>, Error> {
        let items = self.read_prefix(customer, table_keys::REDIRECT_URI_PREFIX).await?;
        let mut uris = items.into_iter().map(parse_registered).collect::<Result<Vec<_>, _>>()?;
        uris.sort_by(|a, b| (b.created_at, b.uri.as_str()).cmp(&(a.created_at, a.uri.as_str())));
        Ok(uris)
    }

    fn count(&self, customer: CustomerId, change: i64) -> UpdateItemFluentBuilder {
        self.update_item(&table_keys::redirect_uri_count(customer))
            .update_expression("ADD uris :change")
            .value(":change", number(change))
    }
}

fn parse_registered(item: Item) -> Result<RegisteredUri, Error> {
    let RedirectUriItem { uri, created_at } = from_item(item)?;
    Ok(RegisteredUri { uri: RedirectUri::parse(&uri).map_err(Error::internal)?, created_at })
}
