//! The dashboard: pages for the people of a customer. They sign in with OpenID Connect, and every action is a form.

mod accounts;
mod api;
mod assets;
mod billing_page;
mod callback;
mod campaigns_page;
mod chart;
mod choice;
mod connections_page;
mod draft;
mod home;
mod insights;
mod insights_page;
mod invitation;
mod keys;
mod layout;
mod money;
mod new_key;
mod notice;
mod redirect_uris_form;
mod return_to;
mod session;
mod settings;
mod sign_in;
mod sign_out;
mod usage_page;

use lambda_http::{Body, Request, Response};
use session::SignedIn;
use shared::app::App;
use shared::envelope::WebReply;
use shared::error::{Error, Kind};
use shared::secrets::SecretAccess;
use shared::serve::{IncomingRequest, WebRequest, serve_web};
use std::sync::Arc;

/// The secrets that the function reads.
pub const SECRETS: SecretAccess = SecretAccess::ALL;

/// A page or an action.
#[derive(Clone, Copy)]
enum Page {
    SignIn,
    StartSignIn,
    Callback,
    SignOut,
    /// One that needs a session.
    Own(OwnPage),
}

/// A page or an action for a person who is signed in.
#[derive(Clone, Copy)]
enum OwnPage {
    Home,
    Keys,
    CreateKey,
    RotateKey,
    DeleteKey,
    Connections,
    Connect,
    Sync,
    Label,
    Disconnect,
    Campaigns,
    Campaign,
    CreateCampaign,
    ChangeCampaign,
    DeleteCampaign,
    PreviewCampaign,
    ShowPreview,
    PreviewChange,
    ShowChangePreview,
    Insights,
    Usage,
    Billing,
    Checkout,
    Portal,
    Settings,
    AddRedirectUri,
    RemoveRedirectUri,
}

const HOME: &str = "/dashboard";
const SIGN_IN: &str = "/dashboard/sign-in";
const CALLBACK: &str = "/dashboard/callback";
const SIGN_OUT: &str = "/dashboard/sign-out";
const KEYS: &str = "/dashboard/keys";
const CONNECTIONS: &str = "/dashboard/connections";
const CAMPAIGNS: &str = "/dashboard/campaigns";
const PREVIEW: &str = "/dashboard/campaigns/preview";
const CHANGE_PREVIEW: &str = "/dashboard/campaigns/change/preview";
const INSIGHTS: &str = "/dashboard/insights";
const USAGE: &str = "/dashboard/usage";
const BILLING: &str = "/dashboard/billing";
const SETTINGS: &str = "/dashboard/settings";

