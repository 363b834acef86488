//! The client of a run: sends updates and removals, and keeps every request and response.

use super::books::Values;
use crate::crashes::client::ClientHistory;
use crate::crashes::environment::{Environment, text_of};
use crate::in_process::faults::Dependency;
use crate::in_process::json_of;
use crate::in_process::process::Process;
use lambda_http::RequestExt;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, sleep};

/// Wait before a retry when the response has no `Retry-After`.
const DEFAULT_RETRY_DELAY: Duration = Duration::from_secs(3);
/// Attempts before the client reports that there is no final response.
const MAX_ATTEMPTS: usize = 50;

/// An update or a removal of the campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// Name, status and budget.
    Everything,
    Status,
    /// Other values of name and budget.
    Others,
    /// The budget, 10 percent more than the campaign has at first.
    Raised,
    /// The budget that the campaign has at first.
    Former,
    Removal,
}

/// A request, and its response if the client received one.
#[derive(Clone)]
pub(super) struct Sent {
    pub(super) edit: Edit,
    pub(super) request_id: String,
    /// Whether it has the client's `Idempotency-Key`. All that have it are attempts at the same changes.
    pub(super) is_keyed: bool,
    pub(super) process: Process,
    /// Writes that had reached the platform before.
    pub(super) writes_before: usize,
    pub(super) response: Option<EditResponse>,
}

/// A response to an update or a removal.
#[derive(Clone, Debug)]
pub(super) struct EditResponse {
    pub(super) status: u16,
    pub(super) is_replay: bool,
    pub(super) change_ids: Vec<String>,
    pub(super) text: String,
    retry_after: Option<Duration>,
}

/// The client of one campaign.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) environment: Arc<Environment>,
    pub(super) campaign: String,
    pub(super) history: ClientHistory,
    sent: Arc<Mutex<Vec<Sent>>>,
}

impl Edit {
    /// The body of the request; nothing for a removal.
    pub(super) fn body(self) -> Value {
        match self {
            Edit::Everything => {
                json!({"name": "Summer", "status": "ACTIVE", "budget_amount": 60, "budget_period": "DAILY"})
            }
            Edit::Status => json!({"status": "ACTIVE"}),
            Edit::Others => json!({"name": "Autumn", "budget_amount": 70, "budget_period": "DAILY"}),
            Edit::Raised => json!({"budget_amount": 55}),
            Edit::Former => json!({"budget_amount": 50}),
            Edit::Removal => Value::Null,
        }
    }

    /// The requested fields, by their names in a change. A removal is one of its status.
    pub(super) fn fields(self) -> Vec<&'static str> {
        match self {
            Edit::Everything => vec!["name", "status", "budget_amount"],
            Edit::Others => vec!["name", "budget_amount"],
            Edit::Raised | Edit::Former => vec!["budget_amount"],
            Edit::Status | Edit::Removal => vec!["status"],
        }
    }

    /// Whether a campaign with these values has the requested value of a field.
    pub(super) fn holds(self, field: &str, values: &Values) -> bool {
        let body = self.body();
        match field {
            "name" => body["name"] == values.name.as_str(),
            "status" if self == Edit::Removal => values.status == "REMOVED",
            "status" => body["status"] == values.status.as_str(),
            "budget_amount" => {
                body["budget_amount"].as_i64().is_some_and(|amount| Decimal::from(amount) == values.budget)
            }
            _ => field == "budget_period",
        }
    }

    /// Whether a campaign with these values has all requested values.
    pub(super) fn is_complete(self, values: &Values) -> bool {
        self.fields().iter().all(|field| self.holds(field, values))
    }
}

impl Sent {
    /// Whether a call of the request to the store met a fault.
    pub(super) fn met_store_fault(&self) -> bool {
        let points = self.process.faults().points();
        points.iter().any(|point| point.dependency == Dependency::Store && point.fault.is_some())
    }
}

impl EditResponse {
    pub(super) fn is_success(&self) -> bool {
        self.status < 300
    }

