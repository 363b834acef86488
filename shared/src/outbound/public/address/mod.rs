//! Which addresses may be called: those of the public internet.
//!
//! Sources: IANA's registries of special-purpose addresses,
//! <https://www.iana.org/assignments/iana-ipv4-special-registry> and
//! <https://www.iana.org/assignments/iana-ipv6-special-registry>. Their few nets that are reachable worldwide are refused
//! too: they belong to the network itself, and no endpoint is there.

use SpecialUse::{
    CarrierNat, Documentation, LinkLocal, Loopback, Metadata, Multicast, Private, Reserved, Tunnel, Unspecified,
};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What an address is for, if it must not be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialUse {
    Unspecified,
    Loopback,
    Private,
    LinkLocal,
    /// Shared by the customers of a carrier (RFC 6598). Some clouds have their metadata service there.
    CarrierNat,
    Documentation,
    Multicast,
    /// The metadata service of a cloud, at an address that is otherwise public.
    Metadata,
    /// Carries an IPv4 address through IPv6, or back.
    Tunnel,
    Reserved,
}

const fn v4(a: u8, b: u8, c: u8, d: u8) -> Ipv4Addr {
    Ipv4Addr::new(a, b, c, d)
}

/// A net of IPv6 by its first four groups. The others are zero.
const fn v6(a: u16, b: u16, c: u16, d: u16) -> Ipv6Addr {
    Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)
}

/// Net, length of its prefix, use.
const SPECIAL_V4: &[(Ipv4Addr, u32, SpecialUse)] = &[
    (v4(0, 0, 0, 0), 8, Unspecified),
    (v4(10, 0, 0, 0), 8, Private),
    (v4(100, 64, 0, 0), 10, CarrierNat),
    (v4(127, 0, 0, 0), 8, Loopback),
    // Azure: <https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16>.
    (v4(168, 63, 129, 16), 32, Metadata),
    // With 169.254.169.254, the metadata service of most clouds, and 169.254.170.2, the credentials of ECS.
    (v4(169, 254, 0, 0), 16, LinkLocal),
    (v4(172, 16, 0, 0), 12, Private),
    (v4(192, 0, 0, 0), 24, Reserved),
    (v4(192, 0, 2, 0), 24, Documentation),
    (v4(192, 31, 196, 0), 24, Reserved),
    (v4(192, 52, 193, 0), 24, Reserved),
    (v4(192, 88, 99, 0), 24, Tunnel),
    (v4(192, 168, 0, 0), 16, Private),
    (v4(192, 175, 48, 0), 24, Reserved),
    (v4(198, 18, 0, 0), 15, Reserved),
    (v4(198, 51, 100, 0), 24, Documentation),
    (v4(203, 0, 113, 0), 24, Documentation),
    (v4(224, 0, 0, 0), 4, Multicast),
    // With 255.255.255.255, broadcast.
    (v4(240, 0, 0, 0), 4, Reserved),
];

/// Net, length of its prefix, use. What stands outside of [`GLOBAL_UNICAST`] is here for its name only.
const SPECIAL_V6: &[(Ipv6Addr, u32, SpecialUse)] = &[
    (Ipv6Addr::UNSPECIFIED, 128, Unspecified),
    (Ipv6Addr::LOCALHOST, 128, Loopback),
    // With fd00:ec2::254, the metadata service of AWS.
    (v6(0xfc00, 0, 0, 0), 7, Private),
    (v6(0xfe80, 0, 0, 0), 10, LinkLocal),
    // Site-local, the predecessor of fc00::/7.
    (v6(0xfec0, 0, 0, 0), 10, Private),
    (v6(0xff00, 0, 0, 0), 8, Multicast),
    // NAT64 inside of one network: the position of the IPv4 address is not known here.
    (v6(0x64, 0xff9b, 1, 0), 48, Tunnel),
    (v6(0x2001, 0, 0, 0), 32, Tunnel),
    // Assignments to protocols: benchmarking, ORCHID, identifiers of drones.
    (v6(0x2001, 0, 0, 0), 23, Reserved),
    (v6(0x2001, 0xdb8, 0, 0), 32, Documentation),
    // 6to4, whose public relays are gone (RFC 7526): only a relay of our own network would answer.
    (v6(0x2002, 0, 0, 0), 16, Tunnel),
    (v6(0x2620, 0x4f, 0x8000, 0), 48, Reserved),
    (v6(0x3fff, 0, 0, 0), 20, Documentation),
];

/// The only unicast addresses that IANA assigns for the internet (RFC 4291, section 2.4).
const GLOBAL_UNICAST: (Ipv6Addr, u32) = (v6(0x2000, 0, 0, 0), 3);
/// NAT64 (RFC 6052): the last four bytes are the IPv4 address that is called.
const NAT64: (Ipv6Addr, u32) = (v6(0x64, 0xff9b, 0, 0), 96);

/// Refuses an address that is not one of the public internet.
pub(super) fn check(address: IpAddr) -> Result<(), SpecialUse> {
    match address {
        IpAddr::V4(address) => check_v4(address),
        IpAddr::V6(address) => match embedded_v4(address) {
            Some(called) => check_v4(called),
            None => check_v6(address),
        },
    }
}

fn check_v4(address: Ipv4Addr) -> Result<(), SpecialUse> {
    let is_in = |net: Ipv4Addr, prefix: u32| (address.to_bits() ^ net.to_bits()) >> (32 - prefix) == 0;
    match SPECIAL_V4.iter().find(|(net, prefix, _)| is_in(*net, *prefix)) {
        Some((_, _, special)) => Err(*special),
        None => Ok(()),
    }
}

fn check_v6(address: Ipv6Addr) -> Result<(), SpecialUse> {
    match SPECIAL_V6.iter().find(|(net, prefix, _)| is_in_v6(address, *net, *prefix)) {
        Some((_, _, special)) => Err(*special),
        None if is_in_v6(address, GLOBAL_UNICAST.0, GLOBAL_UNICAST.1) => Ok(()),
        None => Err(Reserved),
    }
}

fn is_in_v6(address: Ipv6Addr, net: Ipv6Addr, prefix: u32) -> bool {
    (address.to_bits() ^ net.to_bits()) >> (128 - prefix) == 0
}

/// The IPv4 address that a connection to this address reaches.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    if is_in_v6(address, NAT64.0, NAT64.1) {
        let [.., a, b, c, d] = address.octets();
        return Some(v4(a, b, c, d));
    }
    address.to_ipv4_mapped()
}

/// With its article: "a private address".
impl std::fmt::Display for SpecialUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Unspecified => "an unspecified address",
            Loopback => "a loopback address",
            Private => "a private address",
            LinkLocal => "a link-local address",
            CarrierNat => "an address behind a carrier's NAT",
            Documentation => "an address for documentation",
            Multicast => "a multicast address",
            Metadata => "the address of a metadata service",
            Tunnel => "the address of a tunnel",
            Reserved => "a reserved address",
        })
    }
}

#[cfg(test)]
mod tests;
