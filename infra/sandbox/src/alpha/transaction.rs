//! Applies operations, one by one, to a copy of an account.

use super::account::Account;
use super::budget::{self, Budget};
use super::campaign::{self, Campaign, Status};
use super::error::{AdsError, PathElement};
use super::field_mask::{self, UPDATE_MASK, mask_error};
use super::input::{text, update_mask};
use super::operation::{Operation, message};
use super::request_names::ResourceNames;
use super::resource_name::{Resource, not_found};
use super::state::LastIds;
use jiff::Timestamp;
use jiff::civil::DateTime;
use serde_json::Value;
use std::collections::BTreeSet;

/// The copy, and the resources that the request has named so far.
pub(crate) struct Transaction {
    pub(crate) account: Account,
    pub(crate) ids: LastIds,
    time: Timestamp,
    /// `time` in the account's time zone.
    local_time: DateTime,
    /// Whether campaigns target the networks that they omit.
    fills_networks: bool,
    names: ResourceNames,
    changed: BTreeSet<(Resource, i64)>,
}

/// The resource that an operation created, updated or removed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MutatedResource {
    pub(crate) resource: Resource,
    pub(crate) id: i64,
    pub(crate) removed: bool,
}

type OperationResult = Result<MutatedResource, Vec<AdsError>>;

impl Transaction {
    pub(crate) fn new(
        account: Account,
        ids: LastIds,
        time: Timestamp,
        local_time: DateTime,
        fills_networks: bool,
    ) -> Self {
        let names = ResourceNames::new(account.id);
        Self { account, ids, time, local_time, fills_networks, names, changed: BTreeSet::new() }
    }

    /// Applies one operation. The paths of its errors are relative to the operation.
    pub(crate) fn apply(&mut self, operation: &Operation<'_>) -> OperationResult {
        let Operation { resource, input, .. } = *operation;
        let (action, result) = if let Some(new) = input.get("create") {
            ("create", self.create(resource, new, input))
        } else if let Some(changes) = input.get("update") {
            ("update", self.update(resource, changes, input))
        } else {
            ("remove", self.remove(resource, text(input, "remove").unwrap_or_default()))
        };
        result.map_err(|errors| errors.into_iter().map(|error| under_action(error, action)).collect())
    }

    fn create(&mut self, resource: Resource, new: &Value, operation: &Value) -> OperationResult {
        if operation.get("update_mask").is_some() {
            let why = "The field mask has to be empty for create.";
            return Err(vec![mask_error("FIELD_MASK_NOT_ALLOWED", why)]);
        }
        let temporary = self.names.temporary_id(resource, new).map_err(|error| vec![error])?;
        let created = match resource {
            Resource::Budget => self.create_budget(new),
            Resource::Campaign => self.create_campaign(new),
        };
        if let Some(temporary) = temporary {
            self.names.define(temporary, resource, created.as_ref().ok().copied());
        }
        created.map(|id| MutatedResource { resource, id, removed: false })
    }

    fn create_budget(&mut self, new: &Value) -> Result<i64, Vec<AdsError>> {
        let budget = budget::create::create(&self.account, new)?;
        self.ids.budget += 1;
        let id = self.ids.budget;
        self.account.budgets.insert(id, Budget { id, ..budget });
        Ok(id)
    }

    fn create_campaign(&mut self, new: &Value) -> Result<i64, Vec<AdsError>> {
        let budget = self.budget_of(new);
        let has_failed = |error: &AdsError| error.code.1 == "TEMP_ID_RESOURCE_HAD_ERRORS";
        if let Err(error) = &budget
            && has_failed(error)
        {
            return Err(vec![error.clone()]);
        }
        let campaign = campaign::create::create(&self.account, new, budget, self.local_time, self.fills_networks)?;
        self.ids.campaign += 1;
        let id = self.ids.campaign;
        self.rename_budget(&campaign);
        self.account.campaigns.insert(id, Campaign { id, created: self.time, ..campaign });
        Ok(id)
    }

