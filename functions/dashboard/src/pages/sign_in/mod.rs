//! The start of a sign-in: a page with one button, and the redirect to the issuer.

mod asking;
pub(crate) mod callback;
mod invitation;
mod return_to;
pub(crate) mod sign_out;

use crate::client::session;
use crate::kit::addresses::{AGENT_LIMIT, AGENTS, APPROVAL, APPROVALS, CALLBACK, HOME, KEY, USER, USER_LIMIT};
use crate::pages::kept_form;
use crate::pages::layout::{self, Layout};
use askama::Template;
use asking::AskingApp;
use invitation::InvitingAccount;
use jiff::SignedDuration;
use secrecy::{ExposeSecret, SecretString};
use shared::app::App;
use shared::domain::{Plan, Platform, Session, sha256_hex};
use shared::envelope::query::value;
use shared::envelope::{Cookie, WebReply};
use shared::error::{Error, Kind};
use shared::identity::{BrowserSecret, Issuer, SignInRequest};
use shared::serve::WebRequest;
use shared::store::SignIn;
use shared::vault::random_token;
use std::time::Duration;

/// The cookie of a sign-in in progress.
const COOKIE: &str = "__Host-sign-in";
/// The time for which a browser keeps it: that of a sign-in in progress.
const COOKIE_TIME: Duration = Duration::from_secs(10 * 60);

#[derive(Template)]
#[template(path = "pages/sign_in/sign_in.html")]
struct SignInPage {
    layout: Layout,
    inviting: Option<InvitingAccount>,
    again: Option<Again>,
    /// The app on which the person decides afterwards.
    asking: Option<AskingApp>,
    /// When sessions end, if that of the browser has ended.
    ended: Option<String>,
    /// Where people sign in: `login.example.com`.
    issuer: String,
    platforms: [&'static str; 6],
    /// The ad accounts of the plan of a new account; `None` for any number.
    connections: Option<usize>,
}

/// Why a person who has a session signs in again.
struct Again {
    /// Whether what they do then may spend money.
    spends: bool,
    /// Whether what they meant waits for them.
    is_kept: bool,
}

impl Again {
    fn of(return_to: &str, is_kept: bool) -> Again {
        let (page, _) = return_to.split_once('?').unwrap_or((return_to, ""));
        let spends = [HOME, APPROVALS, APPROVAL, AGENTS, AGENT_LIMIT, KEY, USER, USER_LIMIT].contains(&page);
        Again { spends, is_kept }
    }
}

impl SignInPage {
    fn new(inviting: Option<InvitingAccount>, again: Option<Again>, has_ended: bool, origin: &str) -> SignInPage {
        SignInPage {
            layout: Layout::signed_out("Sign in"),
            inviting,
            again,
            asking: None,
            ended: has_ended.then(ended),
            issuer: origin.split_once("://").map_or(origin, |(_, host)| host).to_owned(),
            platforms: Platform::ALL.map(Platform::display_name),
            connections: Plan::Starter.limits().connections,
        }
    }
}

/// Why sessions end, as far as a page without one can know it.
fn ended() -> String {
    let (idle, days) = (Session::MAX_IDLE.as_hours(), Session::MAX_AGE.as_hours() / 24);
    format!("That is so after {idle} hours without activity, after {days} days, and when you sign out everywhere.")
}

/// The choices in the address of the page. The form keeps them, because it is posted to the same address.
struct Choices<'a> {
    return_to: &'a str,
    invitation: Option<&'a str>,
    /// The person must sign in again, whatever session there is.
    is_again: bool,
}

impl Choices<'_> {
    fn read(request: &WebRequest) -> Choices<'_> {
        Choices {
            return_to: return_to::parse(value(&request.query, "return_to")),
            invitation: value(&request.query, "invitation"),
            is_again: value(&request.query, "again") == Some("yes"),
        }
    }
}

/// Shows the page. A person who is signed in goes on to the page of their choice.
pub(crate) async fn show(request: &WebRequest) -> Result<WebReply, Error> {
    let choices = Choices::read(request);
    let needs_sign_in = choices.is_again || choices.invitation.is_some();
    if !needs_sign_in && let Some(person) = session::find(request).await? {
        return kept_form::lead_to(request, person.owner(), choices.return_to).await;
    }
    let issuer = issuer(&request.app)?;
    let inviting = match choices.invitation {
        Some(token) => Some(invitation::account(request, token).await?),
        None => None,
    };
    let origin = issuer.origin().await?;
    let again = choices.is_again.then(|| Again::of(choices.return_to, kept_form::is_waiting(request)));
    // A sign-out takes the cookie away, so a browser that has one had a session that has ended.
    let has_ended = session::token(request).is_some();
    let asking = AskingApp::find(request, choices.return_to).await;
    let page = SignInPage { asking, ..SignInPage::new(inviting, again, has_ended, &origin) };
    Ok(layout::page_with_targets(&page, vec![origin]))
}

