//! Clients: the programs that ask a person for access. None is stored: a client is the document at its address (CIMD), or
//! its registration is its `client_id`.

mod document;
mod known;
mod name;
mod redirect;
mod registration;
mod sources;

pub use known::known_origins;
pub use name::MAX_NAME_CHARS;
pub use redirect::{MAX_URI_BYTES, RedirectTarget, answer_uri};
pub use registration::{MAX_REQUEST_BYTES, Registered, RegistrationRefusal, register};

use crate::app::App;
use crate::domain::REGISTRATION_PREFIX;
use crate::error::{Error, Kind};
use sources::Sources;

/// A client, as its document or its registration describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The `client_id`.
    pub id: String,
    /// What it calls itself: at most [`MAX_NAME_CHARS`] visible characters. It is text, never markup.
    pub name: String,
    /// Those that can be used; at least one.
    pub redirect_uris: Vec<String>,
    pub source: ClientSource,
}

/// Who says what a client is called and where its answers go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientSource {
    /// The document at its address. The host is in ASCII.
    Document { host: String },
    /// Our copy of that document, because the host does not answer us.
    Known { host: String },
    /// The client itself: this service has not checked it.
    Registered,
}

impl Client {
    /// Whether an answer may go to a redirect URI: the client lists it, but for the port on the person's computer.
    pub fn allows(&self, redirect_uri: &str) -> bool {
        self.redirect_uris.iter().any(|listed| leads_to_same(listed, redirect_uri))
    }

    /// The host of a known client whose name this one bears, though its answers go elsewhere.
    pub fn imitates(&self, redirect_uri: &str) -> Option<&'static str> {
        known::imitated(self, redirect_uri)
    }
}

/// Whether an answer may go to a redirect URI of a client that has this one: both are the same, but for the port on the
/// person's computer.
pub fn leads_to_same(known: &str, redirect_uri: &str) -> bool {
    RedirectTarget::of(redirect_uri).is_some() && redirect::matches(known, redirect_uri)
}

/// Finds a client. Ask only for a person who is signed in: an address is called, at most for three seconds.
pub async fn find(app: &App, client_id: &str) -> Result<Client, Error> {
    if client_id.starts_with(REGISTRATION_PREFIX) {
        return registered(client_id);
    }
    sources(app).find(client_id).await
}

/// The client as it is known without a call, for anyone who has the address.
pub fn at_hand(app: &App, client_id: &str) -> Option<Client> {
    if client_id.starts_with(REGISTRATION_PREFIX) {
        return registered(client_id).ok();
    }
    sources(app).at_hand(client_id)
}

fn sources(app: &App) -> Sources<'_> {
    let kept = &app.client_documents;
    Sources { policy: &app.webhook_urls, transport: &*app.webhooks, kept, now: app.clock.now() }
}

fn registered(client_id: &str) -> Result<Client, Error> {
    let Some(Registered { client_id, name, redirect_uris }) = registration::read(client_id) else {
        let message = "The client_id is not one that this service has given. Remove the connection in the app, and connect again.";
        return Err(Error::new(Kind::Validation, message));
    };
    Ok(Client { id: client_id, name, redirect_uris, source: ClientSource::Registered })
}
