use super::*;

#[test]
fn what_the_rules_allow_is_taken_as_it_is_written() {
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

const TRAPS: &[(&str, RedirectUriError)] = &[
    ("", RedirectUriError::NoUrl),
    ("example.com/cb", RedirectUriError::NoUrl),
    ("/cb", RedirectUriError::NoUrl),
    ("//example.com/cb", RedirectUriError::NoUrl),
    ("https://", RedirectUriError::NoUrl),
    ("https://example.com:99999/", RedirectUriError::NoUrl),
    ("https://exa%mple.com/", RedirectUriError::NoUrl),
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
    ("http:\\\\localhost", RedirectUriError::Character),
    ("https://example.com\\@evil.com/", RedirectUriError::Character),
    ("http://local\thost/", RedirectUriError::Character),
    ("https://example.com/\r\nSet-Cookie:a=b", RedirectUriError::Character),
    ("https://example.com/a b", RedirectUriError::Character),
    (" https://example.com/", RedirectUriError::Character),
    ("https://example.com/\n", RedirectUriError::Character),
    ("https://example.com/\0", RedirectUriError::Character),
    ("https://example.com/\u{85}", RedirectUriError::Character),
    ("https://example.com/\u{a0}", RedirectUriError::Character),
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
fn every_trap_is_refused_for_its_own_reason() {
    for (text, reason) in TRAPS {
        assert_eq!(RedirectUri::parse(text).as_ref().err(), Some(reason), "{text:?}");
    }
}

#[test]
fn another_spelling_of_what_is_allowed_is_refused_and_told_the_right_one() {
    for (text, right) in [
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
        let refused = RedirectUri::parse(text);
        assert_eq!(refused.err(), Some(RedirectUriError::Spelling(right.to_owned())), "{text:?}");
        assert!(RedirectUri::parse(right).is_ok(), "the right spelling is taken: {right}");
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
fn what_is_asked_for_must_be_the_same_text_but_for_the_port_of_127_0_0_1() {
    for (registered, asked, is_match) in [
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
        assert_eq!(uri.matches(asked), is_match, "{registered} {asked}");
    }
}

#[test]
fn parameters_are_added_to_those_that_are_there() {
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
fn an_id_follows_from_the_uri_and_reads_back() {
    let id = |text: &str| RedirectUri::parse(text).unwrap().id();
    let one = id("https://example.com/cb");
    assert_eq!(one, id("https://example.com/cb"));
    assert_ne!(one, id("https://example.com/cb/"));
    assert_eq!(RedirectUriId::parse(&one.to_string()), Some(one.clone()));
    let shouted = one.to_string().to_uppercase();
    for text in ["", "ruri_", "ruri_0", &one.to_string()[1..], &format!("{one}0"), &shouted, "ruri_ü"] {
        assert_eq!(RedirectUriId::parse(text), None, "{text}");
    }
}

/// Small, and the same on every machine: a failure prints the seed.
struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

const BEGINNINGS: [&str; 12] = [
    "https://example.com/cb?x=1",
    "http://localhost:3000/cb",
    "http://127.0.0.1:8000/cb",
    "http://localhost@evil.com/",
    "http://127.1/",
    "http://2130706433/",
    "http://[::1]/",
    "http://evil.com/",
    "http://localhost.evil.com/",
    "https:evil.com",
    "http:\\\\localhost",
    "http://%6cocalhost/",
];
const PIECES: [&str; 40] = [
    "http",
    "https",
    ":",
    "/",
    "//",
    "\\",
    "@",
    "#",
    "?",
    "&",
    ".",
    "..",
    "%",
    "%2e",
    "%00",
    "%40",
    "%2f",
    "[",
    "]",
    "::1",
    "0",
    "1",
    "127.0.0.1",
    "127",
    "0x7f",
    "localhost",
    "LOCALHOST",
    "evil.com",
    "example.com",
    "\t",
    "\n",
    " ",
    "\0",
    "ⓛ",
    "。",
    "ü",
    "\u{200b}",
    "\u{ad}",
    "-",
    "xn--",
];

fn mutated(random: &mut Xorshift) -> String {
    let mut text: Vec<char> = random.pick(&BEGINNINGS).chars().collect();
    for _ in 0..random.below(5) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(6)).min(text.len());
        let piece: Vec<char> = match random.below(3) {
            0 => Vec::new(),
            1 => random.pick(&PIECES).chars().collect(),
            _ => text[at..end].iter().flat_map(|c| [*c, *c]).collect(),
        };
        let end = if random.below(2) == 0 { at } else { end };
        text.splice(at..end, piece);
    }
    text.into_iter().collect()
}

/// The rule again, read off the text without a URL parser.
fn keeps_the_rule(text: &str) -> bool {
    let is_local = |rest: &str| {
        ["localhost", "127.0.0.1"].iter().any(|host| {
            let after = rest.strip_prefix(host);
            after.is_some_and(|after| after.is_empty() || after.starts_with([':', '/', '?']))
        })
    };
    let after_scheme = text.strip_prefix("https://").or(text.strip_prefix("http://")).unwrap_or_default();
    let authority = after_scheme.split(['/', '?']).next().unwrap_or_default();
    !authority.is_empty()
        && !authority.contains('@')
        && !text.contains(['#', '\\'])
        && text.bytes().all(|byte| byte.is_ascii_graphic())
        && (text.starts_with("https://") || text.strip_prefix("http://").is_some_and(is_local))
}

#[test]
fn no_accepted_uri_breaks_the_rule_of_scheme_and_host() {
    let seed = uuid::Uuid::new_v4().as_u64_pair().0 | 1;
    let mut random = Xorshift(seed);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..100_000 {
        let text = mutated(&mut random);
        let Ok(uri) = RedirectUri::parse(&text) else {
            refused += 1;
            continue;
        };
        accepted += 1;
        assert!(keeps_the_rule(&text), "seed {seed}: {text:?}");
        let host = uri.url.host_str().unwrap();
        assert!(text.split("://").nth(1).unwrap().starts_with(host), "seed {seed}: {text:?} is read as {host}");
    }
    assert!(accepted > 5_000 && refused > 5_000, "seed {seed}: {accepted} accepted, {refused} refused");
}
