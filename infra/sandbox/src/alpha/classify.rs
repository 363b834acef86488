//! The operation of a request, which faults match.

use super::resource_name::Resource;
use super::route::{AUTHORIZE, Method, REVOKE, Route, TOKEN};
use super::{gaql, operation};
use crate::faults::{Operation, RequestKind};
use crate::http::Request;
use serde_json::Value;

/// Classifies a request.
pub(crate) fn request_kind(request: &Request) -> RequestKind {
    match request.path.as_str() {
        AUTHORIZE => RequestKind::Page,
        REVOKE => RequestKind::Operation(Operation::Revoke),
        TOKEN => RequestKind::of_token_request(request),
        _ => api_operation(request).map_or(RequestKind::Other, RequestKind::Operation),
    }
}

/// `None` for a request that cannot be parsed.
fn api_operation(request: &Request) -> Option<Operation> {
    match Route::parse(request)?.method {
        Method::ListAccessible => Some(Operation::Accounts),
        Method::Search(_) | Method::SearchStream(_) => search_operation(&request.body),
        Method::Mutate(_, service) => {
            let body = operation::parse(service, &request.body).ok()?;
            mutate_operation(&operation::operations(service, &body))
        }
    }
}

fn search_operation(body: &str) -> Option<Operation> {
    let body: Value = serde_json::from_str(body).ok()?;
    let query = gaql::parse(body.get("query")?.as_str()?).ok()?;
    match query.from.as_str() {
        "campaign" if query.is_of_one_campaign() => Some(Operation::Get),
        "campaign" => Some(Operation::List),
        "ad_group_ad" => Some(Operation::Ads),
        "customer" | "customer_client" | "currency_constant" => Some(Operation::Accounts),
        _ => None,
    }
}

fn mutate_operation<E>(operations: &[Result<operation::Operation<'_>, E>]) -> Option<Operation> {
    let has = |resource: Option<Resource>, action: &str| {
        operations
            .iter()
            .flatten()
            .any(|one| resource.is_none_or(|wanted| wanted == one.resource) && one.input.get(action).is_some())
    };
    if has(Some(Resource::Campaign), "create") {
        Some(Operation::Create)
    } else if has(Some(Resource::Campaign), "remove") {
        Some(Operation::Delete)
    } else {
        has(None, "update").then_some(Operation::Update)
    }
}
