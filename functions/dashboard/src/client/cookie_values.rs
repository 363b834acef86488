//! Carries a value from a form, or from a redirect, to a later page of the same browser: in a cookie of its kind, sealed, for
//! its owner only, limited in size and in time.
//!
//! Pages leave values and find them, and know nothing of cookies: `handle` in `pages/routes.rs` opens what a request
//! brings, and seals what a reply leaves. A value that is not sealed is not sent.

use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use shared::domain::CustomerId;
use shared::envelope::{Cookie, Unsealed, WebReply};
use shared::error::Error;
use shared::secrets::ReloadingVault;
use shared::serve::WebRequest;
use shared::vault::{Binding, VaultError};
use std::time::Duration;
use uuid::Uuid;

/// The longest value, in bytes of JSON. Sealed it has some 3,530 characters, and browsers keep cookies of up to 4096 bytes.
pub(crate) const MAX_BYTES: usize = 2_600;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The outcome of a form, for the next page of its session.
    Notice,
    /// A form that waits for its preview, for its person, also after another sign-in.
    PreviewForm,
    /// A form that came without a session. Nobody knows who sent it, so it is for the people of its customer.
    KeptForm,
    /// What the program of an agents' host asks of a person. It comes before the sign-in, so it has no owner: the page shows
    /// it to the person who then uses this browser.
    Connect,
}

/// Who leaves a value, and who finds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner<'a> {
    pub(crate) customer: CustomerId,
    /// The hash of the session.
    pub(crate) session: &'a str,
    /// The id of the person.
    pub(crate) person: &'a str,
}

/// The values that the cookies of a request bring to their owner.
#[derive(Clone, Debug, Default)]
pub(crate) struct CookieValues(Vec<(Kind, OpenedValue)>);

/// The JSON of a value, and its expiry in Unix seconds.
#[derive(Clone, Debug)]
struct OpenedValue {
    ends_at: i64,
    json: SecretString,
}

impl Owner<'_> {
    /// All people of a customer.
    pub(crate) fn all_of(customer: CustomerId) -> Owner<'static> {
        Owner { customer, session: "", person: "" }
    }

    /// The person who uses the browser, before any sign-in.
    pub(crate) fn unknown() -> Owner<'static> {
        Owner::all_of(CustomerId(Uuid::nil()))
    }
}

impl CookieValues {
    /// Opens the values of a request. Ignores a value that was altered, or that belongs to another owner.
    pub(crate) async fn of(request: &WebRequest, owner: Owner<'_>) -> CookieValues {
        let mut cookie_values = Vec::new();
        let Ok(vault) = request.app.vault() else { return CookieValues::default() };
        for kind in Kind::ALL {
            if let Some(cookie) = request.cookie(kind.name())
                && let Some(opened) = kind.open(vault, owner, cookie).await
            {
                cookie_values.push((kind, opened));
            }
        }
        CookieValues(cookie_values)
    }

    /// The value of a kind, if its time has not passed.
    pub(crate) fn find<T: DeserializeOwned>(&self, kind: Kind, now: Timestamp) -> Option<T> {
        let (_, OpenedValue { ends_at, json }) = self.0.iter().find(|(known, _)| *known == kind)?;
        if now.as_second() >= *ends_at {
            return None;
        }
        serde_json::from_str(json.expose_secret()).ok()
    }
}

/// A reply with a cookie for each value that it leaves.
///
/// A value that cannot be sealed is an error: the person sends the form again, instead of losing a secret that is shown
/// once.
pub(crate) async fn seal(request: &WebRequest, owner: Owner<'_>, mut reply: WebReply) -> Result<WebReply, Error> {
    for value in reply.take_unsealed() {
        reply = reply.with_cookie(cookie(request, owner, value).await?);
    }
    Ok(reply)
}

