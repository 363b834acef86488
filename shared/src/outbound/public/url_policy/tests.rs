use super::*;
use UrlRefusal::{Address, Fragment, Invalid, LocalName, NotHttps, OwnService, Port, TooLong, UserInfo};

fn public() -> UrlPolicy {
    UrlPolicy::new(Reach::Public, Some("https://Api.Ads.Example/v1"))
}

fn local() -> UrlPolicy {
    UrlPolicy::new(Reach::Local { own_ports: vec![8080, 8081] }, Some("http://localhost:8080"))
}

fn assert_refused(policy: &UrlPolicy, refusal: UrlRefusal, urls: &[&str]) {
    for url in urls {
        assert_eq!(policy.check(url), Err(refusal), "{url}");
    }
}

fn assert_allowed(policy: &UrlPolicy, urls: &[&str]) {
    for url in urls {
        assert!(policy.check(url).is_ok(), "{url}: {:?}", policy.check(url));
    }
}

#[test]
fn public_urls_are_allowed() {
    for policy in [public(), local()] {
        assert_allowed(
            &policy,
            &["https://hooks.example.com", "https://hooks.example.com:443/a?b=c", "HTTPS://A.EXAMPLE/"],
        );
        assert_allowed(&policy, &["https://8.8.8.8/", "https://[2606:4700:4700::1111]/", "https://[::ffff:8.8.8.8]/"]);
        assert_allowed(
            &policy,
            &["https://hooks.example.com./", "https://bücher.example/ä?ö", "https://local.example/"],
        );
        assert_allowed(&policy, &["https://notlocalhost.example/", "https://myinternal.example", "https://a.b/%20"]);
    }
}

#[test]
fn only_https_on_port_443_is_allowed() {
    for policy in [public(), local()] {
        assert_refused(
            &policy,
            NotHttps,
            &["http://hooks.example.com/", "http://hooks.example.com:443/", "ftp://a.b/"],
        );
        assert_refused(&policy, NotHttps, &["file:///etc/passwd", "gopher://a.b/", "mailto:a@b.c", "javascript:a"]);
        assert_refused(&policy, NotHttps, &["http://127.0.0.2/", "http://169.254.169.254/latest/meta-data/"]);
        assert_refused(&policy, Port, &["https://a.example:80/", "https://a.example:8443/", "https://8.8.8.8:444/"]);
    }
}

#[test]
fn urls_that_are_not_whole_or_hide_something_are_refused() {
    assert_refused(
        &public(),
        Invalid,
        &["", "hooks.example.com", "/events", "https://", "https://./", "https://a b.example/"],
    );
    assert_refused(
        &public(),
        Invalid,
        &[" https://a.example", "https://a.example\n", "https://a.ex\tample/", "https:\\\\a.b"],
    );
    assert_refused(
        &public(),
        Invalid,
        &["https://a.example:99999/", "https://[fe80::1%25eth0]/", "https://1.2.3.256/"],
    );
    assert_refused(
        &public(),
        UserInfo,
        &["https://user@a.example/", "https://:secret@a.example/", "https://u:p@127.0.0.1/"],
    );
    assert_refused(&public(), Fragment, &["https://a.example/#", "https://a.example/?b#c"]);
}

#[test]
fn a_url_has_at_most_2000_characters_as_written_and_as_sent() {
    let of = |count: usize, filling: &str| format!("https://a.example/{}", filling.repeat(count));
    assert_allowed(&public(), &[&of(1_982, "a")]);
    assert_refused(&public(), TooLong, &[&of(1_983, "a"), &of(1_000, "ä"), &of(100_000, " ")]);
}

