//! The commands for the people of a customer and for invitations.

use super::Failure;
use super::output::{count, ensure_found, json_list};
use super::target::Target;
use crate::customers::into_cause;
use serde_json::json;
use shared::assistants::sign_out_of_person;
use shared::auth::CustomerToken;
use shared::clock::Clock;
use shared::domain::{CustomerId, Invitation, Person, PersonId, Role, Session};
use shared::routes::DASHBOARD;

/// Lists the people, with the number of their sessions.
pub(super) async fn list(target: &Target, customer: CustomerId, json: bool) -> Result<String, Failure> {
    let store = &target.store;
    let now = Clock::system().now();
    ensure_customer(target, customer).await?;
    let people = store.people(customer).await.map_err(into_cause)?;
    if people.is_empty() && !json {
        return Ok(format!("No people. `invite --customer {customer}` prints a link with which one joins.\n"));
    }
    let sessions = store.sessions(customer, None, now).await.map_err(into_cause)?;
    let open = |person: &Person| sessions.iter().filter(|session| session.person == person.id).count();
    if json {
        return Ok(json_list(people.iter().map(|person| {
            json!({ "id": person.id.0, "joined_at": person.joined_at.to_string(), "role": person.role.as_str(),
                "sessions": open(person), "email": person.email })
        })));
    }
    let line = |person: &Person| {
        let open = count(open(person), "session");
        let role = person.role.as_str();
        format!("{}  {:.0}  {role:<6}  {open:<11}  {}\n", person.id.0, person.joined_at, address(person))
    };
    Ok(people.iter().map(line).collect())
}

/// Takes a person from a customer, ends the person's sessions, and signs out the assistants that the person has connected.
pub(super) async fn remove(target: &Target, customer: CustomerId, id: &PersonId) -> Result<String, Failure> {
    let store = &target.store;
    let now = Clock::system().now();
    ensure_customer(target, customer).await?;
    let people = store.people(customer).await.map_err(into_cause)?;
    let is_removed = store.remove_person(customer, id).await.map_err(into_cause)?;
    // Also for a person who was removed before: that command may have ended in between.
    let sessions = store.end_sessions(customer, Some(id), now).await.map_err(into_cause)?;
    let assistants = sign_out_of_person(store, customer, id, now).await.map_err(into_cause)?;
    let ended = match assistants {
        0 => count(sessions.len(), "session"),
        _ => format!("{} and the sign-in of {}", count(sessions.len(), "session"), count(assistants, "assistant")),
    };
    if !is_removed {
        let known = format!("list-people --customer {customer} shows those that it has");
        return Err(format!("the customer {customer} has no person {}; {known}; ended {ended}", id.0).into());
    }
    let removed = people.iter().find(|person| person.id == *id).map_or("no e-mail address", address);
    let mut output = format!(
        "Removed {} ({removed}) from {customer}, and ended {ended}.\nAt the next sign-in the person gets a customer of \
         their own, unless an invitation leads back here. API keys that the person knows still work: \
         `rotate-key --customer {customer}` replaces them.\n",
        id.0
    );
    if people.len() <= 1 {
        output.push_str(&format!(
            "That was the last person: keys, connections and campaigns stay, and `invite --customer {customer}` opens \
             the dashboard to another one.\n"
        ));
    }
    Ok(output)
}

/// Ends the sessions of all people, or of one.
pub(super) async fn end_sessions(
    target: &Target,
    customer: CustomerId,
    person: Option<&PersonId>,
) -> Result<String, Failure> {
    ensure_customer(target, customer).await?;
    let ended = target.store.end_sessions(customer, person, Clock::system().now()).await.map_err(into_cause)?;
    let line = |session: &Session| {
        format!(
            "{}  signed in {:.0}, last request {:.0}, {}\n",
            session.person.0, session.created_at, session.seen_at, session.browser
        )
    };
    let lines: String = ended.iter().map(line).collect();
    Ok(format!(
        "Ended {} of {customer}. Its people may sign in again; remove-person keeps one out.\n{lines}",
        count(ended.len(), "session")
    ))
}

/// Makes an invitation.
pub(super) async fn invite(target: &Target, customer: CustomerId, url: &str) -> Result<String, Failure> {
    ensure_customer(target, customer).await?;
    let token = CustomerToken::generate(customer).map_err(into_cause)?;
    let (hash, created_at) = (token.hash(), Clock::system().now());
    let invitation = Invitation { hash, created_at, inviter: None, role: Role::Member, invitee: None };
    target.store.put_invitation(customer, &invitation).await.map_err(into_cause)?;
    let hours = Invitation::TTL.as_hours();
    Ok(format!(
        "{url}{DASHBOARD}/sign-in?invitation={}\nThe link works once, for {hours} hours. `withdraw-invitation --customer \
         {customer} --invitation {}` ends it before.\n",
        token.reveal(),
        invitation.hash
    ))
}

/// Lists the open invitations.
pub(super) async fn list_invitations(target: &Target, customer: CustomerId, json: bool) -> Result<String, Failure> {
    ensure_customer(target, customer).await?;
    let invitations = target.store.invitations(customer, Clock::system().now()).await.map_err(into_cause)?;
    if json {
        return Ok(json_list(invitations.iter().map(|invitation| {
            json!({ "id": invitation.hash, "created_at": invitation.created_at.to_string(),
                "ends_at": invitation.expires_at().to_string(), "role": invitation.role.as_str(),
                "for": invitation.invitee,
                "by": invitation.inviter.as_ref().map(|by| by.email.as_deref().unwrap_or(&by.id.0)) })
        })));
    }
    if invitations.is_empty() {
        return Ok("No open invitations.\n".to_owned());
    }
    let line = |invitation: &Invitation| {
        let by = invitation.inviter.as_ref().map_or("the operator", |by| by.email.as_deref().unwrap_or(&by.id.0));
        let Invitation { hash, created_at, .. } = invitation;
        format!("{hash}  made {created_at:.0} by {by}, ends {:.0}\n", invitation.expires_at())
    };
    Ok(invitations.iter().map(line).collect())
}

/// Ends an open invitation.
pub(super) async fn withdraw_invitation(target: &Target, customer: CustomerId, hash: &str) -> Result<String, Failure> {
    ensure_customer(target, customer).await?;
    let withdrawn = target.store.withdraw_invitation(customer, hash, Clock::system().now()).await;
    if !withdrawn.map_err(into_cause)? {
        let known = format!("list-invitations --customer {customer} shows those that it has");
        return Err(format!("the customer {customer} has no open invitation {hash}; {known}").into());
    }
    Ok("Withdrew the invitation. A person who accepted it before stays: list-people shows them.\n".to_owned())
}

fn address(person: &Person) -> &str {
    person.email.as_deref().unwrap_or("no e-mail address")
}

async fn ensure_customer(target: &Target, customer: CustomerId) -> Result<(), Failure> {
    let account = target.store.account(customer, Clock::system().now()).await.map_err(into_cause)?;
    ensure_found(account.is_some(), customer)
}
