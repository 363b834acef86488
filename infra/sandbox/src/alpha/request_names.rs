//! Resolves the resource names of one request, temporary ones included.
//!
//! Google Ads API: Best practices, Temporary resource names.

use super::error::AdsError;
use super::input::text;
use super::resource_name::{Resource, not_found};
use serde_json::Value;
use std::collections::BTreeMap;

/// The resource names of one request.
pub(crate) struct ResourceNames {
    customer: i64,
    /// Temporary ids and the resources behind them; `None` for a failed create.
    temporary: BTreeMap<i64, Option<(Resource, i64)>>,
}

impl ResourceNames {
    pub(crate) fn new(customer: i64) -> Self {
        Self { customer, temporary: BTreeMap::new() }
    }

    /// The temporary (negative) id of a new resource, unique in the request across resources.
    pub(crate) fn temporary_id(&self, resource: Resource, new: &Value) -> Result<Option<i64>, AdsError> {
        let field = "resource_name";
        let Some(name) = text(new, field).filter(|name| !name.is_empty()) else { return Ok(None) };
        let id = resource.id(name, self.customer).map_err(|error| error.at(field))?;
        let error = |value, why: &str| {
            Err(AdsError::new(("newResourceCreationError", value), why).at(field).with_trigger(name))
        };
        if id > 0 {
            return error("CANNOT_SET_ID_FOR_CREATE", "The id of a new resource cannot be set.");
        }
        if self.temporary.contains_key(&id) {
            return error("DUPLICATE_TEMP_IDS", "A temporary id names one resource of a request.");
        }
        Ok(Some(id))
    }

    /// Binds a temporary id to the created resource, or to nothing after a failed create.
    pub(crate) fn define(&mut self, temporary: i64, resource: Resource, id: Option<i64>) {
        self.temporary.insert(temporary, id.map(|id| (resource, id)));
    }

    /// The real id of a resource name. A temporary id has to be defined before its use.
    pub(crate) fn resolve(&self, resource: Resource, name: &str) -> Result<i64, AdsError> {
        let id = resource.id(name, self.customer)?;
        if id > 0 {
            return Ok(id);
        }
        match self.temporary.get(&id) {
            Some(Some((kind, real))) if *kind == resource => Ok(*real),
            Some(None) => {
                let code = ("newResourceCreationError", "TEMP_ID_RESOURCE_HAD_ERRORS");
                let why = "The resource behind the temporary id could not be made.";
                Err(AdsError::new(code, why).with_trigger(name))
            }
            _ => Err(not_found(name)),
        }
    }
}
