//! People who sign in, and the invitations that lead them to an existing customer.

use super::accounts::account_item;
use super::transactions::{delete_write, put_write};
use super::{Account, Store, from_item, number, store_error, table_keys, to_item};
use crate::domain::{Customer, CustomerId, PersonId, Session};
use crate::error::Error;
use aws_sdk_dynamodb::types::builders::PutBuilder;
use aws_sdk_dynamodb::types::{Delete, Put, TransactWriteItem};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Lifetime of an invitation.
pub const INVITATION_TTL: SignedDuration = SignedDuration::from_hours(24);

#[derive(Serialize, Deserialize)]
struct PersonItem {
    customer_id: Uuid,
    created_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct InvitationItem {
    customer_id: Uuid,
    /// Seconds since 1970.
    expires_at: i64,
}

/// Result of accepting an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// The person belongs to the customer now, and the invitation is used up.
    Accepted,
    /// The person belongs to a customer already. The invitation remains.
    PersonKnown,
    /// The invitation is used up or has expired.
    InvitationEnded,
}

/// The index of the person's write in each transaction.
const PERSON: usize = 0;

impl Store {
    /// The customer of a person; `None` before the first sign-in.
    pub async fn customer_of(&self, person: &PersonId) -> Result<Option<CustomerId>, Error> {
        let Some(item) = self.read(&table_keys::person(person)).await? else { return Ok(None) };
        let PersonItem { customer_id, created_at: _ } = from_item(item)?;
        Ok(Some(CustomerId(customer_id)))
    }

    /// Stores a new customer, its first person and the person's session, or nothing. `false` if the person has a
    /// customer already: of several first sign-ins at the same time one makes the customer.
    pub async fn create_customer_of(
        &self,
        person: &PersonId,
        account: &Account,
        session: &Session,
    ) -> Result<bool, Error> {
        let session_put = put_write(self.session_put(account.customer.id, session)?)?;
        let writes = self.owned_account_writes(person, account)?.into_iter().chain([session_put]).collect();
        Ok(self.transact(writes).await?.is_empty())
    }

    /// Stores a new customer and gives it to a person, or nothing. `false` if the person has a customer already.
    pub async fn create_owned_account(&self, person: &PersonId, account: &Account) -> Result<bool, Error> {
        let writes = self.owned_account_writes(person, account)?.into();
        match self.transact(writes).await? {
            failed if failed.is_empty() => Ok(true),
            failed if failed.contains(&PERSON) => Ok(false),
            _ => Err(Error::internal("a new customer has the id of an old one")),
        }
    }

    /// Gives a person to a customer, whatever customer the person had before. For the operator and the local service.
    pub async fn link_person(&self, person: &PersonId, customer: CustomerId, now: Timestamp) -> Result<(), Error> {
        let item = PersonItem { customer_id: customer.0, created_at: now };
        let item = to_item(&table_keys::person(person), &item)?;
        self.client.put_item().table_name(&self.table).set_item(Some(item)).send().await.map_err(store_error)?;
        Ok(())
    }

    /// Stores an invitation to a customer.
    pub async fn put_invitation(&self, hash: &str, customer: CustomerId, now: Timestamp) -> Result<(), Error> {
        let item = InvitationItem { customer_id: customer.0, expires_at: (now + INVITATION_TTL).as_second() };
        let item = to_item(&table_keys::invitation(hash), &item)?;
        self.client.put_item().table_name(&self.table).set_item(Some(item)).send().await.map_err(store_error)?;
        Ok(())
    }

    /// The customer that an invitation leads to; `None` if it is unknown, used up or expired.
    pub async fn invitation(&self, hash: &str, now: Timestamp) -> Result<Option<CustomerId>, Error> {
        let Some(item) = self.read(&table_keys::invitation(hash)).await? else { return Ok(None) };
        let InvitationItem { customer_id, expires_at } = from_item(item)?;
        Ok((expires_at > now.as_second()).then_some(CustomerId(customer_id)))
    }

    /// Uses up an invitation: gives the person to the customer, and begins a session.
    pub async fn accept_invitation(
        &self,
        hash: &str,
        customer: CustomerId,
        person: &PersonId,
        session: &Session,
    ) -> Result<Acceptance, Error> {
        let delete = Delete::builder()
            .table_name(&self.table)
            .set_key(Some(table_keys::invitation(hash).attributes()))
            .condition_expression("expires_at > :now")
            .expression_attribute_values(":now", number(session.created_at.as_second()));
        let writes = vec![
            put_write(self.person_put(person, customer, session.created_at)?.condition_expression(NEW))?,
            delete_write(delete)?,
            put_write(self.session_put(customer, session)?)?,
        ];
        Ok(match self.transact(writes).await? {
            failed if failed.is_empty() => Acceptance::Accepted,
            failed if failed.contains(&PERSON) => Acceptance::PersonKnown,
            _ => Acceptance::InvitationEnded,
        })
    }

    /// A new person with a new account.
    fn owned_account_writes(&self, person: &PersonId, account: &Account) -> Result<[TransactWriteItem; 2], Error> {
        let Customer { id, created_at, .. } = account.customer;
        let account_put = Put::builder().table_name(&self.table).set_item(Some(account_item(account)?));
        Ok([
            put_write(self.person_put(person, id, created_at)?.condition_expression(NEW))?,
            put_write(account_put.condition_expression(NEW))?,
        ])
    }

    fn person_put(&self, person: &PersonId, customer: CustomerId, now: Timestamp) -> Result<PutBuilder, Error> {
        let item = PersonItem { customer_id: customer.0, created_at: now };
        Ok(Put::builder().table_name(&self.table).set_item(Some(to_item(&table_keys::person(person), &item)?)))
    }
}

/// The record must not exist yet.
const NEW: &str = "attribute_not_exists(pk)";
