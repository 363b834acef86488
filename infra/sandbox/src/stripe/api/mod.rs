//! The API: routing, authentication, idempotency, and the calls.

mod call;
mod checkout_sessions;
mod customers;
mod portal_sessions;
mod prices;
mod subscriptions;

use super::error::StripeError;
use super::events::Trigger;
use super::idempotency::KeyedRequest;
use super::params::Params;
use super::state::{NAME, Stripe};
use super::{auth, ids};
use crate::faults::Operation;
use crate::http::{Pairs, Request, Response};
use crate::service::RequestContext;
use call::{ApiCall, ApiResult};

/// The routes of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route<'r> {
    CreateCustomer,
    GetCustomer(&'r str),
    DeleteCustomer(&'r str),
    CreateCheckoutSession,
    GetCheckoutSession(&'r str),
    CreatePortalSession,
    GetPrice(&'r str),
    ListSubscriptions,
    GetSubscription(&'r str),
    UpdateSubscription(&'r str),
    CancelSubscription(&'r str),
}

impl Route<'_> {
    pub(super) fn of(request: &Request) -> Option<Route<'_>> {
        let parts: Vec<&str> = request.path.strip_prefix("/v1/")?.split('/').collect();
        Some(match (request.method.as_str(), &parts[..]) {
            ("POST", ["customers"]) => Route::CreateCustomer,
            ("GET", ["customers", id]) => Route::GetCustomer(id),
            ("DELETE", ["customers", id]) => Route::DeleteCustomer(id),
            ("POST", ["checkout", "sessions"]) => Route::CreateCheckoutSession,
            ("GET", ["checkout", "sessions", id]) => Route::GetCheckoutSession(id),
            ("POST", ["billing_portal", "sessions"]) => Route::CreatePortalSession,
            ("GET", ["prices", id]) => Route::GetPrice(id),
            ("GET", ["subscriptions"]) => Route::ListSubscriptions,
            ("GET", ["subscriptions", id]) => Route::GetSubscription(id),
            ("POST", ["subscriptions", id]) => Route::UpdateSubscription(id),
            ("DELETE", ["subscriptions", id]) => Route::CancelSubscription(id),
            _ => return None,
        })
    }

    /// The operation that faults are set on.
    pub(super) fn operation(self) -> Operation {
        match self {
            Self::CreateCustomer | Self::GetCustomer(_) | Self::DeleteCustomer(_) => Operation::Customer,
            Self::CreateCheckoutSession | Self::GetCheckoutSession(_) => Operation::Checkout,
            Self::CreatePortalSession => Operation::Portal,
            _ => Operation::Subscription,
        }
    }

    fn parameters(self) -> &'static [&'static str] {
        match self {
            Self::CreateCustomer => customers::CREATE_PARAMETERS,
            Self::CreateCheckoutSession => checkout_sessions::CREATE_PARAMETERS,
            Self::CreatePortalSession => portal_sessions::CREATE_PARAMETERS,
            Self::ListSubscriptions => subscriptions::LIST_PARAMETERS,
            Self::UpdateSubscription(_) => subscriptions::UPDATE_PARAMETERS,
            Self::GetCustomer(_)
            | Self::DeleteCustomer(_)
            | Self::GetCheckoutSession(_)
            | Self::GetPrice(_)
            | Self::GetSubscription(_)
            | Self::CancelSubscription(_) => &["expand[#]"],
        }
    }
}

/// Handles a request.
pub(super) fn handle(stripe: &mut Stripe, request: &Request, context: &RequestContext<'_>) -> Response {
    let id = ids::random_id("req_", 14);
    let response = execute(stripe, request, context, &id).unwrap_or_else(|error| error.response());
    with_headers(response, request, &id)
}

/// Rejects a request before the API reads it.
pub(super) fn reject(error: &StripeError, request: &Request) -> Response {
    with_headers(error.response(), request, &ids::random_id("req_", 14))
}

/// Adds the headers of every response.
fn with_headers(response: Response, request: &Request, id: &str) -> Response {
    let version = auth::version(request).unwrap_or(auth::VERSION);
    let response = response.with("request-id", id).with("stripe-version", version);
    match request.header("idempotency-key") {
        Some(key) if request.method == "POST" => response.with("idempotency-key", key),
        _ => response,
    }
}

/// Checks the key, the version and the content type.
pub(super) fn check_request(request: &Request) -> Result<(), StripeError> {
    auth::check(request)?;
    auth::version(request)?;
    if !request.body.is_empty() && !request.is_form() {
        return Err(StripeError::invalid(
            "Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have \
             any questions, we can help at https://support.stripe.com/.",
        ));
    }
    Ok(())
}

fn execute(
    stripe: &mut Stripe,
    request: &Request,
    context: &RequestContext<'_>,
    id: &str,
) -> Result<Response, StripeError> {
    check_request(request)?;
    let route = Route::of(request).ok_or_else(|| StripeError::no_url(&request.method, &request.path))?;
    let now = context.now.as_second();
    let keyed = KeyedRequest::read(request)?;
    if let Some(keyed) = &keyed
        && let Some(response) = stripe.keys.replay(keyed, now)?
    {
        return Ok(response);
    }
    let call = parse(request, route, context, id)?;
    let response = Response::json(200, &dispatch(stripe, route, &call)?);
    if let Some(keyed) = keyed {
        stripe.keys.store(keyed, &response, now);
    }
    Ok(response)
}

fn parse(request: &Request, route: Route<'_>, context: &RequestContext<'_>, id: &str) -> Result<ApiCall, StripeError> {
    let is_post = request.method == "POST";
    if is_post && let Some((name, _)) = Pairs::parse(&request.query).iter().next() {
        return Err(StripeError::unknown_parameter(name));
    }
    let params = Params::read(if is_post { &request.body } else { &request.query }, route.parameters())?;
    let host = request.header("host").unwrap_or("127.0.0.1");
    Ok(ApiCall {
        params,
        trigger: Trigger {
            now: context.now.as_second(),
            request_id: Some(id.to_owned()),
            idempotency_key: request.header("idempotency-key").map(str::to_owned),
        },
        base_url: format!("http://{host}/{NAME}"),
        page_size: context.settings.page_size,
    })
}

fn dispatch(stripe: &mut Stripe, route: Route<'_>, call: &ApiCall) -> ApiResult {
    match route {
        Route::CreateCustomer => customers::create(stripe, call),
        Route::GetCustomer(id) => customers::get(stripe, call, id),
        Route::DeleteCustomer(id) => customers::delete(stripe, call, id),
        Route::CreateCheckoutSession => checkout_sessions::create(stripe, call),
        Route::GetCheckoutSession(id) => checkout_sessions::get(stripe, call, id),
        Route::CreatePortalSession => portal_sessions::create(stripe, call),
        Route::GetPrice(id) => prices::get(call, id),
        Route::ListSubscriptions => subscriptions::list(stripe, call),
        Route::GetSubscription(id) => subscriptions::get(stripe, call, id),
        Route::UpdateSubscription(id) => subscriptions::update(stripe, call, id),
        Route::CancelSubscription(id) => subscriptions::cancel(stripe, call, id),
    }
}
