//! Further addresses of this machine at which the gateway and its sandbox answer, for a container with ports of its own.

use crate::containers::interfaces;
use crate::error::StartError;
use crate::relay;
use crate::running::Running;
use std::net::{IpAddr, SocketAddr};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// The forwarded ports. Dropping them closes them.
pub(super) struct ForwardedPorts {
    _relays: JoinSet<()>,
}

impl ForwardedPorts {
    /// Forwards the ports of the gateway and of its sandbox from an address to 127.0.0.1, where both listen. 0.0.0.0
    /// stands for every other IPv4 address of this machine.
    pub(super) async fn open(running: &Running, host: Option<IpAddr>) -> Result<ForwardedPorts, StartError> {
        let mut relays = JoinSet::new();
        let servers: Vec<SocketAddr> = [running.address].into_iter().chain(running.sandbox_address()).collect();
        for address in host.map(addresses).unwrap_or_default() {
            for server in &servers {
                let address = SocketAddr::from((address, server.port()));
                let listener = TcpListener::bind(address).await;
                let listener = listener.map_err(|source| StartError::Host { address, source })?;
                relays.spawn(relay::serve(listener, server.to_string()));
            }
        }
        Ok(ForwardedPorts { _relays: relays })
    }
}

fn addresses(host: IpAddr) -> Vec<IpAddr> {
    if !host.is_unspecified() {
        return vec![host];
    }
    let all = interfaces().into_iter().map(|interface| interface.ip());
    all.filter(|address| address.is_ipv4() && !address.is_loopback()).collect()
}
