//! Ports for functions that run in containers, as `sam local` runs them.
//!
//! 127.0.0.1 in a container is the container itself. Docker Desktop forwards a container's connections to 127.0.0.1 of
//! this machine, and on Linux they arrive on Docker's bridge. The store, the secrets and the sandbox therefore listen
//! on both, at the ports in `infra/env.json`, and on no other address.

mod bridge;
mod env_file;
#[cfg(test)]
mod tests;

pub(crate) use bridge::interfaces;

use crate::error::StartError;
use crate::local_aws::Access;
use crate::ports::OpenPorts;
use crate::relay;
use crate::running::Running;
use crate::secrets::generate;
use std::io;
use std::iter::once;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinSet;

/// This machine in `infra/env.json`. Most browsers resolve the name to 127.0.0.1, and `samconfig.toml` adds it to the
/// containers, so a URL with it works on both sides.
const HOST_NAME: &str = "host.localhost";

/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;

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
    pub(crate) ports: OpenPorts,
    /// The file with the variables of the functions; `None` without a data folder.
    pub(crate) env_file: Option<PathBuf>,
    _relays: JoinSet<()>,
}

impl ContainerServers {
    /// Serves a gateway's store, secrets and sandbox to containers.
    pub(crate) fn start(running: &Running, ports: ContainerPorts) -> Result<ContainerServers, StartError> {
        let bridge = bridge::address();
        let addresses: Vec<IpAddr> = once(Ipv4Addr::LOCALHOST.into()).chain(bridge).collect();
        let folder = running.storage.folder();
        let token = folder.map_or_else(generate::token, |folder| env_file::token(folder))?;
        let env_file = folder.map(|folder| env_file::write(folder, &token)).transpose()?;
        let mut opened = running.no_ports(Access { hosts: host_names(&addresses), token });
        for address in &addresses {
            let store = bind(*address, ports.store)?;
            let secrets = bind(*address, ports.secrets)?;
            opened.add(store, secrets).map_err(|error| StartError::Service(error.into()))?;
        }
        let mut relays = JoinSet::new();
        // On 127.0.0.1 the sandbox listens itself.
        if let Some((bridge, sandbox)) = bridge.zip(running.sandbox_address()) {
            relays.spawn(relay::serve(bind(bridge, sandbox.port())?, sandbox.to_string()));
        }
        Ok(ContainerServers { ports: opened, env_file, _relays: relays })
    }
}

fn bind(address: IpAddr, port: u16) -> Result<TcpListener, StartError> {
    let address = SocketAddr::from((address, port));
    let bound = || -> io::Result<_> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        if !address.ip().is_loopback() {
            bridge::restrict(&socket)?;
        }
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    bound().map_err(|source| StartError::ContainerPort { address, source })
}

/// The values that `Host` may have, without the port.
fn host_names(addresses: &[IpAddr]) -> Vec<String> {
    let addresses = addresses.iter().map(IpAddr::to_string);
    [HOST_NAME, "localhost"].map(str::to_owned).into_iter().chain(addresses).collect()
}
