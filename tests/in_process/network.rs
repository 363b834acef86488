//! The platforms and the payment provider: calls of the sandbox instead of HTTP.

use async_trait::async_trait;
use http::Request;
use sandbox::InProcess;
use serde_json::json;
use shared::domain::{Plan, Platform};
use shared::identity::{Issuer, IssuerConfig};
use shared::outbound::{Failure, Outbound, OutboundRequest, OutboundResponse, Transport};
use shared::payments::Provider;
use shared::platforms::config::{Client, PlatformConfig};
use shared::platforms::settings::Settings;
use std::collections::BTreeMap;

/// The secret that signs the payment provider's events.
pub(crate) const WEBHOOK_SECRET: &str = "whsec_inside";

/// The direct connection to the sandbox.
pub(crate) struct Network(pub(crate) InProcess);

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Network")
    }
}

#[async_trait]
impl Transport for Network {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        ask(&self.0, request).await.ok_or(Failure::Broken)
    }
}

/// Calls the sandbox; `None` when it hangs up.
pub(crate) async fn ask(sandbox: &InProcess, sent: OutboundRequest) -> Option<OutboundResponse> {
    let OutboundRequest { method, url, headers, body } = sent;
    let mut request = Request::new(body);
    *request.method_mut() = method;
    *request.uri_mut() = url.parse().expect("an address");
    *request.headers_mut() = headers;
    let (parts, body) = sandbox.handle(request).await?.into_parts();
    Some(OutboundResponse { status: parts.status, headers: parts.headers, body })
}

/// The configuration of a platform.
pub(crate) fn platform_config(platform: Platform) -> PlatformConfig {
    platform_config_with(platform, Settings::local())
}

/// The same with other settings of the operator.
pub(crate) fn platform_config_with(platform: Platform, settings: Settings) -> PlatformConfig {
    let client = sandbox::client(platform.as_str()).expect("a client");
    let client = Client { client_id: client.id.into(), client_secret: client.secret.into(), developer_token: None };
    PlatformConfig::new(platform, client, settings, Some("http://sandbox/{platform}"))
}

/// The configuration of the payment provider.
pub(crate) fn payments(outbound: Outbound) -> Provider {
    let prices: BTreeMap<_, _> = Plan::ALL.map(|plan| (plan.as_str(), format!("price_{}", plan.as_str()))).into();
    let account =
        json!({ "secret_key": sandbox::STRIPE_KEY, "webhook_secrets": [WEBHOOK_SECRET], "prices": prices }).to_string();
    let credentials = serde_json::from_str(&account).expect("credentials");
    Provider::new(outbound, credentials, "http://sandbox/stripe").expect("a provider")
}

/// The sandbox's issuer.
pub(crate) fn issuer(outbound: Outbound) -> Issuer {
    let config = IssuerConfig::new("http://sandbox/oidc", sandbox::OIDC_CLIENT.id).expect("an issuer");
    let secret = json!({ "client_secret": sandbox::OIDC_CLIENT.secret });
    Issuer::new(outbound, config, serde_json::from_value(secret).expect("a secret"))
}
