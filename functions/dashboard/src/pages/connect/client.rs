//! The program that asks, as the page shows it: who says who it is, and where the answer goes.

use crate::kit::redirect::Place;
use shared::assistants::clients::{Client, ClientSource};

/// A program that asks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ClientView {
    /// What it calls itself.
    pub(super) name: String,
    /// The site that says so; `None` for a program that has registered itself.
    pub(super) host: Option<String>,
    pub(super) place: Place,
    /// Why it may be somebody else's.
    pub(super) alarm: Option<String>,
}

impl ClientView {
    /// The client for a redirect URI; `None` if it may not go there.
    pub(super) fn of(client: &Client, redirect_uri: &str) -> Option<ClientView> {
        let place = Place::of(redirect_uri).filter(|_| client.allows(redirect_uri))?;
        let host = match &client.source {
            ClientSource::Document { host } | ClientSource::Known { host } => Some(host.clone()),
            ClientSource::Registered => None,
        };
        let imitated = client.imitates(redirect_uri).map(|known| format!("This does not come from {known}."));
        let alarm = imitated.or_else(|| match (&host, &place) {
            (Some(host), Place::Site(site)) if host != site => {
                Some(format!("The answer goes to {site}, which is not {host}."))
            }
            _ => None,
        });
        Some(ClientView { name: client.name.clone(), host, place, alarm })
    }
}
