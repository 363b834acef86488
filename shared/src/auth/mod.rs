//! Authentication by API key, and the limits of the customer's plan.

mod api_key;
mod assistant_token;
mod caller;
mod customer_token;
mod key_seed;
mod presented_key;
mod redact;
mod refusals;

pub use api_key::{ApiKey, Mode};
pub use assistant_token::{ACCESS_LIFETIME, AccessToken, ConsentCode, IssuedToken, RefreshToken, TokenOwner};
pub use caller::{Caller, KeyForm, SessionCaller, ToolCaller};
pub use customer_token::CustomerToken;
pub use key_seed::KeySeed;
pub use presented_key::{PresentedKey, mark};
pub use redact::redact_keys;
pub use refusals::{
    assistant_only_looks, ended_sign_in, invalid_key, malformed_key, missing_key, only_looks, two_keys, unknown_key,
};

use crate::domain::{Allowance, ApiKeyInfo, ExternalRef, LimitExceeded, Plan, Reason, Scope};
use crate::error::{Error, Kind};
use crate::store::{Account, Admission, Slot, Store, Terms};
use jiff::Timestamp;
use std::time::Duration;

/// The header that carries the key.
pub const KEY_HEADER: &str = "x-api-key";

/// The account of a caller.
#[derive(Debug)]
pub struct Authenticated {
    /// The account. An admitted request that counts is counted in its usage.
    pub account: Account,
    /// The key; `None` for a person, whose role decides.
    pub key: Option<ApiKeyInfo>,
    /// The remaining rate and quota.
    pub allowance: Allowance,
    /// Rejection despite valid credentials: rate, quota, requests in flight, or disabled account.
    pub rejection: Option<Error>,
    /// The slot that the request holds, so that hanging requests of one customer leave processes to the others (D40).
    pub slot: Option<Slot>,
}

impl Authenticated {
    /// The user to whom the key is bound.
    pub(crate) fn bound_user(&self) -> Option<ExternalRef> {
        self.key.as_ref()?.external_ref.clone()
    }
}

/// Authenticates a key, and admits the request on these terms against the plan's rate and quota.
pub async fn authenticate(
    store: &Store,
    key: &PresentedKey,
    now: Timestamp,
    terms: Terms,
) -> Result<Authenticated, Error> {
    let hash = &key.hash;
    let admission = if key.is_of_assistant {
        store.admit_assistant(key.customer, hash, now, terms).await?
    } else {
        store.admit(key.customer, hash, now, terms).await?
    };
    let (account, slot, refusal) = match admission {
        Admission::Admitted(account, slot) => (account, slot, None),
        Admission::NoFreeSlot(account) => {
            let refusal = too_many_in_flight(account.customer.plan);
            (account, None, Some(refusal))
        }
        Admission::Refused(Some(account)) => {
            let refusal = over_limit(account.customer.plan, &account.allowance(now), terms.counts);
            (account, None, Some(refusal))
        }
        Admission::Refused(None) => return Err(key.unknown()),
    };
    let key = Some(account.keys.find(hash, now).cloned().ok_or_else(|| invalid_key(&account.keys, key, now))?);
    let allowance = account.allowance(now);
    let allowance = if refusal.is_none() && terms.counts { allowance.counted() } else { allowance };
    let rejection = if account.customer.disabled { Some(disabled()) } else { refusal };
    Ok(Authenticated { account, key, allowance, rejection, slot })
}

/// Every request of a disabled account gets this error.
pub fn disabled() -> Error {
    let message = "This account is disabled. Ask the operator of this service why.";
    Error::new(Kind::Forbidden, message).because(Reason::AccountDisabled)
}

/// Rejects a request whose key has none of the scopes that its endpoint needs one of. A person has all scopes, and a role
/// that [`Caller::check_role`] asks.
pub fn require_scope(key: Option<&ApiKeyInfo>, scopes: &[Scope]) -> Result<(), Error> {
    if key.is_none_or(|key| scopes.iter().any(|scope| key.scopes.contains(scope))) {
        return Ok(());
    }
    let names: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
    let wanted = if names.len() == 1 { "it" } else { "one of them" };
    let names = names.join(" or ");
    let message =
        format!("This request needs the scope {names}, which the API key lacks. Use a key that has {wanted}.");
    Err(Error::new(Kind::Forbidden, message).because(Reason::ScopeMissing))
}

/// Rejects a request beyond the plan's requests in flight. The time until one of them ends is not known.
fn too_many_in_flight(plan: Plan) -> Error {
    let name = plan.as_str();
    let slots = plan.limits().requests_in_flight;
    let message = format!(
        "Plan {name} allows {slots} requests at a time that wait for ad platforms. Retry when one of yours has been \
         answered."
    );
    Error::new(Kind::RateLimited, message)
        .because(Reason::RequestsInFlight)
        .retryable()
        .retry_after(Duration::from_secs(1))
}

/// Rejects a request beyond the plan's rate or quota.
fn over_limit(plan: Plan, allowance: &Allowance, counts: bool) -> Error {
    let name = plan.as_str();
    let limits = allowance.limits;
    match allowance.exceeded_limit(counts) {
        Some(LimitExceeded::Rate(wait)) => {
            let rate = limits.requests_per_minute;
            let burst = limits.burst;
            let message = format!(
                "Plan {name} allows {rate} requests a minute, in bursts of {burst}. Retry after the seconds in the \
                 Retry-After header."
            );
            Error::new(Kind::RateLimited, message).because(Reason::RateLimit).retryable().retry_after(wait)
        }
        Some(LimitExceeded::Quota(wait)) => {
            let message = format!(
                "Plan {name} includes {} requests per billing period, and all are used until {:.0}. Wait for the next \
                 period or upgrade the plan: POST /v1/billing/create-checkout-session still works.",
                limits.requests_per_period, allowance.usage.period_end
            );
            Error::new(Kind::QuotaExceeded, message).retry_after(wait)
        }
        None => {
            let message = "Too many concurrent requests. Retry in a second.";
            Error::new(Kind::RateLimited, message).retryable().retry_after(Duration::from_secs(1))
        }
    }
}
