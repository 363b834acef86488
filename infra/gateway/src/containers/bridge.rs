//! The address of Docker's default bridge on Linux.

use if_addrs::{Interface, get_if_addrs};
use std::net::IpAddr;

/// The bridge on which Docker starts containers that name no network.
const BRIDGE: &str = "docker0";

/// The bridge's IPv4 address. `None` without the bridge, as with Docker Desktop.
pub(super) fn address() -> Option<IpAddr> {
    let interfaces = get_if_addrs().inspect_err(|error| tracing::warn!(%error, "cannot list network interfaces"));
    find(interfaces.unwrap_or_default())
}

fn find(interfaces: Vec<Interface>) -> Option<IpAddr> {
    interfaces.iter().find(|interface| interface.name == BRIDGE && interface.ip().is_ipv4()).map(Interface::ip)
}
