//! The outcome of a create: a campaign, a refusal, not created, or unknown. A create is sent once and never retried.

use super::call::{Client, json};
use crate::domain::{
    AdAccount, BudgetPeriod, CampaignDraft, CampaignId, CampaignStatus, Marker, Platform, PlatformCampaign,
};
use crate::error::{Error, Kind};
use crate::outbound::OutboundResponse;
use crate::platforms::errors::{no_response, refused_by_status, unknown_outcome};
use http::Method;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;

/// The input of the translation of a new campaign.
#[derive(Clone, Copy, Debug)]
pub struct CreateInput<'a> {
    pub account: &'a AdAccount,
    /// The campaign that the caller wants.
    pub draft: &'a CampaignDraft,
    /// Identifies the campaign on platforms that can store it.
    pub marker: &'a Marker,
    /// The time of the request: the start of a campaign without `start_at`.
    pub now: Timestamp,
}

/// The translation of new campaigns. Pure.
pub trait Create {
    /// Checks and translates a draft. Rejects each field that the platform cannot represent.
    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error>;

    /// Reads the new campaign from a success response.
    fn read_created(
        &self,
        account: &AdAccount,
        prepared: &PreparedCreate,
        response: &OutboundResponse,
    ) -> Result<PlatformCampaign, Error>;

    /// Decides whether a failed create was refused or has an unknown outcome.
    fn create_failure(&self, response: &OutboundResponse, error: Error) -> CreateFailure {
        CreateFailure::of(response, error)
    }
}

/// A checked and translated create.
#[derive(Clone, Debug)]
pub struct PreparedCreate {
    /// The published URL.
    pub url: String,
    /// The body. [`super::AdPlatform::complete_create`] adds the parts that must be read from the platform.
    pub body: Box<RawValue>,
    /// The campaign as the draft describes it, without an id.
    pub campaign: PlatformCampaign,
}

impl PreparedCreate {
    /// A create of a paused campaign. `start_at` and `end_at` stay empty for the adapter to set.
    pub fn new(
        platform: Platform,
        input: &CreateInput<'_>,
        url: String,
        body: &impl Serialize,
    ) -> Result<PreparedCreate, Error> {
        let CreateInput { account, draft, .. } = *input;
        let campaign = PlatformCampaign {
            total_spend_amount: Some(Decimal::ZERO),
            ..PlatformCampaign::of_draft(platform, &account.id, account.currency, draft)
        };
        Ok(PreparedCreate { url, body: to_raw_value(body).map_err(Error::internal)?, campaign })
    }

    /// The same create with one more text field. Amounts keep their exact digits.
    pub fn with_field(&self, path: &[&str], text: &str) -> Result<PreparedCreate, Error> {
        let value = to_raw_value(text).map_err(Error::internal)?;
        Ok(PreparedCreate { body: inserted(&self.body, path, value).map_err(Error::internal)?, ..self.clone() })
    }

    /// The created campaign, with the platform's id and object.
    pub fn created(&self, remote_id: String, raw: String) -> PlatformCampaign {
        let id = CampaignId::new(self.campaign.platform(), &self.campaign.account_id, &remote_id);
        PlatformCampaign { id, remote_id, raw, ..self.campaign.clone() }
    }
}

fn inserted(object: &RawValue, path: &[&str], value: Box<RawValue>) -> serde_json::Result<Box<RawValue>> {
    let mut fields: BTreeMap<String, Box<RawValue>> = serde_json::from_str(object.get())?;
    let Some((name, rest)) = path.split_first() else { return Ok(value) };
    let value = match fields.get(*name) {
        Some(inner) if !rest.is_empty() => inserted(inner, rest, value)?,
        _ => value,
    };
    fields.insert((*name).to_owned(), value);
    to_raw_value(&fields)
}

/// Client errors that do not prove that a create was not carried out (RFC 9110 15.5; 499 is nginx's): the platform or a
/// gateway gave up waiting (408, 499), or the create conflicts with something, perhaps with itself after a gateway
/// sent it twice (409).
const OPEN_STATUSES: [u16; 3] = [408, 409, 499];

