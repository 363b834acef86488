//! Parses the operations of a mutate request.
//!
//! Google Ads API reference v26: `GoogleAdsService.Mutate`.

use super::error::{AdsError, PathElement};
use super::failure::Failure;
use super::proto::{self, Message};
use super::resource_name::Resource;
use super::resource_schema::{BUDGET, CAMPAIGN};
use super::schema;
use serde_json::Value;

/// The service of a mutate request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Service {
    /// `GoogleAdsService`, which mutates every resource.
    GoogleAds,
    Campaigns,
    Budgets,
}

impl Service {
    fn message(self) -> &'static Message {
        match self {
            Self::GoogleAds => &schema::MUTATE,
            Self::Campaigns => &schema::CAMPAIGNS,
            Self::Budgets => &schema::BUDGETS,
        }
    }

    /// The request field with the operations.
    pub(crate) fn operations_field(self) -> &'static str {
        if self == Self::GoogleAds { "mutate_operations" } else { "operations" }
    }
}

/// One operation and its location in the request.
pub(crate) struct Operation<'r> {
    pub(crate) resource: Resource,
    /// `update_mask` and one of `create`, `update`, `remove`.
    pub(crate) input: &'r Value,
    pub(crate) path: Vec<PathElement>,
}

impl Operation<'_> {
    /// The message of the operation's resource.
    pub(crate) fn message(&self) -> &'static Message {
        message(self.resource)
    }
}

/// The message of a resource.
pub(crate) fn message(resource: Resource) -> &'static Message {
    match resource {
        Resource::Budget => &BUDGET,
        Resource::Campaign => &CAMPAIGN,
    }
}

/// Parses a request body.
pub(crate) fn parse(service: Service, body: &str) -> Result<Value, Failure> {
    proto::parse(body, service.message())
}

/// The operations of a parsed body. An empty operation is an error.
pub(crate) fn operations(service: Service, body: &Value) -> Vec<Result<Operation<'_>, AdsError>> {
    let list = body.get(service.operations_field()).and_then(Value::as_array);
    let list = list.map(Vec::as_slice).unwrap_or_default();
    list.iter().enumerate().map(|(index, item)| operation(service, index, item)).collect()
}

fn operation(service: Service, index: usize, item: &Value) -> Result<Operation<'_>, AdsError> {
    let mut path = vec![PathElement { name: service.operations_field().to_owned(), index: Some(index) }];
    let resource = match service {
        Service::Campaigns => Some(Resource::Campaign),
        Service::Budgets => Some(Resource::Budget),
        Service::GoogleAds => {
            [Resource::Campaign, Resource::Budget].into_iter().find(|one| item.get(one.operation()).is_some())
        }
    };
    let input = match (service, resource) {
        (Service::GoogleAds, Some(resource)) => {
            path.push(PathElement::field(resource.operation()));
            item.get(resource.operation())
        }
        _ => Some(item),
    };
    let has_action = |input: &&Value| ["create", "update", "remove"].iter().any(|name| input.get(name).is_some());
    match (resource, input.filter(has_action)) {
        (Some(resource), Some(input)) => Ok(Operation { resource, input, path }),
        _ => {
            let why = "A mutate operation has to have create, update or remove.";
            Err(AdsError::new(("requestError", "OPERATION_REQUIRED"), why).under(&path))
        }
    }
}
