//! The responses about bulk changes.

use super::{BulkReport, BulkStatus};
use crate::domain::{
    BulkAccount, BulkAction, CampaignId, Change, ChangeError, ChangeId, Listing, Reference, RefusedCampaign,
};
use crate::envelope::Shape;
use crate::envelope::campaigns::connection_error;
use crate::envelope::names::status_name;
use crate::envelope::response::{Data, json_response};
use http::{Response, StatusCode};
use jiff::Timestamp;
use lambda_http::Body;
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Serialize)]
struct ReportBody {
    bulk_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    changes: Vec<String>,
    unchanged: Vec<String>,
    refused: Vec<Value>,
    canceled: Vec<String>,
    errors: Vec<Value>,
}

/// The response to `setStatuses` and `setBudgets`, and to `undoChange` of such a change.
pub(in crate::envelope) fn response(report: &BulkReport, shape: Shape) -> Response<Body> {
    let BulkReport { bulk, reference, changes, unchanged, refused, canceled, failures } = report;
    let texts = |ids: &[ChangeId]| ids.iter().map(ChangeId::to_string).collect();
    let body = ReportBody {
        bulk_id: bulk.to_string(),
        reference: reference.as_ref().map(Reference::to_string),
        changes: texts(changes),
        unchanged: unchanged.iter().map(CampaignId::to_string).collect(),
        refused: refused.iter().map(refused_body).collect(),
        canceled: texts(canceled),
        errors: failures.iter().map(|failure| connection_error(failure, shape)).collect(),
    };
    in_shape(StatusCode::ACCEPTED, body, shape)
}

#[derive(Serialize)]
struct StatusBody {
    bulk_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    status: Option<&'static str>,
    budget_percent: Option<String>,
    undoes: Option<String>,
    settled: bool,
    accounts: Vec<AccountBody>,
}

#[derive(Serialize)]
struct AccountBody {
    platform: &'static str,
    connection_id: String,
    organization_id: String,
    listed: bool,
    /// Why its campaigns could not be read.
    failing: Option<Value>,
    changes: Vec<Value>,
    refused: Vec<Value>,
}

/// The response to `getStatuses`.
pub(in crate::envelope) fn status_response(status: &BulkStatus, shape: Shape, now: Timestamp) -> Response<Body> {
    let BulkStatus { bulk, accounts } = status;
    let action = accounts.first().map(|(account, _)| account.action);
    let body = StatusBody {
        bulk_id: bulk.to_string(),
        reference: accounts.first().and_then(|(account, _)| account.reference.as_ref()).map(Reference::to_string),
        status: status.status().and_then(|status| status_name(shape, status)),
        budget_percent: match action {
            Some(BulkAction::Percent(percent)) => Some(percent.to_string()),
            _ => None,
        },
        undoes: match action {
            Some(BulkAction::Undo(other)) => Some(other.to_string()),
            _ => None,
        },
        settled: status.is_settled(now),
        accounts: accounts.iter().map(|(account, changes)| account_body(account, changes, shape, now)).collect(),
    };
    in_shape(StatusCode::OK, body, shape)
}

fn account_body(account: &BulkAccount, changes: &[Change], shape: Shape, now: Timestamp) -> AccountBody {
    let failing = match &account.listing {
        Listing::Pending(reason) => reason.as_ref().map(error_body),
        Listing::Listed => None,
        Listing::Failed(reason) => Some(error_body(reason)),
    };
    let change = |change: &Change| {
        json!({
            "id": change.id.to_string(),
            "campaign_id": change.campaign.as_ref().map(CampaignId::to_string),
            "state": change.status(now).as_str(),
            "error": change.state.error().map(error_body),
        })
    };
    AccountBody {
        platform: shape.platform_name(account.platform),
        connection_id: account.connection.to_string(),
        organization_id: account.account_id.clone(),
        listed: account.listing == Listing::Listed,
        failing,
        changes: changes.iter().map(change).collect(),
        refused: account.refused.iter().map(refused_body).collect(),
    }
}

/// A campaign without a change, and why it has none.
fn refused_body(RefusedCampaign { campaign, error }: &RefusedCampaign) -> Value {
    json!({ "campaign_id": campaign.to_string(), "error": error_body(error) })
}

fn error_body(error: &ChangeError) -> Value {
    let mut body = json!({ "code": error.code, "message": error.message.to_string() });
    if let Some(reason) = error.reason {
        body["reason"] = reason.as_str().into();
    }
    body
}

fn in_shape(status: StatusCode, body: impl Serialize, shape: Shape) -> Response<Body> {
    match shape {
        Shape::Flat => json_response(status, &body),
        Shape::Enveloped => json_response(status, &Data { data: body }),
    }
}
