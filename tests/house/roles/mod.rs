//! Least privilege, both ways: each function runs as its own process, performs every operation once, and its requests
//! to AWS are exactly those that its role in `template.yaml` allows: none is missing, none is unused.
//!
//! The processes start as on Lambda, in this process under a paused clock, so that no timeout and no retry of a busy
//! machine adds a request.

mod agent;
mod assistants;
mod aws_recorder;
mod comparison;
mod page;
mod request;
mod scenarios;
mod template;

use crate::house::table::Table;
use crate::in_process::engine::{Straight, TABLE, client_over};
use crate::in_process::{self, World, function_of, location, respond};
use aws_recorder::AwsRecorder;
use aws_sdk_dynamodb::config::Credentials;
use aws_smithy_runtime_api::client::http::SharedHttpConnector;
use lambda_http::Body;
use request::{BATCH_OF_SECRETS, EVERYTHING};
use serde_json::{Value, json};
use shared::app::{App, Aws, CallTimeouts, Config, PLATFORM_TIMEOUT};
use shared::auth::{Mode, SessionCaller};
use shared::clock::Clock;
use shared::domain::{KeyId, Person, PersonId, Plan, Platform, Role};
use shared::identity::IssuerConfig;
use shared::outbound::public::Reach;
use shared::platforms::settings::Settings;
use shared::secrets::SecretAccess;
use shared::serve::PostResponseWork;
use shared::store::table_keys::PARTITION_PREFIXES;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// The issuer of the sandbox, as `in_process` configures it.
const ISSUER: &str = "http://sandbox/oidc";

/// A deployed function: a process with its own connection to AWS.
struct Process {
    app: Arc<App>,
    recorder: AwsRecorder,
}

impl Process {
    async fn start(world: &World, name: &str) -> Process {
        let recorder = AwsRecorder::new(world.database.clone());
        let app = Arc::new(start(world, name, &recorder).await);
        Process { app, recorder }
    }
}

/// Starts a function on a connection to AWS. All other connections lead to the sandbox.
async fn start(world: &World, name: &str, recorder: &AwsRecorder) -> App {
    let straight = world.straight();
    let aws = Aws {
        region: "us-east-1".to_owned(),
        credentials: Credentials::new("id", "secret", None, None, "tests"),
        dynamodb_endpoint: Some("http://table".to_owned()),
        secrets_endpoint: Some("http://secrets".to_owned()),
        connector: Some(SharedHttpConnector::new(recorder.clone())),
        timeouts: CallTimeouts::AWS,
    };
    let config = Config {
        table: TABLE.to_owned(),
        secrets_prefix: String::new(),
        public_base_url: straight.public_base_url.clone(),
        platform_base_url: Some("http://sandbox/{platform}".to_owned()),
        platform_settings: Settings::local(),
        platform_timeout: PLATFORM_TIMEOUT,
        secrets: secrets_of(name),
        uses_table: true,
        payment_base_url: None,
        issuer: Some(IssuerConfig::new(ISSUER, sandbox::OIDC_CLIENT.id).expect("an issuer")),
        webhook_reach: Reach::Public,
        metrics_namespace: None,
        aws,
    };
    let app = App::start(config).await.expect("an app");
    let App { outbound, payments, issuer, clock, webhooks, .. } = straight;
    App { payments: app.payments.and(payments), issuer: app.issuer.and(issuer), outbound, clock, webhooks, ..app }
}

/// The secrets that a function's `main.rs` asks for.
fn secrets_of(function: &str) -> SecretAccess {
    match function {
        "ApiKeys" => api_keys::SECRETS,
        "Assistants" => ::assistants::SECRETS,
        "Billing" => billing::SECRETS,
        "Campaigns" => campaigns::SECRETS,
        "Connections" => connections::SECRETS,
        "Dashboard" => dashboard::SECRETS,
        "Deliveries" => deliveries::SECRETS,
        "Docs" => docs::SECRETS,
        "Maintenance" => maintenance::SECRETS,
        "RedirectUris" => redirect_uris::SECRETS,
        "UsageLogs" => usage_logs::SECRETS,
        "Mcp" => mcp::SECRETS,
        "WebhookEndpoints" => webhook_endpoints::SECRETS,
        "Webhooks" => webhooks::SECRETS,
        unknown => panic!("{unknown} is no function"),
    }
}

