//! Defaults of a connection for new campaigns: country and language on LinkedIn, special ad categories on Meta, and the
//! political one also on Google and LinkedIn (D97). The sandbox's books say what arrived.

use crate::faults::stage::Stage;
use crate::in_process::json_of;
use crate::in_process::network::platform_config_with;
use crate::world::{campaign, id_of};
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::Platform;
use shared::platforms::settings::Settings;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

const CREATE: &str = "/v1/campaigns";
/// Longer than LinkedIn's longest pause, and than any search for a create.
const LATER: Duration = Duration::from_hours(2);

/// The ids of LinkedIn for countries as places.
const GERMANY: &str = "urn:li:geo:101282230";
const AUSTRIA: &str = "urn:li:geo:103883259";
const UNITED_STATES: &str = "urn:li:geo:103644278";

impl Stage {
    /// The connections, in the order of their ad accounts.
    async fn connections(&self) -> Vec<Value> {
        self.ask_ok("GET", "/v1/connections", &Value::Null).await["connections"].as_array().expect("a list").clone()
    }

    /// Sets the campaign defaults of a connection.
    async fn set_defaults(&self, connection: &Value, defaults: Value) -> Value {
        let path = format!("/v1/connections/{}", id_of(connection));
        self.ask_ok("PATCH", &path, &json!({ "campaign_defaults": defaults })).await
    }

    /// A campaign in the sandbox's books.
    async fn in_books(&self, name: &str) -> Value {
        let listed = self.world.control("GET", "campaigns", &Value::Null).await;
        let campaigns = listed["campaigns"].as_array().expect("a list");
        let named: Vec<&Value> = campaigns.iter().filter(|campaign| campaign["name"] == name).collect();
        let [only] = named[..] else { panic!("{name}: {campaigns:?}") };
        only.clone()
    }

    /// A process whose operator has set no country for LinkedIn.
    fn without_country(&self) -> Arc<App> {
        let mut app = self.world.straight();
        let config = platform_config_with(Platform::Delta, Settings::default());
        app.platforms.insert(Platform::Delta, Arc::new(config));
        Arc::new(app)
    }
}

/// A create in the ad account of a connection.
fn create_in(connection: &Value, platform: Platform, name: &str) -> Value {
    let mut body = campaign(platform.as_str(), name);
    body["connection_id"] = connection["id"].clone();
    body
}

/// Place and language of a campaign in the books, and its locale.
fn aimed(booked: &Value) -> (Value, Value, Value) {
    let facet = |number: usize, name: &str| booked["targeting"]["include"]["and"][number]["or"][name][0].clone();
    let locale = facet(1, "urn:li:adTargetingFacet:interfaceLocales");
    (facet(0, "urn:li:adTargetingFacet:locations"), locale, booked["locale"].clone())
}

fn german(place: &str) -> (Value, Value, Value) {
    (json!(place), json!("urn:li:locale:de_DE"), json!({"country": "DE", "language": "de"}))
}

#[tokio::test(start_paused = true)]
async fn each_linkedin_connection_has_its_own_country() {
    let stage = Stage::new(&[]).await;
    stage.world.connect(&stage.app, Platform::Delta, 3).await;
    let connections = stage.connections().await;
    let [first, second, third] = connections.as_slice() else { panic!("three connections") };
    stage.set_defaults(first, json!({"country": "DE", "language": "de"})).await;
    stage.set_defaults(second, json!({"country": "AT", "language": "de"})).await;
    for (connection, name) in [(first, "In Germany"), (second, "In Austria"), (third, "Anywhere")] {
        stage.ask_ok("POST", CREATE, &create_in(connection, Platform::Delta, name)).await;
    }
    assert_eq!(aimed(&stage.in_books("In Germany").await), german(GERMANY));
    assert_eq!(aimed(&stage.in_books("In Austria").await), german(AUSTRIA));
    let (place, ..) = aimed(&stage.in_books("Anywhere").await);
    assert_eq!(place, UNITED_STATES, "the operator's default");
}

