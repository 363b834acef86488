//! The client against an issuer that makes every mistake.

use super::*;
use crate::domain::PersonId;
use crate::outbound::{Failure, Outbound, OutboundRequest, OutboundResponse, Transport};
use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode};
use jiff::SignedDuration;
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::advance;

const ISSUER: &str = "https://issuer.example";
const CLIENT: &str = "our-client";
const NONCE: &str = "the-nonce";
const NOW: &str = "2026-11-22T12:00:00Z";

/// A 2048-bit key of `openssl genrsa`, and a token that `openssl dgst -sha256 -sign` has signed with it.
const RSA_MODULUS: &str = "v6pvFUsg6JQR-qIKViGlUdu7c-JyVY7Y_wIzKgpUyb7fY3DMk8jVaG2jTi9BosAk6-aKRTvWAL__7yKBxnAyY4mf_9HXRo4woyrdjFBHF45zZUaTgVKe9iVbScCQqHRFHUYPKkaezL_CJnLfPXrVI-8Mcmh-I_yWo-SR-AZdLW61tLKouiECTp9jw-_BKgMkz64ul_4IylfPD_j-WcR4-oPELKKYPOcCFJPwXJRzsR8Hst8ta16wXCVi5nb-6-_ynMj7oNedTNWwhC9JjjEhgUqjJuvlN5unHGFJUvYVueoS_JlOdlCUVrxcXRr9uBzvp5TLH-Rq6eS1FI7Jb1mYkQ";
const RSA_TOKEN: &str = "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYSJ9.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwic3ViIjoiYWRhIiwiYXVkIjoib3VyLWNsaWVudCIsImV4cCI6MTc5NTM0OTEwMCwiaWF0IjoxNzk1MzQ4ODAwLCJub25jZSI6InRoZS1ub25jZSJ9.SXfmKvpxekObQlgex05QnqSaZ_lB2mYqOrwHka6dchRZSYicO-srQtQeM_2CHAtO2LtIsuz-2uDWKDRXMhcjjYq3b_moArSSWdFhgCbaVAPQUbRlFv9gOnWh2clFobPmycSnnngqah87U7iaPsh9SFIuAiZQQDXHGs4gl6ldavumak1RnjjVgGA-M-Yx6sDyJwAM1Bql6VF8VLfAsfl5cYM4R_yE_PTY2ca90fN0dpUbaIn1xs3hB1vXFhdX4AYrwoUWFWzhEkUs1vSQ5z6O_N7hz5GpK5Xc13yorpBvrTtjyHBdPrFzq7Gs-AfR0C3xsAAugIxQBsmvzBFQ0JOF5g";

/// A key pair of the issuer.
struct Signer {
    pair: EcdsaKeyPair,
    kid: &'static str,
}

impl Signer {
    fn new(kid: &'static str) -> Signer {
        let random = SystemRandom::new();
        let kind = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(kind, &random).unwrap();
        Signer { pair: EcdsaKeyPair::from_pkcs8(kind, pkcs8.as_ref(), &random).unwrap(), kid }
    }

    fn jwk(&self) -> Value {
        let [x, y] = [1..33, 33..65].map(|half| URL_SAFE_NO_PAD.encode(&self.pair.public_key().as_ref()[half]));
        json!({ "kty": "EC", "crv": "P-256", "kid": self.kid, "x": x, "y": y })
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        let signed = format!("{}.{}", encode(header), encode(claims));
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    fn token(&self, claims: &Value) -> String {
        self.sign(&json!({ "alg": "ES256", "kid": self.kid }), claims)
    }
}

fn encode(part: &Value) -> String {
    URL_SAFE_NO_PAD.encode(part.to_string())
}

/// Valid claims with some changes. A null removes a claim.
fn claims(changes: Value) -> Value {
    let now = now().as_second();
    let mut claims =
        json!({ "iss": ISSUER, "sub": "ada", "aud": CLIENT, "exp": now + 300, "iat": now, "nonce": NONCE });
    for (name, value) in changes.as_object().unwrap() {
        claims[name] = value.clone();
    }
    claims
}

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

/// The responses of the issuer, and the number of reads of its keys.
struct Responses {
    metadata: Value,
    keys: String,
    token: (u16, String),
    key_reads: usize,
}

/// An issuer with scripted responses.
#[derive(Clone)]
struct Scripted(Arc<Mutex<Responses>>);

impl std::fmt::Debug for Scripted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scripted")
    }
}

