//! Shared by the tests, which are the one binary beside this file, and the fuzz targets: the constructor of an [`App`]
//! in this process, and its client of a table.

#![expect(clippy::expect_used, reason = "a test that cannot go on says so by panicking")]

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region, StalledStreamProtectionConfig};
use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector, http_client_fn};
use shared::app::App;
use shared::clock::Clock;
use shared::metrics::Metrics;
use shared::outbound::public::{EndpointTransport, KeptDocuments, Reach, UrlPolicy};
use shared::outbound::{Outbound, Transport};
use shared::platforms::settings::Settings;
use shared::sdk::TraceInterceptor;
use shared::secrets::ReloadingVault;
use shared::store::Store;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The public address of the service.
pub const SERVICE: &str = "https://service.example";

const KEY_RING: &str = r#"{"active": "k1", "keys": {"k1": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}"#;

/// A process with this store and these connections to other hosts and to the endpoints of webhooks. It knows no platform,
/// payment provider or issuer yet.
pub fn app(store: Store, network: Arc<dyn Transport>, clock: Clock, webhooks: Arc<dyn EndpointTransport>) -> App {
    let ring = serde_json::from_str(KEY_RING).expect("a key ring");
    App {
        store,
        vault: Some(ReloadingVault::fixed(&ring).expect("a key ring")),
        payments: None,
        issuer: None,
        outbound: Outbound::with_transport(network),
        clock,
        webhook_urls: UrlPolicy::new(Reach::Public, Some(SERVICE)),
        webhooks,
        client_documents: KeptDocuments::default(),
        metrics: Metrics::default(),
        platform_timeout: Duration::from_secs(25),
        public_base_url: Some(SERVICE.to_owned()),
        platform_settings: Settings::local(),
        platforms: BTreeMap::new(),
    }
}

/// A client over any connection to a table. It never retries, so that every failure is seen.
pub fn client_over(wire: impl HttpConnector + Clone + 'static) -> Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        // Nothing here checks a signature.
        .allow_no_auth()
        .endpoint_url("http://table")
        .retry_config(RetryConfig::disabled())
        .interceptor(TraceInterceptor)
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .http_client(http_client_fn(move |_, _| SharedHttpConnector::new(wire.clone())));
    Client::from_conf(config.build())
}
