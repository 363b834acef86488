//! Calls of the provider's API: forms with brackets, a key on every POST, bounded retries.

use super::fault::{Verdict, judge};
use super::wire::{CheckoutSession, Customer, List, PortalSession, Subscription, VERSION};
use super::{BadCredentials, Credentials, Prices};
use crate::domain::{CustomerId, Plan};
use crate::error::{Error, Kind};
use crate::outbound::{Outbound, Outgoing, secret_header};
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use url::form_urlencoded::Serializer;
use uuid::Uuid;

const STRIPE_VERSION: HeaderName = HeaderName::from_static("stripe-version");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// How long one attempt may take: a call that hangs leaves time for another.
const ATTEMPT: Duration = Duration::from_secs(10);
/// Attempts at one call.
const ATTEMPTS: u32 = 3;
/// The waits before the second attempt and the third, at least; up to half as much is added.
const FIRST_WAIT_MS: u64 = 500;
/// Pages of a customer's subscriptions that are read; nobody has so many.
const MOST_PAGES: usize = 10;

/// The provider as configured.
#[derive(Debug)]
pub struct Provider {
    outbound: Outbound,
    base: String,
    authorization: HeaderValue,
    webhook_secrets: Vec<SecretString>,
    prices: Prices,
}

/// A purchase to be made.
#[derive(Clone, Copy, Debug)]
pub struct Checkout<'a> {
    /// Who buys.
    pub account: CustomerId,
    /// Who that is at the provider.
    pub payment_customer: &'a str,
    /// What is bought.
    pub plan: Plan,
    /// Where the buyer goes afterwards; the provider puts the session's id in place of `{CHECKOUT_SESSION_ID}`.
    pub success_url: &'a str,
    /// Where the buyer goes who changes his mind.
    pub cancel_url: &'a str,
}

/// A call that failed for good.
#[derive(Debug)]
pub struct Failed {
    /// What to say.
    pub error: Error,
    /// Whether the provider keeps this failure under the call's `Idempotency-Key`: with the same key it would come
    /// again for a day.
    pub keeps: bool,
}

impl Failed {
    /// What to say to who sent the call's key himself: he needs another one.
    pub fn told_with_key(self, is_keyed: bool) -> Error {
        if !(self.keeps && is_keyed) {
            return self.error;
        }
        let message =
            format!("{} The payment provider keeps this under the Idempotency-Key: use a new one.", self.error.message);
        Error { message, ..self.error.not_retryable() }
    }
}

impl From<Failed> for Error {
    fn from(failed: Failed) -> Error {
        failed.error
    }
}

impl Provider {
    /// Takes credentials into use, if they are ones.
    pub fn new(outbound: Outbound, credentials: Credentials, base: &str) -> Result<Provider, BadCredentials> {
        credentials.check()?;
        let Credentials { secret_key, webhook_secrets, prices } = credentials;
        let authorization = secret_header(&format!("Bearer {}", secret_key.expose_secret()))
            .map_err(|_| BadCredentials("secret_key holds what no header can"))?;
        let base = base.trim_end_matches('/').to_owned();
        Ok(Provider { outbound, base, authorization, webhook_secrets, prices })
    }

    /// The secrets that sign webhooks.
    pub fn webhook_secrets(&self) -> &[SecretString] {
        &self.webhook_secrets
    }

    /// The prices of the plans.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// Makes a customer. The same key does not make a second one for a day.
    pub async fn create_customer(
        &self,
        account: CustomerId,
        email: &str,
        key: &str,
        deadline: Instant,
    ) -> Result<Customer, Failed> {
        let account = account.to_string();
        let fields = [("email", email), ("metadata[account]", &account)];
        self.post("/v1/customers", &fields, key, deadline).await
    }

    /// Makes a page on which a plan is bought. The same key does not make a second one for a day.
    pub async fn create_checkout(
        &self,
        wanted: Checkout<'_>,
        key: &str,
        deadline: Instant,
    ) -> Result<(CheckoutSession, String), Failed> {
        let Checkout { account, payment_customer, plan, success_url, cancel_url } = wanted;
        let account = account.to_string();
        let price = self.prices.of(plan).first().map_or("", String::as_str);
        let fields = [
            ("mode", "subscription"),
            ("line_items[0][price]", price),
            ("line_items[0][quantity]", "1"),
            ("customer", payment_customer),
            ("client_reference_id", &account),
            ("metadata[account]", &account),
            // What the session carries is not copied to the subscription.
            ("subscription_data[metadata][account]", &account),
            ("success_url", success_url),
            ("cancel_url", cancel_url),
        ];
        let session: CheckoutSession = self.post("/v1/checkout/sessions", &fields, key, deadline).await?;
        let url = session.url.clone();
        let url = url.ok_or_else(|| once(rubbish("a checkout session without an address".to_owned())))?;
        Ok((session, url))
    }

