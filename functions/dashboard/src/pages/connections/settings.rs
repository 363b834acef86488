//! What a person sets for one connection: its label, and what its new campaigns have. The page shows it above the list, so
//! that the list of many accounts stays small.

use super::id;
use super::new_campaigns::NewCampaigns;
use crate::client::api::Api;
use crate::client::connections;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::CONNECTIONS;
use crate::kit::connections::ConnectionSummary;
use crate::kit::text::path_segment;
use serde::Serialize;
use shared::domain::{Connection, ConnectionStatus};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The parameter of the address that names the connection.
const EDIT: &str = "edit";

/// The forms of a connection.
pub(super) struct Settings {
    pub(super) summary: ConnectionSummary,
    pub(super) label: String,
    /// What its new campaigns have; `None` while its consent is not complete, and where a platform asks for nothing.
    pub(super) new_campaigns: Option<NewCampaigns>,
}

impl Settings {
    /// Those of the connection that the address names.
    pub(super) fn of(all: &[Connection], query: &[(String, String)]) -> Option<Settings> {
        let id = value(query, EDIT)?;
        let connection = all.iter().find(|known| known.id.0 == id)?;
        let is_connected = connection.status != ConnectionStatus::Pending;
        let defaults = connection.campaign_defaults.clone();
        Some(Settings {
            summary: ConnectionSummary::of(connection),
            label: connection.label.clone().unwrap_or_default(),
            new_campaigns: if is_connected { NewCampaigns::of(connection.platform, defaults) } else { None },
        })
    }
}

/// The address of the forms of a connection.
pub(super) fn path(id: &str) -> String {
    format!("{CONNECTIONS}?{EDIT}={}", path_segment(id))
}

#[derive(Serialize)]
struct Label<'a> {
    label: Option<&'a str>,
}

/// Sets or removes the label of a connection.
pub(crate) async fn label(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let label = value(&form, "label").map(str::trim).filter(|label| !label.is_empty());
    let labelled = connections::update(&Api::new(request, person), id(&form), &Label { label }).await;
    Ok(match labelled {
        Ok(_) => Notice::success("The label is saved.").then(CONNECTIONS),
        Err(refusal) => Notice::failure(refusal, &[]).then(path(id(&form))),
    })
}
