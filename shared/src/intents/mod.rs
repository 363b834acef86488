//! No duplicate spend: claim, send, settle.
//!
//! Before anything is sent the intent is kept. Then a create is sent once. Its outcome is a campaign, a refusal, that
//! it was surely not carried out, or *unknown*; what is unknown is settled by looking for the campaign at its
//! platform, and never by sending again blindly. What a request cannot settle, maintenance settles within a minute.

mod reconcile;
mod send;
mod unknown_outcome;

pub use reconcile::Reconciled;

use crate::domain::{Campaign, Connection, CustomerConnections, Intent, IntentState, Refused};
use crate::error::{Error, Kind, PlatformFault};
use crate::tokens::PlatformContext;

/// Carries out intents of one customer.
#[derive(Clone, Copy)]
pub struct CreateSender<'a> {
    /// In whose name platforms are called.
    pub context: PlatformContext<'a>,
    /// Whether the same request may come again and go on where this one ends: it has an `Idempotency-Key`.
    pub is_keyed: bool,
    /// Why nothing more may be sent, though what was sent is settled.
    pub refusal: Option<&'a Error>,
}

impl CreateSender<'_> {
    /// Goes on with an intent that an earlier request has left: does only what is missing.
    pub async fn resume(&self, intent: &Intent) -> Result<Campaign, Error> {
        let connection = connection_of(self.context.connected, intent)?;
        match &intent.state {
            IntentState::Created(id) => self.read_created(connection, intent, id).await,
            IntentState::Refused(refused) => Err(refusal(intent, refused)),
            IntentState::NotCreated => self.send_again(connection, intent).await,
            IntentState::Unknown => match self.reconcile(connection, intent).await {
                Ok(Reconciled::Created(campaign)) => Ok(*campaign),
                Ok(Reconciled::NotCreated) => self.send_again(connection, intent).await,
                Ok(Reconciled::NotYet) => Err(self.outcome_unknown(intent, None)),
                Err(error) => Err(self.outcome_unknown(intent, Some(error))),
            },
        }
    }
}

/// The connection through which an intent is carried out.
pub fn connection_of<'a>(connected: &'a CustomerConnections, intent: &Intent) -> Result<&'a Connection, Error> {
    let is_meant = |connection: &&Connection| {
        connection.platform == intent.platform && connection.account_id() == intent.account_id
    };
    connected.connections.iter().find(is_meant).ok_or_else(|| {
        let (platform, account) = (intent.platform, &intent.account_id);
        let message = format!(
            "The ad account {account} is no longer connected. Connect it again: GET /v1/connections/{platform}/authorize."
        );
        Error::new(Kind::Forbidden, message).on(platform)
    })
}

/// A platform's refusal, as it was said before.
fn refusal(intent: &Intent, refused: &Refused) -> Error {
    let Refused { message, code, words, field } = refused.clone();
    let error = Error::new(Kind::PlatformRefused, message).on(intent.platform);
    match words {
        Some(message) => error.with_fault(PlatformFault { code, message, field }),
        None => error,
    }
}

/// What a failed create means for its intent; `None` when that is not known.
fn state_after(error: &Error) -> Option<IntentState> {
    if error.unknown_outcome {
        return None;
    }
    if error.kind != Kind::PlatformRefused {
        return Some(IntentState::NotCreated);
    }
    let fault = error.platform_fault.clone();
    let (code, field) = fault.as_ref().map_or((None, None), |fault| (fault.code.clone(), fault.field.clone()));
    let words = fault.map(|fault| fault.message);
    Some(IntentState::Refused(Refused { message: error.message.clone(), code, words, field }))
}
