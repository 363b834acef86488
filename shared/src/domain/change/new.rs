//! New changes.

use super::{Action, Change, ChangeId, ChangeState, Executor, NextLook, ReportedStates, Requester};
use crate::domain::{
    CampaignId, Connection, ConnectionId, Currency, CustomerId, ExternalRef, KeyId, Platform, Reference,
};
use jiff::Timestamp;
use uuid::Uuid;

/// What a change is about: a campaign, or the ad account of a new one.
#[derive(Clone, Debug)]
pub struct ChangeTarget {
    pub customer: CustomerId,
    pub platform: Platform,
    pub account_id: String,
    pub connection: ConnectionId,
    /// Currency of the ad account.
    pub currency: Currency,
    /// The campaign; `None` until it is created.
    pub campaign: Option<CampaignId>,
    /// The user of the connection.
    pub external_ref: Option<ExternalRef>,
}

impl ChangeTarget {
    /// A campaign of the ad account of a connection, or a new one.
    pub fn in_account(
        customer: CustomerId,
        connection: &Connection,
        currency: Currency,
        campaign: Option<CampaignId>,
    ) -> ChangeTarget {
        ChangeTarget {
            customer,
            platform: connection.platform,
            account_id: connection.account_id().to_owned(),
            connection: connection.id.clone(),
            currency,
            campaign,
            external_ref: connection.external_ref.clone(),
        }
    }
}

/// Who asks for a change, and as what.
#[derive(Clone, Debug)]
pub struct ChangeOrigin {
    pub request: Uuid,
    pub requested_by: Requester,
    /// The caller's own reference.
    pub reference: Option<Reference>,
    /// Digest of the request's `Idempotency-Key`.
    pub key_digest: Option<String>,
}

impl ChangeOrigin {
    /// A request without a reference and without an `Idempotency-Key`.
    pub fn new(request: Uuid, requested_by: Requester) -> ChangeOrigin {
        ChangeOrigin { request, requested_by, reference: None, key_digest: None }
    }
}

/// What a change waits for. Who sends it follows from that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The requested time.
    Time,
    /// A date of its campaign that the service holds.
    HeldDate,
    /// A step of the monthly budget that the service holds.
    Step,
    /// A bulk change.
    Bulk,
    /// The stop of this key.
    Stop(KeyId),
}

/// An attempt at a change.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// Its number, from 1.
    pub number: i64,
    pub at: Timestamp,
    /// It sends nothing from then on.
    pub until: Timestamp,
}

impl Change {
    /// A change that is sent at once.
    pub fn immediate(
        id: ChangeId,
        target: ChangeTarget,
        origin: ChangeOrigin,
        action: Action,
        attempt: Attempt,
    ) -> Change {
        let (expires_at, version) = (Self::expiry_from(attempt.at), first_version(attempt.at));
        Change { expires_at, version, ..Self::new(id, target, origin, action).sending(attempt) }
    }

    /// A change that waits for its time: of a request, or of the service in the name of a requester.
    pub fn scheduled(
        id: ChangeId,
        target: ChangeTarget,
        origin: ChangeOrigin,
        purpose: Purpose,
        action: Action,
        apply_at: Timestamp,
    ) -> Change {
        let (executed_by, is_held, is_step, stops) = match purpose {
            Purpose::Time => (Executor::Schedule, false, false, None),
            Purpose::HeldDate => (Executor::Schedule, true, false, None),
            Purpose::Step => (Executor::Schedule, true, true, None),
            Purpose::Bulk => (Executor::Bulk, false, false, None),
            Purpose::Stop(key) => (Executor::Stop, false, false, Some(key)),
        };
        Change {
            executed_by,
            is_held,
            is_step,
            stops,
            state: ChangeState::Scheduled,
            apply_at: Some(apply_at),
            expires_at: Self::expiry_from(apply_at),
            ..Self::new(id, target, origin, action)
        }
    }

    /// A change that waits for a person, and is sent once it is approved.
    pub fn for_approval(
        id: ChangeId,
        target: ChangeTarget,
        origin: ChangeOrigin,
        action: Action,
        now: Timestamp,
    ) -> Change {
        Change {
            state: ChangeState::AwaitingApproval,
            send_deadline: now,
            expires_at: Self::expiry_from(now),
            version: first_version(now),
            ..Self::new(id, target, origin, action)
        }
    }

    /// A change of which no attempt has begun, and which its request sends.
    fn new(id: ChangeId, target: ChangeTarget, origin: ChangeOrigin, action: Action) -> Change {
        let ChangeTarget { customer, platform, account_id, connection, currency, campaign, external_ref } = target;
        let ChangeOrigin { request, requested_by, reference, key_digest } = origin;
        Change {
            id,
            customer,
            platform,
            account_id,
            connection,
            currency,
            campaign,
            action,
            only_if: None,
            request,
            requested_by,
            executed_by: Executor::Request,
            approval: None,
            asked: None,
            state: ChangeState::Scheduled,
            apply_at: None,
            is_held: false,
            is_step: false,
            is_limited: false,
            limited_user: None,
            stops: None,
            before: None,
            after: None,
            attempt: 0,
            send_deadline: id.created_at(),
            sent_at: None,
            settled_at: None,
            expires_at: Self::expiry_from(id.created_at()),
            told: ReportedStates::default(),
            next_look: NextLook::OfState,
            version: first_version(id.created_at()),
            reference,
            key_digest,
            external_ref,
        }
    }
}

/// The version of a new change. A retry under an `Idempotency-Key` may replace an older record of the same id, which a
/// process that knows that record must not take for its own.
fn first_version(at: Timestamp) -> i64 {
    at.as_millisecond()
}
