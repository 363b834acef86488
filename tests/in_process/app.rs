//! A process of the service, built by hand: its connections are those of the test.

use super::SERVICE;
use super::engine::TABLE;
use super::network::{issuer, payments, platform_config};
use super::receivers::Receivers;
use aws_sdk_dynamodb::Client;
use serde_json::json;
use shared::app::App;
use shared::clock::Clock;
use shared::domain::Platform;
use shared::metrics::Metrics;
use shared::outbound::public::{Reach, UrlPolicy};
use shared::outbound::{Outbound, Transport};
use shared::platforms::settings::Settings;
use shared::secrets::ReloadingVault;
use shared::store::Store;
use std::sync::Arc;
use tokio::time::Duration;

/// A process with these connections to the table and to other hosts. Every platform, the payment provider and the issuer
/// are at `http://sandbox`, and nothing listens at the endpoints of webhooks but `receivers`.
pub(crate) fn app(table: Client, network: Arc<dyn Transport>, clock: Clock, receivers: Receivers) -> App {
    let ring = json!({"active": "k1", "keys": {"k1": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}});
    let ring = serde_json::from_value(ring).expect("a key ring");
    let outbound = Outbound::with_transport(network);
    App {
        store: Store::new(table, TABLE),
        vault: Some(ReloadingVault::fixed(&ring).expect("a key ring")),
        payments: Some(payments(outbound.clone())),
        issuer: Some(issuer(outbound.clone())),
        outbound,
        clock,
        webhook_urls: UrlPolicy::new(Reach::Public, Some(SERVICE)),
        webhooks: Arc::new(receivers),
        metrics: Metrics::default(),
        platform_timeout: Duration::from_secs(25),
        public_base_url: Some(SERVICE.to_owned()),
        platform_settings: Settings::default(),
        platforms: Platform::ALL.map(|platform| (platform, Arc::new(platform_config(platform)))).into(),
    }
}
