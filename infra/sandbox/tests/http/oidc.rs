//! The issuer of OpenID Connect.

use crate::client::{CHALLENGE, Response, TestServer, VERIFIER, form_with};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use sandbox::{OIDC_CLIENT, oidc_subject};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use url::Url;

const CALLBACK: &str = "http://127.0.0.1:9999/dashboard/callback";

/// The address of the page, with some changed parameters. Empty values are omitted.
fn authorize(changes: &[(&str, &str)]) -> String {
    let usual = [
        ("client_id", OIDC_CLIENT.id),
        ("redirect_uri", CALLBACK),
        ("response_type", "code"),
        ("scope", "openid email"),
        ("state", "st&te"),
        ("nonce", "n-1"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ];
    format!("/oidc/authorize?{}", form_with(&usual, changes))
}

/// The parameters of a redirect to the client.
fn parameters(response: &Response) -> BTreeMap<String, String> {
    assert_eq!(response.status, 303, "{}", response.text);
    let to = &response.headers["location"];
    assert!(to.starts_with(CALLBACK), "{to}");
    Url::parse(to).unwrap().query_pairs().into_owned().collect()
}

fn decoded(part: &str) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

impl TestServer {
    /// Submits the page and returns the code.
    async fn code(&self, changes: &[(&str, &str)]) -> String {
        let response = self.submit(&authorize(changes), &[("email", "Ada@example.com")]).await;
        parameters(&response).remove("code").unwrap()
    }

    /// Exchanges a code with some changed parameters. Empty values are omitted.
    async fn exchange_code(&self, code: &str, secret: &str, changes: &[(&str, &str)]) -> Response {
        let usual = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", CALLBACK),
            ("code_verifier", VERIFIER),
        ];
        let basic = format!("Basic {}", STANDARD.encode(format!("{}:{secret}", OIDC_CLIENT.id)));
        let headers = [("authorization", basic.as_str()), ("content-type", "application/x-www-form-urlencoded")];
        self.send("POST", "/oidc/token", &headers, &form_with(&usual, changes)).await.unwrap()
    }

    /// The ID token of a sign-in.
    async fn id_token(&self) -> String {
        let response = self.exchange_code(&self.code(&[]).await, OIDC_CLIENT.secret, &[]).await;
        assert_eq!(response.status, 200, "{}", response.text);
        response.json()["id_token"].as_str().unwrap().to_owned()
    }

    async fn claims_with(&self, fault: &str) -> Value {
        let response = self.control("oidc/id_token", json!({ "fault": fault })).await;
        assert_eq!(response.status, 200, "{}", response.text);
        decoded(self.id_token().await.split('.').nth(1).unwrap())
    }
}

#[tokio::test]
async fn a_sign_in_ends_with_a_signed_token_about_the_person() {
    let server = TestServer::new().await;
    let issuer = format!("{}/oidc", server.url());
    let metadata = server.get("/oidc/.well-known/openid-configuration").await.json();
    assert_eq!((&metadata["issuer"], &metadata["jwks_uri"]), (&json!(issuer), &json!(format!("{issuer}/jwks"))));
    let shown = server.get(&authorize(&[])).await;
    assert!(shown.text.contains("value=\"demo@example.com\""), "{}", shown.text);
    let back = server.submit(&authorize(&[]), &[("email", "Ada@example.com")]).await;
    assert_eq!((&parameters(&back)["state"], &parameters(&back)["iss"]), (&"st&te".to_owned(), &issuer));
    let token = server.id_token().await;
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let (header, claims) = signed.split_once('.').map(|(header, claims)| (decoded(header), decoded(claims))).unwrap();
    for (name, value) in [
        ("iss", json!(issuer)),
        ("aud", json!(OIDC_CLIENT.id)),
        ("sub", json!(oidc_subject("ada@example.com"))),
        ("nonce", json!("n-1")),
        ("email", json!("Ada@example.com")),
    ] {
        assert_eq!(claims[name], value, "{name}");
    }
    assert!(claims["auth_time"].as_i64().unwrap() <= claims["iat"].as_i64().unwrap());
    let key = server.get("/oidc/jwks").await.json()["keys"][0].clone();
    assert_eq!((&header["kid"], &header["alg"]), (&key["kid"], &key["alg"]));
    let half = |name: &str| URL_SAFE_NO_PAD.decode(key[name].as_str().unwrap()).unwrap();
    let point = [vec![4], half("x"), half("y")].concat();
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(signed.as_bytes(), &signature).unwrap();
}

