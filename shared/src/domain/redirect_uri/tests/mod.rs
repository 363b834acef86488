use super::*;

mod mutations;

#[test]
fn an_allowed_uri_is_stored_as_written() {
    for text in [
        "https://example.com",
        "https://example.com/",
        "https://example.com?step=2",
        "https://example.com:8443/a/b;c?x=1&y=%20",
        "https://xn--bcher-kva.example/",
        "https://example.com./",
        "https://example.com/%C3%BC?",
        "https://localhost/cb",
        "https://127.0.0.1:8443",
        "https://[2001:db8::1]/",
        "https://localhost.evil.com/",
        "http://localhost",
        "http://localhost:3000/cb?a=b",
        "http://127.0.0.1",
        "http://127.0.0.1:65535/cb",
    ] {
        assert_eq!(RedirectUri::parse(text).map(|uri| uri.text), Ok(text.to_owned()));
    }
}

const REJECTED: &[(&str, RedirectUriError)] = &[
    ("", RedirectUriError::NotAbsolute),
    ("example.com/cb", RedirectUriError::NotAbsolute),
    ("/cb", RedirectUriError::NotAbsolute),
    ("//example.com/cb", RedirectUriError::NotAbsolute),
    ("https://", RedirectUriError::NotAbsolute),
    ("https://example.com:99999/", RedirectUriError::NotAbsolute),
    ("https://exa%mple.com/", RedirectUriError::NotAbsolute),
    ("http://example.com/cb", RedirectUriError::NotHttps),
    ("http://EXAMPLE.com", RedirectUriError::NotHttps),
    ("http://localhost.evil.com/", RedirectUriError::NotHttps),
    ("http://127.0.0.1.evil.com/", RedirectUriError::NotHttps),
    ("http://app.localhost/", RedirectUriError::NotHttps),
    ("http://10.0.0.1/", RedirectUriError::NotHttps),
    ("http:evil.com", RedirectUriError::NotHttps),
    ("ftp://localhost/", RedirectUriError::Scheme),
    ("javascript:alert(1)", RedirectUriError::Scheme),
    ("data:text/html,x", RedirectUriError::Scheme),
    ("com.example.app:/cb", RedirectUriError::Scheme),
    ("localhost:3000/cb", RedirectUriError::Scheme),
    ("ws://localhost/", RedirectUriError::Scheme),
    ("http://localhost@evil.com/", RedirectUriError::UserInfo),
    ("https://user:secret@example.com/", RedirectUriError::UserInfo),
    ("https://:secret@example.com/", RedirectUriError::UserInfo),
    ("http://evil.com@localhost/", RedirectUriError::UserInfo),
    ("https://example.com/#", RedirectUriError::Fragment),
    ("https://example.com/cb#done", RedirectUriError::Fragment),
    ("http://evil.com#@localhost/", RedirectUriError::Fragment),
    ("http:\\\\localhost", RedirectUriError::ForbiddenCharacter),
    ("https://example.com\\@evil.com/", RedirectUriError::ForbiddenCharacter),
    ("http://local\thost/", RedirectUriError::ForbiddenCharacter),
    ("https://example.com/\r\nSet-Cookie:a=b", RedirectUriError::ForbiddenCharacter),
    ("https://example.com/a b", RedirectUriError::ForbiddenCharacter),
    (" https://example.com/", RedirectUriError::ForbiddenCharacter),
    ("https://example.com/\n", RedirectUriError::ForbiddenCharacter),
    ("https://example.com/\0", RedirectUriError::ForbiddenCharacter),
    ("https://example.com/\u{85}", RedirectUriError::ForbiddenCharacter),
    ("https://example.com/\u{a0}", RedirectUriError::ForbiddenCharacter),
    ("http://[::1]/", RedirectUriError::Loopback),
    ("https://[::1]:8443/", RedirectUriError::Loopback),
    ("https://[::]/", RedirectUriError::Loopback),
    ("http://[::ffff:127.0.0.1]/", RedirectUriError::Loopback),
    ("http://localhost./", RedirectUriError::Loopback),
    ("http://127.0.0.2/", RedirectUriError::Loopback),
    ("http://0.0.0.0:3000/", RedirectUriError::Loopback),
    ("http://127.2/", RedirectUriError::Loopback),
];

#[test]
fn every_rejected_uri_has_its_own_reason() {
    for (text, reason) in REJECTED {
        assert_eq!(RedirectUri::parse(text).as_ref().err(), Some(reason), "{text:?}");
    }
}

