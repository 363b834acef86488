use super::*;

const NOW: i64 = 1_700_000_000;
const BODY: &[u8] = b"{\"id\":\"evt_1\"}";
/// `printf '1700000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_one`
const OF_ONE: &str = "401fbbceeb3818dc562ff77127ba1c62e47e24c9c6cde4d7a6eba85e32dbd058";

fn sign(secret: &str, time: &str, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    hex::encode(hmac::sign(&key, &[time.as_bytes(), b".", body].concat()))
}

fn header(secret: &str, at: i64) -> String {
    format!("t={at},v1={}", sign(secret, &at.to_string(), BODY))
}

fn check(secrets: &[&str], header: &str) -> Result<(), SignatureError> {
    let secrets: Vec<SecretString> = secrets.iter().map(|secret| SecretString::from(*secret)).collect();
    verify(&secrets, header, BODY, NOW)
}

#[test]
fn the_whole_secret_signs_time_dot_body() {
    assert_eq!(sign("whsec_one", "1700000000", BODY), OF_ONE);
    assert_eq!(check(&["whsec_one"], &format!("t=1700000000,v1={OF_ONE}")), Ok(()));
    assert_eq!(check(&["whsec_two"], &format!("t=1700000000,v1={OF_ONE}")), Err(SignatureError::Mismatch));
}

#[test]
fn any_signature_by_any_secret_is_valid_while_a_secret_is_rolled() {
    let (one, two) = (sign("whsec_one", "1700000000", BODY), sign("whsec_two", "1700000000", BODY));
    let both = format!("t=1700000000,v1={one},v1={two},v0=x");
    for secrets in [&["whsec_one"][..], &["whsec_two"], &["whsec_other", "whsec_two"]] {
        assert_eq!(check(secrets, &both), Ok(()), "{secrets:?}");
    }
    assert_eq!(check(&["whsec_other"], &both), Err(SignatureError::Mismatch));
}

#[test]
fn a_time_within_five_minutes_is_valid() {
    for at in [NOW - 300, NOW, NOW + 300] {
        assert_eq!(check(&["whsec_one"], &header("whsec_one", at)), Ok(()), "{at}");
    }
    for at in [0, NOW - 301, NOW + 301, i64::MAX] {
        assert_eq!(check(&["whsec_one"], &header("whsec_one", at)), Err(SignatureError::OutsideTolerance), "{at}");
    }
}

#[test]
fn an_empty_secret_matches_nothing() {
    let forged = header("", NOW);
    assert_eq!(check(&[""], &forged), Err(SignatureError::Mismatch));
    assert_eq!(check(&[], &forged), Err(SignatureError::Mismatch));
    assert_eq!(check(&["", "whsec_one"], &forged), Err(SignatureError::Mismatch));
}

#[test]
fn a_malformed_header_is_rejected() {
    let good = format!("v1={OF_ONE}");
    for header in [
        "",
        ",",
        "t=1700000000",
        &good,
        &format!("t=,{good}"),
        &format!("t=x,{good}"),
        &format!("t=-1700000000,{good}"),
        &format!("t=+1700000000,{good}"),
        &format!("t=99999999999999999999,{good}"),
        &format!("t=1700000000,t=1700000000,{good}"),
        &format!("t=1700000000,v0={OF_ONE}"),
        "t=1700000000,v1=",
        &format!("t=1700000000,v1={}", &OF_ONE[1..]),
        &format!("t=1700000000,v1={}", OF_ONE.to_uppercase()),
        &format!("t=1700000000;{good}"),
        &format!("t=1700000000, {good}"),
        &format!("t=1700000000,{good},"),
    ] {
        assert_eq!(check(&["whsec_one"], header), Err(SignatureError::Malformed), "{header}");
    }
}

#[test]
fn a_reformatted_body_does_not_match() {
    let secrets = [SecretString::from("whsec_one")];
    for body in [&b"{\"id\": \"evt_1\"}"[..], b"{\"id\":\"evt_1\"}\n", b"", b"{\"id\":\"evt_2\"}"] {
        assert_eq!(verify(&secrets, &header("whsec_one", NOW), body, NOW), Err(SignatureError::Mismatch));
    }
}

/// The number of times that a header makes a body be hashed, and the outcome.
fn work(secrets: &[&str], header: &str) -> (usize, bool) {
    let secrets: Vec<SecretString> = secrets.iter().map(|secret| SecretString::from(*secret)).collect();
    let mut hashes = 0;
    let outcome = verify_with(&secrets, header, NOW, |secret, time| {
        hashes += 1;
        super::sign(secret, time, BODY)
    });
    (hashes, outcome.is_ok())
}

#[test]
fn a_refused_header_costs_at_most_four_times_an_accepted_one() {
    let secrets = ["whsec_one", "whsec_two", "whsec_three", "whsec_four"];
    let good = header("whsec_one", NOW);
    assert_eq!(work(&secrets, &good), (1, true));
    let with = |signatures: usize| format!("t={NOW}{}", format!(",v1={}", "0".repeat(64)).repeat(signatures));
    assert_eq!(work(&secrets, &with(1)), (4, false));
    assert_eq!(work(&secrets, &with(MAX_SIGNATURES)), (4, false), "the signatures are compared, not the body hashed");
    for free in [with(MAX_SIGNATURES + 1), with(5_000), header("whsec_one", NOW - 301), header("whsec_one", i64::MAX)] {
        assert_eq!(work(&secrets, &free), (0, false));
    }
    let last = format!("{},v1={}", with(MAX_SIGNATURES - 1), sign("whsec_four", &NOW.to_string(), BODY));
    assert_eq!(work(&secrets, &last), (4, true));
}

#[test]
fn a_long_header_is_malformed() {
    let good = header("whsec_one", NOW);
    let padded = |length: usize| format!("{good},v0={}", "x".repeat(length - good.len() - 4));
    assert_eq!(check(&["whsec_one"], &padded(MAX_HEADER_LENGTH)), Ok(()));
    assert_eq!(check(&["whsec_one"], &padded(MAX_HEADER_LENGTH + 1)), Err(SignatureError::Malformed));
}

/// xorshift64: the same sequence for the same seed.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap_or_default()
}

#[test]
fn a_changed_byte_of_header_or_body_is_rejected() {
    let secrets = [SecretString::from("whsec_one")];
    let header = header("whsec_one", NOW);
    for seed in 1..=20_000_u64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut head = header.clone().into_bytes();
        let mut body = BODY.to_vec();
        let changed = if next(&mut state).is_multiple_of(2) { &mut head } else { &mut body };
        let at = next(&mut state) % changed.len();
        let byte = b" ,=.0123456789abcdeftvxA{}\""[next(&mut state) % 27];
        match next(&mut state) % 3 {
            0 => changed[at] = byte,
            1 => changed.insert(at, byte),
            _ => drop(changed.remove(at)),
        }
        let head = String::from_utf8(head).unwrap();
        let is_same = (head.as_str(), body.as_slice()) == (header.as_str(), BODY);
        assert_eq!(verify(&secrets, &head, &body, NOW).is_ok(), is_same, "seed {seed}: {head}");
    }
}