/// Browsers and libraries read each of these as the same address.
#[test]
fn every_spelling_of_a_literal_address_is_judged() {
    for host in [
        "127.0.0.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "0x7f.0.0.1",
        "127.1",
        "127.0.1",
        "017700000001",
        "127.0.0.1.",
        "0x7F.1",
        "1%32%37.0.0.1",
        "１２７.０.０.１",
        "127。0。0。1",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:ffff:7f00:0001]",
        "[64:ff9b::127.0.0.1]",
        "[64:ff9b::7f00:1]",
    ] {
        let urls = [format!("https://{host}/"), format!("https://{host}:9001/2018-06-01/runtime/invocation/next")];
        assert_refused(&public(), Address(SpecialUse::Loopback), &[&urls[0], &urls[1]]);
    }
    for (host, special) in [
        ("0", SpecialUse::Unspecified),
        ("0.0.0.0", SpecialUse::Unspecified),
        ("[::]", SpecialUse::Unspecified),
        ("10.1", SpecialUse::Private),
        ("192.168.0.1", SpecialUse::Private),
        ("[fd00:ec2::254]", SpecialUse::Private),
        ("169.254.169.254", SpecialUse::LinkLocal),
        ("2852039166", SpecialUse::LinkLocal),
        ("0xa9fea9fe", SpecialUse::LinkLocal),
        ("0251.0376.0251.0376", SpecialUse::LinkLocal),
        ("[::ffff:a9fe:a9fe]", SpecialUse::LinkLocal),
        ("[fe80::1]", SpecialUse::LinkLocal),
        ("[::169.254.169.254]", SpecialUse::Reserved),
        ("[2002:a9fe:a9fe::]", SpecialUse::Tunnel),
    ] {
        for policy in [public(), local()] {
            assert_refused(&policy, Address(special), &[&format!("https://{host}/latest/meta-data/")]);
        }
    }
}

#[test]
fn local_names_are_refused() {
    assert_refused(&public(), LocalName, &["https://localhost/", "https://LOCALHOST./", "https://localhost../"]);
    for policy in [public(), local()] {
        assert_refused(
            &policy,
            LocalName,
            &["https://a.localhost/", "https://printer/", "https://a.local", "https://a.LOCAL./"],
        );
        assert_refused(&policy, LocalName, &["https://metadata.google.internal/", "https://router.home.arpa/"]);
        assert_refused(&policy, LocalName, &["https://ip-10-0-0-1.eu-west-1.compute.internal:443/"]);
    }
}

#[test]
fn our_own_host_is_refused() {
    assert_refused(&public(), OwnService, &["https://api.ads.example/", "https://API.ads.example.:443/v1/campaigns"]);
    assert_allowed(&public(), &["https://ads.example/", "https://hooks.api.ads.example/"]);
    let literal = UrlPolicy::new(Reach::Public, Some("https://8.8.8.8"));
    assert_refused(&literal, OwnService, &["https://8.8.8.8/", "https://134744072/"]);
}

#[test]
fn locally_this_machine_is_allowed_but_not_our_own_ports() {
    assert_allowed(
        &local(),
        &["http://localhost:3000/hooks", "https://localhost:3000/", "http://127.0.0.1/", "http://[::1]:9/"],
    );
    assert_allowed(&local(), &["http://localhost.:3000/", "http://127.1:3000/"]);
    assert_refused(&local(), OwnService, &["http://localhost:8080/", "https://127.0.0.1:8081/", "http://[::1]:8080/a"]);
    assert_refused(&local(), OwnService, &["http://localhost.:8080/", "http://2130706433:8080/"]);
    assert_refused(&local(), UserInfo, &["http://user@localhost:3000/"]);
    assert_refused(
        &local(),
        Address(SpecialUse::Loopback),
        &["https://127.0.0.2/", "https://[::ffff:127.0.0.1]:8080/"],
    );
    assert_refused(&public(), NotHttps, &["http://localhost:3000/", "http://127.0.0.1:9001/"]);
    let on_port_80 = UrlPolicy::new(Reach::Local { own_ports: vec![80] }, None);
    assert_refused(&on_port_80, OwnService, &["http://localhost/"]);
}

#[test]
fn only_localhost_may_resolve_to_this_machine_and_only_locally() {
    let loopback: IpAddr = "127.0.0.1".parse().unwrap();
    assert_eq!(local().check_address("localhost", loopback), Ok(()));
    assert_eq!(local().check_address("hooks.example.com", loopback), Err(SpecialUse::Loopback));
    assert_eq!(public().check_address("localhost", loopback), Err(SpecialUse::Loopback));
    assert_eq!(local().check_address("localhost", "10.0.0.1".parse().unwrap()), Err(SpecialUse::Private));
}

#[test]
fn a_refusal_reads_as_the_message_of_a_field() {
    let refusal = public().check("https://[::1]/?token=canary").unwrap_err();
    assert_eq!(refusal.to_string(), "must be on the public internet: its host is a loopback address");
    assert_eq!(public().check("http://a.example/").unwrap_err().to_string(), "must use https");
}