    /// The budget that a campaign's input names.
    fn budget_of(&self, input: &Value) -> Result<&Budget, AdsError> {
        let field = "campaign_budget";
        let name = text(input, field).filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| AdsError::required(field))?;
        let id = self.names.resolve(Resource::Budget, name).map_err(|error| error.at(field))?;
        self.account.budgets.get(&id).ok_or_else(|| not_found(name).at(field))
    }

    /// Gives a budget that is not shared the name of its campaign.
    fn rename_budget(&mut self, campaign: &Campaign) {
        let budget = self.account.budgets.get_mut(&campaign.budget);
        if let Some(budget) = budget.filter(|budget| !budget.shared) {
            budget.name = Some(campaign.name.clone());
        }
    }

    fn update(&mut self, resource: Resource, changes: &Value, operation: &Value) -> OperationResult {
        let name = text(changes, "resource_name").unwrap_or_default();
        if name.is_empty() {
            let code = ("requestError", "RESOURCE_NAME_MISSING");
            return Err(vec![AdsError::new(code, "Resource name is missing.").at("resource_name")]);
        }
        let mask = update_mask(operation);
        if mask.is_empty() {
            let why = "The field mask must be provided for update operations.";
            return Err(vec![mask_error("FIELD_MASK_MISSING", why)]);
        }
        field_mask::check(message(resource), &mask)?;
        let id = self.mutable_id(resource, name).map_err(|error| vec![error])?;
        match resource {
            Resource::Budget => self.update_budget(id, changes, &mask)?,
            Resource::Campaign => self.update_campaign(id, changes, &mask)?,
        }
        Ok(MutatedResource { resource, id, removed: false })
    }

    fn update_budget(&mut self, id: i64, changes: &Value, mask: &[&str]) -> Result<(), Vec<AdsError>> {
        if let Some(old) = self.account.budgets.get(&id) {
            let new = budget::update::update(&self.account, old, changes, mask)?;
            self.account.budgets.insert(id, new);
        }
        Ok(())
    }

    fn update_campaign(&mut self, id: i64, changes: &Value, mask: &[&str]) -> Result<(), Vec<AdsError>> {
        let Some(old) = self.account.campaigns.get(&id) else { return Ok(()) };
        let budget = if mask.contains(&"campaign_budget") {
            self.budget_of(changes).map_err(|error| vec![error])?
        } else {
            let current = self.account.budgets.get(&old.budget);
            current.ok_or_else(|| vec![not_found("campaign_budget")])?
        };
        let new = campaign::update::update(&self.account, old, changes, mask, budget, self.local_time)?;
        self.rename_budget(&new);
        self.account.campaigns.insert(id, new);
        Ok(())
    }

    fn remove(&mut self, resource: Resource, name: &str) -> OperationResult {
        let id = self.mutable_id(resource, name).map_err(|error| vec![error])?;
        match resource {
            Resource::Campaign => self.remove_campaign(id),
            Resource::Budget => self.remove_budget(id)?,
        }
        Ok(MutatedResource { resource, id, removed: true })
    }

    /// Removes a campaign together with a budget that is not shared.
    fn remove_campaign(&mut self, id: i64) {
        let Some(campaign) = self.account.campaigns.get_mut(&id) else { return };
        campaign.status = Status::Removed;
        let budget = self.account.budgets.get_mut(&campaign.budget);
        if let Some(budget) = budget.filter(|budget| !budget.shared) {
            budget.removed = true;
        }
    }

    fn remove_budget(&mut self, id: i64) -> Result<(), Vec<AdsError>> {
        if self.account.campaigns_of_budget(id) > 0 {
            let code = ("campaignBudgetError", "CAMPAIGN_BUDGET_IN_USE");
            return Err(vec![AdsError::new(code, "A campaign uses the budget.")]);
        }
        if let Some(budget) = self.account.budgets.get_mut(&id) {
            budget.removed = true;
        }
        Ok(())
    }

    /// The id of a resource that exists, is not removed, and is not changed earlier in this request.
    fn mutable_id(&mut self, resource: Resource, name: &str) -> Result<i64, AdsError> {
        let id = self.names.resolve(resource, name)?;
        let removed = match resource {
            Resource::Campaign => self.account.campaigns.get(&id).map(Campaign::is_removed),
            Resource::Budget => self.account.budgets.get(&id).map(|budget| budget.removed),
        };
        if removed.ok_or_else(|| not_found(name))? {
            let code = ("contextError", "OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE");
            return Err(AdsError::new(code, "The resource is removed.").with_trigger(name));
        }
        if !self.changed.insert((resource, id)) {
            let code = ("mutateError", "ID_EXISTS_IN_MULTIPLE_MUTATES");
            let why = "The same resource cannot be changed twice in one request.";
            return Err(AdsError::new(code, why).with_trigger(name));
        }
        Ok(id)
    }
}

/// Locates an error inside its action. Mask errors stay beside the action.
fn under_action(error: AdsError, action: &str) -> AdsError {
    if error.path() == UPDATE_MASK { error } else { error.under(&[PathElement::field(action)]) }
}
