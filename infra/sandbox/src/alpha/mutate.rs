//! `googleAds:mutate`, `campaigns:mutate` and `campaignBudgets:mutate`: applies the operations of a request to a copy
//! of the account and commits the copy on success.
//!
//! Google Ads API: Mutating, Best practices; reference v26: `GoogleAdsService.Mutate`.

use super::account::Account;
use super::campaign::Campaign;
use super::error::AdsError;
use super::failure::{Failure, Status, failure};
use super::field_mask::{MaskedField, resolve};
use super::field_value::{FieldValue, object};
use super::input::{boolean, text, update_mask};
use super::operation::{Operation, Service, message, operations};
use super::proto::{self, Writable};
use super::resource_name::Resource;
use super::state::LastIds;
use super::transaction::{MutatedResource, Transaction};
use jiff::Timestamp;
use jiff::civil::DateTime;
use serde_json::{Map, Value, json};

/// Upper bound of operations in a request.
const MAX_OPERATIONS: usize = 10_000;

/// The parts of a call that operations, errors and responses need.
pub(crate) struct MutateContext<'a> {
    pub(crate) service: Service,
    pub(crate) version: &'a str,
    pub(crate) request_id: &'a str,
    pub(crate) time: Timestamp,
    /// `time` in the account's time zone.
    pub(crate) local_time: DateTime,
    /// Whether campaigns target the networks that they omit.
    pub(crate) fills_networks: bool,
    /// The results show the account as it was before.
    pub(crate) is_ignored: bool,
}

/// Executes a request. It is atomic unless `partialFailure` is set.
pub(crate) fn mutate(
    account: &mut Account,
    ids: &mut LastIds,
    context: &MutateContext<'_>,
    body: &Value,
) -> Result<Value, Failure> {
    let operations = operations(context.service, body);
    check(account, context.service, &operations)?;
    let MutateContext { time, local_time, fills_networks, .. } = *context;
    let mut transaction = Transaction::new(account.clone(), *ids, time, local_time, fills_networks);
    let mut errors = Vec::new();
    let mut results = Vec::new();
    for operation in operations {
        let result = operation.map_err(|error| vec![error]).and_then(|operation| {
            let result = transaction.apply(&operation);
            result.map_err(|errors| errors.into_iter().map(|error| error.under(&operation.path)).collect())
        });
        results.push(result.as_ref().ok().copied());
        errors.extend(result.err().into_iter().flatten());
    }
    if !errors.is_empty() && boolean(body, "partial_failure") != Some(true) {
        return Err(Failure::Ads(Status::InvalidArgument, errors));
    }
    let mut response = Map::new();
    if let Some(first) = errors.first() {
        response.insert("partialFailureError".to_owned(), partial_failure(first, &errors, context));
    }
    if boolean(body, "validate_only") == Some(true) {
        return Ok(Value::Object(response));
    }
    let returns_resource = text(body, "response_content_type") == Some("MUTABLE_RESOURCE");
    let shown = if context.is_ignored { &*account } else { &transaction.account };
    let results = results.iter().map(|one| result(one.as_ref(), shown, context, returns_resource));
    let key = if context.service == Service::GoogleAds { "mutateOperationResponses" } else { "results" };
    response.insert(key.to_owned(), results.collect());
    (*account, *ids) = (transaction.account, transaction.ids);
    Ok(Value::Object(response))
}

/// Checks that precede every operation.
fn check(account: &Account, service: Service, operations: &[Result<Operation<'_>, AdsError>]) -> Result<(), Failure> {
    let reject = |value, why: &str| {
        let error = AdsError::new(("requestError", value), why).at(service.operations_field());
        Err(Failure::one(Status::InvalidArgument, error))
    };
    if operations.is_empty() {
        return reject("REQUIRED_FIELD_MISSING", "Required field is missing.");
    }
    if operations.len() > MAX_OPERATIONS {
        return reject("TOO_MANY_MUTATE_OPERATIONS", "Too many mutate operations in one request.");
    }
    if account.manager {
        let why = "The request cannot be executed by a manager account.";
        return Err(Failure::invalid(("requestError", "CANNOT_BE_EXECUTED_BY_MANAGER_ACCOUNT"), why));
    }
    if !only_declares(operations) && account.campaigns.values().any(Campaign::lacks_declaration) {
        let why = "Mutates are generally not allowed if the customer contains non-exempt campaigns without the EU \
                   political advertising declaration.";
        return Err(Failure::invalid(("mutateError", "EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED"), why));
    }
    for operation in operations.iter().flatten() {
        let mut paths = update_mask(operation.input).into_iter();
        let is_unsupported = |path: &&str| matches!(resolve(operation.message(), path), MaskedField::Unsupported);
        if let Some(path) = paths.find(is_unsupported) {
            return Err(Failure::Unsupported(format!("a change of {path}")));
        }
    }
    Ok(())
}

/// Whether a request only adds declarations, which a customer with rejected mutates may still do.
fn only_declares(operations: &[Result<Operation<'_>, AdsError>]) -> bool {
    let declares = |one: &Operation<'_>| update_mask(one.input) == ["contains_eu_political_advertising"];
    operations.iter().all(|operation| operation.as_ref().is_ok_and(declares))
}

/// The result of one operation; empty for a failed one.
fn result(
    mutated: Option<&MutatedResource>,
    account: &Account,
    context: &MutateContext<'_>,
    returns_resource: bool,
) -> Value {
    let Some(mutated) = mutated else { return json!({}) };
    let mut result = json!({ "resourceName": mutated.resource.name(account.id, mutated.id) });
    let [key, wrapper] = match mutated.resource {
        Resource::Campaign => ["campaign", "campaignResult"],
        Resource::Budget => ["campaignBudget", "campaignBudgetResult"],
    };
    if returns_resource && !mutated.removed {
        result[key] = mutable_resource(mutated, account, context.local_time);
    }
    if context.service == Service::GoogleAds { json!({ wrapper: result }) } else { result }
}

/// The resource with its mutable fields.
fn mutable_resource(mutated: &MutatedResource, account: &Account, now: DateTime) -> Value {
    let MutatedResource { resource, id, .. } = *mutated;
    let mutable = message(resource).0.iter().filter(|field| field.writable != Writable::Never);
    let fields: Vec<&str> = mutable.map(|field| field.name).collect();
    let value = |name: &str| -> Option<FieldValue> {
        match resource {
            Resource::Campaign => account.campaigns.get(&id)?.field(name, account.id, now),
            Resource::Budget => account.budget_field(account.budgets.get(&id)?, name),
        }
    };
    let mut object = object(&fields, value);
    if let (Resource::Campaign, Some(campaign)) = (resource, account.campaigns.get(&id)) {
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

/// `google.rpc.Status` with the errors of the failed operations.
fn partial_failure(first: &AdsError, errors: &[AdsError], context: &MutateContext<'_>) -> Value {
    let message = format!("{}, at {}", first.message(), first.path());
    let message =
        if errors.len() == 1 { message } else { format!("Multiple errors in 'details'. First error: {message}") };
    json!({
        "code": 3,
        "message": message,
        "details": [failure(errors, context.version, context.request_id)],
    })
}
