//! The program that asks, as the page shows it: who says who it is, and where the answer goes.

use crate::kit::redirect::place_words;
use shared::assistants::clients::{Client, ClientSource, RedirectTarget};

/// A program that asks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ClientView {
    /// What it calls itself.
    pub(super) name: String,
    /// The site that says so; `None` for a program that has registered itself.
    pub(super) host: Option<String>,
    /// Where the answer goes.
    pub(super) target: RedirectTarget,
    /// Why it may be somebody else's.
    pub(super) alarm: Option<String>,
}

impl ClientView {
    /// The client for a redirect URI; `None` if it may not go there.
    pub(super) fn of(client: &Client, redirect_uri: &str) -> Option<ClientView> {
        let target = RedirectTarget::of(redirect_uri).filter(|_| client.allows(redirect_uri))?;
        let host = match &client.source {
            ClientSource::Document { host } | ClientSource::Known { host } => Some(host.clone()),
            ClientSource::Registered => None,
        };
        let imitated = client.imitates(redirect_uri).map(|known| format!("This does not come from {known}."));
        let alarm = imitated.or_else(|| match (&host, &target) {
            (Some(host), RedirectTarget::Site { host: site }) if host != site => {
                Some(format!("The answer goes to {site}, which is not {host}."))
            }
            _ => None,
        });
        Some(ClientView { name: client.name.clone(), host, target, alarm })
    }

    /// Where the answer goes, in words.
    pub(super) fn place(&self) -> String {
        place_words(&self.target)
    }

    /// What comes after *Allow*. That page is the last one of ours.
    pub(super) fn next(&self) -> String {
        match &self.target {
            RedirectTarget::Site { host } => format!("you go back to {host}"),
            RedirectTarget::Computer => {
                "you go back to the app on this device, whose page may say that you can close it".to_owned()
            }
            RedirectTarget::Scheme(scheme) => {
                format!("your browser opens the app for {scheme}: links, and may ask you first")
            }
        }
    }

    /// Whether the answer stays on the computer, where any program may have asked.
    pub(super) fn is_here(&self) -> bool {
        !matches!(self.target, RedirectTarget::Site { .. })
    }
}