/// The outcome of a failed create.
#[derive(Debug)]
pub enum CreateFailure {
    /// The platform created nothing. The error may be a refusal, a throttle or a missing permission.
    NotCreated(Error),
    /// The campaign may exist.
    Unknown(Error),
}

impl CreateFailure {
    /// The default; a platform that refuses with a success status overrides it. Only a client error proves that nothing
    /// was created, whatever its body is, unless it is one of [`OPEN_STATUSES`] or the platform's own code says that
    /// the platform failed. A 404 is about an object that the create refers to.
    pub fn of(response: &OutboundResponse, error: Error) -> CreateFailure {
        let status = response.status;
        match error.kind {
            _ if !status.is_client_error() => CreateFailure::Unknown(error),
            Kind::PlatformFailed | Kind::PlatformTimeout
                if error.platform_code().is_some() || OPEN_STATUSES.contains(&status.as_u16()) =>
            {
                CreateFailure::Unknown(error)
            }
            Kind::PlatformFailed | Kind::PlatformTimeout => CreateFailure::NotCreated(refused_by_status(status, error)),
            Kind::Forbidden if error.platform_error.is_none() => {
                CreateFailure::NotCreated(refused_by_status(status, error))
            }
            Kind::NotFound => CreateFailure::NotCreated(Error { kind: Kind::PlatformRefused, ..error }),
            _ => CreateFailure::NotCreated(error),
        }
    }
}

/// A new campaign as its platform shows it, because an outcome is what was seen (D85). What the platform leaves out
/// stays as drafted: a short answer says nothing of the campaign. So do the goal and the spelling of the period, which
/// the platform's own terms may lose. It has spent nothing.
pub fn as_seen(drafted: PlatformCampaign, seen: Option<PlatformCampaign>) -> PlatformCampaign {
    let Some(seen) = seen.filter(|seen| seen.id == drafted.id) else { return drafted };
    let means_the_same = |period: &BudgetPeriod| seen.budget_period.is_none_or(|shown| shown.means(*period));
    PlatformCampaign {
        status: if seen.status == CampaignStatus::Unspecified { drafted.status } else { seen.status },
        goal: drafted.goal,
        budget_amount: seen.budget_amount.or(drafted.budget_amount),
        budget_period: drafted.budget_period.filter(means_the_same).or(seen.budget_period),
        total_spend_amount: drafted.total_spend_amount,
        start_at: seen.start_at.or(drafted.start_at),
        end_at: seen.end_at.or(drafted.end_at),
        name: if seen.name.is_empty() { drafted.name } else { seen.name },
        ..seen
    }
}

/// A new campaign as a read of it shows it. Without the read it stays as it is, because it exists.
pub fn with_read_back(created: PlatformCampaign, read: Result<PlatformCampaign, Error>) -> PlatformCampaign {
    let read = read.inspect_err(|error| {
        let (platform, campaign) = (created.platform(), &created.remote_id);
        tracing::warn!(%platform, campaign, %error, "a new campaign was not read back");
    });
    as_seen(created, read.ok())
}

/// Sends a create once. `read` reads the campaign from a success response; `failure` classifies every error.
pub(super) async fn send(
    client: &Client<'_>,
    prepared: &PreparedCreate,
    read: impl Fn(&OutboundResponse) -> Result<PlatformCampaign, Error> + Send,
    failure: impl Fn(&OutboundResponse, Error) -> CreateFailure + Send,
) -> Result<PlatformCampaign, Error> {
    let platform = client.platform();
    let unknown = |reason| unknown_outcome(platform, &prepared.campaign.name, reason);
    let request = client.sign(json(Method::POST, prepared.url.clone(), &prepared.body)?)?;
    let response = match client.send(request).await {
        Ok(response) => response,
        Err(unsent) if unsent.is_unsent() => return Err(no_response(platform, unsent)),
        Err(lost) => return Err(unknown(no_response(platform, lost))),
    };
    let created = client.check(&response).and_then(|()| read(&response));
    created.map_err(|error| match failure(&response, client.without_secrets(error)) {
        CreateFailure::NotCreated(error) => error,
        CreateFailure::Unknown(error) => unknown(error),
    })
}