/// The deployed service.
struct Deployed {
    world: World,
    /// A process whose requests are not recorded.
    straight: Arc<App>,
    processes: BTreeMap<&'static str, Process>,
    /// The dashboard makes the requests of the customer, for a person who is signed in.
    is_for_person: bool,
}

/// A response.
struct TestResponse {
    status: u16,
    id: String,
    /// Where a redirect leads; empty for any other response.
    location: String,
    json: Value,
    text: String,
}

impl Deployed {
    async fn start() -> Deployed {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let straight = Arc::new(world.straight());
        let id = PersonId::of(ISSUER, &sandbox::oidc_subject(sandbox::OIDC_EMAIL));
        let owner = Person::new(id, Some(sandbox::OIDC_EMAIL.to_owned()), Role::Owner, world.clock.now());
        straight.store.link_person(&owner, world.customer).await.expect("a store");
        let mut processes = BTreeMap::new();
        for name in template::functions() {
            processes.insert(name, Box::pin(Process::start(&world, name)).await);
        }
        Deployed { world, straight, processes, is_for_person: false }
    }

    fn process(&self, name: &str) -> &Process {
        self.processes.get(name).unwrap_or_else(|| panic!("the template has no {name}Function"))
    }

    /// Sends a request with more headers to the function that the template names, and runs its post-response work.
    async fn ask_with(&self, headers: &[(&str, &str)], method: &str, path: &str, body: &str) -> TestResponse {
        // A token of the rate limit each time.
        sleep(Duration::from_millis(200)).await;
        let mut request = http::Request::builder().method(method).uri(path).header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(Body::Text(body.to_owned())).expect("a request");
        let mut name = format!("{:?}", function_of(&request));
        if self.is_for_person && request.headers_mut().remove("x-api-key").is_some() {
            request.extensions_mut().insert(Box::pin(self.person()).await);
            "Dashboard".clone_into(&mut name);
        }
        // Boxed, as all that is large: the futures of so many requests exceed a thread's stack.
        let mut response = Box::pin(respond(&self.process(&name).app, request)).await;
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            Box::pin(rest.run()).await;
        }
        let id = response.headers()["x-request-id"].to_str().expect("an id").to_owned();
        let json = serde_json::from_slice(response.body()).unwrap_or_default();
        let location = response.headers().get("location").map_or("", |value| value.to_str().expect("an address"));
        let text = String::from_utf8_lossy(response.body()).into_owned();
        TestResponse { status: response.status().as_u16(), id, location: location.to_owned(), json, text }
    }

    /// A person of the customer, who acts on the default key.
    async fn person(&self) -> SessionCaller {
        let app = &self.straight;
        let account = app.store.account(self.world.customer, app.clock.now()).await;
        let account = account.expect("a store").expect("an account");
        let person = PersonId::of("issuer", "subject");
        let (role, key) = (Role::Owner, Some(KeyId::default_key()));
        SessionCaller { account, person, email: None, role, mode: Mode::Test, key, form: None }
    }

    /// The same with the customer's key; asserts the status.
    async fn ask(&self, status: u16, method: &str, path: &str, body: &Value) -> TestResponse {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let response = self.ask_with(&[("x-api-key", &self.world.api_key)], method, path, &body).await;
        assert_eq!(response.status, status, "{method} {path}: {}", response.json);
        response
    }

    /// The same under an `Idempotency-Key`.
    async fn ask_keyed(&self, key: &str, status: u16, method: &str, path: &str, body: &Value) -> TestResponse {
        let headers = [("x-api-key", self.world.api_key.as_str()), ("idempotency-key", key)];
        let response = self.ask_with(&headers, method, path, &body.to_string()).await;
        assert_eq!(response.status, status, "{method} {path}: {}", response.json);
        response
    }

    /// The app of a function whose clock is some time ahead.
    async fn ahead(&self, name: &str, seconds: i64) -> Arc<App> {
        let mut app = Box::pin(start(&self.world, name, &self.process(name).recorder)).await;
        let (clock, ahead) = (self.world.clock.clone(), jiff::SignedDuration::from_secs(seconds));
        app.clock = Clock::from_fn(move || clock.now() + ahead);
        Arc::new(app)
    }

    /// One run of deliveries, after some time.
    async fn deliveries(&self, seconds: i64) -> deliveries::RunResult {
        Box::pin(deliveries::run(&self.ahead("Deliveries", seconds).await)).await.expect("a run")
    }

    /// One run of maintenance's schedule, after some time.
    async fn maintenance(&self, seconds: i64) -> maintenance::RunResult {
        let app = self.ahead("Maintenance", seconds).await;
        Box::pin(maintenance::run(&app)).await.expect("maintenance runs to its end")
    }

    /// The table, read and written directly.
    fn table(&self) -> Table {
        let client = client_over(Straight(self.world.database.clone()));
        Table::new(client, TABLE, self.world.clock.clone())
    }

    /// Sets a fault of a platform or of the payment provider for so many calls; 0 ends it.
    async fn fault(&self, platform: &str, operation: &str, fault: &str, times: u32) {
        let fault = json!({ "platform": platform, "operation": operation, "fault": fault, "times": times });
        self.world.control("POST", "faults", &fault).await;
    }

    /// Connects an ad account past the functions.
    async fn connect(&self, platform: Platform) {
        Box::pin(self.world.connect(&self.straight, platform, 1)).await;
    }

    /// Submits a form of one of the sandbox's pages; returns the redirect as a path of the service.
    async fn submit(&self, page: &str, form: &str) -> String {
        location(&self.world.post_form(page, form.to_owned()).await)
    }
}

