//! A change as a request of the API: what a preview shows, and what a confirmed change sends.

use super::ChangeKind;
use super::read::segment;
use crate::api::Api;
use crate::arguments::Arguments;
use crate::confirm_token::{facts_digest, request_digest};
use shared::domain::{AdAccount, Connection};
use shared::envelope::canonical_json;
use shared::error::Error;
use shared::store::SpendingState;

const CREATE: [&str; 8] =
    ["connection_id", "name", "goal", "budget_amount", "currency", "budget_period", "start_at", "end_at"];
const CREATE_NEEDS: [&str; 6] = ["connection_id", "name", "goal", "budget_amount", "currency", "budget_period"];
const UPDATE: [&str; 8] =
    ["campaign_id", "name", "status", "budget_amount", "currency", "budget_period", "start_at", "end_at"];

/// A change as a request of the API.
pub(super) struct Plan {
    pub(super) method: &'static str,
    /// The path.
    pub(super) target: String,
    pub(super) body: Option<String>,
    /// Digest of the tool and its arguments.
    pub(super) request: String,
    /// Digest of what decides on the change.
    pub(super) facts: String,
}

impl Plan {
    /// Reads the arguments of a change. The API checks the values.
    pub(super) fn read(api: &Api<'_>, kind: ChangeKind, arguments: &Arguments<'_>) -> Result<Plan, Error> {
        let canonical =
            canonical_json(&arguments.to_json()).ok_or_else(|| Error::internal("arguments are not JSON"))?;
        let request = request_digest(kind, &canonical);
        let facts = |account: Option<&AdAccount>| facts_digest(&format!("{:?} {account:?}", limit(api)));
        match kind {
            ChangeKind::Create => {
                arguments.require(&CREATE, &CREATE_NEEDS)?;
                let connection = connection(api, &arguments.require_text("connection_id")?)?;
                let body = arguments.with("platform", connection.platform.as_str());
                let facts = facts(connection.account.as_ref());
                Ok(Plan { method: "POST", target: "/v1/campaigns".to_owned(), body: Some(body), request, facts })
            }
            ChangeKind::Update => {
                check_update(arguments)?;
                let target = campaign(arguments)?;
                let body = Some(arguments.without("campaign_id").to_json());
                Ok(Plan { method: "PATCH", target, body, request, facts: facts(None) })
            }
            ChangeKind::Delete => {
                arguments.require(&["campaign_id"], &["campaign_id"])?;
                Ok(Plan { method: "DELETE", target: campaign(arguments)?, body: None, request, facts: facts(None) })
            }
        }
    }
}

/// An amount has its currency beside it, so that the campaign's own is never assumed. A removal is a tool of its own.
fn check_update(arguments: &Arguments<'_>) -> Result<(), Error> {
    arguments.require(&UPDATE, &["campaign_id"])?;
    if arguments.json("budget_amount").is_some() && arguments.json("currency").is_none() {
        return Err(Error::field(
            "currency",
            "is required with budget_amount: the currency of the ad account, such as USD",
        ));
    }
    let is_settable = |status: &str| ["ACTIVE", "PAUSED"].contains(&status);
    if arguments.json("status").is_some() && !arguments.text("status").is_some_and(|status| is_settable(&status)) {
        return Err(Error::field("status", "must be ACTIVE or PAUSED; delete_campaign removes a campaign"));
    }
    if UPDATE.iter().any(|name| !["campaign_id", "currency"].contains(name) && arguments.json(name).is_some()) {
        return Ok(());
    }
    Err(Error::field(
        "arguments",
        "must name what to change: name, status, budget_amount, budget_period, start_at or end_at",
    ))
}

/// The path of the campaign.
pub(super) fn campaign(arguments: &Arguments<'_>) -> Result<String, Error> {
    Ok(format!("/v1/campaigns/{}", segment(arguments, "campaign_id", "campaign")?))
}

/// The connection of a create. The call has read it.
fn connection<'a>(api: &'a Api<'_>, id: &str) -> Result<&'a Connection, Error> {
    let connection = api.call.connected.connection(id).ok_or_else(|| Error::not_found("connection"))?;
    api.call.require_permitted(&connection.id)?;
    Ok(connection)
}

/// The limit of the key, without what counts against it.
fn limit<'a>(api: &'a Api<'_>) -> Option<&'a shared::domain::SpendingLimit> {
    let SpendingState { spending, .. } = api.call.spending.as_ref()?;
    spending.limit.as_ref()
}
