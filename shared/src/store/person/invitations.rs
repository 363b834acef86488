//! Invitations: the link of an operator leads one person to an existing customer.

use super::item::PERSON;
use crate::domain::{CustomerId, Invitation, Person, Session};
use crate::error::Error;
use crate::store::conditional::conditional_delete;
use crate::store::transactions::delete_write;
use crate::store::{Item, Store, Values, from_item, number, table_keys, to_item};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct InvitationItem {
    invitation: String,
    created_at: Timestamp,
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
    /// The invitation is used up, was withdrawn, or has expired.
    InvitationEnded,
}

impl Store {
    /// Stores an invitation to a customer.
    pub async fn put_invitation(&self, customer: CustomerId, invitation: &Invitation) -> Result<(), Error> {
        let item = InvitationItem {
            invitation: invitation.hash.clone(),
            created_at: invitation.created_at,
            expires_at: invitation.expires_at().as_second(),
        };
        let item = to_item(&table_keys::invitation(customer, &invitation.hash), &item)?;
        self.put(item).await
    }

    /// An invitation; `None` if it is unknown, used up, withdrawn or expired.
    pub async fn invitation(
        &self,
        customer: CustomerId,
        hash: &str,
        now: Timestamp,
    ) -> Result<Option<Invitation>, Error> {
        let item = self.read(&table_keys::invitation(customer, hash)).await?;
        let invitation = item.map(parse_invitation).transpose()?;
        Ok(invitation.filter(|invitation| invitation.is_open(now)))
    }

    /// The open invitations to a customer, oldest first.
    pub async fn invitations(&self, customer: CustomerId, now: Timestamp) -> Result<Vec<Invitation>, Error> {
        let items = self.read_prefix(customer, table_keys::INVITATION_PREFIX).await?;
        let mut invitations = items.into_iter().map(parse_invitation).collect::<Result<Vec<_>, _>>()?;
        invitations.retain(|invitation| invitation.is_open(now));
        invitations.sort_by_key(|invitation| invitation.created_at);
        Ok(invitations)
    }

    /// Ends an invitation that no person has accepted. `false` if there is none.
    pub async fn withdraw_invitation(&self, customer: CustomerId, hash: &str, now: Timestamp) -> Result<bool, Error> {
        let delete = self
            .delete_item(&table_keys::invitation(customer, hash))
            .condition_expression(OPEN)
            .value(":now", number(now.as_second()));
        Ok(conditional_delete(delete).await?.is_some())
    }

    /// Uses up an invitation: gives the person to the customer, and begins a session.
    pub async fn accept_invitation(
        &self,
        hash: &str,
        customer: CustomerId,
        person: &Person,
        session: &Session,
    ) -> Result<Acceptance, Error> {
        let delete = self
            .delete_item(&table_keys::invitation(customer, hash))
            .condition_expression(OPEN)
            .value(":now", number(session.created_at.as_second()));
        let mut writes = Vec::from(self.new_person_writes(person, customer)?);
        writes.extend([delete_write(delete)?, self.session_write(customer, session)?]);
        Ok(match self.transact(writes).await? {
            failed if failed.is_empty() => Acceptance::Accepted,
            failed if failed.contains(&PERSON) => Acceptance::PersonKnown,
            _ => Acceptance::InvitationEnded,
        })
    }
}

/// The record is there and has not expired.
const OPEN: &str = "expires_at > :now";

fn parse_invitation(item: Item) -> Result<Invitation, Error> {
    let InvitationItem { invitation, created_at, expires_at: _ } = from_item(item)?;
    Ok(Invitation { hash: invitation, created_at })
}
