//! What a person decides on, and the bodies that tell their decision, in either shape (D161).

use super::values::WireValues;
use super::wire::WireChange;
use crate::domain::spending::Spendings;
use crate::domain::{Approval, CampaignValues, Change, ChangeState, ShownRequest, is_hidden};
use crate::envelope::dry_run::{AnyError, RequestBody, checked_by, request};
use crate::envelope::fields::Fields;
use crate::envelope::response::{Data, ok};
use crate::envelope::spending_limits::{WireAllLimits, limits_of_change};
use crate::envelope::wire::{Number, iso_seconds};
use crate::envelope::{RenderContext, Shape};
use crate::error::Error;
use http::Response;
use lambda_http::Body;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Value, json};

/// Most characters of the word for a person, and of the reason of a rejection.
const MAX_CHARS: usize = 255;
/// Most characters of a version. Those of this service have 64.
const MAX_VERSION_CHARS: usize = 128;

/// A change that waits for a person, with what they decide on.
#[derive(Debug)]
pub struct ChangeReview {
    pub change: Change,
    /// Distinguishes what the person sees.
    pub version: String,
    /// The campaign as it is; `None` for a create.
    pub before: Option<CampaignValues>,
    /// The campaign as it would be.
    pub after: Option<CampaignValues>,
    /// The limits of the key that has asked and of the user of the connection, and what counts against them.
    pub spendings: Spendings,
    /// The budget from which the campaign was raised today, in major units; 0 if a change has made it run.
    pub raised_from: Option<Decimal>,
    /// The requests that would be sent, in their order.
    pub requests: Vec<ShownRequest>,
    /// True if the platform itself checked the requests.
    pub is_checked_by_platform: bool,
    /// Why it cannot be approved as it is now.
    pub refusal: Option<Error>,
}

/// The body of `approveChange`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalRequest {
    /// The version of the review that the person has seen.
    pub version: String,
    /// The person in the caller's words.
    pub approved_by: String,
}

/// The body of `rejectChange`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectionRequest {
    /// The person in the caller's words.
    pub rejected_by: String,
    pub reason: Option<String>,
}

#[derive(Serialize)]
struct WireReview<'a> {
    change: WireChange<'a>,
    version: &'a str,
    approve_until: String,
    before: Option<WireValues<'a>>,
    after: Option<WireValues<'a>>,
    limits: WireAllLimits<'a>,
    raised_from: Option<Number>,
    checked_by: &'static str,
    requests: Vec<RequestBody<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<AnyError<'a>>,
}

/// What a person decides on, in the event that asks them: as it was then.
#[derive(Serialize)]
struct WireReviewAtEvent<'a> {
    version: String,
    approve_until: String,
    before: Option<WireValues<'a>>,
    after: Option<WireValues<'a>>,
}

/// What a person decides on, in an event; `None` if its change does not wait for one.
pub(in crate::envelope) fn at_event(change: &Change, context: &RenderContext) -> Option<Value> {
    let Change { id, state: ChangeState::AwaitingApproval, asked, .. } = change else { return None };
    let after = change.values_after(asked.as_ref(), context.now);
    Some(json!(WireReviewAtEvent {
        version: Approval::version(*id, asked.as_ref()),
        approve_until: iso_seconds(change.approval_until()),
        before: asked.as_ref().map(|values| WireValues::new(values, context.shape)),
        after: after.as_ref().map(|values| WireValues::new(values, context.shape)),
    }))
}

/// Reads the body of `approveChange`.
pub fn read_approval(body: &[u8]) -> Result<ApprovalRequest, Error> {
    let mut fields = Fields::parse(body)?;
    let version = text(&mut fields, "version", MAX_VERSION_CHARS);
    let version = fields.require("version", version);
    let approved_by = text(&mut fields, "approved_by", MAX_CHARS);
    let approved_by = fields.require("approved_by", approved_by);
    fields.finish()?;
    let request = version.zip(approved_by).map(|(version, approved_by)| ApprovalRequest { version, approved_by });
    request.ok_or_else(missing)
}

