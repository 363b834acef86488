//! Ad accounts and their connections as the API shows them, and their names for people.

use crate::api::{Api, Refusal};
use serde::Deserialize;
use shared::domain::Platform;

/// A connection.
#[derive(Deserialize)]
pub(crate) struct Connection {
    pub(crate) id: String,
    pub(crate) platform: String,
    pub(crate) status: String,
    pub(crate) label: Option<String>,
    pub(crate) remote_account_id: String,
    /// Its name on the platform; may be empty.
    pub(crate) account_name: Option<String>,
    /// Its currency, once the platform has told it.
    pub(crate) currency: Option<String>,
}

/// The response to `listConnections`.
#[derive(Deserialize)]
pub(crate) struct ConnectionList {
    pub(crate) connections: Vec<Connection>,
}

/// A connection that a list of the enveloped shape could not read.
#[derive(Debug, Deserialize)]
pub(crate) struct ConnectionError {
    platform: String,
    pub(crate) connection_id: String,
    message: String,
}

/// An account that did not answer, for people.
pub(crate) struct Failure {
    pub(crate) account: String,
    pub(crate) message: String,
}

impl Connection {
    /// The platform's name in the enveloped shape, and the account: the value of a target in the create form.
    pub(crate) fn target(&self) -> String {
        let platform = Platform::parse(&self.platform).map_or("", Platform::as_upper);
        format!("{platform}:{}", self.remote_account_id)
    }

    /// Whether it can have a campaign: one whose consent is not complete has no account yet.
    pub(crate) fn is_active(&self) -> bool {
        self.status == "ACTIVE" && !self.remote_account_id.is_empty()
    }

    /// The platform, and the account for people: by its label, or else by its name on the platform.
    pub(crate) fn name(&self) -> String {
        let platform = Platform::parse(&self.platform).map_or(self.platform.as_str(), |known| known.display_name());
        let name = self.account_name.as_ref().filter(|name| !name.is_empty());
        match self.label.as_ref().or(name) {
            Some(label) => format!("{platform}: {label} ({})", self.remote_account_id),
            None => format!("{platform}: {}", self.remote_account_id),
        }
    }
}

impl Failure {
    /// Names the account of an error.
    pub(crate) fn new(error: ConnectionError, connections: &[Connection]) -> Failure {
        let ConnectionError { platform, connection_id, message } = error;
        let connection = connections.iter().find(|connection| connection.id == connection_id);
        Failure { account: connection.map_or_else(|| platform_name(&platform).to_owned(), Connection::name), message }
    }
}

/// Reads all connections.
pub(crate) async fn connections(api: &Api<'_>) -> Result<Vec<Connection>, Refusal> {
    api.get::<ConnectionList>("/v1/connections").await.map(|list| list.connections)
}

/// The name of a platform for people, from its name in the enveloped shape.
pub(crate) fn platform_name(upper: &str) -> &str {
    Platform::from_upper(upper).map_or(upper, |known| known.display_name())
}

/// A target of the create form for people: the platform and the account.
pub(crate) fn target_name(target: &str) -> String {
    let (platform, account) = target.split_once(':').unwrap_or((target, ""));
    format!("{}: {account}", platform_name(platform))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_that_does_not_answer_is_named() {
        let error = || -> ConnectionError {
            let json = r#"{"platform":"BETA","connection_id":"conn_1","code":"TOKEN_EXPIRED",
                "message":"Meta ended the consent.","retryable":false}"#;
            serde_json::from_str(json).unwrap()
        };
        let connection = || Connection {
            id: "conn_1".to_owned(),
            platform: "beta_ads".to_owned(),
            status: "REVOKED".to_owned(),
            label: Some("Spring".to_owned()),
            remote_account_id: "77".to_owned(),
            account_name: Some("Harbour Coffee".to_owned()),
            currency: Some("USD".to_owned()),
        };
        let failure = Failure::new(error(), &[connection()]);
        assert_eq!(
            (failure.account.as_str(), failure.message.as_str()),
            ("Meta: Spring (77)", "Meta ended the consent.")
        );
        let unlabeled = Connection { label: None, ..connection() };
        assert_eq!(unlabeled.name(), "Meta: Harbour Coffee (77)");
        let unnamed = Connection { account_name: Some(String::new()), ..unlabeled };
        assert_eq!(unnamed.name(), "Meta: 77");
        assert_eq!(Failure::new(error(), &[]).account, "Meta", "a connection that was removed meanwhile");
    }
}
