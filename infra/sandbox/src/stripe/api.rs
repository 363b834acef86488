//! The calls of the API, and what every call has in common.

use serde_json::Value;

use super::error::StripeError;
use super::events::Occasion;
use super::idempotency::Ticket;
use super::params::Params;
use super::{Stripe, WORD, auth, customer, ids, portal, session, subscription};
use crate::faults::Operation;
use crate::http::{Reply, Request};
use crate::platform::RequestContext;

/// An object, or why there is none.
pub(super) type Answer = Result<Value, StripeError>;

/// A call with all that it says.
pub(super) struct Asked {
    pub(super) params: Params,
    pub(super) occasion: Occasion,
    /// Where the hosted pages are.
    pub(super) base: String,
    /// Rows of a list when it was set from outside.
    pub(super) page_size: Option<usize>,
}

impl Asked {
    /// The names that are to be shown whole, each one of `known`.
    pub(super) fn expanded(&self, known: &'static [&'static str]) -> Result<Vec<&'static str>, StripeError> {
        let find = |name| known.iter().find(|known| **known == name).copied();
        let unknown = |name| {
            let why = format!("This property cannot be expanded ({name}); here it may be one of: {}", known.join(", "));
            StripeError::invalid(why).about("expand")
        };
        self.params.list("expand").map(|name| find(name).ok_or_else(|| unknown(name))).collect()
    }
}

/// What is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route<'r> {
    CreateCustomer,
    Customer(&'r str),
    CreateSession,
    Session(&'r str),
    CreatePortal,
    ListSubscriptions,
    Subscription(&'r str),
    UpdateSubscription(&'r str),
    CancelSubscription(&'r str),
}

impl Route<'_> {
    pub(super) fn of(request: &Request) -> Option<Route<'_>> {
        let parts: Vec<&str> = request.path.strip_prefix("/v1/")?.split('/').collect();
        Some(match (request.method.as_str(), &parts[..]) {
            ("POST", ["customers"]) => Route::CreateCustomer,
            ("GET", ["customers", id]) => Route::Customer(id),
            ("POST", ["checkout", "sessions"]) => Route::CreateSession,
            ("GET", ["checkout", "sessions", id]) => Route::Session(id),
            ("POST", ["billing_portal", "sessions"]) => Route::CreatePortal,
            ("GET", ["subscriptions"]) => Route::ListSubscriptions,
            ("GET", ["subscriptions", id]) => Route::Subscription(id),
            ("POST", ["subscriptions", id]) => Route::UpdateSubscription(id),
            ("DELETE", ["subscriptions", id]) => Route::CancelSubscription(id),
            _ => return None,
        })
    }

    /// What faults call it.
    pub(super) fn operation(self) -> Operation {
        match self {
            Self::CreateCustomer | Self::Customer(_) => Operation::Customer,
            Self::CreateSession | Self::Session(_) => Operation::Checkout,
            Self::CreatePortal => Operation::Portal,
            _ => Operation::Subscription,
        }
    }

    fn parameters(self) -> &'static [&'static str] {
        match self {
            Self::CreateCustomer => customer::PARAMETERS,
            Self::CreateSession => session::PARAMETERS,
            Self::CreatePortal => portal::PARAMETERS,
            Self::ListSubscriptions => subscription::LISTED,
            Self::UpdateSubscription(_) => subscription::UPDATED,
            Self::Customer(_) | Self::Session(_) | Self::Subscription(_) | Self::CancelSubscription(_) => {
                &["expand[#]"]
            }
        }
    }
}

/// Answers a call of the API.
pub(super) fn answer(stripe: &mut Stripe, request: &Request, moment: &RequestContext<'_>) -> Reply {
    let id = ids::fresh("req_", 14);
    let reply = serve(stripe, request, moment, &id).unwrap_or_else(|error| error.reply());
    dressed(reply, request, &id)
}

/// A refusal from in front of the API.
pub(super) fn refused(error: &StripeError, request: &Request) -> Reply {
    dressed(error.reply(), request, &ids::fresh("req_", 14))
}

/// With the headers that every answer has.
fn dressed(reply: Reply, request: &Request, id: &str) -> Reply {
    let version = auth::version(request).unwrap_or(auth::VERSION);
    let reply = reply.with("request-id", id).with("stripe-version", version);
    match request.header("idempotency-key") {
        Some(key) if request.method == "POST" => reply.with("idempotency-key", key),
        _ => reply,
    }
}

/// Lets pass what may be looked at: a known caller that speaks a known version in forms.
pub(super) fn admitted(request: &Request) -> Result<(), StripeError> {
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

fn serve(stripe: &mut Stripe, request: &Request, moment: &RequestContext<'_>, id: &str) -> Result<Reply, StripeError> {
    admitted(request)?;
    let route = Route::of(request).ok_or_else(|| StripeError::no_url(&request.method, &request.path))?;
    let now = moment.now.as_second();
    let ticket = Ticket::of(request)?;
    if let Some(ticket) = &ticket
        && let Some(reply) = stripe.keys.replay(ticket, now)?
    {
        return Ok(reply);
    }
    let asked = asked(request, route, moment, id)?;
    let reply = Reply::json(200, &call(stripe, route, &asked)?);
    if let Some(ticket) = ticket {
        stripe.keys.keep(ticket, &reply, now);
    }
    Ok(reply)
}

fn asked(request: &Request, route: Route<'_>, moment: &RequestContext<'_>, id: &str) -> Result<Asked, StripeError> {
    let body = request.method == "POST";
    if body && let Some((name, _)) = crate::http::Pairs::parse(&request.query).iter().next() {
        return Err(StripeError::unknown_parameter(name));
    }
    let params = Params::read(if body { &request.body } else { &request.query }, route.parameters())?;
    let host = request.header("host").unwrap_or("127.0.0.1");
    let key = request.header("idempotency-key").map(str::to_owned);
    Ok(Asked {
        params,
        occasion: Occasion { now: moment.now.as_second(), request: Some(id.to_owned()), key },
        base: format!("http://{host}/{WORD}"),
        page_size: moment.settings.page_size,
    })
}

fn call(stripe: &mut Stripe, route: Route<'_>, asked: &Asked) -> Answer {
    match route {
        Route::CreateCustomer => customer::create(stripe, asked),
        Route::Customer(id) => customer::get(stripe, asked, id),
        Route::CreateSession => session::create(stripe, asked),
        Route::Session(id) => session::get(stripe, asked, id),
        Route::CreatePortal => portal::create(stripe, asked),
        Route::ListSubscriptions => subscription::list(stripe, asked),
        Route::Subscription(id) => subscription::get(stripe, asked, id),
        Route::UpdateSubscription(id) => subscription::update(stripe, asked, id),
        Route::CancelSubscription(id) => subscription::cancel(stripe, asked, id),
    }
}
