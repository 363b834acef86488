//! The address of Docker's default bridge on Linux.

use if_addrs::{Interface, get_if_addrs};
use std::io;
use std::net::IpAddr;
use tokio::net::TcpSocket;

/// The bridge on which Docker starts containers that name no network.
const BRIDGE: &str = "docker0";

/// The bridge's IPv4 address. `None` without the bridge, as with Docker Desktop.
pub(super) fn address() -> Option<IpAddr> {
    find(interfaces())
}

/// The network interfaces of this machine; none if they cannot be listed.
pub(crate) fn interfaces() -> Vec<Interface> {
    let interfaces = get_if_addrs().inspect_err(|error| tracing::warn!(%error, "cannot list network interfaces"));
    interfaces.unwrap_or_default()
}

fn find(interfaces: Vec<Interface>) -> Option<IpAddr> {
    interfaces.iter().find(|interface| interface.name == BRIDGE && interface.ip().is_ipv4()).map(Interface::ip)
}

/// Accepts only what arrives on the bridge. Linux would otherwise accept packets for its address on every interface, so
/// other machines of the network could send them.
#[cfg(target_os = "linux")]
pub(super) fn restrict(socket: &TcpSocket) -> io::Result<()> {
    socket.bind_device(Some(BRIDGE.as_bytes()))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn restrict(_: &TcpSocket) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
