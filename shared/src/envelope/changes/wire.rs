//! A change in either shape.

use super::values::{WireRequested, WireValues};
use crate::domain::{
    Approver, CampaignId, CampaignValues, Change, ChangeError, ChangeId, ChangeStatus, ChangedFields, ExternalRef,
    ReadCampaign, Reason, Reference, Requester,
};
use crate::envelope::wire::{iso_millis, iso_seconds};
use crate::envelope::{RenderContext, Shape};
use serde::Serialize;
use serde_with::skip_serializing_none;

/// A change.
#[derive(Serialize)]
pub(in crate::envelope) struct WireChange<'a> {
    id: String,
    kind: &'static str,
    state: &'static str,
    platform: &'static str,
    connection_id: &'a str,
    organization_id: &'a str,
    campaign_id: Option<String>,
    requested: WireRequested<'a>,
    before: Option<WireValues<'a>>,
    after: Option<WireValues<'a>>,
    #[serde(flatten)]
    fields: WireFields,
    requested_by: WireRequester<'a>,
    executed_by: Option<&'static str>,
    /// Who has approved it.
    approved_by: Option<WireApprover<'a>>,
    /// The page on which a person approves it, while it waits for that.
    approval_url: Option<String>,
    request_id: String,
    #[serde(flatten)]
    times: WireTimes,
    error: Option<WireChangeError<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'a str>,
    /// The user of the connection at the time of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    external_ref: Option<&'a str>,
}

impl<'a> WireChange<'a> {
    pub(in crate::envelope) fn new(change: &'a Change, context: &RenderContext) -> WireChange<'a> {
        // Destructured in full: a new field must be shown or ignored explicitly.
        let Change {
            id,
            customer: _,
            platform,
            account_id,
            connection,
            currency: _,
            campaign,
            action,
            only_if: _,
            request,
            requested_by,
            executed_by,
            approval,
            asked,
            state,
            apply_at: _,
            is_held: _,
            is_step: _,
            is_limited: _,
            limited_user: _,
            stops: _,
            before,
            after,
            attempt: _,
            send_deadline: _,
            sent_at: _,
            settled_at: _,
            expires_at: _,
            told: _,
            next_look: _,
            version: _,
            reference,
            key_digest: _,
            external_ref,
        } = change;
        let (shape, status) = (context.shape, change.status(context.now));
        let values = |values: &'a Option<CampaignValues>| values.as_ref().map(|values| WireValues::new(values, shape));
        WireChange {
            id: id.to_string(),
            kind: action.kind().as_str(),
            state: status.as_str(),
            platform: shape.platform_name(*platform),
            connection_id: &connection.0,
            organization_id: account_id,
            campaign_id: campaign.as_ref().map(CampaignId::to_string),
            requested: WireRequested::new(action, shape),
            // What waits for a person shows the campaign as it was when they were asked.
            before: values(if before.is_some() { before } else { asked }),
            after: values(after),
            fields: change.changed_fields().into(),
            requested_by: requested_by.into(),
            // Nobody has sent it while it waits.
            executed_by: state.is_sent().then(|| executed_by.as_str()),
            approved_by: approval.as_ref().map(|approval| (&approval.by).into()),
            approval_url: approval_url(*id, status, context),
            request_id: request.to_string(),
            times: change.into(),
            error: state.error().map(Into::into),
            reference: reference.as_ref().map(Reference::as_str),
            external_ref: external_ref.as_ref().map(ExternalRef::as_str),
        }
    }
}

/// The requested fields, by what became of them.
#[derive(Serialize)]
struct WireFields {
    applied_fields: Vec<&'static str>,
    not_applied_fields: Vec<&'static str>,
    unknown_fields: Vec<&'static str>,
}

impl From<ChangedFields> for WireFields {
    fn from(fields: ChangedFields) -> WireFields {
        let ChangedFields { applied, not_applied, unknown } = fields;
        WireFields { applied_fields: applied, not_applied_fields: not_applied, unknown_fields: unknown }
    }
}

/// When it was requested, is made, was sent and had its outcome.
#[derive(Serialize)]
struct WireTimes {
    apply_at: Option<String>,
    created_at: String,
    sent_at: Option<String>,
    settled_at: Option<String>,
}

impl From<&Change> for WireTimes {
    fn from(change: &Change) -> WireTimes {
        WireTimes {
            apply_at: change.apply_at.map(iso_seconds),
            created_at: iso_millis(change.created_at()),
            sent_at: change.sent_at.map(iso_millis),
            settled_at: change.settled_at.map(iso_millis),
        }
    }
}

/// The campaign of a change as it was read for an event.
#[derive(Serialize)]
pub(in crate::envelope) struct CampaignAtEvent<'a> {
    id: String,
    platform: &'static str,
    organization_id: &'a str,
    #[serde(flatten)]
    values: WireValues<'a>,
    read_at: String,
}

