//! A change as a request of the API: what a preview shows, and what a confirmed change sends.

use super::read::campaign_id;
use crate::api::Api;
use crate::confirm_token::{facts_digest, request_digest};
use crate::object::Object;
use shared::domain::{AdAccount, CampaignDefaults, ChangeKind, Connection, Reference, SpendingLimit};
use shared::envelope::canonical_json;
use shared::error::Error;

const CREATE: [&str; 9] =
    ["connection_id", "name", "goal", "budget_amount", "currency", "budget_period", "start_at", "end_at", REFERENCE];
const CREATE_NEEDS: [&str; 6] = ["connection_id", "name", "goal", "budget_amount", "currency", "budget_period"];
const UPDATE: [&str; 9] =
    ["campaign_id", "name", "status", "budget_amount", "currency", "budget_period", "start_at", "end_at", REFERENCE];
const DATES: [&str; 2] = ["start_at", "end_at"];
/// The argument with the caller's own reference.
const REFERENCE: &str = "reference";

/// A change as the request of the API that makes it.
pub(super) struct RequestedChange<'a> {
    pub(super) method: &'static str,
    /// The path.
    pub(super) path: String,
    /// The query, with its question mark; empty without one.
    pub(super) query: String,
    pub(super) body: Option<String>,
    /// The arguments, without those that are null and mean nothing.
    pub(super) arguments: Object<'a>,
    /// Digest of the tool and its arguments.
    pub(super) request: String,
    /// Digest of what decides on the change.
    pub(super) facts: String,
}

impl<'a> RequestedChange<'a> {
    /// Reads the arguments of a change. The API checks the values.
    pub(super) fn read(api: &Api<'_>, kind: ChangeKind, arguments: &Object<'a>) -> Result<RequestedChange<'a>, Error> {
        // Null takes a date of a campaign away.
        let arguments = arguments.without_nulls(if kind == ChangeKind::Update { &DATES } else { &[] });
        let canonical =
            canonical_json(&arguments.to_json()).ok_or_else(|| Error::internal("arguments are not JSON"))?;
        let request = request_digest(kind, &canonical);
        let facts = |account: Option<(&AdAccount, Option<&CampaignDefaults>)>| {
            facts_digest(&format!("{:?} {account:?}", limit(api)))
        };
        let mut query = String::new();
        let (method, path, body, facts) = match kind {
            ChangeKind::Create => {
                arguments.require(&CREATE, &CREATE_NEEDS)?;
                let connection = connection(api, &arguments.require_text("connection_id")?)?;
                let body = arguments.with("platform", connection.platform.as_str());
                let defaults = connection.campaign_defaults.as_ref();
                let account = connection.account.as_ref().map(|account| (account, defaults));
                ("POST", "/v1/campaigns".to_owned(), Some(body), facts(account))
            }
            ChangeKind::Update => {
                check_update(&arguments)?;
                ("PATCH", campaign(&arguments)?, Some(arguments.without(&["campaign_id"]).to_json()), facts(None))
            }
            ChangeKind::Delete => {
                arguments.require(&["campaign_id", REFERENCE], &["campaign_id"])?;
                query = reference_query(&arguments);
                ("DELETE", campaign(&arguments)?, None, facts(None))
            }
        };
        Ok(RequestedChange { method, path, query, body, arguments, request, facts })
    }

    /// The caller's own reference, if it is one. The API refuses any other text.
    pub(super) fn reference(&self) -> Option<Reference> {
        reference(&self.arguments)
    }
}

/// An amount has its currency beside it, so that the campaign's own is never assumed.
fn check_update(arguments: &Object<'_>) -> Result<(), Error> {
    arguments.require(&UPDATE, &["campaign_id"])?;
    if arguments.has("budget_amount") && !arguments.has("currency") {
        let message = "is required with budget_amount: the currency of the ad account, such as USD";
        return Err(Error::field("currency", message));
    }
    let unchanged = ["campaign_id", "currency", REFERENCE];
    if arguments.members().any(|(name, _)| !unchanged.contains(&name)) {
        return Ok(());
    }
    let message = "must name what to change: name, status, budget_amount, budget_period, start_at or end_at. The currency is \
                   that of the ad account, and cannot be changed";
    Err(Error::field("arguments", message))
}

/// The caller's own reference among arguments, if it is one.
pub(super) fn reference(arguments: &Object<'_>) -> Option<Reference> {
    Reference::parse(&arguments.text(REFERENCE)?)
}

/// The query of a removal: its reference, because it has no body.
fn reference_query(arguments: &Object<'_>) -> String {
    if !arguments.has(REFERENCE) {
        return String::new();
    }
    format!("?{}", arguments.without(&["campaign_id"]).query())
}

/// The path of the campaign.
pub(super) fn campaign(arguments: &Object<'_>) -> Result<String, Error> {
    Ok(format!("/v1/campaigns/{}", campaign_id(arguments)?))
}

/// The connection of a create. The call has read it.
fn connection<'a>(api: &'a Api<'_>, id: &str) -> Result<&'a Connection, Error> {
    api.call.connected.connection(id).ok_or_else(|| Error::not_found("connection"))
}

/// The limit of the key, without what counts against it.
pub(super) fn limit<'a>(api: &'a Api<'_>) -> Option<&'a SpendingLimit> {
    api.call.key_spending()?.limit.as_ref()
}
