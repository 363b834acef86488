//! `googleAds:mutate`, `campaigns:mutate` and `campaignBudgets:mutate`: reads the operations,
//! applies them to a draft, and keeps the draft when all is well.
//!
//! Google Ads API: Mutating, Best practices; reference v26: `GoogleAdsService.Mutate`.

use jiff::Timestamp;
use jiff::civil::DateTime;
use serde_json::{Map, Value, json};

use super::accounts::Account;
use super::campaign::Campaign;
use super::draft::{Draft, Ids};
use super::error::{AdsError, Failure, Status, Step, failure};
use super::given::{Target, boolean, target, text};
use super::names::Resource;
use super::proto::Message;
use super::search::resource_json;
use super::{proto, schema};

/// So many operations fit into a request.
const MOST_OPERATIONS: usize = 10_000;

/// Which of the three addresses is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Service {
    Everything,
    Campaigns,
    Budgets,
}

impl Service {
    fn message(self) -> &'static Message {
        match self {
            Self::Everything => &schema::MUTATE,
            Self::Campaigns => &schema::CAMPAIGNS,
            Self::Budgets => &schema::BUDGETS,
        }
    }

    fn list(self) -> &'static str {
        if self == Self::Everything { "mutate_operations" } else { "operations" }
    }
}

/// One operation of a request, with the way to it.
pub(crate) struct Operation<'r> {
    pub(crate) resource: Resource,
    /// `update_mask` and one of `create`, `update`, `remove`.
    pub(crate) given: &'r Value,
    steps: Vec<Step>,
}

/// Who asks for what: the parts of a request that answers and errors are written with.
pub(crate) struct Asked<'a> {
    pub(crate) service: Service,
    pub(crate) version: &'a str,
    pub(crate) request_id: &'a str,
    pub(crate) at: Timestamp,
    /// The same by the account's clock.
    pub(crate) now: DateTime,
    /// Whether a campaign buys the networks that it does not name.
    pub(crate) buys_networks: bool,
}

/// Parses a request body of a service.
pub(crate) fn parse(service: Service, body: &str) -> Result<Value, Failure> {
    proto::parse(body, service.message())
}

/// The operations of a parsed request; an empty one has no resource and is an error by index.
pub(crate) fn operations(service: Service, request: &Value) -> Vec<Result<Operation<'_>, AdsError>> {
    let list = request.get(service.list()).and_then(Value::as_array);
    let list = list.map(Vec::as_slice).unwrap_or_default();
    list.iter().enumerate().map(|(index, item)| operation(service, index, item)).collect()
}

fn operation(service: Service, index: usize, item: &Value) -> Result<Operation<'_>, AdsError> {
    let mut steps = vec![Step { name: service.list().to_owned(), index: Some(index) }];
    let resource = match service {
        Service::Campaigns => Some(Resource::Campaign),
        Service::Budgets => Some(Resource::Budget),
        Service::Everything => {
            [Resource::Campaign, Resource::Budget].into_iter().find(|one| item.get(one.operation()).is_some())
        }
    };
    let given = match (service, resource) {
        (Service::Everything, Some(resource)) => {
            steps.push(Step { name: resource.operation().to_owned(), index: None });
            item.get(resource.operation())
        }
        _ => Some(item),
    };
    let named = |given: &&Value| ["create", "update", "remove"].iter().any(|name| given.get(name).is_some());
    match (resource, given.filter(named)) {
        (Some(resource), Some(given)) => Ok(Operation { resource, given, steps }),
        _ => {
            let why = "A mutate operation has to have create, update or remove.";
            Err(AdsError::new(("requestError", "OPERATION_REQUIRED"), why).under(&steps))
        }
    }
}

/// Does what a request asks of an account. Without `partialFailure` all or nothing is kept.
pub(crate) fn mutate(
    account: &mut Account,
    ids: &mut Ids,
    asked: &Asked<'_>,
    request: &Value,
) -> Result<Value, Failure> {
    let operations = operations(asked.service, request);
    check(account, asked.service, &operations)?;
    let mut draft = Draft::new(account.clone(), *ids, asked);
    let mut errors = Vec::new();
    let mut done = Vec::new();
    for operation in operations {
        let applied = operation.map_err(|error| vec![error]).and_then(|operation| {
            let outcome = draft.apply(&operation);
            outcome.map_err(|errors| errors.into_iter().map(|one| one.under(&operation.steps)).collect())
        });
        done.push(applied.as_ref().ok().copied());
        errors.extend(applied.err().into_iter().flatten());
    }
    let partial = boolean(request, "partial_failure") == Some(true);
    if !errors.is_empty() && !partial {
        return Err(Failure::Ads(Status::InvalidArgument, errors));
    }
    let mut reply = Map::new();
    if let Some(first) = errors.first() {
        reply.insert("partialFailureError".to_owned(), partial_failure(first, &errors, asked));
    }
    if boolean(request, "validate_only") == Some(true) {
        return Ok(Value::Object(reply));
    }
    let whole = text(request, "response_content_type") == Some("MUTABLE_RESOURCE");
    let results = done.iter().map(|done| result(done.as_ref(), &draft.account, asked, whole));
    let key = if asked.service == Service::Everything { "mutateOperationResponses" } else { "results" };
    reply.insert(key.to_owned(), results.collect());
    (*account, *ids) = (draft.account, draft.ids);
    Ok(Value::Object(reply))
}