/// The pages. Whatever changes something takes POST.
const PAGES: &[(&str, &str, Page)] = &[
    ("GET", SIGN_IN, Page::SignIn),
    ("POST", SIGN_IN, Page::StartSignIn),
    ("GET", CALLBACK, Page::Callback),
    ("POST", SIGN_OUT, Page::SignOut),
    ("GET", HOME, Page::Own(OwnPage::Home)),
    ("GET", KEYS, Page::Own(OwnPage::Keys)),
    ("POST", KEYS, Page::Own(OwnPage::CreateKey)),
    ("POST", "/dashboard/keys/rotate", Page::Own(OwnPage::RotateKey)),
    ("POST", "/dashboard/keys/delete", Page::Own(OwnPage::DeleteKey)),
    ("GET", CONNECTIONS, Page::Own(OwnPage::Connections)),
    ("POST", CONNECTIONS, Page::Own(OwnPage::Connect)),
    ("POST", "/dashboard/connections/sync", Page::Own(OwnPage::Sync)),
    ("POST", "/dashboard/connections/label", Page::Own(OwnPage::Label)),
    ("POST", "/dashboard/connections/remove", Page::Own(OwnPage::Disconnect)),
    ("GET", CAMPAIGNS, Page::Own(OwnPage::Campaigns)),
    ("POST", CAMPAIGNS, Page::Own(OwnPage::CreateCampaign)),
    ("GET", "/dashboard/campaigns/one", Page::Own(OwnPage::Campaign)),
    ("POST", "/dashboard/campaigns/change", Page::Own(OwnPage::ChangeCampaign)),
    ("POST", "/dashboard/campaigns/delete", Page::Own(OwnPage::DeleteCampaign)),
    ("POST", PREVIEW, Page::Own(OwnPage::PreviewCampaign)),
    ("GET", PREVIEW, Page::Own(OwnPage::ShowPreview)),
    ("POST", CHANGE_PREVIEW, Page::Own(OwnPage::PreviewChange)),
    ("GET", CHANGE_PREVIEW, Page::Own(OwnPage::ShowChangePreview)),
    ("GET", INSIGHTS, Page::Own(OwnPage::Insights)),
    ("GET", USAGE, Page::Own(OwnPage::Usage)),
    ("GET", BILLING, Page::Own(OwnPage::Billing)),
    ("POST", "/dashboard/billing/checkout", Page::Own(OwnPage::Checkout)),
    ("POST", "/dashboard/billing/portal", Page::Own(OwnPage::Portal)),
    ("GET", SETTINGS, Page::Own(OwnPage::Settings)),
    ("POST", "/dashboard/settings/redirect-uris", Page::Own(OwnPage::AddRedirectUri)),
    ("POST", "/dashboard/settings/redirect-uris/remove", Page::Own(OwnPage::RemoveRedirectUri)),
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
        Page::SignIn => sign_in::show(request).await,
        Page::StartSignIn => sign_in::start(request).await,
        Page::Callback => callback::callback(request).await,
        Page::SignOut => sign_out::sign_out(request).await,
        Page::Own(page) => match session::find(request).await? {
            Some(person) => own_page(page, request, &person).await,
            None => Ok(session::sign_in_first(request)),
        },
    }
}

async fn own_page(page: OwnPage, request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    match page {
        OwnPage::Home => home::show(request, person).await,
        OwnPage::Keys => keys::show(request, person).await,
        OwnPage::CreateKey => keys::create(request, person).await,
        OwnPage::RotateKey => keys::rotate(request, person).await,
        OwnPage::DeleteKey => keys::delete(request, person).await,
        OwnPage::Connections => connections_page::show(request, person).await,
        OwnPage::Connect => connections_page::connect(request, person).await,
        OwnPage::Sync => connections_page::sync(request, person).await,
        OwnPage::Label => connections_page::label(request, person).await,
        OwnPage::Disconnect => connections_page::remove(request, person).await,
        OwnPage::Campaigns => campaigns_page::show(request, person).await,
        OwnPage::Campaign => campaigns_page::show_one(request, person).await,
        OwnPage::CreateCampaign => campaigns_page::create(request, person).await,
        OwnPage::ChangeCampaign => campaigns_page::change(request, person).await,
        OwnPage::DeleteCampaign => campaigns_page::delete(request, person).await,
        OwnPage::PreviewCampaign => campaigns_page::preview(request, person),
        OwnPage::ShowPreview => campaigns_page::show_preview(request, person).await,
        OwnPage::PreviewChange => campaigns_page::preview_change(request, person),
        OwnPage::ShowChangePreview => campaigns_page::show_change_preview(request, person).await,
        OwnPage::Insights => insights_page::show(request, person).await,
        OwnPage::Usage => usage_page::show(request, person).await,
        OwnPage::Billing => billing_page::show(request, person).await,
        OwnPage::Checkout => billing_page::checkout(request, person).await,
        OwnPage::Portal => billing_page::portal(request, person).await,
        OwnPage::Settings => settings::show(request, person).await,
        OwnPage::AddRedirectUri => redirect_uris_form::add(request, person).await,
        OwnPage::RemoveRedirectUri => redirect_uris_form::remove(request, person).await,
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
