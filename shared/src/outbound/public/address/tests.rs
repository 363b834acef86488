use super::*;

fn assert_each(expected: Result<(), SpecialUse>, addresses: &[&str]) {
    for text in addresses {
        assert_eq!(check(text.parse().unwrap()), expected, "{text}");
    }
}

/// The first and the last address of each net, and its neighbors outside.
#[test]
fn special_addresses_of_ipv4_are_refused_to_their_last() {
    assert_each(Err(Unspecified), &["0.0.0.0", "0.0.0.1", "0.255.255.255"]);
    assert_each(Err(Private), &["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255"]);
    assert_each(Err(Private), &["192.168.0.0", "192.168.255.255"]);
    assert_each(Err(CarrierNat), &["100.64.0.0", "100.100.100.200", "100.127.255.255"]);
    assert_each(Err(Loopback), &["127.0.0.0", "127.0.0.1", "127.1.2.3", "127.255.255.255"]);
    assert_each(Err(LinkLocal), &["169.254.0.0", "169.254.169.254", "169.254.170.2", "169.254.255.255"]);
    assert_each(Err(Metadata), &["168.63.129.16"]);
    assert_each(Err(Documentation), &["192.0.2.0", "192.0.2.255", "198.51.100.0", "198.51.100.255"]);
    assert_each(Err(Documentation), &["203.0.113.0", "203.0.113.255"]);
    assert_each(Err(Multicast), &["224.0.0.0", "239.255.255.255"]);
    assert_each(Err(Tunnel), &["192.88.99.0", "192.88.99.255"]);
    assert_each(Err(Reserved), &["192.0.0.0", "192.0.0.9", "192.0.0.192", "192.0.0.255"]);
    assert_each(Err(Reserved), &["192.31.196.0", "192.52.193.255", "192.175.48.0"]);
    assert_each(Err(Reserved), &["198.18.0.0", "198.19.255.255", "240.0.0.0", "255.255.255.254", "255.255.255.255"]);
}

#[test]
fn public_addresses_of_ipv4_may_be_called() {
    assert_each(Ok(()), &["1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"]);
    assert_each(Ok(()), &["126.255.255.255", "128.0.0.0", "168.63.129.15", "168.63.129.17"]);
    assert_each(Ok(()), &["169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0"]);
    assert_each(Ok(()), &["191.255.255.255", "192.0.1.0", "192.0.3.0", "192.31.195.255", "192.31.197.0"]);
    assert_each(Ok(()), &["192.52.192.255", "192.52.194.0", "192.88.98.255", "192.88.100.0"]);
    assert_each(Ok(()), &["192.167.255.255", "192.169.0.0", "192.175.47.255", "192.175.49.0"]);
    assert_each(Ok(()), &["198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0"]);
    assert_each(Ok(()), &["203.0.112.255", "203.0.114.0", "223.255.255.255"]);
}

#[test]
fn special_addresses_of_ipv6_are_refused_to_their_last() {
    assert_each(Err(Unspecified), &["::"]);
    assert_each(Err(Loopback), &["::1"]);
    assert_each(Err(Private), &["fc00::", "fd00:ec2::254", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]);
    assert_each(Err(Private), &["fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]);
    assert_each(Err(LinkLocal), &["fe80::", "fe80::1", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]);
    assert_each(Err(Multicast), &["ff00::", "ff02::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]);
    assert_each(Err(Documentation), &["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"]);
    assert_each(Err(Documentation), &["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"]);
    assert_each(Err(Tunnel), &["2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", "2002::", "2002:808:808::1"]);
    assert_each(Err(Tunnel), &["2002:7f00:1::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]);
    assert_each(Err(Tunnel), &["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:808:808"]);
    assert_each(Err(Reserved), &["2001:1::1", "2001:2::1", "2001:3::1", "2001:4:112::1", "2001:10::", "2001:1f::1"]);
    assert_each(Err(Reserved), &["2001:20::", "2001:2f::1", "2001:30::1", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"]);
    assert_each(Err(Reserved), &["2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"]);
}

#[test]
fn addresses_of_ipv6_outside_of_global_unicast_are_refused() {
    assert_each(Err(Reserved), &["100::", "100::1", "100:0:0:1::", "200::1", "400::1", "5f00::1", "4000::", "8000::"]);
    assert_each(Err(Reserved), &["1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fbff::1", "fe00::1", "64:ff9b::1:0:0"]);
    // IPv4-compatible (deprecated), and IPv4-translated (RFC 2765).
    assert_each(Err(Reserved), &["::2", "::8.8.8.8", "::127.0.0.1", "::169.254.169.254", "::ffff:0:8.8.8.8"]);
}

#[test]
fn public_addresses_of_ipv6_may_be_called() {
    assert_each(Ok(()), &["2000::", "2001:200::", "2001:4860:4860::8888", "2001:db7:ffff::1", "2001:db9::"]);
    assert_each(Ok(()), &["2003::1", "2600:1f18::1", "2606:4700:4700::1111", "2620:4f:7fff::1", "2620:4f:8001::"]);
    assert_each(Ok(()), &["2a00:1450:4001::1", "3ffe:ffff:ffff::1", "3fff:1000::"]);
}

#[test]
fn an_embedded_ipv4_address_is_judged_in_place_of_its_form() {
    for prefix in ["::ffff:", "64:ff9b::"] {
        for (v4, expected) in [
            ("8.8.8.8", Ok(())),
            ("0.0.0.0", Err(Unspecified)),
            ("10.0.0.1", Err(Private)),
            ("127.0.0.1", Err(Loopback)),
            ("169.254.169.254", Err(LinkLocal)),
            ("100.64.0.1", Err(CarrierNat)),
            ("224.0.0.1", Err(Multicast)),
            ("255.255.255.255", Err(Reserved)),
        ] {
            assert_each(expected, &[&format!("{prefix}{v4}")]);
        }
    }
}
