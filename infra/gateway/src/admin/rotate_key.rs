//! `gateway admin rotate-key`: ends what a stolen key or session could still use, and lists what it may have made.

use super::Failure;
use super::output::{KEY_SHOWN_ONCE, count, ensure_found};
use super::target::Target;
use crate::customers::into_cause;
use crate::demo;
use shared::auth::ApiKey;
use shared::clock::Clock;
use shared::domain::{Connection, CustomerId};
use shared::error::Error;

/// Connections and redirect URIs that the output names, the newest ones.
const MAX_NAMED: usize = 10;

/// Replaces all keys, and ends sessions and unfinished authorizations.
pub(super) async fn rotate_key(target: &Target, customer: CustomerId) -> Result<String, Failure> {
    let store = &target.store;
    let now = Clock::system().now();
    let key = ApiKey::generate(customer, target.mode).map_err(into_cause)?;
    // Before the keys: a request of a session that has read the new keys could make another one.
    let sessions = store.end_sessions(customer, None, now).await.map_err(into_cause)?;
    let ended = store.reset_keys(customer, &key.hash(), key.display(), now).await.map_err(into_cause)?;
    ensure_found(ended.is_some(), customer)?;
    let names: Vec<String> = ended.iter().flat_map(|keys| keys.all()).map(|key| key.name.clone()).collect();
    let mut output = format!("customer  {customer}\nkey       {}\n{KEY_SHOWN_ONCE}", key.reveal());
    // A failure from here on is only a note: the old keys no longer work, so the new one must be printed.
    match target.folder().map(|folder| demo::replace_key(folder, &key)) {
        Some(Ok(true)) => output.push_str("It was stored as the demo customer's key.\n"),
        Some(Err(error)) => output.push_str(&format!("The demo customer's key file could not be checked: {error}\n")),
        Some(Ok(false)) | None => {}
    }
    let listed = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    let keys = count(names.len(), "API key");
    let sessions = count(sessions.len(), "session");
    output.push_str(&format!("ended     {keys}{listed}, {sessions} of the dashboard\n"));
    match remaining(target, customer).await {
        Ok(text) => output.push_str(&text),
        Err(error) => output.push_str(&format!(
            "Unfinished authorizations were not ended ({}): run this command again.\n",
            into_cause(error)
        )),
    }
    Ok(output)
}

/// Ends unfinished authorizations, and lists what stays: all of it may be the customer's own.
async fn remaining(target: &Target, customer: CustomerId) -> Result<String, Error> {
    let store = &target.store;
    let now = Clock::system().now();
    let connections = store.customer_connections(customer, now).await?.connections;
    let (pending, mut connected): (Vec<_>, Vec<_>) = connections.into_iter().partition(|one| one.account.is_none());
    for unfinished in &pending {
        store.delete_pending(customer, &unfinished.id).await?;
    }
    let assistants = delete_assistants(target, customer).await?;
    connected.sort_by_key(|connection| std::cmp::Reverse(connection.created_at));
    let uris = store.redirect_uris(customer).await?;
    let endpoints = store.webhook_endpoints(customer).await?;
    let people = store.people(customer).await?;
    let invitations = store.invitations(customer, now).await?;
    let kept = [
        count(connected.len(), "connection"),
        count(uris.len(), "redirect URI"),
        count(endpoints.len(), "webhook endpoint"),
        if people.len() == 1 { "1 person".to_owned() } else { format!("{} people", people.len()) },
        count(invitations.len(), "open invitation"),
    ];
    let unfinished = count(pending.len(), "unfinished authorization");
    let assistants = if assistants == 0 { String::new() } else { format!(", {}", count(assistants, "assistant")) };
    let mut text = format!("ended     {unfinished}{assistants}\nkept      {}\n", kept.join(", "));
    text.extend(connected.iter().take(MAX_NAMED).map(connection_line));
    text.extend(
        uris.iter().take(MAX_NAMED).map(|uri| format!("          {:.0}  {}\n", uri.created_at, uri.uri.as_str())),
    );
    text.extend(
        endpoints.iter().map(|endpoint| {
            format!("          {:.0}  {}, {}\n", endpoint.created_at, endpoint.url.as_str(), endpoint.id)
        }),
    );
    text.push_str(
        "Ask the customer whether all of that is theirs. With the new key they remove connections, redirect URIs and \
         webhook endpoints, whose secrets they rotate; remove-person and withdraw-invitation end the others.\n",
    );
    Ok(text)
}

/// Deletes what is known of assistants whose keys have ended, and with them every token. Returns their number.
async fn delete_assistants(target: &Target, customer: CustomerId) -> Result<usize, Error> {
    let store = &target.store;
    let Some(account) = store.account(customer, Clock::system().now()).await? else { return Ok(0) };
    let mut ended = store.assistants(customer).await?;
    ended.retain(|assistant| account.keys.all().iter().all(|key| key.id != assistant.key));
    for assistant in &ended {
        store.delete_assistant(customer, &assistant.key).await?;
    }
    Ok(ended.len())
}

fn connection_line(connection: &Connection) -> String {
    let at = connection.created_at;
    let platform = connection.platform;
    let account = connection.account_id();
    format!("          {at:.0}  {platform} {account}, {}\n", connection.id.0)
}
