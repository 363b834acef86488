//! The service's configuration on this machine.

use crate::{engine, secrets};
use shared::app::{Aws, Config, PLATFORM_TIMEOUT};
use shared::identity::IssuerConfig;
use shared::outbound::public::Reach;
use shared::platforms::settings::Settings;
use shared::secrets::SecretAccess;
use std::net::SocketAddr;

/// One configuration that serves every function. `joined` is the URL of the gateway that this one has joined.
pub(crate) fn service_config(address: SocketAddr, sandbox_url: &str, joined: Option<&str>, aws: Aws) -> Config {
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
        webhook_reach: Reach::Local { own_ports: own_ports(address, sandbox_url, joined) },
        metrics_namespace: None,
        aws,
    }
}

/// The ports of this service that this process knows, which no endpoint of a webhook may have. Nobody knows those of the
/// gateways that join this one: they refuse what is delivered to them.
fn own_ports(address: SocketAddr, sandbox_url: &str, joined: Option<&str>) -> Vec<u16> {
    let port_of = |url: &str| url.rsplit(':').next().and_then(|port| port.parse().ok());
    [Some(address.port()), port_of(sandbox_url), joined.and_then(port_of)].into_iter().flatten().collect()
}

/// The identifier of the sandbox's issuer.
pub(crate) fn issuer(sandbox_url: &str) -> String {
    format!("{sandbox_url}/oidc")
}
