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
        Ok(connection) => Notice::success(words(&connection)).then(CONNECTIONS),
        Err(refusal) => Notice::failure(refusal, &[]).then(path(id(&form))),
    })
}

/// Both names of an account.
fn words(connection: &Connection) -> String {
    let platform = connection.platform.display_name();
    let on_platform = ConnectionSummary::of(&Connection { label: None, ..connection.clone() }).name;
    match &connection.label {
        Some(own) => format!("The account is called “{own}” here. {platform} still calls it “{on_platform}”."),
        None => format!("The account has the name that {platform} gives it: “{on_platform}”."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::connections::tests::connection;
    use shared::domain::Platform;

    #[test]
    fn both_names_of_an_account_are_told() {
        let unnamed = connection("conn_1", Platform::Alpha, ConnectionStatus::Active);
        let named = Connection { label: Some("Main shop, US".to_owned()), ..unnamed.clone() };
        assert_eq!(
            [words(&named), words(&unnamed)],
            [
                "The account is called “Main shop, US” here. Google Ads still calls it “Account of conn_1”.",
                "The account has the name that Google Ads gives it: “Account of conn_1”.",
            ]
        );
    }
}
