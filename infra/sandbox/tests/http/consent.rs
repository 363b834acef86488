//! The consent page.

use crate::client::{TestServer, USD, authorize};

#[tokio::test]
async fn the_consent_page_escapes_input_and_allows_no_script() {
    let server = TestServer::new().await;
    let redirect = "https://app.example/?<script>alert(1)</script>";
    let page = server.get(&authorize(&[("redirect_uri", redirect)])).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("<form method=\"post\">"), "{}", page.text);
    assert!(page.text.contains("value=\"1002003001\" checked"), "{}", page.text);
    assert!(page.text.contains("1002003999 · USD · America/New_York · manager account"));
    assert!(!page.text.contains("<script"), "{}", page.text);
    assert!(page.text.contains("&#60;script&#62;"), "{}", page.text);
    let policy = &page.headers["content-security-policy"];
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.headers["cache-control"], "no-store");
}

#[tokio::test]
async fn approving_redirects_with_code_state_scope_and_issuer() {
    let server = TestServer::new().await;
    let response = server.submit(&authorize(&[]), &[("decision", "approve"), ("account", USD)]).await;
    let parameters = response.redirect();
    assert_eq!(parameters["state"], "st&te");
    assert_eq!(parameters["scope"], "https://www.googleapis.com/auth/adwords");
    assert_eq!(parameters["iss"], "https://accounts.google.com");
    assert!(parameters["code"].starts_with("4/0A"));
}

#[tokio::test]
async fn the_index_lists_platforms_and_accounts() {
    let server = TestServer::new().await;
    let page = server.get("/").await;
    assert_eq!(page.status, 200);
    for word in ["/alpha_ads", "1002003004", "Europe/Berlin", "/_sandbox/faults"] {
        assert!(page.text.contains(word), "{word}");
    }
    assert_eq!(server.get("/omega_ads/x").await.status, 404);
    assert!(!page.text.contains("<th></th>") && page.text.matches("<tbody>\n<tr>").count() >= 7, "{}", page.text);
}

#[tokio::test]
async fn the_index_lists_every_control_address() {
    let server = TestServer::new().await;
    let page = server.get("/").await.text;
    let names = [
        "requests",
        "campaigns",
        "clients",
        "secrets",
        "accounts",
        "access",
        "spend",
        "delivery",
        "faults",
        "settings",
        "quirks",
        "reset",
        "stripe/webhook",
        "stripe/advance",
        "stripe/expire",
        "stripe/events",
        "stripe/redeliver",
        "oidc/id_token",
        "oidc/keys",
    ];
    for name in names {
        assert!(page.contains(&format!("/_sandbox/{name}")), "{name}");
        let unknown_method = server.send("DELETE", &format!("/_sandbox/{name}"), &[], "").await.unwrap();
        assert_eq!(unknown_method.status, 405, "{name}");
    }
}

#[tokio::test]
async fn the_form_of_the_index_lets_campaigns_deliver() {
    let server = TestServer::new().await;
    let submit = async |fields: &[(&str, &str)]| server.submit("/", fields).await;
    let nothing = submit(&[("platform", "all"), ("days", "3"), ("seed", "7")]).await;
    assert_eq!((nothing.status, nothing.headers["location"].as_str()), (303, "/?campaigns=0&days=0"));
    assert!(server.get("/?campaigns=0&days=0").await.text.contains("no campaign yet"));
    assert!(server.get("/?campaigns=2&days=9").await.text.contains("campaigns 2, days with impressions 9"));
    assert!(!server.get("/?campaigns=<b>&days=9").await.text.contains("role=\"status\""));
    let refused = submit(&[("platform", "alpha_ads"), ("days", "many"), ("seed", "7")]).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text.contains("days has to be a whole number"), "{}", refused.text);
    let foreign = [("origin", "https://evil.example"), ("content-type", "application/x-www-form-urlencoded")];
    assert_eq!(server.send("POST", "/", &foreign, "platform=all&days=3&seed=7").await.unwrap().status, 403);
    assert_eq!(server.send("PUT", "/", &[], "").await.unwrap().status, 405);
}
