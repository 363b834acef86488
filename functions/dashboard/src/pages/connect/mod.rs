//! A person connects an assistant: the program of an agents' host leads the browser here, and the person says what it may do.
//! Only a click of the person leads back, also with a refusal, so that no link is a way through this site to another one.

mod allow;
mod choices;
mod client;
mod earlier;
mod sent;
#[cfg(test)]
mod tests;

use crate::client::connect_request::ConnectRequest;
use crate::client::cookie_values::{self, Owner};
use crate::client::limit_form;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{AGENTS, CONSENT, SIGN_OUT, sign_in_again};
use crate::kit::limit::LimitForm;
use crate::kit::people::name_of;
use crate::kit::redirect::form_target;
use crate::kit::text::some_of;
use crate::pages::kept_form::recent_first;
use crate::pages::layout::{self, Layout};
use askama::Template;
use choices::Choices;
use client::ClientView;
use shared::assistants::clients::{self, answer_uri};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::{Error, Kind};
use shared::routes::MCP;
use shared::serve::WebRequest;

const TITLE: &str = "Connect an assistant";

#[derive(Template)]
#[template(path = "pages/connect/consent.html")]
struct ConsentPage {
    layout: Layout,
    client: ClientView,
    /// The address of the account, and of the person.
    account: String,
    person: String,
    /// Those of the account who can connect an assistant, for a person who cannot.
    who_can: String,
    /// What the program asks for.
    asks: &'static str,
    /// Binds the form to the request that the page shows.
    mark: String,
    /// Whether the person signed in recently enough to connect it.
    is_recent: bool,
    sign_in_again: String,
    sign_out: &'static str,
    form: LimitForm,
    choices: Choices,
}

#[derive(Template)]
#[template(path = "pages/connect/not_connected.html")]
struct NotConnectedPage<'a> {
    layout: Layout,
    message: &'a str,
    /// Whether the program has asked for something wrong.
    is_its_fault: bool,
}

impl ConsentPage {
    /// Whether the form connects another assistant.
    fn has_none_chosen(&self) -> bool {
        !self.choices.earlier.iter().any(|one| one.is_chosen)
    }
}

/// Takes the request of a program, and leads to the page, through a sign-in if there is no session.
pub(crate) async fn authorize(request: &WebRequest) -> Result<WebReply, Error> {
    let asked = ConnectRequest::read(&request.query, &request.public_url(MCP)?);
    match asked.and_then(|asked| asked.leave(WebReply::see_other(CONSENT))) {
        Ok(reply) => cookie_values::seal(request, Owner::unknown(), reply).await,
        Err(error) => Ok(refused(Layout::signed_out(TITLE), &error)),
    }
}

/// Shows the page. The client's document is read here, for a person who is signed in.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let Some(asked) = ConnectRequest::find(request, person) else { return Ok(nothing(request, person)) };
    let found = clients::find(&request.app, &asked.client_id).await.and_then(|client| {
        let view = ClientView::of(&client, &asked.redirect_uri);
        view.map(|view| (client, view)).ok_or_else(|| {
            Error::new(
                Kind::Validation,
                "The redirect_uri is none of those that the app has named, or of a kind that is not allowed.",
            )
        })
    });
    let (client, view) = match found {
        Ok(found) => found,
        Err(error) if error.kind == Kind::Internal => return Err(error),
        Err(error) => return Ok(refused(framed(request, person), &error)),
    };
    let asked = asked.shown_as(&client.name);
    let targets = form_target(&asked.redirect_uri).into_iter().chain(issuer(request, person).await).collect();
    let page = page(request, person, &asked, view).await?;
    let shown = layout::show_with_targets(request, &page, targets);
    Ok(asked.leave(shown).unwrap_or_else(|error| refused(framed(request, person), &error)))
}

