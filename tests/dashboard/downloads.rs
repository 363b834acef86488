//! CSV files: only the data of the customer, every value, and no formula.

use super::browser::{Browser, Site};
use http::StatusCode;

const ADA: &str = "ada@example.com";
const FILES: [(&str, &str); 5] = [
    ("/dashboard/campaigns/csv", "campaigns"),
    ("/dashboard/insights/csv?by=campaign", "insights"),
    ("/dashboard/activity/csv", "activity"),
    ("/dashboard/usage/csv", "usage"),
    ("/dashboard/months/csv?read=all", "months"),
];

impl Browser<'_> {
    /// The lines of a file, without the titles; its name has to begin with this.
    async fn download(&mut self, path: &str, name: &str) -> Vec<String> {
        let file = self.get(path).await;
        assert_eq!(file.status, StatusCode::OK, "{path}: {}", file.text);
        assert_eq!(file.headers["content-type"], "text/csv; charset=utf-8");
        assert_eq!(file.headers["cache-control"], "no-store");
        assert_eq!(file.headers["x-content-type-options"], "nosniff");
        assert!(file.headers.contains_key("content-security-policy") && file.headers.contains_key("x-request-id"));
        let saved = file.headers["content-disposition"].to_str().expect("a name");
        assert!(saved.starts_with(&format!("attachment; filename=\"unified-ads-{name}-20")), "{saved}");
        assert!(saved.ends_with(".csv\"") && !saved.contains("incomplete"), "{saved}");
        assert!(file.text.ends_with("\r\n"), "{}", file.text);
        file.text.lines().skip(1).map(str::to_owned).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn a_csv_has_the_rows_of_its_page_and_no_formula() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.advertise(&["alpha_ads", "beta_ads"]).await;
    for (path, name) in &FILES[..3] {
        let lines = ada.download(path, name).await;
        assert_eq!(lines.len(), 2, "{path}: {lines:?}");
        assert!(lines.iter().all(|line| line.contains("'=Spring ") && !line.contains(",=")), "{path}: {lines:?}");
    }
    let usage = ada.download(FILES[3].0, FILES[3].1).await;
    assert!(usage.len() >= 2 && usage.iter().all(|line| line.contains("/v1/campaigns")), "{usage:?}");

    let only = ada.download("/dashboard/campaigns/csv?platform=BETA&status=&cursor=x", "campaigns").await;
    assert!(only.len() == 1 && only[0].contains(",Meta,"), "{only:?}");
    let named = ada.get("/dashboard/campaigns/csv").await.text;
    let titles = named.lines().next().expect("titles");
    assert!(titles.ends_with(",Read at,Lower bounds,Incomplete") && titles.contains(",Spend today,"), "{titles}");
    let none = ada.download("/dashboard/activity/csv?state=failed", "activity").await;
    assert!(none.is_empty(), "{none:?}");
    let platforms = ada.download("/dashboard/insights/csv?days=30", "insights").await;
    assert_eq!(platforms.len(), 2, "{platforms:?}");
    assert!(platforms.iter().all(|line| line.split(',').nth(3) == Some("USD")), "{platforms:?}");
    let refused = ada.get("/dashboard/usage/csv?status_code=abc").await;
    assert_eq!(refused.to(), "/dashboard/usage", "the page says why");
}

#[tokio::test(start_paused = true)]
async fn a_csv_has_only_the_data_of_its_customer() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.advertise(&["alpha_ads"]).await;
    let mut bob = site.signed_in("bob@example.com").await;
    let mut stranger = site.browser();
    for (path, name) in FILES {
        assert!(!ada.download(path, name).await.is_empty(), "{path}");
        assert!(bob.download(path, name).await.is_empty(), "{path}");
        let sent_away = stranger.get(path).await;
        assert!(sent_away.to().starts_with("/dashboard/sign-in?return_to="), "{path}");
        assert!(sent_away.text.is_empty(), "{path}");
    }
}