impl<'a> CampaignAtEvent<'a> {
    /// `None` before a create has made it, and if it was not read.
    pub(in crate::envelope) fn new(
        change: &'a Change,
        seen: Option<&'a ReadCampaign>,
        shape: Shape,
    ) -> Option<CampaignAtEvent<'a>> {
        let (id, ReadCampaign { values, read_at }) = (change.campaign.as_ref()?, seen?);
        Some(CampaignAtEvent {
            id: id.to_string(),
            platform: shape.platform_name(change.platform),
            organization_id: &change.account_id,
            values: WireValues::new(values, shape),
            read_at: iso_millis(*read_at),
        })
    }
}

/// Who has approved a change.
#[derive(Serialize)]
struct WireApprover<'a> {
    #[serde(flatten)]
    by: WireRequester<'a>,
    /// The person in the words of the product whose key has approved it.
    person: Option<&'a str>,
}

impl<'a> From<&'a Approver> for WireApprover<'a> {
    fn from(Approver { by, person, request: _ }: &'a Approver) -> WireApprover<'a> {
        WireApprover { by: by.into(), person: person.as_deref() }
    }
}

#[derive(Serialize)]
struct WireRequester<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    id: &'a str,
    name: Option<&'a str>,
}

impl<'a> From<&'a Requester> for WireRequester<'a> {
    fn from(requester: &'a Requester) -> WireRequester<'a> {
        match requester {
            Requester::ApiKey { id, name } => WireRequester { kind: "api_key", id: &id.0, name: Some(name) },
            Requester::Person { id, email } => WireRequester { kind: "person", id: &id.0, name: email.as_deref() },
        }
    }
}

/// The page on which a person approves a change; `None` unless it waits for that.
fn approval_url(id: ChangeId, status: ChangeStatus, context: &RenderContext) -> Option<String> {
    match status {
        ChangeStatus::AwaitingApproval => context.public_url(&format!("/dashboard/approvals/one?id={id}")),
        _ => None,
    }
}

/// Why a change was not applied.
#[skip_serializing_none]
#[derive(Serialize)]
struct WireChangeError<'a> {
    code: &'a str,
    reason: Option<&'static str>,
    message: String,
    platform_error: Option<WireReported<'a>>,
}

/// The platform's own error.
#[skip_serializing_none]
#[derive(Serialize)]
struct WireReported<'a> {
    code: Option<&'a str>,
    message: &'a str,
    field: Option<&'a str>,
}

impl<'a> From<&'a ChangeError> for WireChangeError<'a> {
    fn from(error: &'a ChangeError) -> WireChangeError<'a> {
        let ChangeError { code, reason, message, is_refusal: _, platform_code, platform_message, field } = error;
        let reported =
            |message: &'a String| WireReported { code: platform_code.as_deref(), message, field: field.as_deref() };
        let reason = reason.map(Reason::as_str);
        let message = message.to_string();
        WireChangeError { code, reason, message, platform_error: platform_message.as_ref().map(reported) }
    }
}