/// Does what the person has decided. A person who only looks connects none, and may refuse.
pub(crate) async fn decide(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if !person.may_change() && value(&form, "decision") != Some("refuse") {
        return Ok(layout::refused(request, person));
    }
    let Some(asked) = ConnectRequest::find(request, person) else { return Ok(nothing(request, person)) };
    // What the person has seen counts: the request of another tab waits for a decision of its own.
    let mark = asked.mark();
    if mark.is_none() || value(&form, "request") != mark.as_deref() {
        let message = "Another app has asked meanwhile. Nothing was connected; look at who asks now.";
        return Ok(Notice { message: message.to_owned(), ..Notice::default() }.then(CONSENT));
    }
    match value(&form, "decision") {
        Some("refuse") => lead_back(request, &asked, ("error", "access_denied")),
        Some("allow") if person.session.is_recent(request.now) => allow::allow(request, person, form, &asked).await,
        Some("allow") => Ok(recent_first(request, &form)),
        _ => Ok(WebReply::see_other(CONSENT)),
    }
}

/// The origin of the sign-in, if the button of the page leads straight to it.
async fn issuer(request: &WebRequest, person: &SignedIn) -> Option<String> {
    if !person.may_change() || person.session.is_recent(request.now) {
        return None;
    }
    // Without it the page can still refuse.
    request.app.issuer.as_ref()?.origin().await.ok()
}

/// Leads back to the program, which finds its own state and the issuer of the answer (RFC 9207).
fn lead_back(request: &WebRequest, asked: &ConnectRequest, outcome: (&str, &str)) -> Result<WebReply, Error> {
    let issuer = request.public_url("")?;
    let state = asked.state.as_deref().map(|state| ("state", state));
    let parameters: Vec<_> = [outcome].into_iter().chain(state).chain([("iss", issuer.as_str())]).collect();
    let to = answer_uri(&asked.redirect_uri, &parameters);
    let to = to.ok_or_else(|| Error::internal("a page has shown a redirect URI that must not be used"))?;
    Ok(WebReply::see_other(to).with_cookie(ConnectRequest::removal_cookie()))
}

async fn page(
    request: &WebRequest,
    person: &SignedIn,
    asked: &ConnectRequest,
    view: ClientView,
) -> Result<ConsentPage, Error> {
    let layout = framed(request, person);
    let is_recent = person.session.is_recent(request.now);
    let (form, choices) = if is_recent && person.may_change() {
        choices::read(request, person, asked, &layout).await?
    } else {
        (limit_form::of(None, None, &[]), Choices::default())
    };
    Ok(ConsentPage {
        client: view,
        account: person.account.customer.email.clone(),
        person: person.name(),
        who_can: who_can(person),
        asks: if asked.only_looks { "to see campaigns and their numbers" } else { "to see and to change campaigns" },
        mark: asked.mark().unwrap_or_default(),
        is_recent,
        sign_in_again: sign_in_again(CONSENT),
        sign_out: SIGN_OUT,
        form,
        choices,
        layout,
    })
}

fn framed(request: &WebRequest, person: &SignedIn) -> Layout {
    Layout { focuses_field: true, ..Layout::signed_in(request, TITLE, AGENTS, person) }
}

/// The people of the account who can connect an assistant: `ada@example.com or bob@example.com`.
fn who_can(person: &SignedIn) -> String {
    let able = person.people.iter().filter(|one| one.role.may_change());
    some_of(&able.map(name_of).collect::<Vec<_>>())
}

/// The page of a request that leads nowhere.
fn refused(layout: Layout, error: &Error) -> WebReply {
    let message = error.message.to_string();
    layout::page_of_refusal(error, &NotConnectedPage { layout, message: &message, is_its_fault: true })
}

/// The page of a form that was sent before, and has led to the program already.
fn refused_again(request: &WebRequest, person: &SignedIn) -> WebReply {
    let message = "You have decided on this already. If the app is not connected, begin there once more.";
    let template = NotConnectedPage { layout: framed(request, person), message, is_its_fault: false };
    let reply = layout::page_of_refusal(&Error::new(Kind::Conflict, message), &template);
    reply.with_cookie(ConnectRequest::removal_cookie())
}

/// The page without a request: it was decided, is too old, or was altered.
fn nothing(request: &WebRequest, person: &SignedIn) -> WebReply {
    let message = "No app asks here now: you have decided, or it was more than 15 minutes ago.";
    let template = NotConnectedPage { layout: framed(request, person), message, is_its_fault: false };
    layout::page_of_refusal(&Error::new(Kind::NotFound, message), &template)
}
