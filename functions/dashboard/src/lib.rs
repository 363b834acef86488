//! The dashboard: pages for the people of a customer. They sign in with OpenID Connect, and every action is a form.

mod assets;
mod callback;
mod home;
mod layout;
mod return_to;
mod session;
mod settings;
mod sign_in;
mod sign_out;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::envelope::WebReply;
use shared::error::{Error, Kind};
use shared::secrets::SecretAccess;
use shared::serve::{IncomingRequest, WebRequest, serve_web};
use std::sync::Arc;

/// The secrets that the function reads.
pub const SECRETS: SecretAccess = SecretAccess::IDENTITY;

/// A page or an action.
#[derive(Clone, Copy)]
enum Page {
    Home,
    SignIn,
    StartSignIn,
    Callback,
    SignOut,
    Settings,
}

const HOME: &str = "/dashboard";
const SIGN_IN: &str = "/dashboard/sign-in";
const CALLBACK: &str = "/dashboard/callback";
const SIGN_OUT: &str = "/dashboard/sign-out";
const SETTINGS: &str = "/dashboard/settings";

/// The pages. Whatever changes something takes POST.
const PAGES: &[(&str, &str, Page)] = &[
    ("GET", HOME, Page::Home),
    ("GET", SIGN_IN, Page::SignIn),
    ("POST", SIGN_IN, Page::StartSignIn),
    ("GET", CALLBACK, Page::Callback),
    ("POST", SIGN_OUT, Page::SignOut),
    ("GET", SETTINGS, Page::Settings),
];

/// Answers a request.
pub async fn answer(app: Arc<App>, request: Request) -> Response<Body> {
    serve_web(IncomingRequest::new(app, request), dispatch, layout::error_page).await
}

async fn dispatch(request: &WebRequest) -> Result<WebReply, Error> {
    if let Some(asset) = assets::find(&request.path) {
        return Ok(asset);
    }
    match find(request.method.as_str(), &request.path)? {
        Page::Home => home::show(request).await,
        Page::SignIn => sign_in::show(request).await,
        Page::StartSignIn => sign_in::start(request).await,
        Page::Callback => callback::callback(request).await,
        Page::SignOut => sign_out::sign_out(request).await,
        Page::Settings => settings::show(request).await,
    }
}

fn find(method: &str, path: &str) -> Result<Page, Error> {
    let at_path = PAGES.iter().filter(|(_, known, _)| *known == path);
    if let Some((_, _, page)) = at_path.clone().find(|(known, _, _)| *known == method) {
        return Ok(*page);
    }
    let allow: Vec<&'static str> = at_path.map(|(known, _, _)| *known).collect();
    if allow.is_empty() {
        return Err(Error::new(Kind::NotFound, "There is no such page. The menu lists those that there are."));
    }
    let message = "This address does not work like that. Go back to the page and use its buttons.";
    Err(Error { allow, ..Error::new(Kind::MethodNotAllowed, message) })
}
