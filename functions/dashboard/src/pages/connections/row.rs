//! A connection as a row of the page.

use super::new_campaigns::{Defaults, NewCampaigns};
use crate::pages::layout::readable_text;
use jiff::Timestamp;
use serde::Deserialize;
use shared::domain::Platform;

/// A connection of a page.
pub(crate) struct Row {
    pub(super) id: String,
    pub(crate) platform: &'static str,
    pub(crate) platform_name: &'static str,
    /// Its label, or else its name on the platform, or else its number there.
    pub(crate) name: String,
    pub(super) label: String,
    /// What its new campaigns have.
    pub(super) new_campaigns: Option<NewCampaigns>,
    /// What tells it apart besides the name: `Harbour Coffee, 1234567890, USD`.
    pub(super) account: String,
    pub(super) tone: &'static str,
    pub(super) state: &'static str,
    pub(crate) reason: String,
    pub(super) last_synced_at: String,
    pub(crate) needs_consent: bool,
}

/// A connection as the API lists it.
#[derive(Deserialize)]
pub(super) struct Connection {
    id: String,
    platform: String,
    status: String,
    status_reason: Option<String>,
    label: Option<String>,
    campaign_defaults: Option<Defaults>,
    remote_account_id: String,
    account_name: Option<String>,
    currency: Option<String>,
    last_synced_at: Option<Timestamp>,
}

impl Row {
    /// `None` for a connection of a platform that this version does not know.
    pub(super) fn of(connection: Connection) -> Option<Row> {
        let platform = Platform::parse(&connection.platform)?;
        let platform_name = platform.display_name();
        let (name, account) = names(&connection, platform_name);
        let Connection { id, status, status_reason, label, campaign_defaults, last_synced_at, .. } = connection;
        let is_connected = status != "PENDING";
        let new_campaigns = NewCampaigns::of(platform, campaign_defaults).filter(|_| is_connected);
        let (tone, state, needs_consent, reason) = match status.as_str() {
            "ACTIVE" => ("good", "Active", false, status_reason.unwrap_or_default()),
            "PENDING" => ("plain", "Waiting for consent", false, "Finish the consent at the platform.".to_owned()),
            "REVOKED" => ("bad", "Revoked", true, format!("{platform_name} ended our access. Reconnect to continue.")),
            _ => {
                let otherwise = || format!("{platform_name} refused the last requests.");
                ("warn", "Error", true, status_reason.unwrap_or_else(otherwise))
            }
        };
        let last_synced_at = readable_text(last_synced_at, "never");
        let (platform, label) = (platform.as_str(), label.unwrap_or_default());
        Some(Row {
            id,
            platform,
            platform_name,
            name,
            label,
            new_campaigns,
            account,
            tone,
            state,
            reason,
            last_synced_at,
            needs_consent,
        })
    }
}

/// The name of a connection, and the rest of what is known of its account.
fn names(connection: &Connection, platform_name: &str) -> (String, String) {
    let Connection { label, account_name, remote_account_id, currency, .. } = connection;
    let own = [label.as_deref(), account_name.as_deref(), Some(remote_account_id.as_str())];
    let mut parts: Vec<&str> = own.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let name = if parts.is_empty() { platform_name } else { parts.remove(0) };
    parts.extend(currency.as_deref());
    (name.to_owned(), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn row(more: Value) -> Row {
        let mut connection = json!({
            "id": "conn_1", "platform": "alpha_ads", "status": "ACTIVE", "label": null, "remote_account_id": "77",
            "account_name": "Harbour Coffee", "currency": "USD", "last_synced_at": null,
        });
        for (name, value) in more.as_object().unwrap() {
            connection[name] = value.clone();
        }
        Row::of(serde_json::from_value(connection).unwrap()).unwrap()
    }

    #[test]
    fn an_account_has_its_name_and_what_tells_it_apart() {
        for (more, name, account) in [
            (json!({}), "Harbour Coffee", "77, USD"),
            (json!({"label": "Spring"}), "Spring", "Harbour Coffee, 77, USD"),
            (json!({"account_name": ""}), "77", "USD"),
            (json!({"account_name": null, "remote_account_id": "", "currency": null}), "Google Ads", ""),
        ] {
            let row = row(more);
            assert_eq!((row.name.as_str(), row.account.as_str()), (name, account));
        }
    }

    #[test]
    fn a_broken_connection_says_what_to_do() {
        let revoked = row(json!({"status": "REVOKED", "status_reason": "Token has been expired or revoked."}));
        assert_eq!(revoked.reason, "Google Ads ended our access. Reconnect to continue.");
        let error = row(json!({"status": "ERROR", "status_reason": "The account is suspended."}));
        assert_eq!((error.reason.as_str(), error.needs_consent), ("The account is suspended.", true));
        assert_eq!(row(json!({"status": "ERROR"})).reason, "Google Ads refused the last requests.");
    }
}
