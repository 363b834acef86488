//! Agents that a person has connected by signing in: who, when they were last used, and why they are signed out.

use crate::client::assistants;
use crate::client::session::SignedIn;
use crate::kit::people::name_of;
use crate::kit::redirect::place_words;
use crate::kit::text::{readable, readable_text};
use jiff::Timestamp;
use shared::assistants::clients::RedirectTarget;
use shared::domain::{ApiKeyInfo, Assistant, KeyId, Person, SignOutReason};
use shared::error::Error;
use shared::serve::WebRequest;
use std::collections::HashMap;
use url::Url;

/// An assistant in the list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AssistantView {
    /// The id of its key.
    pub(super) key: String,
    /// The person who has connected it.
    pub(super) person: String,
    /// What it calls itself, and who says so: `Claude, of claude.ai`.
    pub(super) client: String,
    pub(super) last_used: String,
    /// Whether it may sign in with what it has.
    pub(super) is_connected: bool,
    /// What has ended its sign-in.
    pub(super) ended: Option<String>,
}

/// The assistants of the account, by their keys.
pub(super) async fn views(request: &WebRequest, person: &SignedIn) -> Result<HashMap<KeyId, AssistantView>, Error> {
    let (keys, assistants) = (person.account.keys.all(), assistants::all(request, person).await?);
    let view = |key: &ApiKeyInfo| {
        let known = assistants.iter().find(|one| one.key == key.id);
        (key.id.clone(), view(key, known, &person.people, request.now))
    };
    Ok(keys.iter().filter(|key| key.is_of_assistant).map(view).collect())
}

/// An assistant whose record has ended by itself is one that was not used.
fn view(key: &ApiKeyInfo, known: Option<&Assistant>, people: &[Person], now: Timestamp) -> AssistantView {
    let person = known.and_then(|one| people.iter().find(|person| person.id == one.person)).map(name_of);
    AssistantView {
        key: key.id.0.clone(),
        person: person.unwrap_or_else(|| "somebody who is not known any more".to_owned()),
        client: known.map_or_else(|| key.name.clone(), client),
        last_used: readable_text(known.and_then(|one| one.last_used_at), "never"),
        is_connected: known.is_some_and(|one| one.is_connected(now)),
        ended: ended(known, now),
    }
}

fn client(assistant: &Assistant) -> String {
    let name = &assistant.client_name;
    let host = Url::parse(&assistant.client.0).ok().and_then(|url| url.host_str().map(str::to_owned));
    match host.filter(|_| !assistant.client.is_registration()) {
        Some(host) => format!("{name}, of {host}"),
        None => {
            let place = RedirectTarget::of(&assistant.redirect_uri).as_ref().map(place_words).unwrap_or_default();
            format!("{name}, a name that nobody has checked, at {place}")
        }
    }
}

fn ended(known: Option<&Assistant>, now: Timestamp) -> Option<String> {
    let Some(known) = known else { return Some("It was not used for 90 days, so its sign-in has ended.".to_owned()) };
    if let Some(end) = &known.signed_out {
        let why = match end.why {
            SignOutReason::CodeReused => "the code of its sign-in was used twice, so somebody else may have had it",
            SignOutReason::TokenReused => "an old token of it was used, so somebody else may have had it",
            SignOutReason::Revoked => "it has signed out itself",
            SignOutReason::ByPerson => "a person has signed it out, or who had connected it was removed",
        };
        return Some(format!("Signed out on {}: {why}.", readable(end.at)));
    }
    (!known.is_connected(now)).then(|| "Its sign-in is not complete: begin in the app once more.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::{ClientKey, Code, KeyDisplay, PersonId, Role, Scope, SignOut};

    fn now() -> Timestamp {
        "2026-11-30T12:00:00Z".parse().unwrap()
    }

    fn key() -> ApiKeyInfo {
        let id = KeyId("key_0123456789ab".to_owned());
        let display = KeyDisplay::from("uac_live_0123");
        let new = ApiKeyInfo::unlimited(id, "Claude", "a".repeat(64), display, now());
        ApiKeyInfo { is_of_assistant: true, is_limited: true, last_used_at: Some(now()), ..new }
    }

    fn assistant(client: &str, redirect_uri: &str) -> Assistant {
        Assistant {
            key: key().id,
            client: ClientKey::of(client),
            client_name: "Claude".to_owned(),
            redirect_uri: redirect_uri.to_owned(),
            person: PersonId("ada".to_owned()),
            scope: Scope::Campaigns,
            consented_at: now(),
            code: Code { id: "c".to_owned(), challenge: "d".to_owned(), taken_at: Some(now()) },
            generation: 1,
            refreshed_at: None,
            last_used_at: None,
            signed_out: None,
            version: 2,
        }
    }

    fn shown(known: Option<&Assistant>) -> AssistantView {
        let ada = Person::new(PersonId("ada".to_owned()), Some("ada@example.com".to_owned()), Role::Owner, now());
        view(&key(), known, &[ada], now())
    }

    #[test]
    fn an_assistant_says_who_has_connected_what() {
        let claude = shown(Some(&assistant("https://claude.ai/client.json", "https://claude.ai/callback")));
        assert_eq!((claude.person.as_str(), claude.client.as_str()), ("ada@example.com", "Claude, of claude.ai"));
        assert_eq!((claude.last_used.as_str(), claude.is_connected), ("30 Nov 2026, 12:00 UTC", true));
        let other = shown(Some(&assistant("dcr.e30", "https://evil.example/callback")));
        assert_eq!(other.client, "Claude, a name that nobody has checked, at evil.example");
    }

    #[test]
    fn an_assistant_that_is_signed_out_says_why() {
        let known = assistant("https://claude.ai/client.json", "https://claude.ai/callback");
        assert_eq!(shown(Some(&known)).ended, None);
        let open = Assistant { code: Code { taken_at: None, ..known.code.clone() }, ..known.clone() };
        assert!(shown(Some(&open)).ended.unwrap().contains("not complete"));
        let signed_out = Some(SignOut { at: now(), why: SignOutReason::TokenReused });
        let ended = shown(Some(&Assistant { signed_out, ..known }));
        assert!(ended.ended.unwrap().starts_with("Signed out on 30 Nov 2026, 12:00 UTC: an old token"));
        assert!(!ended.is_connected);
        assert!(shown(None).ended.unwrap().contains("90 days"));
    }
}
