//! The invitation in the address of the sign-in page.

use crate::kit::people::{role_meaning, with_role};
use shared::auth::CustomerToken;
use shared::domain::Customer;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;
use shared::store::InvitedTo;

/// The account that invites. Only a person with the link sees it.
pub(crate) struct InvitingAccount {
    /// E-mail address of the account's owner; empty if it is not known.
    pub(crate) email: String,
    /// The customer's id.
    pub(crate) customer: String,
    /// As what the person joins: `a member`.
    pub(crate) role: &'static str,
    /// What it does: `sees every page, and changes nothing`.
    pub(crate) meaning: &'static str,
}

/// The invitation that a link names.
pub(crate) fn parse(token: &str) -> Result<InvitedTo, Error> {
    let token = CustomerToken::parse(token).ok_or_else(ended)?;
    Ok(InvitedTo { customer: token.customer().0, hash: token.hash() })
}

/// The account of an open invitation.
pub(crate) async fn account(request: &WebRequest, token: &str) -> Result<InvitingAccount, Error> {
    let token = CustomerToken::parse(token).ok_or_else(ended)?;
    let store = &request.app.store;
    let now = request.now;
    let invitation = store.invitation(token.customer(), &token.hash(), now).await?.ok_or_else(ended)?;
    let account = store.account(token.customer(), now).await?.ok_or_else(ended)?;
    let Customer { id, email, .. } = account.customer;
    let (role, meaning) = (with_role(invitation.role), role_meaning(invitation.role));
    Ok(InvitingAccount { email, customer: id.to_string(), role, meaning })
}

/// The error for an invitation that leads nowhere.
pub(crate) fn ended() -> Error {
    let message =
        "This invitation was used, was withdrawn, or is older than a day. Ask the person who sent it for a new one.";
    Error::new(Kind::Conflict, message)
}
