//! Assistants that people have connected, one record beside each key of one.

use crate::domain::{Assistant, ClientKey, Code, CustomerId, KeyId, PersonId, Scope, SignOut};
use crate::error::Error;
use crate::store::account::parse_account;
use crate::store::conditional::conditional_put;
use crate::store::{Account, Item, Store, Values, from_item, number, table_keys, text, to_item};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct AssistantItem {
    key: KeyId,
    client: ClientKey,
    client_name: String,
    redirect_uri: String,
    person: PersonId,
    scope: String,
    consented_at: Timestamp,
    code: Code,
    generation: u64,
    refreshed_at: Option<Timestamp>,
    signed_out: Option<SignOut>,
    version: u64,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

impl Store {
    /// The assistants of a customer, also those that were signed out, in the order of their keys.
    pub async fn assistants(&self, customer: CustomerId) -> Result<Vec<Assistant>, Error> {
        let items = self.read_prefix(customer, table_keys::ASSISTANT_PREFIX).await?;
        items.into_iter().map(parse_assistant).collect()
    }

    /// The account of a customer and the assistant of a key, in one round trip. `None` for what does not exist.
    pub async fn account_and_assistant(
        &self,
        customer: CustomerId,
        key: &KeyId,
        now: Timestamp,
    ) -> Result<(Option<Account>, Option<Assistant>), Error> {
        let (account_key, own_key) = (table_keys::account(customer), table_keys::assistant(customer, key));
        let (mut account, mut assistant) = (None, None);
        for item in self.batch_read(&[account_key.clone(), own_key]).await? {
            if item.get(table_keys::SORT) == Some(&text(&account_key.sk)) {
                account = Some(parse_account(item, now)?);
            } else {
                assistant = Some(parse_assistant(item)?);
            }
        }
        Ok((account, assistant))
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

    /// Deletes the record of an assistant, with its key.
    pub async fn delete_assistant(&self, customer: CustomerId, key: &KeyId) -> Result<(), Error> {
        self.delete(&table_keys::assistant(customer, key)).await
    }
}

fn assistant_item(customer: CustomerId, assistant: &Assistant) -> Result<Item, Error> {
    let item = AssistantItem {
        key: assistant.key.clone(),
        client: assistant.client.clone(),
        client_name: assistant.client_name.clone(),
        redirect_uri: assistant.redirect_uri.clone(),
        person: assistant.person.clone(),
        scope: assistant.scope.to_string(),
        consented_at: assistant.consented_at,
        code: assistant.code.clone(),
        generation: assistant.generation,
        refreshed_at: assistant.refreshed_at,
        signed_out: assistant.signed_out.clone(),
        version: assistant.version,
        expires_at: assistant.expires_at(),
    };
    to_item(&table_keys::assistant(customer, &assistant.key), &item)
}

fn parse_assistant(item: Item) -> Result<Assistant, Error> {
    let item: AssistantItem = from_item(item)?;
    let scope = Scope::parse(&item.scope).ok_or_else(|| Error::internal("an assistant has an unknown scope"))?;
    Ok(Assistant {
        key: item.key,
        client: item.client,
        client_name: item.client_name,
        redirect_uri: item.redirect_uri,
        person: item.person,
        scope,
        consented_at: item.consented_at,
        code: item.code,
        generation: item.generation,
        refreshed_at: item.refreshed_at,
        signed_out: item.signed_out,
        version: item.version,
    })
}

#[cfg(test)]
#[test]
fn an_assistant_is_stored_as_ever_and_read_as_it_was() {
    use crate::domain::SignOutReason;
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
        signed_out: None,
        version: 1,
    };
    let all = Assistant {
        scope: Scope::Campaigns,
        code: Code { taken_at: Some(now), ..least.code.clone() },
        generation: 7,
        refreshed_at: Some(now),
        signed_out: Some(SignOut { at: now, why: SignOutReason::TokenReused }),
        ..least.clone()
    };
    let customer = CustomerId(uuid::Uuid::nil());
    let items = [all.clone(), least.clone()].map(|assistant| assistant_item(customer, &assistant).unwrap());
    crate::store::stored::assert_stored("assistant", items.clone());
    assert_eq!(items.map(|item| parse_assistant(item).unwrap()), [all, least]);
}
