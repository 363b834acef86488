//! Settings: the account and its people, the browsers in which the person is signed in, and what developers need.

mod browser;
pub(crate) mod people;
pub(crate) mod redirect_uris;
pub(crate) mod reporting;
pub(crate) mod time_zone;

use crate::client::api::Api;
use crate::client::connections;
use crate::client::redirect_uris::list as list_uris;
use crate::client::session::SignedIn;
use crate::kit::addresses::{SETTINGS, SIGN_OUT};
use crate::kit::plans;
use crate::kit::text::readable;
use crate::pages::layout::{self, Layout};
use askama::Template;
use people::People;
use reporting::ReportingForm;
use secrecy::ExposeSecret;
use shared::domain::{RegisteredUri, Session};
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/settings/settings.html")]
struct SettingsPage<'a> {
    layout: Layout,
    you: String,
    /// The address of the person whose sign-in made the account.
    email: &'a str,
    customer: String,
    plan: &'static str,
    people: People,
    reporting: ReportingForm,
    /// The time, which the page shows in the time zone of the account.
    now: String,
    /// The choices of the time zone.
    uris: Vec<RegisteredUri>,
    /// Why the URIs are not shown.
    uris_refused: Option<String>,
    sessions: Vec<SessionRow>,
    sign_out: &'static str,
}

/// A session in the list.
struct SessionRow {
    /// The browser and its system for people.
    browser: String,
    /// What the browser says of itself.
    user_agent: String,
    created_at: String,
    seen_at: String,
    is_current: bool,
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let SignedIn { account, session, .. } = person;
    let mut layout = Layout::signed_in(request, "People and settings", SETTINGS, person);
    people::lead_to_form(&mut layout);
    // The sessions of all people show when they were last seen.
    let sessions = request.app.store.sessions(person.customer(), None, request.now);
    let api = Api::new(request, person);
    let people = people::read(request, person, &layout);
    let (people, sessions, uris, connections) =
        tokio::join!(people, sessions, list_uris(&api), connections::list(&api));
    let sessions = sessions?;
    let people = people?.with_sessions(&sessions);
    // Without the connections the rates that are set are still shown.
    let connections = connections.unwrap_or_default();
    let reporting = ReportingForm::new(account.reporting.as_ref(), &connections, &layout);
    let (uris, uris_refused) = match uris {
        Ok(uris) => (uris, None),
        Err(refusal) => (Vec::new(), Some(refusal.in_full())),
    };
    Ok(layout::show(
        request,
        &SettingsPage {
            layout,
            you: person.name(),
            email: &account.customer.email,
            customer: account.customer.id.to_string(),
            plan: plans::name(account.customer.plan),
            people,
            reporting,
            now: readable(request.now),
            uris,
            uris_refused,
            sessions: sessions
                .into_iter()
                .filter(|other| other.person == session.person)
                .map(|other| row(other, session))
                .collect(),
            sign_out: SIGN_OUT,
        },
    ))
}

fn row(session: Session, current: &Session) -> SessionRow {
    SessionRow {
        is_current: session.hash == current.hash,
        created_at: readable(session.created_at),
        seen_at: readable(session.seen_at),
        browser: browser::name(&session.browser),
        user_agent: session.browser,
    }
}
