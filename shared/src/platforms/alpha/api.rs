//! The protocol of the Google Ads API over REST: credentials, addresses, searches, and mutates.

use super::error::classify;
use super::query::number;
use super::wire;
use crate::outbound::secret_header;
use crate::platforms::engine::dry_run::with_flag;
use crate::platforms::prelude::*;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use serde::Serialize;

pub(super) static API: Api = Api { platform: Platform::Alpha, authenticate, classify };

/// With the version that the messages in [`wire`] are of.
const BASE: &str = "https://googleads.googleapis.com/v26";

/// The most pages of one search that are read. A page holds 10,000 rows, so only a fault reaches it.
const MAX_PAGES: usize = 20;

/// Google Ads API: REST authorization and HTTP headers.
fn authenticate(access: &Access<'_>, request: &mut OutboundRequest) -> Result<(), Error> {
    request.headers.insert(AUTHORIZATION, access.bearer()?);
    request.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(manager) = access.account.and_then(|account| account.manager_id.as_deref()) {
        request.headers.insert("login-customer-id", HeaderValue::from_str(manager).map_err(Error::internal)?);
    }
    if let Some(token) = &access.config.client.developer_token {
        request.headers.insert("developer-token", secret_header(token.expose_secret()).map_err(Error::internal)?);
    }
    Ok(())
}

/// The request for the customers that the user reaches directly (Google Ads API: List accessible accounts).
pub(super) fn accessible_customers() -> OutboundRequest {
    get(format!("{BASE}/customers:listAccessibleCustomers"))
}

pub(super) fn method(customer: &str, method: &str) -> Result<String, Error> {
    // The id becomes part of the path.
    number(customer).ok_or_else(|| Error::internal("the ad account's id is not a number"))?;
    Ok(format!("{BASE}/customers/{customer}/{method}"))
}

pub(super) fn search_request(customer: &str, query: &str, page_token: Option<&str>) -> Result<OutboundRequest, Error> {
    post(customer, "googleAds:search", &wire::SearchGoogleAdsRequest { query, page_token })
}

/// The pages of a search in which to find no rows means that there are none.
pub(super) fn search<'a>(customer: &'a str, query: &'a str) -> Pages<'a> {
    let request = move |token: Option<&str>| search_request(customer, query, token);
    Pages::new(request, |_, response| read_complete_page(response)).up_to(MAX_PAGES)
}

pub(super) fn read_page(response: &OutboundResponse) -> Result<Page, Error> {
    read_object(Platform::Alpha, &response.body).map(page)
}

/// Reads a page of a search whose emptiness proves something. Only a response to a search names its fields.
pub(super) fn read_complete_page(response: &OutboundResponse) -> Result<Page, Error> {
    let found: wire::SearchGoogleAdsResponse = read_object(Platform::Alpha, &response.body)?;
    if found.field_mask.is_none() && found.results.is_empty() {
        return Err(unreadable(Platform::Alpha, "neither rows nor fields"));
    }
    Ok(page(found))
}

fn page(found: wire::SearchGoogleAdsResponse) -> Page {
    // An empty token is what proto3 says for none.
    Page { rows: found.results, next: found.next_page_token.filter(|token| !token.is_empty()) }
}

/// The operations of a change: on the campaign, on its budget, or on both at once.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) campaign: Option<wire::Operation<wire::Campaign>>,
    pub(super) budget: Option<wire::Operation<wire::CampaignBudget>>,
}

/// Sends a change and reads its results.
pub(super) async fn change(session: &AccountSession, edit: &Edit) -> Result<Vec<wire::MutateResult>, Error> {
    let customer = &session.account.id;
    let request = match (&edit.budget, &edit.campaign) {
        (None, Some(campaign)) => post(customer, "campaigns:mutate", &wire::MutateRequest::of(campaign)),
        (Some(budget), None) => post(customer, "campaignBudgets:mutate", &wire::MutateRequest::of(budget)),
        (Some(budget), Some(campaign)) => {
            let request = wire::MutateGoogleAdsRequest::of(budget.clone(), campaign.clone());
            post(customer, "googleAds:mutate", &request)
        }
        (None, None) => Err(Error::internal("an update without a change")),
    };
    let response = Client::of(&API, session).change(request?).await?;
    let results = if edit.budget.is_some() && edit.campaign.is_some() {
        read_both(&response)?
    } else {
        read_object::<wire::MutateResponse>(Platform::Alpha, &response.body)?.results
    };
    if results.is_empty() {
        return Err(unreadable(Platform::Alpha, "a change without a result"));
    }
    Ok(results)
}

/// Reads the results of a change of both resources.
pub(super) fn read_both(response: &OutboundResponse) -> Result<Vec<wire::MutateResult>, Error> {
    let results: wire::MutateGoogleAdsResponse = read_object(Platform::Alpha, &response.body)?;
    let each = results.mutate_operation_responses.into_iter();
    Ok(each.flat_map(|response| [response.campaign_budget_result, response.campaign_result]).flatten().collect())
}

/// The same mutate with the flag of the request that only checks it; its success is an empty answer (Google Ads API:
/// Mutating, `validateOnly`). Every value stays as it is written. `None` for anything but a mutate.
pub(super) fn validation(request: &OutboundRequest) -> Result<Option<OutboundRequest>, Error> {
    if request.method != Method::POST || !request.url.ends_with(":mutate") {
        return Ok(None);
    }
    with_flag(request, &serde_json::json!({"validateOnly": true})).map(Some)
}

/// Reads the response to a check, which has no results. One that names a resource comes from a mutate that took place.
pub(super) fn read_validated(response: &OutboundResponse) -> Result<(), Error> {
    let results = read_object::<wire::MutateResponse>(Platform::Alpha, &response.body)?.results;
    if results.is_empty() && read_both(response)?.is_empty() {
        Ok(())
    } else {
        Err(errors::carried_out(Platform::Alpha))
    }
}

fn post(customer: &str, name: &str, request: &impl Serialize) -> Result<OutboundRequest, Error> {
    json(Method::POST, method(customer, name)?, request)
}