#[tokio::test(start_paused = true)]
async fn every_role_allows_exactly_the_requests_of_its_function() {
    let person = Deployed { is_for_person: true, ..Deployed::start().await };
    Box::pin(scenarios::person(&person)).await;
    let deployed = Deployed::start().await;
    Box::pin(scenarios::redirect_uris(&deployed)).await;
    Box::pin(scenarios::webhook_endpoints(&deployed)).await;
    Box::pin(scenarios::connections(&deployed)).await;
    Box::pin(scenarios::campaigns(&deployed)).await;
    Box::pin(agent::agent(&deployed)).await;
    Box::pin(scenarios::scheduled_changes(&deployed)).await;
    Box::pin(scenarios::changes(&deployed)).await;
    Box::pin(scenarios::events(&deployed)).await;
    Box::pin(scenarios::users(&deployed)).await;
    Box::pin(scenarios::usage_logs(&deployed)).await;
    Box::pin(assistants::tokens(&deployed)).await;
    Box::pin(assistants::sign_in(&deployed)).await;
    Box::pin(scenarios::docs(&deployed)).await;
    Box::pin(scenarios::billing(&deployed)).await;
    Box::pin(scenarios::dashboard(&deployed)).await;
    Box::pin(scenarios::maintenance(&deployed)).await;
    Box::pin(scenarios::deliveries(&deployed)).await;
    Box::pin(scenarios::a_store_in_trouble(&deployed)).await;
    // Last, because it replaces the key of all other requests.
    Box::pin(scenarios::api_keys(&deployed)).await;
    let differences = deployed.processes.iter().map(|(name, process)| {
        let mut requests = process.recorder.requests();
        if *name == "Dashboard" {
            requests.extend(person.process(name).recorder.requests());
        }
        (name, comparison::differences(&template::statements(name), &requests))
    });
    let differing: Vec<_> = differences.filter(|(_, differences)| !differences.is_empty()).collect();
    assert!(differing.is_empty(), "the roles in template.yaml: {differing:#?}");
}

