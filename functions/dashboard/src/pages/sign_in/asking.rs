//! The app on which a person decides after the sign-in.

use crate::client::connect_request::ConnectRequest;
use crate::kit::addresses::CONSENT;
use shared::assistants::clients::{self, Client, ClientSource};
use shared::serve::WebRequest;

/// An app that asks for access, as far as it is known without a call: anyone can make an address that leads here.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AskingApp {
    /// What it calls itself.
    pub(super) name: String,
    /// The site that says so; `None` for an app that has registered itself.
    pub(super) host: Option<String>,
}

impl AskingApp {
    /// The app of the request that waits in this browser, if the sign-in leads to its page.
    pub(super) async fn find(request: &WebRequest, return_to: &str) -> Option<AskingApp> {
        if return_to != CONSENT {
            return None;
        }
        let asked = ConnectRequest::before_sign_in(request).await?;
        AskingApp::of(clients::at_hand(&request.app, &asked.client_id)?, &asked.redirect_uri)
    }

    /// An app whose answer may go to a redirect URI, and that does not bear the name of another one.
    pub(super) fn of(client: Client, redirect_uri: &str) -> Option<AskingApp> {
        if !client.allows(redirect_uri) || client.imitates(redirect_uri).is_some() {
            return None;
        }
        let host = match client.source {
            ClientSource::Document { host } | ClientSource::Known { host } => Some(host),
            ClientSource::Registered => None,
        };
        Some(AskingApp { name: client.name, host })
    }
}
