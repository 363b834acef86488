//! The form that gives an ad account a name of the customer's own.

use super::id;
use crate::client::api::Api;
use crate::client::connections;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::CONNECTIONS;
use crate::kit::connections::ConnectionSummary;
use serde::Serialize;
use shared::domain::Connection;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The API calls the name a label.
#[derive(Serialize)]
struct Label<'a> {
    label: Option<&'a str>,
}

/// Renames the connection of a form. Without a name it has that of its platform.
pub(crate) async fn rename(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let label = value(&form, "label").map(str::trim).filter(|label| !label.is_empty());
    let renamed = connections::update(&Api::new(request, person), id(&form), &Label { label }).await;
    Ok(match renamed {
        Ok(connection) => Notice::success(words(&connection)),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(CONNECTIONS))
}

/// The name of a connection without the customer's own.
pub(super) fn on_platform(connection: &Connection) -> String {
    ConnectionSummary::of(&Connection { label: None, ..connection.clone() }).name
}

fn words(connection: &Connection) -> String {
    let platform = connection.platform.display_name();
    match &connection.label {
        Some(own) => {
            format!("The account is called “{own}” here. {platform} still calls it “{}”.", on_platform(connection))
        }
        None => format!("The account has the name that {platform} gives it: “{}”.", on_platform(connection)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::connections::tests::connection;
    use shared::domain::{ConnectionStatus, Platform};

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