/// Begins a sign-in at the issuer.
pub(crate) async fn start(request: &WebRequest) -> Result<WebReply, Error> {
    let choices = Choices::read(request);
    let issuer = issuer(&request.app)?;
    issuer.admit(request.source, request.now)?;
    let state = random_token().map_err(Error::internal)?;
    // Tabs of one browser share the secret, so that each can complete its own sign-in.
    let secret = browser_secret(request).map_or_else(BrowserSecret::generate, Ok).map_err(Error::internal)?;
    let sign_in = SignIn {
        browser: secret.hash(),
        return_to: choices.return_to.to_owned(),
        invitation: choices.invitation.map(invitation::parse).transpose()?,
        must_be_recent: choices.is_again,
    };
    let binding = Binding::new(request, &secret, state, choices.is_again)?;
    let address = issuer.authorize_url(&binding.request()).await?;
    request.app.store.put_sign_in(&sha256_hex(binding.state.expose_secret()), sign_in, request.now).await?;
    let value = SecretString::from(secret.reveal());
    Ok(WebReply::see_other(address).with_cookie(Cookie { name: COOKIE, value, max_age: COOKIE_TIME }))
}

/// The values of one sign-in. They derive from the browser's secret and the state.
pub(crate) struct Binding {
    redirect_uri: String,
    state: SecretString,
    nonce: SecretString,
    verifier: SecretString,
    max_age: Option<SignedDuration>,
}

impl Binding {
    pub(crate) fn new(
        request: &WebRequest,
        secret: &BrowserSecret,
        state: SecretString,
        must_be_recent: bool,
    ) -> Result<Binding, Error> {
        Ok(Binding {
            redirect_uri: request.public_url(CALLBACK)?,
            nonce: secret.nonce(&state),
            verifier: secret.verifier(&state),
            max_age: must_be_recent.then_some(Session::MAX_RECENT),
            state,
        })
    }

    pub(crate) fn request(&self) -> SignInRequest<'_> {
        SignInRequest {
            redirect_uri: &self.redirect_uri,
            state: &self.state,
            nonce: &self.nonce,
            verifier: &self.verifier,
            max_age: self.max_age,
        }
    }
}

/// The secret of a browser that began a sign-in.
pub(crate) fn browser_secret(request: &WebRequest) -> Option<BrowserSecret> {
    BrowserSecret::parse(request.cookie(COOKIE)?)
}

/// The issuer, if the operator has configured one.
pub(crate) fn issuer(app: &App) -> Result<&Issuer, Error> {
    let message = "The operator of this service has not set up the dashboard. The API works without it.";
    app.issuer.as_ref().ok_or_else(|| Error::new(Kind::NotSupported, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::assistants::clients::{Client, ClientSource};

    fn page(again: Option<Again>) -> String {
        SignInPage::new(None, again, false, "https://login.example.com").render().unwrap()
    }

    #[test]
    fn a_first_visit_says_what_it_is_what_comes_next_and_what_it_costs() {
        let page = page(None);
        for platform in Platform::ALL {
            assert!(page.contains(&format!(">{}</li>", platform.display_name())), "{platform}: {page}");
        }
        for words in
            ["You sign in at <bdi>login.example.com</bdi>", "Connect an ad account", "it is free, for up to 3 ad"]
        {
            assert!(page.contains(words), "{words}: {page}");
        }
        assert_eq!(page.matches("<form").count(), 1, "one way in");
    }

    #[test]
    fn a_sign_in_for_an_app_names_it_as_what_it_calls_itself() {
        let uri = "https://a.example/cb";
        let client = |source| Client {
            id: "dcr.e30".to_owned(),
            name: "<b>Planner".to_owned(),
            redirect_uris: vec![uri.to_owned()],
            source,
        };
        let shown = |source| {
            let asking = AskingApp::of(client(source), uri);
            SignInPage { asking, ..SignInPage::new(None, None, true, "https://login.example.com") }.render().unwrap()
        };
        let registered = shown(ClientSource::Registered);
        for words in
            ["<h1>Sign in to decide what <bdi>&#60;b&#62;Planner</bdi> may do</h1>", "Nobody has checked that."]
        {
            assert!(registered.contains(words), "{words}: {registered}");
        }
        assert!(
            !registered.contains("You were signed out") && registered.matches("<form").count() == 1,
            "{registered}"
        );
        let vouched = shown(ClientSource::Document { host: "a.example".to_owned() });
        assert!(vouched.contains("<bdi>a.example</bdi> says that the app is called this."), "{vouched}");
        assert_eq!(AskingApp::of(client(ClientSource::Registered), "https://b.example/cb"), None);
    }

    #[test]
    fn a_person_who_signs_in_again_is_told_nothing_of_the_product() {
        let approval = page(Some(Again::of("/dashboard/approvals/one?id=chg_1", true)));
        let heading = "<h1>One more sign-in, because this spends money</h1>";
        assert!(approval.contains(heading) && approval.contains("<form"), "{approval}");
        assert!(approval.contains("What you chose is kept") && !approval.contains("What it costs"), "{approval}");
        let people = page(Some(Again::of("/dashboard/settings", false)));
        assert!(
            people.contains("<h1>One more sign-in</h1>") && people.contains("You come back to this page"),
            "{people}"
        );
    }
}