#[test]
fn every_role_names_its_actions_and_resources() {
    assert_eq!(template::strange_lines(), Vec::<&str>::new());
}

#[test]
fn only_the_batch_read_of_secrets_has_a_wildcard_resource() {
    for function in template::functions() {
        for statement in template::statements(function) {
            if statement.resources.iter().any(|resource| resource == EVERYTHING) {
                assert_eq!(
                    (&*statement.actions, statement.resources.len()),
                    (&[BATCH_OF_SECRETS][..], 1),
                    "{function}"
                );
            }
        }
    }
}

/// CloudFormation replaces a policy whose description changes: it creates the new one before it updates the function,
/// and deletes the old one after everything is updated. So old and new code both have their permissions during an
/// update.
#[test]
fn a_changed_policy_replaces_the_old_one_around_its_function() {
    let resources = template::resources();
    for name in template::functions() {
        let revision = template::revision(name);
        let description =
            resources[format!("{name}Policy").as_str()].iter().find(|line| line.starts_with("Description:"));
        let ending = format!(", revision {revision}.");
        assert!(
            description.is_some_and(|line| line.ends_with(&ending)),
            "{name}Policy: end its Description with {ending:?}"
        );
        let (alone, first) = (format!("DependsOn: {name}Policy"), format!("DependsOn: [{name}Policy, "));
        let waits = |line: &&str| *line == alone || line.starts_with(&first);
        assert!(resources[format!("{name}Function").as_str()].iter().any(waits), "{name}Function lacks {alone}");
    }
}

#[test]
fn roles_name_the_key_families_of_the_store() {
    let mut named = BTreeSet::new();
    for function in template::functions() {
        for statement in template::statements(function) {
            let is_on_table = statement.resources.iter().any(|resource| resource == "Table");
            assert_eq!(is_on_table, !statement.keys.is_empty(), "{function}: the keys of {statement:?}");
            assert!(statement.keys.iter().all(|key| template::is_family(key)), "{function}: {statement:?}");
            named.extend(statement.keys);
        }
    }
    let known: BTreeSet<String> = PARTITION_PREFIXES.iter().map(|prefix| format!("{prefix}*")).collect();
    assert_eq!(named, known);
}

#[test]
fn no_key_belongs_to_two_families() {
    for prefix in PARTITION_PREFIXES {
        let others = PARTITION_PREFIXES.iter().filter(|other| **other != prefix);
        assert!(!others.into_iter().any(|other| prefix.starts_with(other)), "{prefix} is part of another family");
    }
}

#[test]
fn every_function_has_its_own_log_group_with_retention() {
    let resources = template::resources();
    for name in template::functions() {
        let (function, log) = (format!("{name}Function"), format!("{name}Logs"));
        let uses = format!("LoggingConfig: {{ LogGroup: !Ref {log} }}");
        assert!(resources[function.as_str()].contains(&uses.as_str()), "{function} does not say {uses}");
        assert!(resources[log.as_str()].contains(&"RetentionInDays: !Ref LogRetentionDays"), "{log} has no end");
    }
}

#[test]
fn tables_secrets_and_user_pools_are_retained() {
    let resources = template::resources();
    for (name, lines) in &resources {
        let is_kept =
            ["Type: AWS::DynamoDB::Table", "Type: AWS::SecretsManager::Secret", "Type: AWS::Cognito::UserPool"]
                .iter()
                .any(|kind| lines.contains(kind));
        for line in ["DeletionPolicy: Retain", "UpdateReplacePolicy: Retain"] {
            assert_eq!(lines.contains(&line), is_kept, "{name}: {line}");
        }
    }
    for line in
        ["DeletionProtectionEnabled: true", "PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true }"]
    {
        assert!(resources["Table"].contains(&line), "the table lacks {line}");
    }
}
