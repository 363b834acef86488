//! Lists and describes advertisers.
//!
//! TikTok API for Business v1.3: "Get authorized ad accounts", "Get ad account information".

use super::account::{Account, FIELDS};
use super::envelope::Data;
use super::error::{ApiError, NO_PERMISSION};
use super::oauth::check_app;
use super::params::Query;
use super::state::Gamma;
use super::{auth, quirks};
use crate::http::Request;
use crate::oauth::Consent;
use crate::service::RequestContext;
use serde_json::{Value, json};

/// Upper bound of `advertiser_ids` in one call.
const MAX_ADVERTISERS: usize = 100;

/// Lists the advertisers that a token grants access to.
pub(crate) fn list(
    gamma: &Gamma,
    request: &Request,
    consent: &Consent,
    context: &RequestContext<'_>,
) -> Result<Data, ApiError> {
    let query = Query::read(request, &["app_id", "secret"])?;
    check_app(query.required("app_id")?, query.required("secret")?)?;
    let row = |account: &Account| json!({ "advertiser_id": account.id, "advertiser_name": account.name });
    let granted = gamma.accounts.iter().filter(|account| consent.accounts.contains(&account.id));
    let mut list: Vec<Value> = granted.map(row).collect();
    if context.quirk(quirks::DELETED_ADVERTISER) {
        list.push(json!({ "advertiser_id": quirks::DELETED, "advertiser_name": "Harbour Coffee Closed" }));
    }
    Ok(Data::Plain(json!({ "list": list })))
}

/// Describes the requested advertisers. One deleted advertiser fails the whole call (recorded live, 2026-07).
pub(crate) fn info(gamma: &Gamma, request: &Request, consent: &Consent) -> Result<Data, ApiError> {
    let query = Query::read(request, &["advertiser_ids", "fields"])?;
    let ids = query.strings("advertiser_ids", None)?.ok_or_else(|| ApiError::missing("advertiser_ids"))?;
    if ids.is_empty() || ids.len() > MAX_ADVERTISERS {
        return Err(ApiError::parameter("advertiser_ids", "Length must be between 1 and 100."));
    }
    let selected = query.strings("fields", Some(FIELDS))?;
    let selected = selected.unwrap_or_else(|| FIELDS.iter().map(|&name| name.to_owned()).collect());
    if let Some(gone) = ids.iter().find(|id| gamma.accounts.iter().all(|account| account.id != **id)) {
        let why = format!("Advertiser {gone} doesn't exist or has been deleted.");
        return Err(ApiError::new(NO_PERMISSION, why));
    }
    let mut list = Vec::new();
    for id in ids {
        let index = auth::authorize(gamma, consent, &id)?;
        let fields = |account: &Account| selected.iter().map(|name| (name.clone(), account.field(name))).collect();
        list.extend(gamma.accounts.get(index).map(|account| Value::Object(fields(account))));
    }
    Ok(Data::Plain(json!({ "list": list })))
}
