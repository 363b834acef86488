//! Assistants that a person has connected by signing in: who and when, when they were last used, and why they are signed out.

use crate::kit::people::name_of;
use crate::kit::redirect::place_words;
use crate::kit::text::{readable, readable_text};
use jiff::{SignedDuration, Timestamp};
use shared::assistants::clients::RedirectTarget;
use shared::domain::{ApiKeyInfo, Assistant, Person, SignOutReason};
use url::Url;

/// For so long an app that was allowed may just be on its way back.
const ON_ITS_WAY: SignedDuration = SignedDuration::from_mins(10);

/// An assistant, for people.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AssistantView {
    /// The id of its key.
    pub(crate) key: String,
    /// The person who has connected it, and when; `None` for one whose record has ended.
    pub(crate) connected: Option<(String, String)>,
    /// The name of the client, and the host that vouches for it: `Claude, of claude.ai`.
    pub(crate) client: String,
    pub(crate) last_used: String,
    /// Whether a sign-out would end something.
    pub(crate) may_sign_out: bool,
    /// A sentence for a consent whose code the client has not taken yet.
    pub(crate) waits: Option<&'static str>,
    /// The reason why its sign-in has ended.
    pub(crate) ended: Option<String>,
}

impl AssistantView {
    /// The assistant of a key. One whose record has ended by itself was not used.
    pub(crate) fn of(key: &ApiKeyInfo, known: Option<&Assistant>, people: &[Person], now: Timestamp) -> AssistantView {
        let known = known.filter(|one| now < one.expires_at());
        let by = |one: &Assistant| {
            let person = people.iter().find(|person| person.id == one.person).map(name_of);
            person.unwrap_or_else(|| "a person who is not in this account now".to_owned())
        };
        AssistantView {
            key: key.id.0.clone(),
            connected: known.map(|one| (by(one), readable(one.consented_at))),
            client: known.map_or_else(|| key.name.clone(), client),
            last_used: readable_text(known.and_then(|one| one.last_used_at), "never"),
            may_sign_out: known.is_some_and(|one| one.signed_out.is_none()),
            waits: known.and_then(|one| waits(one, now)),
            ended: ended(key, known, people, now),
        }
    }
}

/// Whether the person who has connected it may still do so.
fn is_able(people: &[Person], known: &Assistant) -> bool {
    people.iter().any(|person| person.id == known.person && person.role.may_change())
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

/// The sentence for a consent whose code the client has not taken.
fn waits(known: &Assistant, now: Timestamp) -> Option<&'static str> {
    if known.signed_out.is_some() || known.code.taken_at.is_some() {
        return None;
    }
    if now < known.consented_at + ON_ITS_WAY {
        return Some("Allowed. The app has not come back yet; if it does not, begin there once more.");
    }
    let goes_on = "The app has not come back after the last Allow. Its former sign-in goes on.";
    known.refreshed_at.map(|_| goes_on)
}

