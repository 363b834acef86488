//! Bulk changes of the status, in either shape (D61 in docs/decisions.md).

use super::campaigns::connection_error;
use super::fields::Fields;
use super::platform_names::read_platform;
use super::response::{Data, json_response};
use super::{Shape, enveloped, flat};
use crate::domain::{
    BulkAccount, BulkId, CampaignId, CampaignStatus, Change, ChangeError, ChangeId, ConnectionId, Listing,
    MAX_BULK_IDS, Platform,
};
use crate::error::Error;
use http::{Response, StatusCode};
use jiff::Timestamp;
use lambda_http::Body;
use serde::Serialize;
use serde_json::{Value, json};

/// The body of `setStatuses`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkRequest {
    /// ACTIVE or PAUSED.
    pub status: CampaignStatus,
    pub targets: BulkTargets,
}

/// The campaigns that a bulk change is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BulkTargets {
    /// All in the ad accounts of a platform, of a connection, or of both; without either in all of them.
    Accounts { platform: Option<Platform>, connection: Option<String> },
    /// These, without repeats.
    Campaigns(Vec<String>),
}

/// What a bulk change has begun.
#[derive(Debug)]
pub struct BulkReport {
    pub bulk: BulkId,
    pub changes: Vec<ChangeId>,
    /// Campaigns that the status does not fit: most have it already.
    pub unchanged: Vec<CampaignId>,
    /// Scheduled activations that a pause has canceled.
    pub canceled: Vec<ChangeId>,
    /// Connections whose campaigns could not be read yet.
    pub failures: Vec<(Platform, ConnectionId, Error)>,
}

/// How far a bulk change is.
#[derive(Debug)]
pub struct BulkStatus {
    pub bulk: BulkId,
    /// The ad accounts, each with its changes.
    pub accounts: Vec<(BulkAccount, Vec<Change>)>,
}

impl BulkStatus {
    /// Whether nothing is tried any more: every change has its outcome, and every ad account is listed or given up.
    pub fn is_settled(&self, now: Timestamp) -> bool {
        self.accounts.iter().all(|(account, changes)| {
            !matches!(account.listing, Listing::Pending(_))
                && changes.iter().all(|change| change.status(now).is_final())
        })
    }
}

/// Reads the body of `setStatuses`.
pub fn read_bulk(shape: Shape, text: &[u8]) -> Result<BulkRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let status = fields.one_of("status", &["ACTIVE", "PAUSED"], |name| match name {
        "ACTIVE" => Some(CampaignStatus::Active),
        "PAUSED" => Some(CampaignStatus::Paused),
        _ => None,
    });
    let status = fields.require("status", status);
    let platform = read_platform(&mut fields, shape);
    let connection = fields.string("connection_id");
    let ids = fields.has("ids").then(|| ids(&mut fields));
    let all = fields.has("all").then(|| fields.take("all") == Some("true"));
    if all == Some(false) {
        fields.add_error("all", "must be true, or absent");
    }
    if all.is_some() && (platform.is_some() || connection.is_some()) {
        fields.add_error("all", "must not be combined with platform or connection_id, which choose less");
    }
    let names_accounts = platform.is_some() || connection.is_some() || all.is_some();
    if ids.is_some() && names_accounts {
        fields.add_error("ids", "must not be combined with platform, connection_id or all");
    }
    if ids.is_none() && !names_accounts {
        fields.add_error("all", "is required unless platform, connection_id or ids chooses the campaigns");
    }
    fields.finish()?;
    let targets = match ids {
        Some(ids) => BulkTargets::Campaigns(ids),
        None => BulkTargets::Accounts { platform, connection },
    };
    let status = status.ok_or_else(|| Error::internal("a required field is missing without a field error"))?;
    Ok(BulkRequest { status, targets })
}

fn ids(fields: &mut Fields<'_>) -> Vec<String> {
    let mut ids = fields.strings("ids").unwrap_or_default();
    if ids.is_empty() || ids.len() > MAX_BULK_IDS {
        fields.add_error("ids", format!("must contain 1 to {MAX_BULK_IDS} campaign ids; it contains {}", ids.len()));
    }
    ids.sort();
    ids.dedup();
    ids
}

#[derive(Serialize)]
struct ReportBody {
    bulk_id: String,
    changes: Vec<String>,
    unchanged: Vec<String>,
    canceled: Vec<String>,
    errors: Vec<Value>,
}

/// The response to `setStatuses`.
pub(super) fn response(report: &BulkReport, shape: Shape) -> Response<Body> {
    let BulkReport { bulk, changes, unchanged, canceled, failures } = report;
    let texts = |ids: &[ChangeId]| ids.iter().map(ChangeId::to_string).collect();
    let body = ReportBody {
        bulk_id: bulk.to_string(),
        changes: texts(changes),
        unchanged: unchanged.iter().map(CampaignId::to_string).collect(),
        canceled: texts(canceled),
        errors: failures.iter().map(|failure| connection_error(failure, shape)).collect(),
    };
    in_shape(StatusCode::ACCEPTED, body, shape)
}

#[derive(Serialize)]
struct StatusBody {
    bulk_id: String,
    status: Option<&'static str>,
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
}

/// The response to `getStatuses`.
pub(super) fn status_response(status: &BulkStatus, shape: Shape, now: Timestamp) -> Response<Body> {
    let BulkStatus { bulk, accounts } = status;
    let body = StatusBody {
        bulk_id: bulk.to_string(),
        status: accounts.first().and_then(|(account, _)| status_name(account.status, shape)),
        settled: status.is_settled(now),
        accounts: accounts.iter().map(|(account, changes)| account_body(account, changes, shape, now)).collect(),
    };
    in_shape(StatusCode::OK, body, shape)
}

fn account_body(account: &BulkAccount, changes: &[Change], shape: Shape, now: Timestamp) -> AccountBody {
    let error = |error: &ChangeError| {
        let mut body = json!({ "code": error.code, "message": error.message.to_string() });
        if let Some(reason) = error.reason {
            body["reason"] = reason.as_str().into();
        }
        body
    };
    let failing = match &account.listing {
        Listing::Pending(reason) => reason.as_ref().map(error),
        Listing::Listed => None,
        Listing::Failed(reason) => Some(error(reason)),
    };
    let change = |change: &Change| {
        json!({
            "id": change.id.to_string(),
            "campaign_id": change.campaign.as_ref().map(CampaignId::to_string),
            "state": change.status(now).as_str(),
        })
    };
    AccountBody {
        platform: shape.platform_name(account.platform),
        connection_id: account.connection.to_string(),
        organization_id: account.account_id.clone(),
        listed: account.listing == Listing::Listed,
        failing,
        changes: changes.iter().map(change).collect(),
    }
}

fn status_name(status: CampaignStatus, shape: Shape) -> Option<&'static str> {
    match shape {
        Shape::Flat => flat::status_name(status),
        Shape::Enveloped => Some(enveloped::status_name(status)),
    }
}

fn in_shape(status: StatusCode, body: impl Serialize, shape: Shape) -> Response<Body> {
    match shape {
        Shape::Flat => json_response(status, &body),
        Shape::Enveloped => json_response(status, &Data { data: body }),
    }
}
