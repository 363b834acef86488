//! Invitations: a link leads one person to an existing customer. An invitation that was used or withdrawn stays until it
//! expires, so that its form, sent again, does not make its link work again.

use super::item::{PERSON, RoleAttributes};
use crate::domain::{CustomerId, Invitation, Inviter, Person, PersonId, Role, Session};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::transactions::{check_write, put_write, update_write};
use crate::store::{Item, Store, Values, from_item, number, table_keys, text, to_item};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ConditionCheck, TransactWriteItem};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct InvitationItem {
    invitation: String,
    created_at: Timestamp,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
    /// The person who invites; missing for the operator.
    inviter: Option<PersonId>,
    inviter_email: Option<String>,
    /// Missing in records from before viewers existed; such an invitation is one for a member.
    #[serde(flatten)]
    role: RoleAttributes,
    invitee: Option<String>,
    /// It was used or withdrawn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    ended: bool,
}

/// Result of making an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// The invitation is open: made now, or by the same form before.
    Open,
    /// The form has made it before, and it was used or withdrawn since.
    Ended,
    /// There are [`MAX_INVITATIONS`] open ones.
    Full,
    /// The inviter no longer belongs to the customer, or only looks now.
    InviterGone,
}

/// Open invitations of a customer. Two that are made at once may exceed it by one.
pub const MAX_INVITATIONS: usize = 20;

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
    /// Stores an invitation to a customer. For the operator.
    pub async fn put_invitation(&self, customer: CustomerId, invitation: &Invitation) -> Result<(), Error> {
        self.put(invitation_item(customer, invitation)?).await
    }

    /// Stores the invitation of a person, who must belong to the customer and may change it: a removal or another role
    /// at the same moment leaves no way back.
    pub async fn offer_invitation(
        &self,
        customer: CustomerId,
        invitation: &Invitation,
        inviter: &PersonId,
    ) -> Result<Offer, Error> {
        let open = self.invitations(customer, invitation.created_at).await?;
        if open.iter().any(|known| known.hash == invitation.hash) {
            return Ok(Offer::Open);
        }
        if open.len() >= MAX_INVITATIONS {
            return Ok(Offer::Full);
        }
        let put =
            self.put_item(invitation_item(customer, invitation)?).condition_expression("attribute_not_exists(pk)");
        let writes = vec![self.person_check(customer, inviter)?, put_write(put)?];
        Ok(match self.transact(writes).await? {
            failed if failed.is_empty() => Offer::Open,
            failed if failed.contains(&PERSON) => Offer::InviterGone,
            // The same form at the same moment, or the form of an invitation that has ended.
            _ => match self.invitation(customer, &invitation.hash, invitation.created_at).await? {
                Some(_) => Offer::Open,
                None => Offer::Ended,
            },
        })
    }

    /// The condition that a person belongs to the customer and may change it.
    fn person_check(&self, customer: CustomerId, person: &PersonId) -> Result<TransactWriteItem, Error> {
        let belongs = ConditionCheck::builder()
            .table_name(&self.table)
            .set_key(Some(table_keys::person_of(customer, person).attributes()))
            .condition_expression("attribute_exists(pk) AND (attribute_not_exists(only_looks) OR member_role = :owner)")
            .expression_attribute_values(":owner", text(Role::Owner.as_str()));
        check_write(belongs)
    }

    /// An invitation; `None` if it is unknown, used up, withdrawn or expired.
    pub async fn invitation(
        &self,
        customer: CustomerId,
        hash: &str,
        now: Timestamp,
    ) -> Result<Option<Invitation>, Error> {
        let item = self.read(&table_keys::invitation(customer, hash)).await?;
        let invitation = item.map(parse_invitation).transpose()?.flatten();
        Ok(invitation.filter(|invitation| invitation.is_open(now)))
    }

    /// The open invitations to a customer, oldest first.
    pub async fn invitations(&self, customer: CustomerId, now: Timestamp) -> Result<Vec<Invitation>, Error> {
        let items = self.read_prefix(customer, table_keys::INVITATION_PREFIX).await?;
        let invitations = items.into_iter().map(parse_invitation).collect::<Result<Vec<_>, _>>()?;
        let mut invitations: Vec<Invitation> = invitations.into_iter().flatten().collect();
        invitations.retain(|invitation| invitation.is_open(now));
        invitations.sort_by_key(|invitation| invitation.created_at);
        Ok(invitations)
    }

    /// Ends an invitation that no person has accepted. `false` if there is none.
    pub async fn withdraw_invitation(&self, customer: CustomerId, hash: &str, now: Timestamp) -> Result<bool, Error> {
        conditional_update(self.end_invitation(customer, hash, now)).await
    }

    /// Uses up an invitation: gives the person to the customer, and begins a session.
    pub async fn accept_invitation(
        &self,
        hash: &str,
        customer: CustomerId,
        person: &Person,
        session: &Session,
    ) -> Result<Acceptance, Error> {
        let end = self.end_invitation(customer, hash, session.created_at);
        let mut writes = Vec::from(self.new_person_writes(person, customer)?);
        writes.extend([update_write(end)?, self.session_write(customer, session)?]);
        Ok(match self.transact(writes).await? {
            failed if failed.is_empty() => Acceptance::Accepted,
            failed if failed.contains(&PERSON) => Acceptance::PersonKnown,
            _ => Acceptance::InvitationEnded,
        })
    }

    /// Ends an open invitation.
    fn end_invitation(&self, customer: CustomerId, hash: &str, now: Timestamp) -> UpdateItemFluentBuilder {
        self.update_item(&table_keys::invitation(customer, hash))
            .update_expression("SET ended = :ended")
            .condition_expression("expires_at > :now AND attribute_not_exists(ended)")
            .values([(":now", number(now.as_second())), (":ended", AttributeValue::Bool(true))])
    }
}

fn invitation_item(customer: CustomerId, invitation: &Invitation) -> Result<Item, Error> {
    let Invitation { hash, created_at, inviter, role, invitee } = invitation;
    let item = InvitationItem {
        invitation: hash.clone(),
        created_at: *created_at,
        expires_at: invitation.expires_at(),
        inviter: inviter.as_ref().map(|inviter| inviter.id.clone()),
        inviter_email: inviter.as_ref().and_then(|inviter| inviter.email.clone()),
        role: RoleAttributes::of(*role),
        invitee: invitee.clone(),
        ended: false,
    };
    to_item(&table_keys::invitation(customer, hash), &item)
}

/// The invitation of a record; `None` if it was used or withdrawn.
fn parse_invitation(item: Item) -> Result<Option<Invitation>, Error> {
    let InvitationItem { invitation, created_at, expires_at: _, inviter, inviter_email, role, invitee, ended } =
        from_item(item)?;
    let inviter = inviter.map(|id| Inviter { id, email: inviter_email });
    Ok((!ended).then_some(Invitation { hash: invitation, created_at, inviter, role: role.role(), invitee }))
}
