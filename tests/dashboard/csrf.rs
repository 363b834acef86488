//! Requests that another site makes a browser send.

use super::browser::{ORIGIN, Site};
use http::StatusCode;

#[tokio::test(start_paused = true)]
async fn a_cross_site_form_is_refused() {
    let site = Site::new().await;
    let mut browser = site.signed_in("ada@example.com").await;
    let foreign: &[&[(&str, &str)]] = &[
        &[],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "none")],
        &[("sec-fetch-site", "cross-site"), ("origin", ORIGIN)],
        &[("origin", "https://evil.example")],
        &[("origin", "https://service.example.evil.example")],
        &[("origin", "http://service.example")],
        &[("origin", "null")],
        &[("referer", "https://service.example/dashboard")],
    ];
    for headers in foreign {
        for path in ["/dashboard/sign-out", "/dashboard/sign-in", "/dashboard", "/dashboard/nowhere"] {
            let refused = browser.post_with(path, "sessions=all", headers).await;
            assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path} {headers:?}");
            assert!(refused.text.contains("another site"), "{}", refused.text);
        }
    }
    assert!(browser.is_signed_in().await);
}

#[tokio::test(start_paused = true)]
async fn same_origin_forms_work_with_either_header() {
    let site = Site::new().await;
    for headers in [&[("sec-fetch-site", "same-origin")], &[("origin", ORIGIN)]] {
        let mut browser = site.signed_in("ada@example.com").await;
        assert_eq!(browser.post_with("/dashboard/sign-out", "", headers).await.to(), "/dashboard/sign-in");
    }
}

#[tokio::test(start_paused = true)]
async fn a_get_request_changes_nothing() {
    let site = Site::new().await;
    let mut browser = site.signed_in("ada@example.com").await;
    let shown = browser.get("/dashboard/sign-out?sessions=all").await;
    assert_eq!(
        (shown.status, &shown.headers["allow"]),
        (StatusCode::METHOD_NOT_ALLOWED, &"POST".parse().expect("a value"))
    );
    assert!(browser.is_signed_in().await);
}

#[tokio::test(start_paused = true)]
async fn other_bodies_than_forms_are_refused() {
    let site = Site::new().await;
    let mut browser = site.signed_in("ada@example.com").await;
    let headers = [("sec-fetch-site", "same-origin"), ("content-type", "application/json"), ("cookie", "a=b")];
    let refused = site.send("POST", "/dashboard/sign-out", &headers, "{}").await;
    assert_eq!(refused.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let long = browser.post("/dashboard/sign-out", &"a".repeat(300_000)).await;
    assert_eq!(long.status, StatusCode::PAYLOAD_TOO_LARGE);
}
