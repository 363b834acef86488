//! Ports for functions that run in containers, as `sam local` runs them.
//!
//! 127.0.0.1 in a container is the container itself. Docker Desktop forwards a container's connections to 127.0.0.1 of
//! this machine, and on Linux they arrive on Docker's bridge. The store, the secrets and the sandbox therefore listen on
//! both, at the ports in `infra/env.json`, and on no other address.

mod bridge;
mod guard;
mod relay;
#[cfg(test)]
mod tests;

use crate::error::StartError;
use crate::running::Running;
use std::io;
use std::iter::once;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinSet;

/// This machine in `infra/env.json`. Most browsers resolve the name to 127.0.0.1, and `samconfig.toml` adds it to the
/// containers, so a URL with it works on both sides.
const HOST_NAME: &str = "host.localhost";

/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// `127.0.0.1:PORT`.
type ServerAddress = String;

/// The ports of the servers; 0 takes any free one.
pub(crate) struct ContainerPorts {
    pub(crate) store: u16,
    pub(crate) secrets: u16,
}

impl ContainerPorts {
    /// The ports in `infra/env.json`.
    pub(crate) const DEFAULT: ContainerPorts = ContainerPorts { store: 4566, secrets: 4567 };
}

/// The servers. Dropping them closes their ports.
pub(crate) struct ContainerServers {
    /// Addresses of the store.
    pub(crate) store: Vec<SocketAddr>,
    /// Addresses of the secrets.
    pub(crate) secrets: Vec<SocketAddr>,
    _servers: JoinSet<()>,
}

impl ContainerServers {
    #[cfg(test)]
    pub(crate) fn without_servers() -> ContainerServers {
        ContainerServers { store: Vec::new(), secrets: Vec::new(), _servers: JoinSet::new() }
    }

    /// Serves a gateway's store, secrets and sandbox to containers.
    pub(crate) fn start(running: &Running, ports: ContainerPorts) -> Result<ContainerServers, StartError> {
        let bridge = bridge::address();
        let addresses: Vec<IpAddr> = once(Ipv4Addr::LOCALHOST.into()).chain(bridge).collect();
        let mut started = ContainerServers { store: Vec::new(), secrets: Vec::new(), _servers: JoinSet::new() };
        for address in &addresses {
            let (listener, bound) = bind(*address, ports.store)?;
            started.store.push(bound);
            let server = server_address(running.engine_endpoint());
            started._servers.spawn(guard::serve(listener, server, addresses.clone()));
            let (listener, bound) = bind(*address, ports.secrets)?;
            started.secrets.push(bound);
            let server = server_address(running.secrets_endpoint());
            started._servers.spawn(guard::serve(listener, server, addresses.clone()));
        }
        // On 127.0.0.1 the sandbox listens itself.
        if let Some((bridge, sandbox)) = bridge.zip(running.sandbox_address()) {
            let (listener, _) = bind(bridge, sandbox.port())?;
            started._servers.spawn(relay::serve(listener, sandbox.to_string()));
        }
        Ok(started)
    }
}

fn bind(address: IpAddr, port: u16) -> Result<(TcpListener, SocketAddr), StartError> {
    let address = SocketAddr::from((address, port));
    let bound = || -> io::Result<_> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        if !address.ip().is_loopback() {
            bridge::restrict(&socket)?;
        }
        socket.bind(address)?;
        let listener = socket.listen(BACKLOG)?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    bound().map_err(|source| StartError::ContainerPort { address, source })
}

fn server_address(endpoint: &str) -> ServerAddress {
    endpoint.trim_start_matches("http://").to_owned()
}

/// The values that `Host` may have, without the port.
fn host_names(addresses: &[IpAddr]) -> Vec<String> {
    let addresses = addresses.iter().map(IpAddr::to_string);
    [HOST_NAME, "localhost"].map(str::to_owned).into_iter().chain(addresses).collect()
}
