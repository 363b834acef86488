//! The session of a request.

use crate::client::cookie_values::{CookieValues, Owner};
use crate::kit::addresses::{HOME, SIGN_IN};
use crate::kit::people;
use crate::kit::text::path_segment;
use secrecy::SecretString;
use shared::auth::CustomerToken;
use shared::domain::{ChangeId, CustomerId, Person, Role, Session};
use shared::envelope::{Cookie, WebReply};
use shared::error::{Error, Kind};
use shared::serve::{SESSION_COOKIE, WebRequest};
use shared::store::{Account, SignedInPerson};

/// A person who is signed in.
#[derive(Clone)]
pub(crate) struct SignedIn {
    pub(crate) account: Account,
    pub(crate) session: Session,
    /// What the person may do, as of this request.
    pub(crate) role: Role,
    /// The people of the account, oldest first.
    pub(crate) people: Vec<Person>,
    /// The changes that wait for a person, oldest first.
    pub(crate) awaiting: Vec<ChangeId>,
    /// The number of connections that need a person, up to a minute old.
    pub(crate) broken: usize,
    /// What earlier forms have left for this person.
    pub(crate) cookie_values: CookieValues,
}

impl SignedIn {
    pub(crate) fn customer(&self) -> CustomerId {
        self.account.customer.id
    }

    /// Who leaves a value with a reply, and finds it.
    pub(crate) fn owner(&self) -> Owner<'_> {
        owner(self.customer(), &self.session)
    }

    /// Whether the person may change anything of the account (D176).
    pub(crate) fn may_change(&self) -> bool {
        self.role.may_change()
    }

    /// The person's own name, which is not that of the account.
    pub(crate) fn name(&self) -> String {
        people::name(self.session.email.as_deref(), &self.session.person)
    }
}

/// The session of a request, read together with its account; `None` without a valid one.
pub(crate) async fn find(request: &WebRequest) -> Result<Option<SignedIn>, Error> {
    let Some(token) = token(request) else { return Ok(None) };
    let store = &request.app.store;
    let customer = token.customer();
    let now = request.now;
    // All is read together, so that neither the role nor the number in the menu costs a further round trip.
    let hash = token.hash();
    let (found, broken) = tokio::join!(store.signed_in(customer, &hash, now), store.broken_connections(customer, now));
    let Some(SignedInPerson { account, session, role, people }) = found? else { return Ok(None) };
    if account.customer.disabled {
        let message = "This account is disabled. Ask the operator of this service why.";
        return Err(Error::new(Kind::Forbidden, message));
    }
    // A session that another request has just ended must not be revived.
    if session.is_seen_late(now) && !store.touch_session(customer, &session, now).await? {
        return Ok(None);
    }
    // Only limits of keys and of users ask for approval.
    let asks = account.users_ask || account.keys.all().iter().any(|key| key.is_limited);
    let awaiting = if asks { store.awaiting_approval(customer).await? } else { Vec::new() };
    let cookie_values = CookieValues::of(request, owner(customer, &session)).await;
    Ok(Some(SignedIn { account, session, role, people, awaiting, broken: broken?, cookie_values }))
}

fn owner(customer: CustomerId, session: &Session) -> Owner<'_> {
    Owner { customer, session: &session.hash, person: &session.person.0 }
}

/// The well-formed value of the cookie, not yet authenticated.
pub(crate) fn token(request: &WebRequest) -> Option<CustomerToken> {
    CustomerToken::parse(request.cookie(SESSION_COOKIE)?)
}

/// The cookie of a new session.
pub(crate) fn cookie(token: &CustomerToken) -> Cookie {
    let max_age = Session::MAX_AGE.unsigned_abs();
    Cookie { name: SESSION_COOKIE, value: SecretString::from(token.reveal()), max_age }
}

/// Removes the cookie.
pub(crate) fn removed_cookie() -> Cookie {
    Cookie::removed(SESSION_COOKIE)
}

/// Leads a browser without a session to the sign-in, and from there back to the page.
pub(crate) fn sign_in_first(request: &WebRequest) -> WebReply {
    if request.path == HOME {
        return WebReply::see_other(SIGN_IN);
    }
    let page = address(request, &request.path);
    WebReply::see_other(format!("{SIGN_IN}?return_to={}", path_segment(&page)))
}

/// A page with the query of a request.
pub(crate) fn address(request: &WebRequest, page: &str) -> String {
    let query = request.query.iter().map(|(name, value)| format!("{}={}", path_segment(name), path_segment(value)));
    let query = query.collect::<Vec<_>>().join("&");
    if query.is_empty() { page.to_owned() } else { format!("{page}?{query}") }
}
