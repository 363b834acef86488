//! Assistants that people have connected, one record beside each key of one.

use crate::domain::{ApiKeys, Assistant, CustomerId, KeyId};
use crate::error::Error;
use crate::recent_map::RecentMap;
use crate::store::conditional::{conditional_put, conditional_update};
use crate::store::{Account, Item, Store, USE_INTERVAL, Values, from_item, number, table_keys, text, to_item};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};

/// The uses of assistants that this process has stored.
pub(super) type AssistantUses = RecentMap<(CustomerId, KeyId), Timestamp, 1_000>;

#[derive(Serialize, Deserialize)]
struct AssistantItem {
    #[serde(flatten)]
    assistant: Assistant,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

impl Store {
    /// The assistants of a customer, also those that were signed out, in the order of their keys.
    pub async fn assistants(&self, customer: CustomerId) -> Result<Vec<Assistant>, Error> {
        let items = self.read_prefix(customer, table_keys::ASSISTANT_PREFIX).await?;
        items.into_iter().map(parse_assistant).collect()
    }

    /// The assistants with these keys. Without a key of one there is none to read.
    pub async fn assistants_of(&self, customer: CustomerId, keys: &ApiKeys) -> Result<Vec<Assistant>, Error> {
        if keys.all().iter().any(|key| key.is_of_assistant) { self.assistants(customer).await } else { Ok(Vec::new()) }
    }

    /// The assistant of a key, with a consistent read.
    pub async fn assistant(&self, customer: CustomerId, key: &KeyId) -> Result<Option<Assistant>, Error> {
        self.read(&table_keys::assistant(customer, key)).await?.map(parse_assistant).transpose()
    }

    /// The account of a customer and the assistant of a key, in one round trip. `None` for what does not exist.
    pub async fn account_and_assistant(
        &self,
        customer: CustomerId,
        key: &KeyId,
        now: Timestamp,
    ) -> Result<(Option<Account>, Option<Assistant>), Error> {
        let (account, item) = self.account_and(customer, table_keys::assistant(customer, key), now).await?;
        Ok((account, item.map(parse_assistant).transpose()?))
    }

    /// Stores an assistant if its record is still the one that was seen, or is still missing. `false` otherwise.
    pub async fn put_assistant(
        &self,
        customer: CustomerId,
        seen: Option<&Assistant>,
        next: &Assistant,
    ) -> Result<bool, Error> {
        let version = seen.map_or(0, |seen| seen.version);
        let put = self.put_item(assistant_item(customer, &Assistant { version: version + 1, ..next.clone() })?);
        let put = match seen {
            None => put.condition_expression("attribute_not_exists(pk)"),
            Some(_) => put
                .condition_expression("version = :seen")
                .values([(":seen", number(i64::try_from(version).map_err(Error::internal)?))]),
        };
        conditional_put(put).await
    }

    /// Stores the last use of an assistant, unless this process has done so within a minute. It is for people who look: a
    /// failure fails no request.
    pub(super) async fn note_assistant_use(&self, customer: CustomerId, key: &KeyId, now: Timestamp) {
        let known = self.assistant_uses.get(&(customer, key.clone()));
        if known.is_some_and(|at| at.duration_until(now) < USE_INTERVAL) {
            return;
        }
        self.assistant_uses.insert((customer, key.clone()), now);
        let update = self
            .update_item(&table_keys::assistant(customer, key))
            .update_expression("SET last_used_at = :now")
            .condition_expression("attribute_exists(pk)")
            .value(":now", text(now.to_string()));
        if let Err(error) = conditional_update(update).await {
            tracing::warn!(%key, %error, source = error.source, "the last use of an assistant was not stored");
        }
    }

    /// Deletes the record of an assistant, with its key.
    pub async fn delete_assistant(&self, customer: CustomerId, key: &KeyId) -> Result<(), Error> {
        self.delete(&table_keys::assistant(customer, key)).await
    }
}

fn assistant_item(customer: CustomerId, assistant: &Assistant) -> Result<Item, Error> {
    let item = AssistantItem { assistant: assistant.clone(), expires_at: assistant.expires_at() };
    to_item(&table_keys::assistant(customer, &assistant.key), &item)
}

fn parse_assistant(item: Item) -> Result<Assistant, Error> {
    from_item(item).map(|AssistantItem { assistant, .. }| assistant)
}

#[cfg(test)]
#[test]
fn an_assistant_is_stored_as_ever_and_read_as_it_was() {
    use crate::domain::{ClientKey, Code, PersonId, Scope, SignOut, SignOutReason};
    let now = Timestamp::constant(1_790_000_000, 0);
    let least = Assistant {
        key: KeyId("key_0123456789ab".to_owned()),
        client: ClientKey("https://claude.ai/client.json".to_owned()),
        client_name: "Claude".to_owned(),
        redirect_uri: "https://claude.ai/api/mcp/auth_callback".to_owned(),
        person: PersonId("ab12".to_owned()),
        scope: Scope::Read,
        consented_at: now,
        code: Code { id: "code".to_owned(), challenge: "challenge".to_owned(), taken_at: None },
        generation: 0,
        refreshed_at: None,
        last_used_at: None,
        signed_out: None,
        version: 1,
    };
    let all = Assistant {
        scope: Scope::Campaigns,
        code: Code { taken_at: Some(now), ..least.code.clone() },
        generation: 7,
        refreshed_at: Some(now),
        last_used_at: Some(now),
        signed_out: Some(SignOut { at: now, why: SignOutReason::TokenReused }),
        ..least.clone()
    };
    let customer = CustomerId(uuid::Uuid::nil());
    let items = [all.clone(), least.clone()].map(|assistant| assistant_item(customer, &assistant).unwrap());
    crate::store::stored::assert_stored("assistant", items.clone());
    assert_eq!(items.map(|item| parse_assistant(item).unwrap()), [all, least]);
}
