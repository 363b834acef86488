//! The attributes of a change whose form is another than that of the domain.

mod action;
mod monthly;
mod state;

pub(super) use action::StoredAction;
pub(super) use monthly::StoredMonthlyBudget;
pub(super) use state::{FAILED, StoredError, StoredState, state_name};

use crate::domain::{Approval, Approver, CampaignValues, KeyId, PersonId, ReportedStates, Requester};
use crate::error::Error;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::{serde_conv, skip_serializing_none};
use std::convert::Infallible;
use uuid::Uuid;

#[derive(Serialize, Deserialize)]
#[serde(remote = "Requester", tag = "kind", rename_all = "SCREAMING_SNAKE_CASE")]
pub(in crate::store) enum StoredRequester {
    ApiKey {
        id: KeyId,
        #[serde(default)]
        name: String,
    },
    Person {
        id: PersonId,
        #[serde(default, rename = "name", skip_serializing_if = "Option::is_none")]
        email: Option<String>,
    },
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct ApprovalAttributes {
    #[serde(with = "StoredRequester")]
    by: Requester,
    person: Option<String>,
    request: Option<Uuid>,
    at: Timestamp,
    seen: Option<CampaignValues>,
}

serde_conv!(
    pub(super) StoredApproval,
    Approval,
    |approval: &Approval| {
        let Approval { by: Approver { by, person, request }, at, seen } = approval.clone();
        ApprovalAttributes { by, person, request, at, seen }
    },
    |ApprovalAttributes { by, person, request, at, seen }| {
        Ok::<_, Infallible>(Approval { by: Approver { by, person, request }, at, seen })
    }
);

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(remote = "ReportedStates")]
pub(super) struct StoredReportedStates {
    #[serde(rename = "doubt_told")]
    in_doubt: Option<i64>,
    #[serde(default, rename = "late_told", skip_serializing_if = "std::ops::Not::not")]
    late: bool,
}

pub(super) fn corrupt_record() -> Error {
    Error::internal("a change has a malformed attribute")
}
