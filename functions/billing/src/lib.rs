//! The billing endpoints: checkout, portal, status, customer, and the payment provider's redirects.

mod checkout;
mod checkout_return;
mod payment_customer;
mod portal;
mod return_urls;
mod status;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::domain::CustomerId;
use shared::error::Error;
use shared::routes::{BillingEndpoint, Endpoint};
use shared::secrets::SecretAccess;
use shared::serve::{Answer, ApiRequest, Call, IncomingRequest, serve, serve_public, serve_with_prefetch};
use shared::store::BillingRecord;
use std::sync::Arc;

/// The secrets that the function reads.
pub const SECRETS: SecretAccess = SecretAccess::PAYMENTS;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    answer(IncomingRequest::new(app, request)).await.into()
}

/// Answers a request.
pub async fn answer(incoming: IncomingRequest) -> Answer {
    let Some(Endpoint::Billing(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        BillingEndpoint::CreateCheckout => serve(incoming, checkout::checkout).await,
        BillingEndpoint::CreatePortal => serve(incoming, portal::portal).await,
        BillingEndpoint::GetBillingStatus => {
            serve_with_prefetch(incoming, billing_record, async |call: &Call, billing| status::status(call, billing?))
                .await
        }
        BillingEndpoint::GetCustomer => {
            serve_with_prefetch(incoming, billing_record, async |call: &Call, billing| {
                status::customer(call, billing?).await
            })
            .await
        }
        BillingEndpoint::BillingReturn => {
            serve_public(incoming, async |request: &ApiRequest| Ok(checkout_return::checkout_return(request).await))
                .await
        }
    }
}

/// Reads the customer's billing record, as a prefetch.
async fn billing_record(request: &ApiRequest, customer: CustomerId) -> Result<BillingRecord, Error> {
    request.app.store.billing(customer).await
}