fn ended(key: &ApiKeyInfo, known: Option<&Assistant>, people: &[Person], now: Timestamp) -> Option<String> {
    let Some(known) = known else {
        // The record of one that was used lasts as long as its tokens, so its key is older.
        let is_old = key.created_at + Assistant::TOKENS <= now;
        let unused = "It was not used for 90 days, so its sign-in has ended.";
        let never = "The app did not come back after Allow: begin there once more.";
        return Some(if is_old { unused } else { never }.to_owned());
    };
    if let Some(end) = &known.signed_out {
        let why = match end.why {
            SignOutReason::CodeReused => "the code of its sign-in was used twice, so another app may have had it",
            SignOutReason::TokenReused => "an old token of it was used, so another app may have had it",
            SignOutReason::Revoked => "it has signed out itself",
            SignOutReason::ByPerson if is_able(people, known) => "a person has signed it out",
            SignOutReason::ByPerson => "the person who had connected it was removed, or only looks now",
        };
        return Some(format!("Signed out on {}: {why}.", readable(end.at)));
    }
    let is_open = known.is_connected(now) || waits(known, now).is_some();
    (!is_open).then(|| "Its sign-in is not complete: begin in the app once more.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::{ClientKey, Code, KeyDisplay, KeyId, PersonId, Role, Scope, SignOut};

    fn now() -> Timestamp {
        "2026-11-30T12:00:00Z".parse().unwrap()
    }

    fn key() -> ApiKeyInfo {
        let id = KeyId("key_0123456789ab".to_owned());
        let display = KeyDisplay::from("uac_live_0123");
        let new = ApiKeyInfo::unlimited(id, "Claude", "a".repeat(64), display, now());
        ApiKeyInfo { is_of_assistant: true, is_limited: true, ..new }
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
            last_used_at: Some(now()),
            signed_out: None,
            version: 2,
        }
    }

    fn shown(known: Option<&Assistant>) -> AssistantView {
        shown_at(known, now())
    }

    fn shown_at(known: Option<&Assistant>, at: Timestamp) -> AssistantView {
        let ada = Person::new(PersonId("ada".to_owned()), Some("ada@example.com".to_owned()), Role::Owner, now());
        AssistantView::of(&key(), known, &[ada], at)
    }

    #[test]
    fn an_assistant_says_who_has_connected_what() {
        let claude = shown(Some(&assistant("https://claude.ai/client.json", "https://claude.ai/callback")));
        let by = ("ada@example.com".to_owned(), "30 Nov 2026, 12:00 UTC".to_owned());
        assert_eq!((claude.connected, claude.client.as_str()), (Some(by), "Claude, of claude.ai"));
        assert_eq!((claude.last_used.as_str(), claude.may_sign_out), ("30 Nov 2026, 12:00 UTC", true));
        let other = shown(Some(&assistant("dcr.e30", "https://evil.example/callback")));
        assert_eq!(other.client, "Claude, a name that nobody has checked, at evil.example");
    }

    #[test]
    fn an_assistant_that_is_signed_out_says_why() {
        let known = assistant("https://claude.ai/client.json", "https://claude.ai/callback");
        assert_eq!(shown(Some(&known)).ended, None);
        let signed_out = Some(SignOut { at: now(), why: SignOutReason::TokenReused });
        let ended = shown(Some(&Assistant { signed_out, ..known }));
        assert!(ended.ended.unwrap().starts_with("Signed out on 30 Nov 2026, 12:00 UTC: an old token"));
        assert!(!ended.may_sign_out);
        assert!(shown_at(None, now() + Assistant::TOKENS).ended.unwrap().contains("90 days"));
    }

    #[test]
    fn a_sign_out_says_whether_the_person_is_gone() {
        let by_person = Some(SignOut { at: now(), why: SignOutReason::ByPerson });
        let known = Assistant { signed_out: by_person, ..assistant("dcr.e30", "https://claude.ai/callback") };
        assert!(shown(Some(&known)).ended.unwrap().ends_with(": a person has signed it out."));
        let gone = AssistantView::of(&key(), Some(&known), &[], now());
        assert!(gone.ended.unwrap().ends_with("was removed, or only looks now."));
    }

    #[test]
    fn an_app_that_was_just_allowed_is_no_failure() {
        let taken = assistant("https://claude.ai/client.json", "https://claude.ai/callback");
        let open = Assistant { code: Code { taken_at: None, ..taken.code.clone() }, ..taken };
        let at = |minutes, known: &Assistant| shown_at(Some(known), now() + SignedDuration::from_mins(minutes));
        let soon = at(9, &open);
        assert!(soon.waits.unwrap().contains("has not come back yet"), "{soon:?}");
        assert_eq!((soon.ended, soon.may_sign_out), (None, true), "a consent can be taken back");
        assert_eq!(at(10, &open).connected, None, "its record has ended");
        let late = at(10, &open);
        assert!(late.ended.unwrap().contains("did not come back") && !late.may_sign_out);
        let anew = Assistant { refreshed_at: Some(now()), ..open };
        let later = at(60, &anew);
        assert!(later.waits.unwrap().contains("former sign-in goes on") && later.ended.is_none() && later.may_sign_out);
    }
}
