//! The service's configuration on this machine.

use crate::{engine, secrets};
use shared::app::{Aws, Config, PLATFORM_TIMEOUT};
use shared::identity::IssuerConfig;
use shared::outbound::public::Reach;
use shared::platforms::settings::Settings;
use shared::secrets::SecretAccess;
use std::net::SocketAddr;

/// One configuration that serves every function.
pub(crate) fn service_config(address: SocketAddr, sandbox_url: &str, aws: Aws) -> Config {
    Config {
        table: engine::TABLE.to_owned(),
        secrets_prefix: secrets::PREFIX.to_owned(),
        public_base_url: Some(format!("http://{address}")),
        platform_base_url: Some(format!("{sandbox_url}/{{platform}}")),
        platform_settings: Settings::local(),
        platform_timeout: PLATFORM_TIMEOUT,
        secrets: SecretAccess::ALL,
        uses_table: true,
        payment_base_url: Some(format!("{sandbox_url}/stripe")),
        issuer: IssuerConfig::new(&issuer(sandbox_url), sandbox::OIDC_CLIENT.id).ok(),
        webhook_reach: Reach::Local { own_ports: own_ports(address, sandbox_url) },
        metrics_namespace: None,
        aws,
    }
}

/// The ports of this process, which no endpoint of a webhook may have.
fn own_ports(address: SocketAddr, sandbox_url: &str) -> Vec<u16> {
    let sandbox = sandbox_url.rsplit(':').next().and_then(|port| port.parse().ok());
    [Some(address.port()), sandbox].into_iter().flatten().collect()
}

/// The identifier of the sandbox's issuer.
pub(crate) fn issuer(sandbox_url: &str) -> String {
    format!("{sandbox_url}/oidc")
}