async fn cookie(request: &WebRequest, owner: Owner<'_>, value: Unsealed) -> Result<Cookie, Error> {
    let Unsealed { name, value: json } = value;
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
    let kind = kind.ok_or_else(|| Error::internal(format!("no kind of value has the cookie {name}")))?;
    let ends_at = request.app.clock.now().as_second().saturating_add_unsigned(kind.time().as_secs());
    kind.seal(request.app.vault()?, owner, OpenedValue { ends_at, json }).await.map_err(Error::internal)
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Notice, Kind::PreviewForm, Kind::KeptForm, Kind::Connect];

    /// A value to leave with a reply; `None` if it is too long.
    pub(crate) fn value(self, value: &impl Serialize) -> Option<Unsealed> {
        let json = serde_json::to_string(value).ok()?;
        (json.len() <= MAX_BYTES).then(|| Unsealed { name: self.name(), value: json.into() })
    }

    /// Leaves a value with a reply, unless it is too long.
    pub(crate) fn leave(self, reply: WebReply, value: &impl Serialize) -> WebReply {
        match self.value(value) {
            Some(value) => reply.with_unsealed(value),
            None => reply,
        }
    }

    /// Whether a request brings one, valid or not.
    pub(crate) fn is_waiting(self, request: &WebRequest) -> bool {
        request.cookie(self.name()).is_some_and(|cookie| !cookie.is_empty())
    }

    /// Removes it from the browser.
    pub(crate) fn removal_cookie(self) -> Cookie {
        Cookie::removed(self.name())
    }

    /// The name of the cookie.
    fn name(self) -> &'static str {
        match self {
            Kind::Notice => "__Host-notice",
            Kind::PreviewForm => "__Host-draft",
            Kind::KeptForm => "__Host-form",
            Kind::Connect => "__Host-connect",
        }
    }

    /// The time for which it waits.
    fn time(self) -> Duration {
        match self {
            Kind::Notice => Duration::from_secs(60),
            Kind::PreviewForm | Kind::KeptForm | Kind::Connect => Duration::from_secs(15 * 60),
        }
    }

    /// Whose it is, beside the customer's.
    fn record(self, owner: Owner<'_>) -> &str {
        match self {
            Kind::Notice => owner.session,
            Kind::PreviewForm => owner.person,
            Kind::KeptForm | Kind::Connect => "",
        }
    }

    /// The customer whose it is; the value of a browser is of none.
    fn customer(self, owner: Owner<'_>) -> String {
        match self {
            Kind::Notice | Kind::PreviewForm | Kind::KeptForm => owner.customer.to_string(),
            Kind::Connect => String::new(),
        }
    }

    async fn seal(self, vault: &ReloadingVault, owner: Owner<'_>, value: OpenedValue) -> Result<Cookie, VaultError> {
        let customer = self.customer(owner);
        let binding = Binding { customer: &customer, record: self.record(owner), field: self.name() };
        let text = SecretString::from(format!("{} {}", value.ends_at, value.json.expose_secret()));
        let value = vault.seal(binding, &text).await?.into();
        Ok(Cookie { name: self.name(), value, max_age: self.time() })
    }

    async fn open(self, vault: &ReloadingVault, owner: Owner<'_>, cookie: &str) -> Option<OpenedValue> {
        let customer = self.customer(owner);
        let binding = Binding { customer: &customer, record: self.record(owner), field: self.name() };
        let text = vault.open(binding, cookie).await.ok()?;
        let (ends_at, json) = text.expose_secret().split_once(' ')?;
        Some(OpenedValue { ends_at: ends_at.parse().ok()?, json: json.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::vault::KeyRing;

    const ADA: Owner<'_> = Owner { customer: CustomerId(Uuid::from_u128(1)), session: "s1", person: "p1" };
    const NOW: i64 = 1_790_000_000;

    fn vault() -> ReloadingVault {
        let ring = format!(r#"{{"active":"k1","keys":{{"k1":"{}="}}}}"#, "A".repeat(43));
        ReloadingVault::fixed(&serde_json::from_str::<KeyRing>(&ring).unwrap()).unwrap()
    }

    async fn sealed(kind: Kind, value: &str) -> Cookie {
        let Unsealed { name, value: json } = kind.value(&value).unwrap();
        let ends_at = NOW + i64::try_from(kind.time().as_secs()).unwrap();
        let cookie = kind.seal(&vault(), ADA, OpenedValue { ends_at, json }).await.unwrap();
        assert_eq!((cookie.name, cookie.max_age), (name, kind.time()));
        cookie
    }

    /// What an owner finds at a time.
    async fn found(kind: Kind, owner: Owner<'_>, cookie: &str, now: i64) -> Option<String> {
        let opened = kind.open(&vault(), owner, cookie).await;
        let cookie_values = CookieValues(opened.into_iter().map(|opened| (kind, opened)).collect());
        cookie_values.find(kind, Timestamp::from_second(now).unwrap())
    }

    #[tokio::test]
    async fn a_value_is_for_its_owner() {
        for kind in Kind::ALL {
            let cookie = sealed(kind, "Frühling 1").await.value;
            let cookie = cookie.expose_secret();
            assert!(!cookie.contains("ling") && cookie.starts_with("v1."), "{cookie}");
            for (customer, session, person) in [(1, "s1", "p1"), (1, "s2", "p1"), (1, "s2", "p2"), (2, "s1", "p1")] {
                let owner = Owner { customer: CustomerId(Uuid::from_u128(customer)), session, person };
                let is_own = match kind {
                    Kind::Notice => (customer, session) == (1, "s1"),
                    Kind::PreviewForm => (customer, person) == (1, "p1"),
                    Kind::KeptForm => customer == 1,
                    Kind::Connect => true,
                };
                let expected = is_own.then_some("Frühling 1");
                assert_eq!(found(kind, owner, cookie, NOW).await.as_deref(), expected, "{kind:?} {owner:?}");
            }
            for other in Kind::ALL.into_iter().filter(|other| *other != kind) {
                assert_eq!(found(other, ADA, cookie, NOW).await, None, "{kind:?} as {other:?}");
            }
        }
    }

    #[tokio::test]
    async fn a_value_ends_with_its_time() {
        for (kind, last) in Kind::ALL.map(|kind| (kind, if kind == Kind::Notice { 59 } else { 899 })) {
            let cookie = sealed(kind, "a").await.value;
            assert!(found(kind, ADA, cookie.expose_secret(), NOW + last).await.is_some(), "{kind:?}");
            assert_eq!(found(kind, ADA, cookie.expose_secret(), NOW + last + 1).await, None, "{kind:?}");
        }
    }

    #[tokio::test]
    async fn an_altered_value_is_nothing() {
        let cookie = sealed(Kind::PreviewForm, "a").await.value;
        let cookie = cookie.expose_secret();
        for at in 0..cookie.len() {
            let other = if cookie.as_bytes()[at] == b'A' { "B" } else { "A" };
            let altered = format!("{}{other}{}", &cookie[..at], &cookie[at + 1..]);
            assert_eq!(found(Kind::PreviewForm, ADA, &altered, NOW).await, None, "character {at}");
        }
        for altered in ["", "?", "e30", &format!("{cookie}x"), &cookie[1..]] {
            assert_eq!(found(Kind::PreviewForm, ADA, altered, NOW).await, None, "{altered}");
        }
    }

    #[tokio::test]
    async fn a_browser_keeps_the_longest_value() {
        let longest = "a".repeat(MAX_BYTES - 2);
        for kind in Kind::ALL {
            let Cookie { name, value, .. } = sealed(kind, &longest).await;
            assert!(name.len() + value.expose_secret().len() < 4_000);
            assert!(kind.value(&format!("{longest}a")).is_none());
        }
    }
}