#[tokio::test(start_paused = true)]
async fn a_linkedin_create_without_a_country_is_refused_and_not_sent() {
    let stage = Stage::new(&[Platform::Delta]).await;
    let app = stage.without_country();
    let connection = stage.connections().await.remove(0);
    let body = create_in(&connection, Platform::Delta, "Where");
    let seen = stage.received("delta_ads").await.len();
    let (status, refused) = stage.ask(&app, "POST", CREATE, &body).await;
    assert_eq!((status, &refused["code"]), (400, &json!("VALIDATION_ERROR")), "{refused}");
    assert_eq!(refused["details"][0]["field"], "campaign_defaults");
    let words = refused["details"][0]["message"].as_str().expect("words");
    assert!(words.contains("PATCH /v1/connections/{id}") && words.contains("country"), "{words}");
    let (status, dry) = stage.ask(&app, "POST", "/v1/campaigns?dry_run=true", &body).await;
    assert_eq!((status, &dry["verdict"]), (200, &json!("would_fail")), "{dry}");
    assert_eq!(stage.received("delta_ads").await.len(), seen, "nothing was sent");
    stage.set_defaults(&connection, json!({"country": "DE", "language": "de"})).await;
    assert_eq!(stage.ask(&app, "POST", CREATE, &body).await.0, 201);
    assert_eq!(aimed(&stage.in_books("Where").await), german(GERMANY));
    stage.set_defaults(&connection, Value::Null).await;
    let body = create_in(&connection, Platform::Delta, "Nowhere");
    assert_eq!(stage.ask(&app, "POST", CREATE, &body).await.0, 400, "null removes it");
    assert_eq!(stage.campaigns().await, 1);
}

#[tokio::test(start_paused = true)]
async fn each_meta_connection_has_its_own_special_ad_categories() {
    let stage = Stage::new(&[]).await;
    stage.world.connect(&stage.app, Platform::Beta, 2).await;
    let connections = stage.connections().await;
    let [first, second] = connections.as_slice() else { panic!("two connections") };
    stage.set_defaults(first, json!({"special_ad_categories": ["HOUSING", "EMPLOYMENT"], "country": "DE"})).await;
    for (connection, name) in [(first, "Homes"), (second, "Shoes")] {
        stage.ask_ok("POST", CREATE, &create_in(connection, Platform::Beta, name)).await;
    }
    let declared =
        |booked: Value| (booked["special_ad_categories"].clone(), booked["special_ad_category_country"].clone());
    assert_eq!(declared(stage.in_books("Homes").await), (json!(["HOUSING", "EMPLOYMENT"]), json!(["DE"])));
    assert_eq!(declared(stage.in_books("Shoes").await), (json!([]), json!([])));
}