#[async_trait]
impl Transport for Scripted {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let mut responses = self.0.lock().unwrap();
        let (status, body) = match request.url.strip_prefix(ISSUER).ok_or(Failure::NotSent)? {
            "/.well-known/openid-configuration" => (200, responses.metadata.to_string()),
            "/keys" => {
                responses.key_reads += 1;
                (200, responses.keys.clone())
            }
            "/token" => responses.token.clone(),
            other => panic!("{other}"),
        };
        let headers =
            HeaderMap::from_iter([(http::header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        Ok(OutboundResponse { status: StatusCode::from_u16(status).unwrap(), headers, body: Bytes::from(body) })
    }
}

impl Scripted {
    fn new(keys: &[Value]) -> Scripted {
        let address = |path: &str| format!("{ISSUER}{path}");
        let metadata = json!({
            "issuer": ISSUER,
            "authorization_endpoint": address("/authorize"),
            "token_endpoint": address("/token"),
            "jwks_uri": address("/keys"),
        });
        let keys = json!({ "keys": keys }).to_string();
        Scripted(Arc::new(Mutex::new(Responses { metadata, keys, token: (400, "{}".to_owned()), key_reads: 0 })))
    }

    fn change(&self, change: impl FnOnce(&mut Responses)) {
        change(&mut self.0.lock().unwrap());
    }

    fn publish(&self, keys: &[Value]) {
        self.change(|responses| responses.keys = json!({ "keys": keys }).to_string());
    }

    fn key_reads(&self) -> usize {
        self.0.lock().unwrap().key_reads
    }

    fn issuer(&self) -> Issuer {
        let secret = serde_json::from_value(json!({ "client_secret": "canary" })).unwrap();
        let config = IssuerConfig::new(ISSUER, CLIENT).unwrap();
        Issuer::new(Outbound::with_transport(Arc::new(self.clone())), config, secret)
    }

    /// A sign-in that ends with this ID token.
    async fn sign_in(
        &self,
        issuer: &Issuer,
        token: &str,
        max_age: Option<SignedDuration>,
    ) -> Result<Identity, SignInError> {
        let body = json!({ "access_token": "canary", "token_type": "Bearer", "id_token": token }).to_string();
        self.change(|responses| responses.token = (200, body));
        authenticate(issuer, max_age).await
    }
}

async fn authenticate(issuer: &Issuer, max_age: Option<SignedDuration>) -> Result<Identity, SignInError> {
    let state = "the-state".into();
    let nonce = NONCE.into();
    let verifier = "v".repeat(43).into();
    let request = SignInRequest {
        redirect_uri: "https://us.example/dashboard/callback",
        state: &state,
        nonce: &nonce,
        verifier: &verifier,
        max_age,
    };
    issuer.authenticate(&"the-code".into(), &request, now()).await
}

/// The result of a sign-in with a token of an honest issuer's key.
async fn outcome(
    token: impl FnOnce(&Signer) -> String,
    max_age: Option<SignedDuration>,
) -> Result<Identity, SignInError> {
    let signer = Signer::new("k1");
    let scripted = Scripted::new(&[signer.jwk()]);
    scripted.sign_in(&scripted.issuer(), &token(&signer), max_age).await
}

async fn error(token: impl FnOnce(&Signer) -> String) -> TokenError {
    match outcome(token, None).await {
        Err(SignInError::InvalidToken(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_valid_token_is_the_person_that_iss_and_sub_name() {
    let changes = json!({ "email": "ada@example.com", "email_verified": true, "auth_time": now().as_second() - 5,
        "aud": [CLIENT] });
    let identity = outcome(|signer| signer.token(&claims(changes)), None).await.unwrap();
    assert_eq!(identity.person, PersonId::of(ISSUER, "ada"));
    assert_eq!(identity.email.as_deref(), Some("ada@example.com"));
    assert_eq!(identity.authenticated_at, Some(now() - SignedDuration::from_secs(5)));
    let changes = json!({ "email": "ada@example.com", "email_verified": false, "aud": [CLIENT, "b"], "azp": CLIENT });
    let identity = outcome(|signer| signer.token(&claims(changes)), None).await.unwrap();
    assert_eq!((identity.email, identity.authenticated_at), (None, None));
}

#[tokio::test]
async fn an_address_is_shown_only_if_it_is_verified_and_can_be_read() {
    let verified = json!(true);
    for (email, claim, is_shown) in [
        ("ada@example.com", verified.clone(), true),
        ("ada@example.com", json!("true"), true),
        ("ada@example.com", Value::Null, false),
        ("ada@example.com", json!(false), false),
        ("ada@example.com\n2026-11-22 WARN forged", verified.clone(), false),
        ("ada\u{1b}[31m@example.com", verified.clone(), false),
        ("ada\u{202E}@example.com", verified, false),
    ] {
        let changes = json!({ "email": email, "email_verified": claim });
        let identity = outcome(|signer| signer.token(&claims(changes)), None).await.unwrap();
        assert_eq!(identity.email.is_some(), is_shown, "{email:?} {claim}");
    }
}

/// An issuer that takes connections and never answers.
#[derive(Debug)]
struct Hanging;

#[async_trait]
impl Transport for Hanging {
    async fn send(&self, _: OutboundRequest) -> Result<OutboundResponse, Failure> {
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn pages_do_not_wait_one_after_another_for_an_issuer_that_hangs() {
    let secret = serde_json::from_value(json!({ "client_secret": "canary" })).unwrap();
    let config = IssuerConfig::new(ISSUER, CLIENT).unwrap();
    let issuer = Issuer::new(Outbound::with_transport(Arc::new(Hanging)), config, secret);
    let began = tokio::time::Instant::now();
    let pages = futures_util::future::join_all((0..20).map(|_| issuer.origin())).await;
    assert!(pages.iter().all(|page| matches!(page, Err(SignInError::Unavailable(_)))), "{pages:?}");
    assert!(began.elapsed() <= Duration::from_secs(10), "{:?}", began.elapsed());
    let scripted = Scripted::new(&[]);
    assert!(scripted.issuer().origin().await.is_ok(), "an issuer that answers again is asked again");
}

#[tokio::test]
async fn rs256_is_verified_too() {
    let jwk = json!({ "kty": "RSA", "kid": "rsa", "alg": "RS256", "use": "sig", "n": RSA_MODULUS, "e": "AQAB" });
    let scripted = Scripted::new(&[jwk]);
    let issuer = scripted.issuer();
    assert!(scripted.sign_in(&issuer, RSA_TOKEN, None).await.is_ok());
    let altered = RSA_TOKEN.replace(".eyJpc3Mi", ".eyJpc3Nj");
    let refused = scripted.sign_in(&issuer, &altered, None).await;
    assert_eq!(refused, Err(TokenError::Signature.into()));
}

#[tokio::test]
async fn a_token_with_a_wrong_claim_is_refused() {
    let now = now().as_second();
    for (changes, expected) in [
        (json!({ "iss": "https://issuer.example/" }), TokenError::Issuer),
        (json!({ "aud": "another" }), TokenError::Audience),
        (json!({ "aud": [] }), TokenError::Audience),
        (json!({ "aud": [CLIENT, "another"] }), TokenError::Audience),
        (json!({ "aud": CLIENT, "azp": "another" }), TokenError::Audience),
        (json!({ "exp": now - 60 }), TokenError::Expired),
        (json!({ "iat": now + 61 }), TokenError::IssuedInFuture),
        (json!({ "nonce": "another" }), TokenError::Nonce),
        (json!({ "nonce": null }), TokenError::Nonce),
        (json!({ "exp": "tomorrow" }), TokenError::Malformed),
        (json!({ "exp": i64::MAX }), TokenError::Malformed),
        (json!({ "sub": "" }), TokenError::Malformed),
        (json!({ "sub": "a".repeat(256) }), TokenError::Malformed),
        (json!({ "sub": null }), TokenError::Malformed),
    ] {
        let shown = changes.to_string();
        assert_eq!(error(|signer| signer.token(&claims(changes))).await, expected, "{shown}");
    }
    for changes in [json!({ "exp": now - 59 }), json!({ "iat": now + 60 }), json!({ "exp": 253_402_207_200_i64 })] {
        let shown = changes.to_string();
        assert!(outcome(|signer| signer.token(&claims(changes)), None).await.is_ok(), "{shown}");
    }
}

#[tokio::test]
async fn a_token_with_a_wrong_signature_is_refused() {
    let valid = claims(json!({}));
    let none = format!("{}.{}.", encode(&json!({ "alg": "none" })), encode(&valid));
    assert_eq!(error(|_| none).await, TokenError::Algorithm);
    let hs256 = |signer: &Signer| {
        let signed = format!("{}.{}", encode(&json!({ "alg": "HS256", "kid": "k1" })), encode(&valid));
        let key = hmac::Key::new(hmac::HMAC_SHA256, signer.pair.public_key().as_ref());
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(hmac::sign(&key, signed.as_bytes())))
    };
    assert_eq!(error(hs256).await, TokenError::Algorithm, "the public key is no secret");
    let rs256 = |signer: &Signer| signer.sign(&json!({ "alg": "RS256", "kid": "k1" }), &valid);
    assert_eq!(error(rs256).await, TokenError::UnknownKey, "the key has another algorithm");
    assert_eq!(error(|_| Signer::new("k1").token(&valid)).await, TokenError::Signature);
    let critical = json!({ "alg": "ES256", "kid": "k1", "crit": ["b64"] });
    assert_eq!(error(|signer| signer.sign(&critical, &valid)).await, TokenError::Malformed);
}

#[tokio::test]
async fn malformed_tokens_are_refused() {
    for token in ["", ".", "..", "a.b", "a.b.c", "é.é.é", "e30.e30.", "bm90IGpzb24.e30.AA", "eyJhbGciOiJFUzI1NiJ9.=.AA"]
    {
        assert!(matches!(outcome(|_| token.to_owned(), None).await, Err(SignInError::InvalidToken(_))), "{token}");
    }
    let not_json = |signer: &Signer| {
        let signed = format!("{}.bm90IGpzb24", encode(&json!({ "alg": "ES256", "kid": "k1" })));
        let signature = signer.pair.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    };
    assert_eq!(error(not_json).await, TokenError::Malformed);
    assert_eq!(
        error(|signer| signer.token(&claims(json!({ "pad": "a".repeat(20_000) })))).await,
        TokenError::Malformed
    );
}

#[tokio::test]
async fn a_limit_of_the_age_needs_a_recent_auth_time() {
    let limit = Some(SignedDuration::from_mins(10));
    let with_auth_time = |ago: Option<i64>| {
        let changes = ago.map_or(json!({}), |ago| json!({ "auth_time": now().as_second() - ago }));
        move |signer: &Signer| signer.token(&claims(changes))
    };
    for ago in [Some(0), Some(600), Some(660)] {
        assert!(outcome(with_auth_time(ago), limit).await.is_ok(), "{ago:?}");
    }
    for ago in [Some(661), Some(i64::from(u32::MAX)), None] {
        let refused = outcome(with_auth_time(ago), limit).await;
        assert_eq!(refused, Err(TokenError::AuthenticationTooOld.into()), "{ago:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_new_key_is_read_and_unknown_ones_cost_one_read_a_minute() {
    let (old, new) = (Signer::new("old"), Signer::new("new"));
    let scripted = Scripted::new(&[old.jwk()]);
    let issuer = scripted.issuer();
    let valid = claims(json!({}));
    assert!(scripted.sign_in(&issuer, &old.token(&valid), None).await.is_ok());
    advance(Duration::from_secs(60)).await;
    scripted.publish(&[new.jwk(), old.jwk()]);
    assert!(scripted.sign_in(&issuer, &new.token(&valid), None).await.is_ok());
    assert_eq!(scripted.key_reads(), 2);
    for _ in 0..50 {
        let refused = scripted.sign_in(&issuer, &Signer::new("odd").token(&valid), None).await;
        assert_eq!(refused, Err(TokenError::UnknownKey.into()));
    }
    assert_eq!(scripted.key_reads(), 2, "within the minute");
    advance(Duration::from_secs(60)).await;
    for _ in 0..50 {
        let refused = scripted.sign_in(&issuer, &Signer::new("odd").token(&valid), None).await;
        assert_eq!(refused, Err(TokenError::UnknownKey.into()));
    }
    assert_eq!(scripted.key_reads(), 3);
    assert!(scripted.sign_in(&issuer, &old.token(&valid), None).await.is_ok(), "known keys need no read");
    scripted.publish(&[new.jwk()]);
    advance(Duration::from_secs(60 * 60)).await;
    let refused = scripted.sign_in(&issuer, &old.token(&valid), None).await;
    assert_eq!(refused, Err(TokenError::UnknownKey.into()), "a withdrawn key ends within the hour");
}

#[tokio::test]
async fn a_token_without_kid_needs_a_single_key() {
    let (one, two) = (Signer::new("one"), Signer::new("two"));
    let token = one.sign(&json!({ "alg": "ES256" }), &claims(json!({})));
    let scripted = Scripted::new(&[one.jwk(), json!({ "kty": "oct", "kid": "odd" }), json!("odd")]);
    assert!(scripted.sign_in(&scripted.issuer(), &token, None).await.is_ok(), "keys of other kinds do not count");
    scripted.publish(&[one.jwk(), two.jwk()]);
    assert!(scripted.sign_in(&scripted.issuer(), &token, None).await.is_err());
}

#[tokio::test]
async fn unusable_documents_make_the_issuer_unavailable() {
    let signer = Signer::new("k1");
    let scripted = Scripted::new(&[signer.jwk()]);
    let token = signer.token(&claims(json!({})));
    for keys in ["", "[]", "{}", "<html>", &format!("{{\"keys\":[],\"pad\":\"{}\"}}", "a".repeat(70_000))] {
        scripted.change(|responses| responses.keys = keys.to_owned());
        let refused = scripted.sign_in(&scripted.issuer(), &token, None).await;
        assert!(matches!(refused, Err(SignInError::Unavailable(_))), "{keys:.20}");
    }
    scripted.publish(&[signer.jwk()]);
    let honest = scripted.0.lock().unwrap().metadata.clone();
    for (name, value) in [
        ("issuer", json!("https://issuer.example/")),
        ("token_endpoint", json!("http://issuer.example/token")),
        ("jwks_uri", json!("file:///etc/passwd")),
        ("authorization_endpoint", json!(7)),
    ] {
        let mut metadata = honest.clone();
        metadata[name] = value;
        scripted.change(|responses| responses.metadata = metadata);
        let refused = scripted.sign_in(&scripted.issuer(), &token, None).await;
        assert!(matches!(refused, Err(SignInError::Unavailable(_))), "{name}");
    }
}

#[tokio::test]
async fn a_refused_code_is_reported_without_secrets() {
    let scripted = Scripted::new(&[]);
    let issuer = scripted.issuer();
    for (response, expected) in [
        ((400, r#"{"error":"invalid_grant"}"#), SignInError::Refused("invalid_grant".to_owned())),
        ((503, "canary"), SignInError::Unavailable("the token endpoint failed")),
        (
            (200, r#"{"access_token":"canary"}"#),
            SignInError::Unavailable("the token endpoint's response cannot be read"),
        ),
    ] {
        scripted.change(|responses| responses.token = (response.0, response.1.to_owned()));
        assert_eq!(authenticate(&issuer, None).await, Err(expected), "{response:?}");
    }
    let shown = format!("{issuer:?} {:?}", crate::error::Error::from(authenticate(&issuer, None).await.unwrap_err()));
    assert!(!shown.contains("canary"), "{shown}");
}