#[tokio::test]
async fn an_unknown_client_or_redirect_uri_gets_a_page_and_no_redirect() {
    let server = TestServer::new().await;
    for change in [
        ("client_id", "other"),
        ("client_id", ""),
        ("redirect_uri", "http://127.0.0.1:9999/elsewhere"),
        ("redirect_uri", "http://evil.example/dashboard/callback"),
        ("redirect_uri", ""),
    ] {
        let response = server.submit(&authorize(&[change]), &[("email", "ada@example.com")]).await;
        assert_eq!((response.status, response.headers.get("location")), (400, None), "{change:?}");
    }
    let twice = format!("{}&client_id=other", authorize(&[]));
    assert_eq!(server.get(&twice).await.status, 400);
}

#[tokio::test]
async fn other_errors_of_a_request_go_back_to_the_client() {
    let server = TestServer::new().await;
    for (change, error) in [
        (("response_type", "token"), "unsupported_response_type"),
        (("scope", "email"), "invalid_scope"),
        (("code_challenge", ""), "invalid_request"),
        (("code_challenge_method", "plain"), "invalid_request"),
        (("max_age", "soon"), "invalid_request"),
        (("prompt", "none"), "login_required"),
    ] {
        let sent_back = parameters(&server.get(&authorize(&[change])).await);
        assert_eq!((sent_back["error"].as_str(), sent_back["state"].as_str()), (error, "st&te"), "{change:?}");
    }
    assert_eq!(server.get(&authorize(&[("max_age", "600"), ("prompt", "login")])).await.status, 200);
    let denied = server.submit(&authorize(&[]), &[("decision", "deny")]).await;
    assert_eq!(parameters(&denied)["error"], "access_denied");
    let odd = server.submit(&authorize(&[]), &[("email", "ada")]).await;
    assert!(odd.status == 400 && odd.text.contains("not an e-mail address"), "{}", odd.text);
}

#[tokio::test]
async fn the_token_endpoint_refuses_what_an_issuer_refuses() {
    let server = TestServer::new().await;
    let secret = OIDC_CLIENT.secret;
    let code = server.code(&[]).await;
    assert_eq!(server.exchange_code(&code, "wrong", &[]).await.status, 401);
    assert_eq!(server.exchange_code(&code, secret, &[]).await.status, 200);
    for (used, changes, error) in [
        (true, ("state", ""), "invalid_grant"),
        (false, ("code_verifier", &*"x".repeat(43)), "invalid_grant"),
        (false, ("code_verifier", ""), "invalid_grant"),
        (false, ("redirect_uri", "http://127.0.0.1:9998/dashboard/callback"), "invalid_grant"),
        (false, ("grant_type", "password"), "unsupported_grant_type"),
    ] {
        let code = if used { code.clone() } else { server.code(&[]).await };
        let response = server.exchange_code(&code, secret, &[changes]).await;
        assert_eq!((response.status, response.json()["error"].as_str().unwrap()), (400, error), "{changes:?}");
    }
}

#[tokio::test]
async fn tests_order_tokens_with_mistakes_and_new_keys() {
    let server = TestServer::new().await;
    let usual = decoded(server.id_token().await.split('.').nth(1).unwrap());
    let client = json!(OIDC_CLIENT.id);
    assert_ne!(server.claims_with("wrong_aud").await["aud"], client);
    assert_ne!(server.claims_with("wrong_iss").await["iss"], usual["iss"]);
    assert_ne!(server.claims_with("wrong_nonce").await["nonce"], usual["nonce"]);
    assert!(server.claims_with("expired").await["exp"].as_i64() < usual["iat"].as_i64());
    assert!(server.claims_with("old_auth_time").await["auth_time"].as_i64() < usual["auth_time"].as_i64());
    server.control("oidc/id_token", json!({ "fault": "alg_none" })).await;
    let unsigned = server.id_token().await;
    assert!(unsigned.ends_with('.') && decoded(unsigned.split('.').next().unwrap())["alg"] == "none");
    assert_eq!(server.control("oidc/id_token", json!({ "fault": "odd" })).await.status, 400);
    server.control("reset", json!({})).await;
    let kid = |token: &str| decoded(token.split('.').next().unwrap())["kid"].clone();
    let before = kid(&server.id_token().await);
    let rolled = server.control("oidc/keys", json!({})).await.json()["kid"].clone();
    assert_eq!(kid(&server.id_token().await), rolled);
    let keys = server.get("/oidc/jwks").await.json()["keys"].clone();
    assert_eq!((&keys[0]["kid"], &keys[1]["kid"], keys.as_array().unwrap().len()), (&rolled, &before, 2));
}