/// Reads the body of `rejectChange`.
pub fn read_rejection(body: &[u8]) -> Result<RejectionRequest, Error> {
    let mut fields = Fields::parse(body)?;
    let rejected_by = text(&mut fields, "rejected_by", MAX_CHARS);
    let rejected_by = fields.require("rejected_by", rejected_by);
    fields.skip_null("reason");
    let reason = text(&mut fields, "reason", MAX_CHARS);
    fields.finish()?;
    rejected_by.map(|rejected_by| RejectionRequest { rejected_by, reason }).ok_or_else(missing)
}

/// Reads one line that people see beside other texts: no character of it hides or reorders them.
fn text(fields: &mut Fields<'_>, name: &str, most: usize) -> Option<String> {
    let text = fields.string(name)?;
    if fields.check_text(name, &text, most) && text.chars().any(is_hidden) {
        fields.add_error(name, "must have visible characters only");
    }
    Some(text)
}

fn missing() -> Error {
    Error::internal("a required field is missing without a field error")
}

/// The response to `reviewChange`.
pub(in crate::envelope) fn response(review: &ChangeReview, context: &RenderContext) -> Response<Body> {
    let request_id = context.request_id.to_string();
    let body = WireReview {
        change: WireChange::new(&review.change, context),
        version: &review.version,
        approve_until: iso_seconds(review.change.approval_until()),
        before: review.before.as_ref().map(|values| WireValues::new(values, context.shape)),
        after: review.after.as_ref().map(|values| WireValues::new(values, context.shape)),
        limits: limits_of_change(&review.spendings, context.now),
        raised_from: review.raised_from.map(Number),
        checked_by: checked_by(review.is_checked_by_platform),
        requests: review.requests.iter().map(request).collect(),
        error: review.refusal.as_ref().map(|error| AnyError::new(error, &request_id, context)),
    };
    match context.shape {
        Shape::Flat => ok(&body),
        Shape::Enveloped => ok(&Data { data: body }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields_of(refused: Error) -> Vec<String> {
        refused.details.into_iter().map(|detail| detail.field).collect()
    }

    #[test]
    fn a_decision_names_the_person_in_one_visible_line() {
        let approval = read_approval(br#"{"version":"v","approved_by":"Ada (shop 42)"}"#).unwrap();
        assert_eq!((approval.version.as_str(), approval.approved_by.as_str()), ("v", "Ada (shop 42)"));
        let longest = "9".repeat(MAX_CHARS);
        read_approval(format!(r#"{{"version":"v","approved_by":"{longest}"}}"#).as_bytes()).unwrap();
        for person in ["", "  ", "a\\nb", "a\\u202eb", "\\u200b", &format!("{longest}9")] {
            let body = format!(r#"{{"version":"v","approved_by":"{person}"}}"#);
            assert_eq!(fields_of(read_approval(body.as_bytes()).unwrap_err()), ["approved_by"], "{person}");
        }
        assert_eq!(fields_of(read_approval(b"{}").unwrap_err()), ["version", "approved_by"]);
        let unknown = read_approval(br#"{"version":"v","approved_by":"a","reason":"b"}"#).unwrap_err();
        assert_eq!(fields_of(unknown), ["reason"]);
    }

    #[test]
    fn a_rejection_may_have_a_reason() {
        let plain = RejectionRequest { rejected_by: "Ada".to_owned(), reason: None };
        for body in [r#"{"rejected_by":"Ada"}"#, r#"{"rejected_by":"Ada","reason":null}"#] {
            assert_eq!(read_rejection(body.as_bytes()).unwrap(), plain);
        }
        let why = read_rejection(br#"{"rejected_by":"Ada","reason":"Too much."}"#).unwrap();
        assert_eq!(why, RejectionRequest { reason: Some("Too much.".to_owned()), ..plain });
        for (body, field) in [
            (r#"{"reason":"Too much."}"#, "rejected_by"),
            (r#"{"rejected_by":"Ada","reason":""}"#, "reason"),
            (r#"{"rejected_by":"Ada","reason":"a\u2066b"}"#, "reason"),
            (r#"{"rejected_by":"Ada","version":"v"}"#, "version"),
        ] {
            assert_eq!(fields_of(read_rejection(body.as_bytes()).unwrap_err()), [field], "{body}");
        }
    }
}
