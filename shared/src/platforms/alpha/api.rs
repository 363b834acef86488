//! The protocol of the Google Ads API over REST: credentials, addresses, searches, and mutates.

use super::fault::{classify, read, unreadable};
use super::query::number;
use super::translate::edit::Edit;
use super::wire;
use crate::domain::Platform;
use crate::error::Error;
use crate::outbound::{Answer, Outgoing, secret_header};
use crate::platforms::engine::call::{Access, Api, get, json};
use crate::platforms::engine::page::{Page, Pages};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, Method};
use secrecy::ExposeSecret;
use serde::Serialize;

/// The protocol.
pub(super) static API: Api = Api { platform: Platform::Alpha, authenticate, classify };

/// With the version that the messages in [`wire`] are of.
const BASE: &str = "https://googleads.googleapis.com/v26";

/// The most pages of one search that are read. A page holds 10,000 rows, so only a fault reaches it.
const MAX_PAGES: usize = 20;

/// Google Ads API: REST authorization and HTTP headers.
fn authenticate(access: &Access<'_>, request: &mut Outgoing) -> Result<(), Error> {
    request.headers.insert(AUTHORIZATION, access.bearer()?);
    request.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(manager) = access.account.and_then(|account| account.manager_id.as_deref()) {
        let value = HeaderValue::from_str(manager).map_err(Error::internal)?;
        request.headers.insert(HeaderName::from_static("login-customer-id"), value);
    }
    if let Some(developer_token) = &access.config.client.developer_token {
        let value = secret_header(developer_token.expose_secret()).map_err(Error::internal)?;
        request.headers.insert(HeaderName::from_static("developer-token"), value);
    }
    Ok(())
}

/// The request for the customers that the user reaches directly (Google Ads API: List accessible accounts).
pub(super) fn accessible_customers() -> Outgoing {
    get(format!("{BASE}/customers:listAccessibleCustomers"))
}

/// The address of a method of a customer.
pub(super) fn method(customer: &str, method: &str) -> Result<String, Error> {
    // The id becomes part of the path.
    number(customer).ok_or_else(|| Error::internal("the ad account's id is not a number"))?;
    Ok(format!("{BASE}/customers/{customer}/{method}"))
}

/// The request for a page of a search.
pub(super) fn search_request(customer: &str, query: &str, page_token: Option<&str>) -> Result<Outgoing, Error> {
    post(customer, "googleAds:search", &wire::SearchGoogleAdsRequest { query, page_token })
}

/// The pages of a search in which to find no rows means that there are none.
pub(super) fn search<'a>(customer: &'a str, query: &'a str) -> Pages<'a> {
    let request = move |token: Option<&str>| search_request(customer, query, token);
    Pages::new(request, |_, answer| read_complete_page(answer)).up_to(MAX_PAGES)
}

/// Reads a page of a search.
pub(super) fn read_page(answer: &Answer) -> Result<Page, Error> {
    read(&answer.body).map(page)
}

/// Reads a page of a search whose emptiness proves something. Only an answer to a search names its fields.
pub(super) fn read_complete_page(answer: &Answer) -> Result<Page, Error> {
    let found: wire::SearchGoogleAdsResponse = read(&answer.body)?;
    if found.field_mask.is_none() && found.results.is_empty() {
        return Err(unreadable("neither rows nor fields"));
    }
    Ok(page(found))
}

fn page(found: wire::SearchGoogleAdsResponse) -> Page {
    // An empty token is what proto3 says for none.
    Page { rows: found.results, next: found.next_page_token.filter(|token| !token.is_empty()) }
}

/// The request for a change.
pub(super) fn mutate(customer: &str, edit: &Edit) -> Result<Outgoing, Error> {
    use wire::MutateOperation::{CampaignBudgetOperation, CampaignOperation};
    let response_content_type = wire::ResponseContentType::MutableResource;
    match edit {
        Edit::Campaign(campaign) => {
            let request = wire::MutateRequest { operations: [campaign], response_content_type };
            post(customer, "campaigns:mutate", &request)
        }
        Edit::Budget(budget) => {
            let request = wire::MutateRequest { operations: [budget], response_content_type };
            post(customer, "campaignBudgets:mutate", &request)
        }
        Edit::Both(budget, campaign) => {
            let mutate_operations = vec![CampaignBudgetOperation(budget.clone()), CampaignOperation(campaign.clone())];
            let request = wire::MutateGoogleAdsRequest { mutate_operations, response_content_type };
            post(customer, "googleAds:mutate", &request)
        }
    }
}

/// Reads the results of a change.
pub(super) fn read_results(edit: &Edit, answer: &Answer) -> Result<Vec<wire::MutateResult>, Error> {
    let results = match edit {
        Edit::Both(..) => read_both(answer)?,
        Edit::Campaign(_) | Edit::Budget(_) => read::<wire::MutateResponse>(&answer.body)?.results,
    };
    if results.is_empty() {
        return Err(unreadable("a change without a result"));
    }
    Ok(results)
}

/// Reads the results of a change of both resources.
pub(super) fn read_both(answer: &Answer) -> Result<Vec<wire::MutateResult>, Error> {
    let answer: wire::MutateGoogleAdsResponse = read(&answer.body)?;
    let each = answer.mutate_operation_responses.into_iter();
    Ok(each.flat_map(|response| [response.campaign_budget_result, response.campaign_result]).flatten().collect())
}

fn post(customer: &str, name: &str, request: &impl Serialize) -> Result<Outgoing, Error> {
    json(Method::POST, method(customer, name)?, request)
}