    /// Whether sending the request again makes no difference.
    pub(super) fn is_final(&self) -> bool {
        self.is_success() || json_of(self.text.as_bytes())["retryable"] == false
    }

    /// The fields that the error calls applied.
    pub(super) fn fields_called_applied(&self) -> Vec<String> {
        let applied = self.text.split(" Applied: ").nth(1).and_then(|rest| rest.split('.').next()).unwrap_or_default();
        applied.split(", ").filter(|field| !field.is_empty()).map(str::to_owned).collect()
    }
}

impl Client {
    /// Creates the campaign, without faults; returns its id.
    pub(super) async fn create(environment: &Environment) -> String {
        let [(platform, account)] = environment.targets.as_slice() else { panic!("one account") };
        let body = json!({
            "platform": platform.as_upper(),
            "organization_id": account,
            "name": "Spring",
            "goal": "WEBSITE_TRAFFIC",
            "budget_amount": 50,
            "budget_period": "DAILY",
        });
        let service = environment.start_without_faults();
        let request = environment.request("POST", "/v1/campaigns", None, &body.to_string());
        let created = campaigns::handle(Arc::clone(&service.app), request).await;
        let created = json_of(created.body());
        created["data"]["id"].as_str().unwrap_or_else(|| panic!("{created}")).to_owned()
    }

    /// A client of the campaign. From now on its books are watched.
    pub(super) async fn of(environment: &Arc<Environment>, campaign: String) -> Client {
        environment.books.watch(&environment.in_process.sandbox).await;
        let (history, sent) = (ClientHistory::default(), Arc::default());
        Client { environment: Arc::clone(environment), campaign, history, sent }
    }

    /// The requests so far, in their order.
    pub(super) fn sent(&self) -> Vec<Sent> {
        self.sent.lock().expect("the requests").clone()
    }

    /// Sends a request to the next process; `None` when the client received no response.
    pub(super) async fn send(&self, edit: Edit, key: Option<&str>) -> Option<EditResponse> {
        let (method, body) = match edit {
            Edit::Removal => ("DELETE", String::new()),
            _ => ("PATCH", edit.body().to_string()),
        };
        let service = self.environment.start("edit");
        let request = self.environment.request(method, &format!("/v1/campaigns/{}", self.campaign), key, &body);
        let request_id = request.lambda_context().request_id;
        let process = service.process.clone();
        let writes_before = self.environment.books.writes().len();
        let number = {
            let mut sent = self.sent.lock().expect("the requests");
            sent.push(Sent { edit, request_id, is_keyed: key.is_some(), process, writes_before, response: None });
            sent.len() - 1
        };
        let response = self.history.exchange(&service, request).await?;
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let change_ids = header("change-id").map_or_else(Vec::new, |ids| ids.split(", ").map(str::to_owned).collect());
        let response = EditResponse {
            status: response.status().as_u16(),
            is_replay: header("idempotent-replayed").is_some(),
            change_ids,
            text: text_of(&response),
            retry_after: header("retry-after").and_then(|text| text.parse().ok()).map(Duration::from_secs),
        };
        self.sent.lock().expect("the requests")[number].response = Some(response.clone());
        Some(response)
    }

    /// Sends the request until the response is final, and follows `Retry-After`.
    pub(super) async fn send_until_final(&self, edit: Edit, key: Option<&str>) -> Option<EditResponse> {
        for _ in 0..MAX_ATTEMPTS {
            let response = self.send(edit, key).await;
            let wait = match &response {
                Some(response) if response.is_final() => return Some(response.clone()),
                Some(response) => response.retry_after.unwrap_or(DEFAULT_RETRY_DELAY),
                None => DEFAULT_RETRY_DELAY,
            };
            sleep(wait).await;
        }
        let last = self.sent().last().and_then(|sent| sent.response.clone());
        self.history.report(format!("there is no final response after {MAX_ATTEMPTS} attempts: {last:?}"));
        None
    }
}
