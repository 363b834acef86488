//! The client of the payment provider's API.

use super::fault::{CallError, invalid_response};
use super::wire::{CheckoutSession, Customer, List, PortalSession, Subscription};
use super::{Credentials, InvalidCredentials, Prices};
use crate::domain::{CustomerId, Plan};
use crate::error::{Error, Kind};
use crate::outbound::{Outbound, secret_header};
use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use tokio::time::Instant;
use url::Url;

/// Maximum number of pages of a customer's subscriptions, 100 to a page.
const MAX_PAGES: usize = 10;
/// The origins of the pages that belong to [`super::BASE_URL`].
const PAGE_ORIGINS: [&str; 2] = ["https://checkout.stripe.com", "https://billing.stripe.com"];

/// The payment provider as configured.
#[derive(Debug)]
pub struct Provider {
    pub(super) outbound: Outbound,
    pub(super) base: String,
    pub(super) authorization: HeaderValue,
    webhook_secrets: Vec<SecretString>,
    prices: Prices,
}

/// The parameters of a checkout session.
#[derive(Clone, Copy, Debug)]
pub struct CheckoutRequest<'a> {
    /// The customer who buys.
    pub customer: CustomerId,
    /// The customer's id at the provider.
    pub payment_customer: &'a str,
    /// The plan.
    pub plan: Plan,
    /// Redirect after the purchase; the provider replaces `{CHECKOUT_SESSION_ID}` with the session's id.
    pub success_url: &'a str,
    /// Redirect after a cancellation.
    pub cancel_url: &'a str,
}

impl Provider {
    /// Validates the credentials.
    pub fn new(outbound: Outbound, credentials: Credentials, base: &str) -> Result<Provider, InvalidCredentials> {
        credentials.validate()?;
        let Credentials { secret_key, webhook_secrets, prices } = credentials;
        let authorization = secret_header(&format!("Bearer {}", secret_key.expose_secret()))
            .map_err(|_| InvalidCredentials("secret_key contains a character that is not allowed in a header"))?;
        let base = base.trim_end_matches('/').to_owned();
        Ok(Provider { outbound, base, authorization, webhook_secrets, prices })
    }

    /// The signing secrets of webhooks.
    pub fn webhook_secrets(&self) -> &[SecretString] {
        &self.webhook_secrets
    }

    /// The prices of the plans.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// The origins of the checkout and of the portal, for the policy of pages with a form that leads there. A custom
    /// domain at Stripe is not among them.
    pub fn page_origins(&self) -> Vec<String> {
        if self.base == super::BASE_URL {
            return PAGE_ORIGINS.map(str::to_owned).to_vec();
        }
        Url::parse(&self.base).map(|base| base.origin().ascii_serialization()).into_iter().collect()
    }

    /// Creates a customer, at most once a day for the same key.
    pub async fn create_customer(
        &self,
        customer: CustomerId,
        email: &str,
        key: &str,
        deadline: Instant,
    ) -> Result<Customer, CallError> {
        let account = customer.to_string();
        let fields = [("email", email), ("metadata[account]", &account)];
        self.post("/v1/customers", &fields, key, deadline).await
    }

    /// Retrieves a customer, also a deleted one; `None` if the id is unknown. It must be one by
    /// [`super::wire::is_object_id`].
    pub async fn customer(&self, id: &str, deadline: Instant) -> Result<Option<Customer>, Error> {
        match self.get(&format!("/v1/customers/{id}"), deadline).await.map_err(Error::from) {
            Ok(customer) => Ok(Some(customer)),
            Err(error) if error.kind == Kind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Creates a checkout session and returns it with its URL; at most once a day for the same key. `NotFound` if the
    /// provider does not have the customer any more, as for a portal session and for a list of subscriptions.
    pub async fn create_checkout_session(
        &self,
        request: CheckoutRequest<'_>,
        key: &str,
        deadline: Instant,
    ) -> Result<(CheckoutSession, String), CallError> {
        let CheckoutRequest { customer, payment_customer, plan, success_url, cancel_url } = request;
        let account = customer.to_string();
        let fields = [
            ("mode", "subscription"),
            ("line_items[0][price]", self.prices.current(plan)),
            ("line_items[0][quantity]", "1"),
            ("customer", payment_customer),
            ("client_reference_id", &account),
            ("metadata[account]", &account),
            // The provider does not copy the session's metadata to the subscription.
            ("subscription_data[metadata][account]", &account),
            ("success_url", success_url),
            ("cancel_url", cancel_url),
        ];
        let session: CheckoutSession = self.post("/v1/checkout/sessions", &fields, key, deadline).await?;
        let url = session.url.clone().ok_or_else(|| invalid_response("a checkout session without a URL".to_owned()))?;
        Ok((session, url))
    }

    /// Retrieves a checkout session; `NotFound` if the id is unknown.
    pub async fn checkout_session(&self, id: &str, deadline: Instant) -> Result<CheckoutSession, Error> {
        Ok(self.get(&format!("/v1/checkout/sessions/{id}"), deadline).await?)
    }

    /// Creates a session of the customer portal, at most once a day for the same key.
    pub async fn create_portal_session(
        &self,
        payment_customer: &str,
        return_url: &str,
        key: &str,
        deadline: Instant,
    ) -> Result<PortalSession, CallError> {
        let fields = [("customer", payment_customer), ("return_url", return_url)];
        self.post("/v1/billing_portal/sessions", &fields, key, deadline).await
    }

    /// Lists all subscriptions of a customer, including ended ones.
    pub async fn subscriptions(&self, payment_customer: &str, deadline: Instant) -> Result<Vec<Subscription>, Error> {
        let mut all: Vec<Subscription> = Vec::new();
        for _ in 0..MAX_PAGES {
            let mut query = vec![("customer", payment_customer), ("status", "all"), ("limit", "100")];
            query.extend(all.last().map(|last| ("starting_after", last.id.as_str())));
            let page: List<Subscription> = self.list("/v1/subscriptions", &query, deadline).await?;
            let is_last = !page.has_more || page.data.is_empty();
            all.extend(page.data);
            if is_last {
                return Ok(all);
            }
        }
        Err(invalid_response(format!("{payment_customer} has more than {MAX_PAGES} pages of subscriptions")).into())
    }
}

#[cfg(test)]
mod tests;
