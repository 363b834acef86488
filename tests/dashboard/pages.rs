//! The pages: their headers, their size, and their links.

use super::browser::{ORIGIN, Site};
use http::StatusCode;

/// Largest asset, and largest page with its stylesheet and its script, in bytes as they are sent: files are compressed. A full
/// list has a test beside its code.
const MAX_ASSET: usize = 12_000;
const MAX_WEIGHT: usize = 60_000;

/// The values of an attribute.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    html.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The bytes of a file, compressed.
fn sent(file: &str) -> usize {
    shared::envelope::gzip(file).expect("a compressed file").len()
}

#[tokio::test(start_paused = true)]
async fn every_page_has_a_strict_policy_and_is_never_kept() {
    let site = Site::new().await;
    let mut browser = site.signed_in("ada@example.com").await;
    let mut stranger = site.browser();
    let shown = [
        browser.get("/dashboard").await,
        browser.get("/dashboard/keys").await,
        browser.get("/dashboard/agents").await,
        browser.get("/dashboard/connections").await,
        browser.get("/dashboard/users").await,
        browser.get("/dashboard/campaigns").await,
        browser.get("/dashboard/campaigns/new").await,
        browser.get("/dashboard/campaigns/pause-all").await,
        browser.get("/dashboard/activity").await,
        browser.get("/dashboard/insights").await,
        browser.get("/dashboard/months").await,
        browser.get("/dashboard/webhooks").await,
        browser.get("/dashboard/usage").await,
        browser.get("/dashboard/billing").await,
        browser.get("/dashboard/settings").await,
        browser.get("/dashboard/nowhere").await,
        stranger.get("/dashboard/sign-in").await,
        stranger.get("/dashboard/callback").await,
    ];
    let mut assets = 0;
    for asset in [" rel=\"stylesheet\" href=\"", "<script src=\""] {
        let path = shown[0].text.split(asset).nth(1).and_then(|rest| rest.split('"').next()).expect("an asset");
        assets += sent(&browser.get(path).await.text);
    }
    assert!(assets > 10_000, "the stylesheet and the script");
    for page in shown {
        let policy = page.headers["content-security-policy"].to_str().expect("a policy");
        let expected = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
                        frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
        let form_targets = policy.strip_prefix(expected).expect(policy);
        assert!(["", " http://sandbox"].contains(&form_targets), "{policy}");
        assert_eq!(page.headers["cache-control"], "no-store");
        assert_eq!(page.headers["referrer-policy"], "same-origin", "forms need an Origin");
        assert!(page.headers.contains_key("x-request-id") && page.headers.contains_key("strict-transport-security"));
        assert!(page.text.len() + assets <= MAX_WEIGHT, "{} + {assets}", page.text.len());
        assert!(!page.text.contains("<script>") && !page.text.contains(" style="));
        assert!(page.text.starts_with("<!doctype html>") && page.text.contains("<main id=\"main\">"), "{}", page.text);
    }
}

#[tokio::test(start_paused = true)]
async fn every_link_on_a_page_resolves() {
    let site = Site::new().await;
    let mut browser = site.signed_in("ada@example.com").await;
    let mut checked = 0;
    for path in ["/dashboard", "/dashboard/settings"] {
        let page = browser.get(path).await.text;
        for target in values(&page, "href").into_iter().filter(|target| !target.starts_with('#')) {
            let response = browser.get(target).await;
            assert_eq!(response.status, StatusCode::OK, "{target}");
            if target.contains("/assets/") {
                assert!(sent(&response.text) <= MAX_ASSET, "{target}");
                assert_eq!(response.headers["cache-control"], "public, max-age=31536000, immutable");
            }
            checked += 1;
        }
        assert_eq!(values(&page, "aria-current"), ["page"], "{page}");
    }
    assert!(checked >= 10, "{checked}");
}

#[tokio::test(start_paused = true)]
async fn texts_of_people_and_browsers_are_escaped() {
    let site = Site::new().await;
    let mut browser = site.signed_in("\"><script>alert(1)</script>@example.com").await;
    let page = browser.get("/dashboard/settings").await.text;
    assert!(!page.contains("<script>") && page.contains("&#60;script&#62;"), "{page}");
    assert!(page.contains("Browser &#60;b&#62;&#38;1"), "{page}");
}

#[tokio::test(start_paused = true)]
async fn unknown_pages_and_methods_have_pages() {
    let site = Site::new().await;
    for (method, path, status) in [
        ("GET", "/dashboard/nowhere", StatusCode::NOT_FOUND),
        ("GET", "/dashboard/assets/style.css", StatusCode::NOT_FOUND),
        ("GET", "/dashboard/sign-out", StatusCode::METHOD_NOT_ALLOWED),
    ] {
        let shown = site.send(method, path, &[], "").await;
        assert_eq!(shown.status, status, "{method} {path}");
        assert!(shown.text.contains("Unified Ads"), "{}", shown.text);
    }
}

#[tokio::test(start_paused = true)]
async fn head_of_a_page_is_its_get_without_the_body() {
    let site = Site::new().await;
    for path in ["/dashboard", "/dashboard/sign-in", "/dashboard/nowhere", "/dashboard/"] {
        let (shown, head) = (site.send("GET", path, &[], "").await, site.send("HEAD", path, &[], "").await);
        assert_eq!((head.status, head.text.as_str()), (shown.status, ""), "{path}");
        for name in ["content-type", "location", "cache-control"] {
            assert_eq!(head.headers.get(name), shown.headers.get(name), "{path} {name}");
        }
    }
    let callback = site.send("HEAD", "/dashboard/callback?code=1&state=2", &[], "").await;
    assert_eq!(
        (callback.status, &callback.headers["allow"]),
        (StatusCode::METHOD_NOT_ALLOWED, &"GET".parse().expect("a value"))
    );
}

#[tokio::test(start_paused = true)]
async fn the_not_found_page_of_a_signed_in_person_has_the_menu() {
    let site = Site::new().await;
    let mut browser = site.signed_in("ada@example.com").await;
    for path in ["/dashboard/nowhere", "/dashboard/a/b/", "/dashboard/assets/style.css"] {
        let page = browser.get(path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert!(page.text.contains("href=\"/dashboard/campaigns\"") && page.text.contains("ada@example.com"), "{path}");
        let stranger = site.browser().get(path).await;
        assert_eq!(stranger.status, StatusCode::NOT_FOUND, "{path}");
        assert!(!stranger.text.contains("href=\"/dashboard/campaigns\""), "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_trailing_slash_redirects_to_the_page() {
    let site = Site::new().await;
    for (path, to) in [
        ("/dashboard/", "/dashboard"),
        ("/dashboard/campaigns/", "/dashboard/campaigns"),
        ("/dashboard/activity/?kind=create&x=a%20b", "/dashboard/activity?kind=create&x=a%20b"),
    ] {
        assert_eq!(site.send("GET", path, &[], "").await.to(), to);
    }
    for (method, path) in [("POST", "/dashboard/"), ("GET", "/dashboard//"), ("GET", "/v1/campaigns/")] {
        let refused = site.send(method, path, &[("origin", ORIGIN)], "").await;
        assert!(refused.status.is_client_error(), "{method} {path}");
    }
}
