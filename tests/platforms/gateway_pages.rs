//! Creates that a gateway in front of the platform answers with an HTML page instead of the platform.

use super::{Case, case};
use crate::world::{World, campaign};
use serde_json::{Value, json};
use shared::domain::Platform;

/// Status of the page, and the response: status, code, whether a retry is safe.
const REFUSED: [(u16, u16, &str, bool); 6] = [
    (400, 422, "PLATFORM_ERROR", false),
    (403, 403, "FORBIDDEN", false),
    (404, 502, "PLATFORM_ERROR", true),
    (413, 422, "PLATFORM_ERROR", false),
    (422, 422, "PLATFORM_ERROR", false),
    (429, 429, "RATE_LIMITED", true),
];
/// Statuses that do not say whether the platform has received the create.
const OPEN: [u16; 4] = [408, 409, 499, 502];

impl World {
    /// Has a gateway answer the next call of an operation with a page.
    async fn page_instead_of(&self, operation: &str, case: &Case, status: u16) {
        let fault = json!({"platform": case.platform, "operation": operation, "fault": "front", "times": 1,
            "status": status});
        self.control("POST", "faults").json(&fault).expect(200).await;
    }

    /// Sends a create, and returns its error and the state of its intent.
    async fn failed_create(&self, case: &Case, name: &str, status: u16) -> (Value, String) {
        let response = self.ask("POST", "/v1/campaigns").json(&campaign(case.platform, name)).expect(status).await;
        let states = self.states(response.header("x-request-id")).await;
        (response.json(), states.concat())
    }
}

pub(super) async fn refuse_a_create(case: &Case) {
    let world = case.world().await;
    for (page, status, code, retryable) in REFUSED {
        let name = format!("Page {page}");
        world.page_instead_of("create", case, page).await;
        let (error, state) = world.failed_create(case, &name, status).await;
        assert_eq!((&error["code"], &error["retryable"]), (&json!(code), &json!(retryable)), "{page}: {error}");
        assert_eq!(state, "not_created", "{page}: {error}");
        assert_eq!(error["platform"], case.platform);
        let words = error["error"].as_str().expect("words");
        assert!(page == 429 || words.contains("Nothing was created"), "{page}: {words}");
        assert_eq!(world.connections().await[0]["status"], "ACTIVE", "{page}");
        world.let_pauses_end().await;
        world.create(case.platform, &name).await;
    }
    for page in OPEN {
        world.page_instead_of("create", case, page).await;
        let (error, state) = world.failed_create(case, &format!("Open {page}"), 504).await;
        assert_eq!(state, "unknown", "{page}: {error}");
        world.control("POST", "reset").send().await.expect("a response");
    }
    let made = world.control("GET", &format!("campaigns?platform={}", case.platform)).expect(200).await.json();
    let names = made["campaigns"].as_array().expect("a list").iter().filter_map(|made| made["name"].as_str());
    let names: Vec<&str> = names.filter(|name| name.starts_with("Page") || name.starts_with("Open")).collect();
    assert_eq!(names.len(), REFUSED.len(), "one for each create that was sent again: {names:?}");
}

/// LinkedIn's create reads the campaign groups first. Nothing was sent, so the create may be sent again.
#[tokio::test]
async fn an_html_page_in_response_to_a_read_before_a_create_is_retryable() {
    let case = case(Platform::Delta);
    let world = case.world().await;
    world.page_instead_of("any", &case, 400).await;
    let (error, state) = world.failed_create(&case, "Read", 502).await;
    assert_eq!((&error["code"], &error["retryable"]), (&json!("PLATFORM_ERROR"), &json!(true)), "{error}");
    assert_eq!(state, "not_created", "{error}");
    world.create(case.platform, "Read").await;
}
