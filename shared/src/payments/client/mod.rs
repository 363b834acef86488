//! The client of the payment provider's API.

use super::catalogue::Catalogue;
use super::error::{CallError, invalid_response};
use super::wire::{Customer, List, PortalSession, Subscription};
use super::{Credentials, InvalidCredentials, Prices};
use crate::domain::{CustomerId, SubscriptionState, SubscriptionStatus};
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
    pub(super) webhook_secrets: Vec<SecretString>,
    pub(super) prices: Prices,
    pub(super) catalogue: Catalogue,
}

impl Provider {
    /// Validates the credentials.
    pub fn new(outbound: Outbound, credentials: Credentials, base: &str) -> Result<Provider, InvalidCredentials> {
        credentials.validate()?;
        let Credentials { secret_key, webhook_secrets, prices } = credentials;
        let authorization = secret_header(&format!("Bearer {}", secret_key.expose_secret()))
            .map_err(|_| InvalidCredentials("secret_key contains a character that is not allowed in a header"))?;
        let base = base.trim_end_matches('/').to_owned();
        let catalogue = Catalogue::default();
        Ok(Provider { outbound, base, authorization, webhook_secrets, prices, catalogue })
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

    /// Retrieves a customer, also a deleted one; `None` if the id is unknown.
    pub async fn customer(&self, id: &str, deadline: Instant) -> Result<Option<Customer>, Error> {
        match self.get(&format!("/v1/customers/{id}"), deadline).await {
            Ok(customer) => Ok(Some(customer)),
            Err(error) if error.kind == Kind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Creates a session of the customer portal and returns the address of its page, at most once a day for the same
    /// key.
    pub async fn create_portal_session(
        &self,
        payment_customer: &str,
        return_url: &str,
        key: &str,
        deadline: Instant,
    ) -> Result<String, CallError> {
        let fields = [("customer", payment_customer), ("return_url", return_url)];
        let session: PortalSession = self.post("/v1/billing_portal/sessions", &fields, key, deadline).await?;
        Ok(session.url)
    }

    /// The state of a customer's subscriptions; `None` before the first purchase. `NotFound` if the provider does not
    /// have the customer any more.
    pub async fn subscription_state(
        &self,
        payment_customer: &str,
        deadline: Instant,
    ) -> Result<Option<SubscriptionState>, Error> {
        let subscriptions = self.subscriptions(payment_customer, deadline).await?;
        let active = subscriptions.iter().filter(|one| SubscriptionStatus::new(&one.status).grants_access()).count();
        if active > 1 {
            tracing::error!(
                payment_customer,
                active,
                "several active subscriptions; the largest plan counts, cancel the others"
            );
        }
        self.prices.subscription_state(&subscriptions)
    }

    /// Lists all subscriptions of a customer, including ended ones.
    async fn subscriptions(&self, payment_customer: &str, deadline: Instant) -> Result<Vec<Subscription>, Error> {
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
        Err(invalid_response(format!("{payment_customer} has more than {MAX_PAGES} pages of subscriptions")))
    }
}

#[cfg(test)]
mod tests;
