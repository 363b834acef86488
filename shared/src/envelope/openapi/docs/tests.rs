//! The pages are complete, small, and load nothing of others. `tests/openapi/samples.rs` sends their samples.

use super::super::document;
use super::{CONTENT_SECURITY_POLICY, DocsPage, names};
use crate::envelope::status_of;
use crate::error::Kind;
use http::header;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Largest page, in bytes.
const MAX_PAGE: usize = 70_000;
const BASE_URL: &str = "https://unified-ads.marketing.a-long-name.example/v1";

fn html(name: &str) -> String {
    let page = DocsPage::find(name, Some(BASE_URL.to_owned())).unwrap_or_else(|| panic!("no page {name}"));
    let response = page.response();
    assert_eq!(response.status(), 200, "{name}");
    String::from_utf8(response.body().to_vec()).unwrap()
}

/// All pages, by their addresses.
fn pages() -> BTreeMap<String, String> {
    let address = |name: &str| if name.is_empty() { "/v1/docs".to_owned() } else { format!("/v1/docs/{name}") };
    names().iter().map(|name| (address(name), html(name))).collect()
}

/// The values of an attribute.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    html.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

fn parsed() -> Value {
    serde_json::from_str(document()).unwrap()
}

fn operation_ids(document: &Value) -> Vec<String> {
    let items = document["paths"].as_object().unwrap().values();
    let operations = items.flat_map(|item| item.as_object().unwrap().values());
    operations.map(|operation| operation["operationId"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_operation_type_and_error_is_on_one_page() {
    let document = parsed();
    let pages = pages();
    let ids: Vec<&str> = pages.values().flat_map(|page| values(page, "id")).collect();
    let types = document["components"]["schemas"].as_object().unwrap().keys().cloned();
    let statuses = [Kind::Validation, Kind::Conflict, Kind::PlatformTimeout].map(status_of);
    let errors = statuses.map(|status| format!("error-{}", status.as_str()));
    for id in operation_ids(&document).into_iter().chain(types).chain(errors) {
        assert_eq!(ids.iter().filter(|known| **known == id).count(), 1, "{id}");
    }
}

#[test]
fn a_page_is_small_and_has_each_id_once() {
    for (address, page) in pages() {
        assert!(page.len() <= MAX_PAGE, "{address} has {} bytes", page.len());
        let ids = values(&page, "id");
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{address}: {ids:?}");
        assert_eq!(page.matches("<h1>").count(), 1, "{address}");
    }
}

#[test]
fn every_link_leads_to_a_page_and_a_place_on_it() {
    let pages = pages();
    for (address, page) in &pages {
        for link in values(page, "href") {
            let (target, place) = link.split_once('#').unwrap_or((link, ""));
            let target = match target {
                "" => address.clone(),
                "/dashboard"
                | "/v1/openapi.json"
                | "/v1/openapi.json?shape=flat"
                | "/v1/openapi.json?shape=enveloped" => {
                    continue;
                }
                absolute if absolute.starts_with('/') => absolute.to_owned(),
                // The pages of types and of groups are beside each other.
                relative => format!("/v1/docs/{relative}"),
            };
            if target.ends_with(".css") {
                assert!(DocsPage::find(target.rsplit('/').next().unwrap(), None).is_some(), "{target}");
                continue;
            }
            let to = pages.get(&target).unwrap_or_else(|| panic!("{address} links to {link}"));
            assert!(place.is_empty() || values(to, "id").contains(&place), "{address} links to {link}");
        }
    }
}

#[test]
fn the_menu_shows_where_a_person_is_and_the_endpoints_there() {
    for (address, page) in pages() {
        let here = format!("<a href=\"{address}\" aria-current=\"page\">");
        assert_eq!((page.matches(&here).count(), page.matches("aria-current").count()), (1, 1), "{address}");
        assert!(page.contains("<a href=\"/dashboard\">"), "{address}");
    }
    let campaigns = html("campaigns");
    let menu = campaigns.split("</nav>").next().unwrap();
    assert!(menu.contains("<a href=\"#createCampaign\">") && !menu.contains("#listConnections"), "{menu}");
}

#[test]
fn a_page_loads_its_own_files_only_and_has_no_code_of_its_own() {
    assert!(!CONTENT_SECURITY_POLICY.to_str().unwrap().contains("unsafe"));
    for (address, page) in pages() {
        for foreign in
            ["href=\"http", "src=\"http", "url(", "@import", "<img", "<iframe", " style=", " onclick=", "<style"]
        {
            assert!(!page.contains(foreign), "{address}: {foreign}");
        }
        for file in values(&page, "src") {
            let name = file.strip_prefix("/v1/docs/").unwrap();
            let response = DocsPage::find(name, None).unwrap().response();
            assert_eq!(response.headers()[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
            assert_eq!(response.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
        }
    }
}

#[test]
fn an_operation_has_samples_and_a_form_unless_others_call_it() {
    let pages: String = pages().into_values().collect();
    for id in operation_ids(&parsed()) {
        let section = pages.split(&format!("<section aria-labelledby=\"{id}\">")).nth(1).unwrap();
        let section = section.split("</section>").next().unwrap();
        let count = usize::from(!["callback", "billingWebhook"].contains(&id.as_str()));
        for part in ["class=\"curl\"", "<summary>Python</summary>", "<summary>TypeScript</summary>", "<form "] {
            assert_eq!(section.matches(part).count(), count, "{id}: {part}");
        }
        assert_eq!(section.matches(BASE_URL).count(), 3 * count, "{id}");
    }
}

#[test]
fn a_host_that_a_shell_would_read_is_in_no_sample() {
    for host in ["https://a';rm -rf ~;'/v1", "https://$(id)/v1", "https://a\"b/v1", "https://<b>/v1"] {
        let page = DocsPage::find("connections", Some(host.to_owned())).unwrap();
        let text = String::from_utf8(page.response().body().to_vec()).unwrap();
        assert!(text.contains("https://api.example.com/v1/connections") && !text.contains(host), "{host}");
    }
    assert!(DocsPage::find("nothing", None).is_none());
}