#[tokio::test(start_paused = true)]
async fn each_connection_has_its_own_political_ads_declaration() {
    let politics = json!(["ISSUES_ELECTIONS_POLITICS"]);
    for (platform, aimed, declaration, declared) in [
        (
            Platform::Alpha,
            json!({}),
            "eu_political",
            ["CONTAINS_EU_POLITICAL_ADVERTISING", "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING"],
        ),
        (
            Platform::Delta,
            json!({"country": "DE", "language": "de"}),
            "political_intent",
            ["POLITICAL", "NOT_POLITICAL"],
        ),
    ] {
        let stage = Stage::new(&[]).await;
        stage.world.connect(&stage.app, platform, 2).await;
        let connections = stage.connections().await;
        let [first, second] = connections.as_slice() else { panic!("two connections") };
        let mut defaults = aimed;
        defaults["special_ad_categories"] = politics.clone();
        stage.set_defaults(first, defaults).await;
        for (connection, name, expected) in [(first, "Votes", declared[0]), (second, "Shoes", declared[1])] {
            stage.ask_ok("POST", CREATE, &create_in(connection, platform, name)).await;
            assert_eq!(stage.in_books(name).await[declaration], expected, "{platform} {name}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_shows_the_campaign_defaults_and_their_source() {
    let stage = Stage::new(&[Platform::Alpha, Platform::Beta, Platform::Gamma, Platform::Delta]).await;
    let told = async |platform: Platform| {
        let body = campaign(platform.as_str(), "Rehearsed");
        let dry = stage.ask_ok("POST", "/v1/campaigns?dry_run=true", &body).await;
        assert_eq!(dry["verdict"], "would_create", "{dry}");
        dry["campaign_defaults"].clone()
    };
    for platform in [Platform::Alpha, Platform::Beta] {
        assert_eq!(told(platform).await, json!({"special_ad_categories": [], "source": "service"}));
    }
    assert_eq!(told(Platform::Gamma).await, Value::Null, "TikTok asks for nothing");
    assert_eq!(told(Platform::Delta).await, json!({"country": "US", "language": "en", "source": "service"}));
    for connection in stage.connections().await {
        match connection["platform"].as_str() {
            Some("alpha_ads" | "beta_ads") => {
                stage.set_defaults(&connection, json!({"special_ad_categories": []})).await
            }
            Some("delta_ads") => stage.set_defaults(&connection, json!({"country": "FR", "language": "fr"})).await,
            _ => continue,
        };
    }
    for platform in [Platform::Alpha, Platform::Beta] {
        assert_eq!(told(platform).await, json!({"special_ad_categories": [], "source": "connection"}));
    }
    assert_eq!(told(Platform::Delta).await, json!({"country": "FR", "language": "fr", "source": "connection"}));
}

#[tokio::test(start_paused = true)]
async fn a_retry_sends_the_defaults_of_the_first_attempt() {
    for fault in ["throttle", "drop", "drop_after"] {
        let stage = Stage::new(&[Platform::Delta]).await;
        let connection = stage.connections().await.remove(0);
        stage.set_defaults(&connection, json!({"country": "DE", "language": "de"})).await;
        // Makes the campaign group, so that the fault meets the campaign.
        stage.ask_ok("POST", CREATE, &create_in(&connection, Platform::Delta, "Before")).await;
        stage.fault("delta_ads", "create", fault, 1, Duration::ZERO).await;
        let body = create_in(&connection, Platform::Delta, "Once");
        let keyed = async || {
            let response = stage.respond(&stage.app, "POST", CREATE, &[("idempotency-key", "k")], &body).await;
            (response.status().as_u16(), json_of(response.body()))
        };
        let first = keyed().await;
        assert!(fault == "drop_after" || first.0 >= 429, "{fault}: {first:?}");
        stage.set_defaults(&connection, json!({"country": "FR", "language": "fr"})).await;
        sleep(LATER).await;
        let (status, again) = keyed().await;
        assert_eq!(status, 201, "{fault}: {again}");
        assert_eq!(aimed(&stage.in_books("Once").await), german(GERMANY), "{fault}");
        let changes = stage.ask_ok("GET", "/v1/changes?kind=create", &Value::Null).await;
        let requested = &changes["changes"][0]["requested"]["campaign_defaults"];
        assert_eq!(*requested, json!({"country": "DE", "language": "de"}), "{fault}: {changes}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_google_retry_sends_the_declaration_of_the_first_attempt() {
    let stage = Stage::new(&[Platform::Alpha]).await;
    let connection = stage.connections().await.remove(0);
    stage.fault("alpha_ads", "create", "throttle", 1, Duration::ZERO).await;
    let body = create_in(&connection, Platform::Alpha, "Once");
    let keyed = async || stage.respond(&stage.app, "POST", CREATE, &[("idempotency-key", "k")], &body).await;
    assert_eq!(keyed().await.status(), 429);
    stage.set_defaults(&connection, json!({"special_ad_categories": ["ISSUES_ELECTIONS_POLITICS"]})).await;
    sleep(LATER).await;
    assert_eq!(keyed().await.status(), 201);
    assert_eq!(stage.in_books("Once").await["eu_political"], "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING");
}

#[tokio::test(start_paused = true)]
async fn a_default_unknown_to_the_platform_is_refused_by_name() {
    let stage = Stage::new(&Platform::ALL).await;
    let connections = stage.connections().await;
    let (country, language) = ("campaign_defaults.country", "campaign_defaults.language");
    let categories = "campaign_defaults.special_ad_categories";
    for (platform, defaults, fields) in [
        ("alpha_ads", json!({"country": "DE"}), &[country][..]),
        ("alpha_ads", json!({"special_ad_categories": ["HOUSING"]}), &[categories]),
        ("alpha_ads", json!({"special_ad_categories": [], "language": "de"}), &[language]),
        ("gamma_ads", json!({"special_ad_categories": []}), &[categories]),
        ("zeta_ads", json!({"country": "DE", "language": "de"}), &[country, language]),
        ("delta_ads", json!({"country": "DE"}), &[language]),
        ("delta_ads", json!({"language": "de"}), &[country]),
        ("delta_ads", json!({"country": "Germany", "language": "german"}), &[country, language]),
        ("delta_ads", json!({"country": "DE", "language": "de", "special_ad_categories": ["HOUSING"]}), &[categories]),
        ("delta_ads", json!({"special_ad_categories": ["ISSUES_ELECTIONS_POLITICS"]}), &[country, language]),
        ("delta_ads", json!({"country": "DE", "language": "de", "geo": "1"}), &["campaign_defaults.geo"]),
        ("delta_ads", json!({}), &["campaign_defaults"]),
        ("delta_ads", json!("DE"), &["campaign_defaults"]),
        ("beta_ads", json!({"special_ad_categories": ["CREDIT"], "country": "US"}), &[categories]),
        ("beta_ads", json!({"special_ad_categories": ["HOUSING"]}), &[country]),
        ("beta_ads", json!({"special_ad_categories": [], "language": "de"}), &[language]),
    ] {
        let of_platform = connections.iter().find(|connection| connection["platform"] == platform);
        let path = format!("/v1/connections/{}", id_of(of_platform.expect("a connection")));
        let body = json!({ "campaign_defaults": defaults, "label": "Not this" });
        let (status, refused) = stage.ask(&stage.app, "PATCH", &path, &body).await;
        let named = refused["details"].as_array().cloned().unwrap_or_default();
        let named: Vec<&str> = named.iter().filter_map(|detail| detail["field"].as_str()).collect();
        assert_eq!((status, &named[..]), (400, fields), "{platform} {defaults}: {refused}");
    }
    for connection in stage.connections().await {
        assert_eq!((&connection["campaign_defaults"], &connection["label"]), (&Value::Null, &Value::Null));
    }
}

#[tokio::test(start_paused = true)]
async fn campaign_defaults_are_stored_have_an_event_and_survive_a_new_consent() {
    let stage = Stage::new(&[]).await;
    let accounts = stage.world.connect(&stage.app, Platform::Delta, 1).await;
    let connection = stage.connections().await.remove(0);
    assert_eq!(connection["campaign_defaults"], Value::Null);
    let path = format!("/v1/connections/{}", id_of(&connection));
    let defaults = json!({"country": "DE", "language": "de"});
    assert_eq!(stage.set_defaults(&connection, defaults.clone()).await["campaign_defaults"], defaults);
    stage.ask_ok("PATCH", &path, &json!({"label": "Spring"})).await;
    let read = stage.ask_ok("GET", &path, &Value::Null).await;
    assert_eq!(
        (&read["campaign_defaults"], &read["label"]),
        (&defaults, &json!("Spring")),
        "a label changes nothing else"
    );
    let events = stage.ask_ok("GET", "/v1/events?type=connection.updated", &Value::Null).await;
    let listed = events["events"].as_array().expect("a list");
    let [of_label, of_defaults] = listed.as_slice() else { panic!("{events}") };
    assert_eq!(of_defaults["data"]["connection"]["campaign_defaults"], defaults);
    assert_eq!(of_defaults["previous"]["connection"], json!({"campaign_defaults": null}));
    assert_eq!(of_label["previous"]["connection"], json!({"label": null}));
    stage.set_defaults(&connection, defaults.clone()).await;
    let again = stage.ask_ok("GET", "/v1/events?type=connection.updated", &Value::Null).await;
    assert_eq!(again["events"].as_array().map(Vec::len), Some(2), "the same value is no change");
    stage.world.authorize(&stage.app, Platform::Delta, &accounts).await;
    assert_eq!(stage.ask_ok("GET", &path, &Value::Null).await["campaign_defaults"], defaults);
}