    /// Reads a purchase; not found when there is none with this id.
    pub async fn checkout(&self, id: &str, deadline: Instant) -> Result<CheckoutSession, Error> {
        Ok(self.get(&format!("/v1/checkout/sessions/{id}"), deadline).await?)
    }

    /// Makes a way into the portal. The same key does not make a second one for a day.
    pub async fn create_portal(
        &self,
        payment_customer: &str,
        return_url: &str,
        key: &str,
        deadline: Instant,
    ) -> Result<PortalSession, Failed> {
        let fields = [("customer", payment_customer), ("return_url", return_url)];
        self.post("/v1/billing_portal/sessions", &fields, key, deadline).await
    }

    /// Reads all subscriptions of a customer, those that are over included.
    pub async fn subscriptions(&self, payment_customer: &str, deadline: Instant) -> Result<Vec<Subscription>, Error> {
        let mut all: Vec<Subscription> = Vec::new();
        for _ in 0..MOST_PAGES {
            let mut query = vec![("customer", payment_customer), ("status", "all"), ("limit", "100")];
            query.extend(all.last().map(|last| ("starting_after", last.id.as_str())));
            let page: List<Subscription> = self.get(&format!("/v1/subscriptions?{}", form(&query)), deadline).await?;
            let is_last = !page.has_more || page.data.is_empty();
            all.extend(page.data);
            if is_last {
                return Ok(all);
            }
        }
        Err(rubbish(format!("subscriptions of {payment_customer} without an end")))
    }

    async fn get<T: DeserializeOwned>(&self, path: &str, deadline: Instant) -> Result<T, Failed> {
        let url = format!("{}{path}", self.base);
        let outgoing = Outgoing { method: Method::GET, url, headers: self.headers(), body: Bytes::new() };
        self.send(outgoing, deadline).await
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        key: &str,
        deadline: Instant,
    ) -> Result<T, Failed> {
        let mut headers = self.headers();
        let key = HeaderValue::from_str(key).map_err(|error| once(Error::internal(error)))?;
        headers.insert(IDEMPOTENCY_KEY, key);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        let body = form(fields).into();
        let outgoing = Outgoing { method: Method::POST, url: format!("{}{path}", self.base), headers, body };
        self.send(outgoing, deadline).await
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, self.authorization.clone());
        headers.insert(STRIPE_VERSION, HeaderValue::from_static(VERSION));
        headers
    }

    /// Sends, and again where that is safe and may help: every POST carries a key, so a second one does nothing twice.
    async fn send<T: DeserializeOwned>(&self, outgoing: Outgoing, deadline: Instant) -> Result<T, Failed> {
        let mut attempt = 1;
        loop {
            let until = deadline.min(Instant::now() + ATTEMPT);
            let outcome = self.outbound.send(outgoing.clone(), until).await;
            let wait = wait_after(attempt);
            let failed = match judge(outcome) {
                Verdict::Answered(body) => {
                    return serde_json::from_slice(&body).map_err(|error| once(rubbish(error.to_string())));
                }
                Verdict::Final(failed) => return Err(failed),
                Verdict::Again(failed) => failed,
            };
            if attempt == ATTEMPTS || Instant::now() + wait >= deadline {
                return Err(failed);
            }
            attempt += 1;
            sleep(wait).await;
        }
    }
}

/// Fields as a form; brackets may be encoded or not.
fn form(fields: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// A failure that no key keeps.
fn once(error: Error) -> Failed {
    Failed { error, keeps: false }
}

/// Half a second, then a second, each with up to half as much added, so that many do not come back at once.
fn wait_after(attempt: u32) -> Duration {
    let least = FIRST_WAIT_MS << (attempt - 1).min(3);
    let more = Uuid::new_v4().as_u128() % u128::from(least / 2);
    Duration::from_millis(least + u64::try_from(more).unwrap_or_default())
}

fn rubbish(what: String) -> Error {
    let message = "The payment provider answered what cannot be understood. Nothing was charged; try again.";
    Error::new(Kind::PlatformFailed, message).retryable().caused_by(what)
}

#[cfg(test)]
mod tests;
