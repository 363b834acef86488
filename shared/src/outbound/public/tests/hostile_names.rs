//! Names that lead to this machine, to a private network or to a metadata service are not called.

use super::*;

/// A listener, at the port of Lambda's Runtime API if it is free.
fn runtime_api() -> TcpListener {
    let listener = TcpListener::bind("127.0.0.1:9001").or_else(|_| TcpListener::bind("127.0.0.1:0")).unwrap();
    listener.set_nonblocking(true).unwrap();
    listener
}

fn assert_no_connection(listener: &TcpListener) {
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "somebody connected");
}

#[tokio::test]
async fn a_call_goes_to_the_address_that_was_checked_even_if_dns_changes() {
    let (port, _thread) = endpoint(OK, b"");
    let resolver = scripted(&[&["127.0.0.1"], &["169.254.169.254"]]);
    let client = client(local(), &resolver);
    let url = format!("http://localhost:{port}/");
    assert_eq!(post(&client, &url).await.unwrap().status, StatusCode::OK);
    assert_eq!(resolver.questions.load(Ordering::SeqCst), 1);
    // The endpoint keeps the first connection open, but it serves no second call.
    assert_eq!(post(&client, &url).await, Err(PublicFailure::Address(SpecialUse::LinkLocal)));
    assert_eq!(resolver.questions.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn one_bad_address_among_good_ones_refuses_the_name() {
    let listener = runtime_api();
    let port = listener.local_addr().unwrap().port();
    for answer in [["127.0.0.1", "10.0.0.1"], ["10.0.0.1", "127.0.0.1"]] {
        let client = client(local(), &scripted(&[&answer]));
        let outcome = post(&client, &format!("http://localhost:{port}/")).await;
        assert_eq!(outcome, Err(PublicFailure::Address(SpecialUse::Private)));
    }
    for answer in [["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1", "8.8.8.8"]] {
        let outcome = post(&client(Reach::Public, &scripted(&[&answer])), "https://hooks.example.com/").await;
        assert_eq!(outcome, Err(PublicFailure::Address(SpecialUse::Loopback)));
    }
    assert_no_connection(&listener);
}

#[tokio::test]
async fn a_public_client_never_connects_to_its_own_machine() {
    let listener = runtime_api();
    let port = listener.local_addr().unwrap().port();
    let resolver = scripted(&[&["127.0.0.1"]]);
    let client = client(Reach::Public, &resolver);
    let path = "2018-06-01/runtime/invocation/next";
    for host in ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "[::1]", "localhost", "hooks.example.com"] {
        for scheme in ["https", "http"] {
            let outcome = post(&client, &format!("{scheme}://{host}:{port}/{path}")).await;
            assert!(matches!(outcome, Err(PublicFailure::Url(_))), "{scheme} {host}: {outcome:?}");
        }
    }
    assert_eq!(resolver.questions.load(Ordering::SeqCst), 0);
    // The check of resolved addresses suffices alone.
    for host in ["localhost", "hooks.example.com"] {
        let url = Url::parse(&format!("http://{host}:{port}/{path}")).unwrap();
        let outcome = client.send(url, HeaderMap::new(), Bytes::new(), Instant::now() + TIME_LIMIT).await;
        assert_eq!(outcome, Err(PublicFailure::Address(SpecialUse::Loopback)), "{host}");
    }
    assert_no_connection(&listener);
}

#[tokio::test]
async fn names_of_metadata_services_and_private_networks_are_refused() {
    for (address, special) in [
        ("169.254.169.254", SpecialUse::LinkLocal),
        ("169.254.170.2", SpecialUse::LinkLocal),
        ("fd00:ec2::254", SpecialUse::Private),
        ("::ffff:169.254.169.254", SpecialUse::LinkLocal),
        ("64:ff9b::a9fe:a9fe", SpecialUse::LinkLocal),
        ("100.100.100.200", SpecialUse::CarrierNat),
        ("0.0.0.0", SpecialUse::Unspecified),
    ] {
        for reach in [Reach::Public, local()] {
            let outcome = post(&client(reach, &scripted(&[&[address]])), "https://hooks.example.com/").await;
            assert_eq!(outcome, Err(PublicFailure::Address(special)), "{address}");
        }
    }
    let outcome = post(&client(local(), &scripted(&[&["127.0.0.1"]])), "https://hooks.example.com/").await;
    assert_eq!(outcome, Err(PublicFailure::Address(SpecialUse::Loopback)), "only localhost is this machine");
}
