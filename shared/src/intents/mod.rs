//! Campaign creates that spend money at most once.
//!
//! An intent is stored before the create is sent, and the create is sent once. Its outcome is a campaign, a refusal, a
//! failure that created nothing, or unknown. An unknown outcome is reconciled: the campaign is searched at its
//! platform, and the create is not sent again before the search is conclusive. Maintenance reconciles the intents that
//! a request leaves unknown.

mod outcome;
mod read_created;
mod reconcile;
mod send;
mod unknown_outcome;

pub use reconcile::Reconciled;

use crate::domain::{
    Campaign, Connection, ConnectionStatus, CustomerConnections, Intent, IntentState, PlatformRefusal,
};
use crate::error::{Error, Kind, PlatformError};
use crate::tokens::PlatformContext;

/// Sends and reconciles the creates of one customer.
#[derive(Clone, Copy)]
pub struct CreateSender<'a> {
    pub context: PlatformContext<'a>,
    /// `true` if the request has an `Idempotency-Key`, so that a retry can continue it.
    pub is_keyed: bool,
    /// The error that forbids sending for every target. Earlier creates are reconciled all the same.
    pub blocked_by: Option<&'a Error>,
}

impl CreateSender<'_> {
    /// Continues an intent of an earlier request with the same `Idempotency-Key`. Only its own connection decides what
    /// is possible; without one, an outcome stays what it is.
    pub async fn resume(&self, intent: &Intent) -> Result<Campaign, Error> {
        let connection = find_connection(self.context.connected, intent);
        match &intent.state {
            IntentState::Created(id) => Ok(self.read_created(connection, intent, id).await),
            IntentState::Refused(refusal) => Err(refusal_error(intent, refusal)),
            IntentState::NotCreated => self.send_again(active(connection?, intent)?, intent).await,
            IntentState::Unknown => match connection {
                Ok(connection) => self.resume_unknown(connection, intent).await,
                Err(missing) => Err(self.unknown_outcome_error(intent, Some(missing))),
            },
        }
    }

    async fn resume_unknown(&self, connection: &Connection, intent: &Intent) -> Result<Campaign, Error> {
        match self.reconcile(connection, intent).await {
            Ok(Reconciled::Created(campaign)) => Ok(*campaign),
            Ok(Reconciled::NotCreated) => self.send_again(connection, intent).await,
            Ok(Reconciled::Inconclusive) => Err(self.unknown_outcome_error(intent, None)),
            Err(error) => Err(self.unknown_outcome_error(intent, Some(error))),
        }
    }
}

/// A connection that may create: a retry needs an active one, as a new create does.
fn active<'a>(connection: &'a Connection, intent: &Intent) -> Result<&'a Connection, Error> {
    if connection.status == ConnectionStatus::Active {
        return Ok(connection);
    }
    let platform = intent.platform;
    let account = &intent.account_id;
    let status = connection.status.as_str();
    let message = format!(
        "The connection to the ad account {account} on {platform} is {status}. Authorize the account again: GET \
         /v1/connections/{platform}/authorize."
    );
    Err(Error::new(Kind::Forbidden, message).on(platform))
}

/// The connection of an intent's ad account.
pub fn find_connection<'a>(connected: &'a CustomerConnections, intent: &Intent) -> Result<&'a Connection, Error> {
    let is_of_account = |connection: &&Connection| {
        connection.platform == intent.platform && connection.account_id() == intent.account_id
    };
    connected.connections.iter().find(is_of_account).ok_or_else(|| {
        let platform = intent.platform;
        let account = &intent.account_id;
        let message = format!(
            "The ad account {account} is no longer connected. Connect it again: GET /v1/connections/{platform}/authorize."
        );
        Error::new(Kind::Forbidden, message).on(platform)
    })
}

/// The error of a stored refusal, equal to that of the first response.
fn refusal_error(intent: &Intent, refusal: &PlatformRefusal) -> Error {
    let PlatformRefusal { message, code, platform_message, field } = refusal.clone();
    let error = Error::new(Kind::PlatformRefused, message).on(intent.platform);
    match platform_message {
        Some(message) => error.with_platform_error(PlatformError { code, message, field }),
        None => error,
    }
}