#[test]
fn a_non_canonical_uri_is_rejected_with_its_canonical_form() {
    for (text, canonical) in [
        ("http://127.1", "http://127.0.0.1/"),
        ("http://0x7f000001", "http://127.0.0.1/"),
        ("http://2130706433", "http://127.0.0.1/"),
        ("http://0177.0.0.1/", "http://127.0.0.1/"),
        ("http://127.0.0.1./", "http://127.0.0.1/"),
        ("http://LOCALHOST", "http://localhost/"),
        ("http://%6cocalhost", "http://localhost/"),
        ("http://ⓛocalhost", "http://localhost/"),
        ("HTTPS://example.com/", "https://example.com/"),
        ("https://Example.com/cb", "https://example.com/cb"),
        ("https:evil.com", "https://evil.com/"),
        ("https:/evil.com", "https://evil.com/"),
        ("https:///evil.com/", "https://evil.com/"),
        ("https://@example.com/", "https://example.com/"),
        ("https://example.com:443/cb", "https://example.com/cb"),
        ("http://localhost:80", "http://localhost/"),
        ("https://example.com:/cb", "https://example.com/cb"),
        ("https://example.com/a/../b", "https://example.com/b"),
        ("https://example.com/%2e%2e/b", "https://example.com/b"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://example.com/ü", "https://example.com/%C3%BC"),
        ("https://example.com/?q='", "https://example.com/?q=%27"),
    ] {
        let rejected = RedirectUri::parse(text);
        assert_eq!(rejected.err(), Some(RedirectUriError::NotCanonical(canonical.to_owned())), "{text:?}");
        assert!(RedirectUri::parse(canonical).is_ok(), "the canonical form is accepted: {canonical}");
    }
}

#[test]
fn a_uri_has_at_most_2048_bytes() {
    let of_length = |length: usize| {
        let start = "https://example.com/";
        format!("{start}{}", "a".repeat(length - start.len()))
    };
    assert!(RedirectUri::parse(&of_length(2_048)).is_ok());
    assert_eq!(RedirectUri::parse(&of_length(2_049)), Err(RedirectUriError::TooLong));
}

#[test]
fn a_requested_uri_must_be_equal_except_for_a_loopback_port() {
    for (registered, requested, is_match) in [
        ("https://example.com/cb", "https://example.com/cb", true),
        ("https://example.com/cb", "https://example.com/cb/", false),
        ("https://example.com/cb", "https://example.com/cb?x=1", false),
        ("https://example.com/cb", "https://example.com:8443/cb", false),
        ("https://example.com", "https://example.com/", false),
        ("http://localhost:3000/cb", "http://localhost:3001/cb", false),
        ("http://localhost/cb", "http://127.0.0.1/cb", false),
        ("http://127.0.0.1/cb", "http://127.0.0.1:51004/cb", true),
        ("http://127.0.0.1:8000/cb", "http://127.0.0.1/cb", true),
        ("http://127.0.0.1:8000/cb?a=1", "http://127.0.0.1:9000/cb?a=1", true),
        ("http://127.0.0.1:8000", "http://127.0.0.1:9000", true),
        ("http://127.0.0.1:8000", "http://127.0.0.1:9000/", false),
        ("http://127.0.0.1:8000/cb", "http://127.0.0.1:9000/other", false),
        ("http://127.0.0.1:8000/cb", "http://127.0.0.1:9000/cb?a=1", false),
        ("http://127.0.0.1:8000/cb", "https://127.0.0.1:9000/cb", false),
        ("https://127.0.0.1:8000/cb", "https://127.0.0.1:9000/cb", false),
        ("http://127.0.0.1:8000/cb", "http://127.1:9000/cb", false),
        ("http://127.0.0.1:8000/cb", "http://127.0.0.1:9000@evil.com/cb", false),
        ("http://127.0.0.1:8000/cb", "http://127.0.0.1:99999/cb", false),
        ("http://127.0.0.1:8000/cb", "http://127.0.0.1.evil.com/cb", false),
    ] {
        let uri = RedirectUri::parse(registered).unwrap();
        assert_eq!(uri.matches(requested), is_match, "{registered} {requested}");
    }
}

#[test]
fn parameters_are_appended_to_the_query() {
    for (text, expected) in [
        ("https://example.com", "https://example.com/?status=a%26b"),
        ("https://example.com/cb", "https://example.com/cb?status=a%26b"),
        ("https://example.com/cb?", "https://example.com/cb?status=a%26b"),
        ("https://example.com/cb?x=%20y&z", "https://example.com/cb?x=%20y&z&status=a%26b"),
    ] {
        assert_eq!(RedirectUri::parse(text).unwrap().with_parameters(&[("status", "a&b")]), expected);
    }
}

#[test]
fn an_id_derives_from_the_uri_and_survives_a_round_trip() {
    let id = |text: &str| RedirectUri::parse(text).unwrap().id();
    let one = id("https://example.com/cb");
    assert_eq!(one, id("https://example.com/cb"));
    assert_ne!(one, id("https://example.com/cb/"));
    assert_eq!(RedirectUriId::parse(&one.to_string()), Some(one.clone()));
    let upper = one.to_string().to_uppercase();
    for text in ["", "ruri_", "ruri_0", &one.to_string()[1..], &format!("{one}0"), &upper, "ruri_ü"] {
        assert_eq!(RedirectUriId::parse(text), None, "{text}");
    }
}
