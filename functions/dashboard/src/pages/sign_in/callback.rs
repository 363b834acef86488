//! The end of a sign-in: the issuer redirects the browser here with a code.

use super::{Binding, browser_secret, invitation, issuer};
use crate::client::cookie_values::Owner;
use crate::client::session::{self, SignedIn};
use crate::pages::{kept_form, layout};
use secrecy::SecretString;
use shared::auth::CustomerToken;
use shared::domain::{Customer, CustomerId, Person, Plan, Role, Session, sha256_hex};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::{Error, Kind};
use shared::identity::{BrowserSecret, Identity, Issuer};
use shared::serve::WebRequest;
use shared::store::{Acceptance, Account, InvitedTo, SignIn};
use uuid::Uuid;

/// Completes a sign-in.
pub(crate) async fn callback(request: &WebRequest) -> Result<WebReply, Error> {
    let issuer = issuer(&request.app)?;
    issuer.admit(request.source, request.now)?;
    let Some((state, secret, sign_in)) = take_sign_in(request, issuer).await? else {
        // The button "back" leads here after a sign-in.
        if let Some(SignedIn { .. }) = session::find(request).await? {
            return Ok(WebReply::see_other(crate::kit::addresses::HOME));
        }
        return Err(ended());
    };
    let query = &request.query;
    if value(query, "code").is_none() && value(query, "error") == Some("access_denied") {
        let canceled = Error::new(Kind::Validation, "You canceled the sign-in. Nothing has changed.");
        return Ok(layout::canceled_page(&canceled, request.request_id));
    }
    let code = code(request)?;
    let binding = Binding::new(request, &secret, state, sign_in.must_be_recent)?;
    let identity = issuer.authenticate(&code, &binding.request(), request.now).await?;
    let token = begin_session(request, &sign_in, &identity).await?;
    end_old_session(request).await;
    let owner = Owner { customer: token.customer(), session: &token.hash(), person: &identity.person.0 };
    Ok(kept_form::lead_to(request, owner, &sign_in.return_to).await?.with_cookie(session::cookie(&token)))
}

/// Takes the sign-in that the redirect names, if this browser began it.
async fn take_sign_in(
    request: &WebRequest,
    issuer: &Issuer,
) -> Result<Option<(SecretString, BrowserSecret, SignIn)>, Error> {
    let query = &request.query;
    let is_repeated =
        query.iter().enumerate().any(|(at, (name, _))| query[..at].iter().any(|(known, _)| known == name));
    // RFC 9207: the response of another issuer must not reach this one's token endpoint.
    let is_foreign = value(query, "iss").is_some_and(|iss| iss != issuer.id());
    if is_repeated || is_foreign {
        return Err(Error::new(
            Kind::Validation,
            "The sign-in service sent a response that is not valid. Sign in again.",
        ));
    }
    let (Some(state), Some(secret)) = (value(query, "state"), browser_secret(request)) else { return Ok(None) };
    let taken = request.app.store.take_sign_in(&sha256_hex(state), &secret.hash(), request.now).await?;
    Ok(taken.map(|sign_in| (state.into(), secret, sign_in)))
}

/// The code of the redirect, or the issuer's refusal (RFC 6749, section 4.1.2.1).
fn code(request: &WebRequest) -> Result<SecretString, Error> {
    if let Some(code) = value(&request.query, "code") {
        return Ok(code.into());
    }
    Err(Error::new(Kind::Validation, "The sign-in service could not sign you in. Try again in a minute."))
}

/// Begins a session of the person. At the first sign-in it makes the customer, or accepts the invitation.
async fn begin_session(request: &WebRequest, sign_in: &SignIn, identity: &Identity) -> Result<CustomerToken, Error> {
    let store = &request.app.store;
    let person = &identity.person;
    let known = store.customer_of(person).await?;
    if let Some(invitation) = &sign_in.invitation {
        return accept(request, invitation, identity, known).await;
    }
    if let Some(customer) = known {
        return begin(request, customer, identity).await;
    }
    let account = new_account(request, identity);
    let (token, session) = new_session(request, account.customer.id, identity)?;
    if store.create_customer_for_person(&new_person(request, identity, Role::Owner), &account, &session).await? {
        return Ok(token);
    }
    // Another tab was faster.
    let customer = store.customer_of(person).await?.ok_or_else(|| Error::internal("a person without a customer"))?;
    begin(request, customer, identity).await
}

async fn accept(
    request: &WebRequest,
    InvitedTo { customer, hash }: &InvitedTo,
    identity: &Identity,
    known: Option<CustomerId>,
) -> Result<CustomerToken, Error> {
    let store = &request.app.store;
    let customer = CustomerId(*customer);
    let invited = store.invitation(customer, hash, request.now).await?.ok_or_else(invitation::ended)?;
    if known == Some(customer) {
        return begin(request, customer, identity).await;
    }
    let (token, session) = new_session(request, customer, identity)?;
    let person = new_person(request, identity, invited.role);
    match store.accept_invitation(hash, customer, &person, &session).await? {
        Acceptance::Accepted => Ok(token),
        Acceptance::InvitationEnded => Err(invitation::ended()),
        Acceptance::PersonKnown => Err(Error::new(
            Kind::Conflict,
            "You belong to another account already, so the invitation was not used. Accept it with another sign-in, or \
             leave that account first, under People and settings. The only owner of an account cannot leave it: the \
             operator of this service can move you.",
        )),
    }
}

async fn begin(request: &WebRequest, customer: CustomerId, identity: &Identity) -> Result<CustomerToken, Error> {
    let (token, session) = new_session(request, customer, identity)?;
    if request.app.store.begin_session(customer, &session).await? {
        return Ok(token);
    }
    let message = "You were just removed from the account. Sign in again to go on with an account of your own.";
    Err(Error::new(Kind::Conflict, message))
}

/// A session with a token of its own. A token that the browser brings is never taken over.
fn new_session(
    request: &WebRequest,
    customer: CustomerId,
    identity: &Identity,
) -> Result<(CustomerToken, Session), Error> {
    let token = CustomerToken::generate(customer)?;
    let (person, email) = (identity.person.clone(), identity.email.clone());
    let authenticated_at = identity.authenticated_at;
    let session = Session::new(token.hash(), person, email, authenticated_at, request.browser(), request.now);
    Ok((token, session))
}

fn new_person(request: &WebRequest, identity: &Identity, role: Role) -> Person {
    Person::new(identity.person.clone(), identity.email.clone(), role, request.now)
}

fn new_account(request: &WebRequest, identity: &Identity) -> Account {
    Account::without_key(Customer {
        id: CustomerId(Uuid::new_v4()),
        email: identity.email.clone().unwrap_or_default(),
        plan: Plan::Starter,
        created_at: request.now,
        disabled: false,
    })
}

/// Ends the session that the browser had before. Without this it would end by itself.
async fn end_old_session(request: &WebRequest) {
    let Some(token) = session::token(request) else { return };
    if let Err(error) = request.app.store.delete_session(token.customer(), &token.hash()).await {
        let request_id = request.request_id;
        tracing::warn!(%request_id, %error, source = error.source, "an earlier session was not ended");
    }
}

fn ended() -> Error {
    let message = "This sign-in has ended: it was begun in another browser, was completed, or took longer than ten \
                   minutes. Sign in again.";
    Error::new(Kind::Validation, message)
}
