//! Changes and removes a campaign, and reports what became of it.

use super::path;
use crate::client::api::{Api, Refusal, json};
use crate::client::changes;
use crate::kit::amount::Amount;
use crate::kit::campaign::Switch;
use crate::kit::text::path_segment;
use jiff::Timestamp;
use serde::Serialize;
use shared::domain::{ChangeId, ChangeState};
use shared::envelope::{Reply, Shape};
use shared::error::{Error, Kind};
use shared::serve::{Answer, ApiCall};

/// The budget period that this service holds. Only the enveloped shape has it.
pub(crate) const MONTHLY: &str = "MONTHLY";

/// The body of `updateCampaign`, without what stays as it is. The texts are those of a form: the API says what is wrong
/// with them.
#[derive(Default, Serialize)]
pub(crate) struct CampaignEdit<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) budget_amount: Option<Amount>,
    /// The new period, or that of a monthly budget whose amount changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) budget_period: Option<&'a str>,
}

/// What became of a change.
pub(crate) enum EditOutcome {
    /// It is made, by this change; `None` if there was nothing to change.
    Made(Option<ChangeId>),
    /// It is made by several changes: the monthly budget, what this service keeps for it, and the rest at the platform.
    Several(Vec<ChangeId>),
    /// It waits for this time: the one of the form, or the start of the campaign.
    Waits {
        change: ChangeId,
        at: Timestamp,
    },
    Deleted,
    /// It is not known whether it is made by these changes.
    Checking(Vec<ChangeId>),
}

impl CampaignEdit<'_> {
    /// Whether everything stays as it is.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, CampaignEdit { name: None, status: None, budget_amount: None, budget_period: None })
    }

    /// The switch, if it changes the status alone.
    pub(crate) fn switch(&self) -> Option<Switch> {
        match self {
            CampaignEdit { name: None, status: Some(status), budget_amount: None, budget_period: None } => {
                [Switch::Pause, Switch::Activate].into_iter().find(|switch| switch.status() == *status)
            }
            _ => None,
        }
    }

    /// The shape of the request: the flat one has no months.
    fn shape(&self) -> Shape {
        if self.budget_period.is_some() { Shape::Enveloped } else { Shape::Flat }
    }
}

/// Changes a campaign, now or at a time.
pub(crate) async fn update(
    api: &Api<'_>,
    id: &str,
    at: Option<&str>,
    edit: &CampaignEdit<'_>,
) -> Result<EditOutcome, Refusal> {
    let (method, target, shape) = ("PATCH", &target(id, at), edit.shape());
    send(api, ApiCall { method, target, body: json(edit), shape, idempotency_key: None }).await
}

/// Removes a campaign, now or at a time.
pub(crate) async fn delete(api: &Api<'_>, id: &str, at: Option<&str>) -> Result<EditOutcome, Refusal> {
    let (method, target, shape) = ("DELETE", &target(id, at), Shape::Flat);
    send(api, ApiCall { method, target, body: None, shape, idempotency_key: None }).await
}

fn target(id: &str, at: Option<&str>) -> String {
    let at = at.map(|at| format!("?apply_at={}", path_segment(at)));
    format!("{}{}", path(id), at.unwrap_or_default())
}

async fn send(api: &Api<'_>, call: ApiCall<'_>) -> Result<EditOutcome, Refusal> {
    let shape = call.shape;
    let Answer { outcome, changes, response: _ } = api.answer(call).await?;
    match outcome {
        Ok(Reply::Done) => Ok(EditOutcome::Deleted),
        Ok(Reply::Campaign(_)) if shape == Shape::Enveloped && changes.len() > 1 => Ok(EditOutcome::Several(changes)),
        // The change at the platform is the first.
        Ok(Reply::Campaign(_)) => Ok(EditOutcome::Made(changes.first().copied())),
        Ok(Reply::Waiting(change)) => match change.apply_at {
            Some(at) => Ok(EditOutcome::Waits { change: change.id, at }),
            None => Err(api.unexpected(&Reply::Waiting(change))),
        },
        Ok(other) => Err(api.unexpected(&other)),
        Err(error) => {
            if is_unknown(api, &error, &changes).await {
                return Ok(EditOutcome::Checking(changes));
            }
            Err(api.refusal(&error))
        }
    }
}

/// Whether this service finds out by itself what became of the changes of a request that has failed.
async fn is_unknown(api: &Api<'_>, error: &Error, changes: &[ChangeId]) -> bool {
    let (Kind::PlatformFailed | Kind::PlatformTimeout, Some(first)) = (error.kind, changes.first()) else {
        return false;
    };
    changes::one(api, &first.to_string()).await.is_ok_and(|change| change.state == ChangeState::Sending)
}