/// What is refused before any operation is looked at.
fn check(account: &Account, service: Service, operations: &[Result<Operation<'_>, AdsError>]) -> Result<(), Failure> {
    let refuse = |value, why: &str| {
        let error = AdsError::new(("requestError", value), why).at(service.list());
        Err(Failure::one(Status::InvalidArgument, error))
    };
    if operations.is_empty() {
        return refuse("REQUIRED_FIELD_MISSING", "Required field is missing.");
    }
    if operations.len() > MOST_OPERATIONS {
        return refuse("TOO_MANY_MUTATE_OPERATIONS", "Too many mutate operations in one request.");
    }
    if account.manager {
        let why = "The request cannot be executed by a manager account.";
        return Err(Failure::invalid(("requestError", "CANNOT_BE_EXECUTED_BY_MANAGER_ACCOUNT"), why));
    }
    if !declares(operations) && account.campaigns.values().any(Campaign::lacks_declaration) {
        let why = "Mutates are generally not allowed if the customer contains non-exempt campaigns without the EU \
                   political advertising declaration.";
        return Err(Failure::invalid(("mutateError", "EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED"), why));
    }
    for operation in operations.iter().flatten() {
        let message = if operation.resource == Resource::Budget { &schema::BUDGET } else { &schema::CAMPAIGN };
        let mut paths = mask(operation.given).into_iter();
        if let Some(path) = paths.find(|path| matches!(target(message, path), Target::Unimitated)) {
            return Err(Failure::Unimitated(format!("a change of {path}")));
        }
    }
    Ok(())
}

/// Whether a request does nothing but declare: the way out for a customer whose mutates are refused.
fn declares(operations: &[Result<Operation<'_>, AdsError>]) -> bool {
    let only = |one: &Operation<'_>| mask(one.given) == ["contains_eu_political_advertising"];
    operations.iter().all(|operation| operation.as_ref().is_ok_and(only))
}

/// The paths of an operation's update mask.
pub(crate) fn mask(operation: &Value) -> Vec<&str> {
    let paths = operation.get("update_mask").and_then(Value::as_array);
    paths.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What an operation did, in the order of the request; empty for one that failed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Done {
    pub(crate) resource: Resource,
    pub(crate) id: i64,
    pub(crate) removed: bool,
}

fn result(done: Option<&Done>, account: &Account, asked: &Asked<'_>, whole: bool) -> Value {
    let Some(done) = done else { return json!({}) };
    let mut result = json!({ "resourceName": done.resource.name(account.id, done.id) });
    let [key, wrapper] = match done.resource {
        Resource::Campaign => ["campaign", "campaignResult"],
        Resource::Budget => ["campaignBudget", "campaignBudgetResult"],
    };
    if whole && !done.removed {
        result[key] = mutable_resource(done, account, asked.now);
    }
    if asked.service == Service::Everything { json!({ wrapper: result }) } else { result }
}

/// The resource with the fields that can be written.
fn mutable_resource(done: &Done, account: &Account, now: DateTime) -> Value {
    let (message, cell): (&Message, &dyn Fn(&str) -> _) = match done.resource {
        Resource::Campaign => {
            (&schema::CAMPAIGN, &|field: &str| account.campaigns.get(&done.id)?.cell(field, account, now))
        }
        Resource::Budget => (&schema::BUDGET, &|field: &str| account.budgets.get(&done.id)?.cell(field, account)),
    };
    let writable = message.0.iter().filter(|field| field.writable != proto::Writable::Never);
    let fields: Vec<&str> = writable.map(|field| field.name).collect();
    let mut object = resource_json(&fields, cell);
    if let (Resource::Campaign, Some(campaign)) = (done.resource, account.campaigns.get(&done.id)) {
        let settings = campaign.strategy_settings.iter().map(|(name, value)| {
            let value = value.as_i64().map_or_else(|| value.clone(), |number| json!(number.to_string()));
            (proto::camel(name), value)
        });
        object.insert(proto::camel(&campaign.strategy), Value::Object(settings.collect()));
        if !campaign.networks.is_empty() {
            let networks = campaign.networks.iter().map(|(name, on)| (proto::camel(name), json!(on)));
            object.insert("networkSettings".to_owned(), Value::Object(networks.collect()));
        }
    }
    Value::Object(object)
}

/// `google.rpc.Status` over the errors of the operations that failed.
fn partial_failure(first: &AdsError, errors: &[AdsError], asked: &Asked<'_>) -> Value {
    let message = format!("{}, at {}", first.message(), first.place());
    let message =
        if errors.len() == 1 { message } else { format!("Multiple errors in 'details'. First error: {message}") };
    json!({
        "code": 3,
        "message": message,
        "details": [failure(errors, asked.version, asked.request_id)],
    })
}
