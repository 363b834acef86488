//! What the program of an agents' host reads before a person signs in, and how it registers: over HTTP, without a key.

use crate::world::{TestResponse, World};
use serde_json::{Value, json};

const RESOURCE: &str = "/.well-known/oauth-protected-resource/v1/mcp";
const ROOT: &str = "/.well-known/oauth-protected-resource";
const SERVER: &str = "/.well-known/oauth-authorization-server";
const REGISTER: &str = "/v1/oauth2/register";

/// The public address of the service.
fn base(world: &World) -> String {
    world.gateway.url().trim_end_matches("/v1").to_owned()
}

async fn read(world: &World, path: &str) -> TestResponse {
    world.ask("GET", path).without("x-api-key").expect(200).await
}

#[tokio::test]
async fn the_metadata_names_this_service_whatever_the_host_is() {
    let world = World::start().await;
    let base = base(&world);
    for path in [RESOURCE, ROOT] {
        let document = read(&world, path).await;
        assert_eq!(
            document.json(),
            json!({
                "resource": format!("{base}/v1/mcp"),
                "authorization_servers": [base],
                "scopes_supported": ["campaigns"],
                "bearer_methods_supported": ["header"],
            }),
            "{path}"
        );
    }
    let document = read(&world, SERVER).await;
    assert_eq!(document.header("cache-control"), "public, max-age=300");
    let document = document.json();
    for (name, value) in [
        ("issuer", json!(base)),
        ("authorization_endpoint", json!(format!("{base}/dashboard/connect"))),
        ("token_endpoint", json!(format!("{base}/v1/oauth2/token"))),
        ("revocation_endpoint", json!(format!("{base}/v1/oauth2/revoke"))),
        ("registration_endpoint", json!(format!("{base}{REGISTER}"))),
        ("code_challenge_methods_supported", json!(["S256"])),
        ("token_endpoint_auth_methods_supported", json!(["none"])),
        ("revocation_endpoint_auth_methods_supported", json!(["none"])),
        ("client_id_metadata_document_supported", json!(true)),
        ("authorization_response_iss_parameter_supported", json!(true)),
    ] {
        assert_eq!(document[name], value, "{name}");
    }
    // Attack 40 of the list.
    for path in [RESOURCE, ROOT, SERVER] {
        let asked = world.ask("GET", path).without("x-api-key").header("host", "evil.example").expect(200).await;
        assert!(!asked.text.contains("evil"), "{}", asked.text);
        assert_eq!(asked.json(), read(&world, path).await.json());
        // Hosts take any other answer for "there is no sign-in".
        read(&world, &format!("{path}?x=1&x=2")).await;
    }
}

#[tokio::test]
async fn the_service_has_no_other_metadata() {
    let world = World::start().await;
    for path in [
        "/.well-known/oauth-authorization-server/v1/mcp",
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/v1/mcp",
        "/.well-known/oauth-protected-resource/v1",
        "/v1/mcp/.well-known/openid-configuration",
        "/.well-known/",
    ] {
        world.ask("GET", path).without("x-api-key").expect(404).await;
    }
}

/// What the response lets a page of another origin do.
fn cors(response: &TestResponse) -> (&str, &str) {
    assert!(response.headers.get("access-control-allow-credentials").is_none(), "no cookie is for other origins");
    (response.header("access-control-allow-origin"), response.header("access-control-allow-headers"))
}

#[tokio::test]
async fn pages_of_every_origin_may_read_the_metadata_and_register() {
    let world = World::start().await;
    for path in [RESOURCE, ROOT, SERVER, REGISTER] {
        let asked = world.ask("OPTIONS", path).without("x-api-key").header("origin", "https://evil.example");
        let told = asked.expect(204).await;
        assert_eq!((cors(&told), told.text.as_str()), (("*", "Content-Type, MCP-Protocol-Version"), ""), "{path}");
        let refused = world.ask("PUT", path).without("x-api-key").expect(405).await;
        assert!(refused.header("allow").ends_with("OPTIONS"), "{path}");
    }
    for path in [RESOURCE, ROOT, SERVER] {
        assert_eq!(cors(&read(&world, path).await), ("*", ""), "{path}");
        let head = world.ask("HEAD", path).without("x-api-key").expect(200).await;
        assert_eq!((cors(&head), head.text.as_str()), (("*", ""), ""), "{path}");
    }
    for path in ["/v1/mcp", "/v1/campaigns", "/v1/health", "/dashboard"] {
        let asked = world.ask("OPTIONS", path).without("x-api-key").header("origin", "https://evil.example");
        let told = asked.send().await.expect("a response");
        assert!(told.headers.get("access-control-allow-origin").is_none(), "{path}: {told:?}");
    }
}

/// Registers without a key.
async fn register(world: &World, body: &Value, status: u16) -> Value {
    let answered = world.ask("POST", REGISTER).without("x-api-key").json(body).expect(status).await;
    assert_eq!((cors(&answered).0, answered.header("cache-control")), ("*", "no-store"));
    answered.json()
}

#[tokio::test]
async fn a_program_is_registered_without_a_secret_whatever_it_asks_for() {
    let world = World::start().await;
    let asked = json!({
        "client_name": "An editor",
        "redirect_uris": ["http://127.0.0.1:33418/", "javascript:alert(1)"],
        "token_endpoint_auth_method": "client_secret_post",
        "grant_types": ["client_credentials", "password"],
        "response_types": ["token"],
        "scope": "write billing",
        "application_type": "native",
    });
    let registered = register(&world, &asked, 201).await;
    let id = registered["client_id"].as_str().expect("an id");
    assert!(id.starts_with("dcr.") && id.len() <= 1_000, "{id}");
    assert_eq!(
        registered,
        json!({
            "client_id": id,
            "client_name": "An editor",
            "redirect_uris": ["http://127.0.0.1:33418/"],
            "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
        })
    );
    assert_eq!(register(&world, &asked, 201).await, registered, "nothing is stored");
}

#[tokio::test]
async fn a_refused_registration_has_the_form_of_oauth() {
    let world = World::start().await;
    for (body, name) in [
        (json!({"redirect_uris": ["javascript:alert(1)"]}), "invalid_redirect_uri"),
        (json!({"client_name": "A"}), "invalid_redirect_uri"),
        (json!([]), "invalid_client_metadata"),
    ] {
        let refused = register(&world, &body, 400).await;
        assert_eq!(refused["error"], name, "{body}");
        assert!(refused["error_description"].as_str().expect("words").is_ascii(), "{refused}");
    }
    for (content_type, body) in [("text/plain", "{}"), ("application/json", "{"), ("application/json", "")] {
        let refused = world.ask("POST", REGISTER).without("x-api-key").text(content_type, body).expect(400).await;
        assert_eq!(refused.json()["error"], "invalid_client_metadata", "{content_type} {body}");
    }
    // What is refused before the handler has the same form.
    let keyed = world.ask("POST", REGISTER).without("x-api-key").header("idempotency-key", "k").json(&json!({}));
    assert_eq!(keyed.expect(400).await.json()["error"], "invalid_request");
    let large = json!({"redirect_uris": ["http://127.0.0.1/"], "x": "y".repeat(300_000)});
    let refused = world.ask("POST", REGISTER).without("x-api-key").json(&large).send().await.expect("a response");
    assert!([400, 413].contains(&refused.status.as_u16()), "{refused:?}");
    assert!(refused.json()["error_description"].is_string(), "{refused:?}");
}
