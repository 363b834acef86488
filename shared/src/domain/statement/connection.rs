//! Why an ad account cannot be used.

use crate::domain::{ConnectionId, ConnectionStatus, Currency, Platform};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why an ad account cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConnectionStatement {
    /// The account has no connection that works. These accounts of the platform have one.
    Missing { platform: Platform, account: String, others: Vec<String> },
    /// Its connection does not work. `why` is its status in words.
    Broken { id: ConnectionId, platform: Platform, account: String, status: ConnectionStatus, why: String },
    /// It was connected once.
    Ended { platform: Platform, account: String },
    /// The platform no longer accepts the authorization.
    AuthorizationEnded(Platform),
    /// It has another currency than its connection knows.
    CurrencyChanged { account: String, currency: Currency },
}

impl fmt::Display for ConnectionStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConnectionStatement::Missing { platform, account, others } => {
                let others = match others.as_slice() {
                    [] => String::new(),
                    others => format!(", or use one that is connected: {}", others.join(", ")),
                };
                write!(
                    f,
                    "There is no active connection to the ad account {account} on {platform}. Connect one: GET \
                     /v1/connections/{platform}/authorize{others}."
                )
            }
            ConnectionStatement::Broken { id, platform, account, status, why } => {
                let status = status.as_str();
                write!(f, "The connection {id} to the ad account {account} on {platform} is {status}. {why}")
            }
            ConnectionStatement::Ended { platform, account } => write!(
                f,
                "The ad account {account} is no longer connected. Connect it again: GET \
                 /v1/connections/{platform}/authorize."
            ),
            ConnectionStatement::AuthorizationEnded(platform) => write!(
                f,
                "{} no longer accepts this authorization; authorize the account again: GET \
                 /v1/connections/{platform}/authorize.",
                platform.display_name()
            ),
            ConnectionStatement::CurrencyChanged { account, currency } => write!(
                f,
                "The ad account {account} has the currency {} now; check its connection: POST /v1/connections/sync.",
                currency.code()
            ),
        }
    }
}
