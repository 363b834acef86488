//! Campaign creates that spend money at most once.
//!
//! A create is stored before it is sent, and sent once. Its outcome is a campaign, a refusal, a
//! failure that created nothing, or unknown. An unknown outcome is reconciled: the campaign is searched at its
//! platform, and the create is not sent again before the search is conclusive. Maintenance reconciles the creates that
//! a request leaves unknown.

mod begin;
mod edited_candidates;
mod outcome;
mod read_created;
mod reconcile;
mod send;
mod unknown_outcome;

pub use begin::{CreateTrigger, begin_creates};
pub use reconcile::Reconciliation;

use super::failure::refusal;
use super::{find_connection, require_active};
use crate::domain::{Campaign, ChangeState, Connection, Create};
use crate::error::{Error, Kind};
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
    /// Continues a create of an earlier request with the same `Idempotency-Key`. Only its own connection decides what
    /// is possible; without it, a stored outcome stays as it is.
    pub async fn resume(&self, create: &Create) -> Result<Campaign, Error> {
        let connection = find_connection(self.context.connected, create);
        match (&create.state, &create.campaign) {
            (ChangeState::Applied, Some(id)) => Ok(self.read_created(connection, create, id).await),
            (ChangeState::Applied, None) | (ChangeState::PartlyApplied(_) | ChangeState::Scheduled, _) => {
                Err(Error::internal("a create has a state of other changes"))
            }
            (
                ChangeState::AwaitingApproval
                | ChangeState::Rejected(_)
                | ChangeState::Expired
                | ChangeState::Canceled(_),
                _,
            ) => Err(not_approved(create)),
            (ChangeState::Failed(error), _) if error.is_refusal => Err(refusal(create.platform, error)),
            (ChangeState::Failed(_), _) => self.send_again(require_active(connection?)?, create).await,
            (ChangeState::Sending, _) => match connection {
                Ok(connection) => self.resume_unknown(connection, create).await,
                Err(missing) => Err(self.unknown_outcome_error(create, Some(missing))),
            },
        }
    }

    async fn resume_unknown(&self, connection: &Connection, create: &Create) -> Result<Campaign, Error> {
        match self.reconcile(connection, create).await {
            Ok(Reconciliation::Created(campaign)) => Ok(*campaign),
            Ok(Reconciliation::NotCreated) => self.send_again(connection, create).await,
            Ok(Reconciliation::Inconclusive) => Err(self.unknown_outcome_error(create, None)),
            Err(error) => Err(self.unknown_outcome_error(create, Some(error))),
        }
    }
}

/// The error of a create that waits for a person, or that nobody has approved.
fn not_approved(create: &Create) -> Error {
    let message = format!(
        "An earlier request with this Idempotency-Key asked for a person's approval. GET /v1/changes/{} says what became \
         of it.",
        create.id
    );
    Error::new(Kind::Conflict, message).on(create.platform)
}
