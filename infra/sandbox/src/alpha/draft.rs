//! An account as it would be after the operations of a request, one by one.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::accounts::Account;
use super::budget::{self, Budget};
use super::campaign::{self, Campaign, Status};
use super::error::{AdsError, Step};
use super::given::{Target, target, text};
use super::mutate::{Asked, Done, Operation, mask};
use super::names::{Resource, not_found};
use super::proto::Message;
use super::schema;

/// The last ids that were given away. Real ones do not fit into 32 bits, nor do these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ids {
    campaign: i64,
    budget: i64,
}

impl Default for Ids {
    fn default() -> Self {
        Self { campaign: 21_000_000_000, budget: 15_000_000_000 }
    }
}

/// The account so far, and what the request has named on the way.
pub(crate) struct Draft {
    pub(crate) account: Account,
    pub(crate) ids: Ids,
    at: Timestamp,
    /// The same by the account's clock.
    now: DateTime,
    /// Whether a campaign buys the networks that it does not name.
    buys_networks: bool,
    /// Temporary ids: what was made under them, or `None` when that failed.
    temporary: BTreeMap<i64, Option<(Resource, i64)>>,
    changed: BTreeSet<(Resource, i64)>,
}

type Applied = Result<Done, Vec<AdsError>>;

impl Draft {
    pub(crate) fn new(account: Account, ids: Ids, asked: &Asked<'_>) -> Self {
        let Asked { at, now, buys_networks, .. } = *asked;
        Self { account, ids, at, now, buys_networks, temporary: BTreeMap::new(), changed: BTreeSet::new() }
    }

    /// Applies one operation; its errors carry their way from the operation on.
    pub(crate) fn apply(&mut self, operation: &Operation<'_>) -> Applied {
        let given = operation.given;
        let resource = operation.resource;
        let (action, outcome) = if let Some(new) = given.get("create") {
            ("create", self.create(resource, new, given))
        } else if let Some(changes) = given.get("update") {
            ("update", self.update(resource, changes, given))
        } else {
            ("remove", self.remove(resource, text(given, "remove").unwrap_or_default()))
        };
        outcome.map_err(|errors| errors.into_iter().map(|error| place(error, action)).collect())
    }

    fn create(&mut self, resource: Resource, new: &Value, given: &Value) -> Applied {
        if given.get("update_mask").is_some() {
            let why = "The field mask has to be empty for create.";
            return Err(vec![of_mask("FIELD_MASK_NOT_ALLOWED", why)]);
        }
        let temporary = self.temporary_id(resource, new).map_err(|error| vec![error])?;
        let made = match resource {
            Resource::Budget => self.create_budget(new),
            Resource::Campaign => self.create_campaign(new),
        };
        if let Some(temporary) = temporary {
            self.temporary.insert(temporary, made.as_ref().ok().map(|id| (resource, *id)));
        }
        made.map(|id| Done { resource, id, removed: false })
    }

    /// The negative id that a new resource is named by, unique in the request whatever its kind.
    fn temporary_id(&self, resource: Resource, new: &Value) -> Result<Option<i64>, AdsError> {
        let field = "resource_name";
        let Some(name) = text(new, field).filter(|name| !name.is_empty()) else { return Ok(None) };
        let id = resource.id(name, self.account.id).map_err(|error| error.at(field))?;
        let error = |value, why: &str| Err(AdsError::new(("newResourceCreationError", value), why).at(field).on(name));
        if id > 0 {
            return error("CANNOT_SET_ID_FOR_CREATE", "The id of a new resource cannot be set.");
        }
        if self.temporary.contains_key(&id) {
            return error("DUPLICATE_TEMP_IDS", "A temporary id names one resource of a request.");
        }
        Ok(Some(id))
    }

    fn create_budget(&mut self, new: &Value) -> Result<i64, Vec<AdsError>> {
        let budget = budget::create(&self.account, new)?;
        self.ids.budget += 1;
        let id = self.ids.budget;
        self.account.budgets.insert(id, Budget { id, ..budget });
        Ok(id)
    }

    fn create_campaign(&mut self, new: &Value) -> Result<i64, Vec<AdsError>> {
        let budget = self.budget_of(new);
        let failed = |error: &AdsError| error.code.1 == "TEMP_ID_RESOURCE_HAD_ERRORS";
        if let Err(error) = &budget
            && failed(error)
        {
            return Err(vec![error.clone()]);
        }
        let campaign = campaign::create::create(&self.account, new, budget, self.now, self.buys_networks)?;
        self.ids.campaign += 1;
        let id = self.ids.campaign;
        self.name_budget(&campaign);
        self.account.campaigns.insert(id, Campaign { id, created: self.at, ..campaign });
        Ok(id)
    }

    fn budget_of(&self, given: &Value) -> Result<&Budget, AdsError> {
        let field = "campaign_budget";
        let name = text(given, field).filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| AdsError::required(field))?;
        let id = self.resolve(Resource::Budget, name).map_err(|error| error.at(field))?;
        self.account.budgets.get(&id).ok_or_else(|| not_found(name).at(field))
    }

    /// A budget that is not shared is called like its campaign.
    fn name_budget(&mut self, campaign: &Campaign) {
        let budget = self.account.budgets.get_mut(&campaign.budget);
        if let Some(budget) = budget.filter(|budget| !budget.shared) {
            budget.name = Some(campaign.name.clone());
        }
    }

    fn update(&mut self, resource: Resource, changes: &Value, given: &Value) -> Applied {
        let name = text(changes, "resource_name").unwrap_or_default();
        if name.is_empty() {
            let code = ("requestError", "RESOURCE_NAME_MISSING");
            return Err(vec![AdsError::new(code, "Resource name is missing.").at("resource_name")]);
        }
        let mask = mask(given);
        if mask.is_empty() {
            let why = "The field mask must be provided for update operations.";
            return Err(vec![of_mask("FIELD_MASK_MISSING", why)]);
        }
        let message = if resource == Resource::Budget { &schema::BUDGET } else { &schema::CAMPAIGN };
        check_mask(message, &mask)?;
        let id = self.existing(resource, name).map_err(|error| vec![error])?;
        match resource {
            Resource::Budget => self.update_budget(id, changes, &mask)?,
            Resource::Campaign => self.update_campaign(id, changes, &mask)?,
        }
        Ok(Done { resource, id, removed: false })
    }

    fn update_budget(&mut self, id: i64, changes: &Value, mask: &[&str]) -> Result<(), Vec<AdsError>> {
        if let Some(old) = self.account.budgets.get(&id) {
            let new = budget::update(&self.account, old, changes, mask)?;
            self.account.budgets.insert(id, new);
        }
        Ok(())
    }

    fn update_campaign(&mut self, id: i64, changes: &Value, mask: &[&str]) -> Result<(), Vec<AdsError>> {
        let Some(old) = self.account.campaigns.get(&id) else { return Ok(()) };
        let budget = if mask.contains(&"campaign_budget") {
            self.budget_of(changes).map_err(|error| vec![error])?
        } else {
            let own = self.account.budgets.get(&old.budget);
            own.ok_or_else(|| vec![not_found("campaign_budget")])?
        };
        let new = campaign::update::update(&self.account, old, changes, mask, budget, self.now)?;
        self.name_budget(&new);
        self.account.campaigns.insert(id, new);
        Ok(())
    }

    fn remove(&mut self, resource: Resource, name: &str) -> Applied {
        let id = self.existing(resource, name).map_err(|error| vec![error])?;
        match resource {
            Resource::Campaign => self.remove_campaign(id),
            Resource::Budget => self.remove_budget(id)?,
        }
        Ok(Done { resource, id, removed: true })
    }

    /// A budget that is not shared goes with its campaign; a shared one stays.
    fn remove_campaign(&mut self, id: i64) {
        let Some(campaign) = self.account.campaigns.get_mut(&id) else { return };
        campaign.status = Status::Removed;
        let budget = self.account.budgets.get_mut(&campaign.budget);
        if let Some(budget) = budget.filter(|budget| !budget.shared) {
            budget.removed = true;
        }
    }

    fn remove_budget(&mut self, id: i64) -> Result<(), Vec<AdsError>> {
        if budget::users(&self.account, id) > 0 {
            let code = ("campaignBudgetError", "CAMPAIGN_BUDGET_IN_USE");
            return Err(vec![AdsError::new(code, "A campaign uses the budget.")]);
        }
        if let Some(budget) = self.account.budgets.get_mut(&id) {
            budget.removed = true;
        }
        Ok(())
    }

    /// The id of a resource that is there, is not removed, and was not changed in this request.
    fn existing(&mut self, resource: Resource, name: &str) -> Result<i64, AdsError> {
        let id = self.resolve(resource, name)?;
        let removed = match resource {
            Resource::Campaign => self.account.campaigns.get(&id).map(Campaign::is_removed),
            Resource::Budget => self.account.budgets.get(&id).map(|budget| budget.removed),
        };
        if removed.ok_or_else(|| not_found(name))? {
            let code = ("contextError", "OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE");
            return Err(AdsError::new(code, "The resource is removed.").on(name));
        }
        if !self.changed.insert((resource, id)) {
            let code = ("mutateError", "ID_EXISTS_IN_MULTIPLE_MUTATES");
            let why = "The same resource cannot be changed twice in one request.";
            return Err(AdsError::new(code, why).on(name));
        }
        Ok(id)
    }

    /// The real id behind a name; a temporary one has to be defined before it is used.
    fn resolve(&self, resource: Resource, name: &str) -> Result<i64, AdsError> {
        let id = resource.id(name, self.account.id)?;
        if id > 0 {
            return Ok(id);
        }
        match self.temporary.get(&id) {
            Some(Some((kind, real))) if *kind == resource => Ok(*real),
            Some(None) => {
                let code = ("newResourceCreationError", "TEMP_ID_RESOURCE_HAD_ERRORS");
                let why = "The resource behind the temporary id could not be made.";
                Err(AdsError::new(code, why).on(name))
            }
            _ => Err(not_found(name)),
        }
    }
}

const MASK: &str = "update_mask";

fn of_mask(value: &'static str, why: &str) -> AdsError {
    AdsError::new(("fieldMaskError", value), why).at(MASK)
}

/// Errors about the mask lie beside the action, all others inside it.
fn place(error: AdsError, action: &str) -> AdsError {
    if error.place() == MASK {
        return error;
    }
    error.under(&[Step { name: action.to_owned(), index: None }])
}

fn check_mask(message: &'static Message, mask: &[&str]) -> Result<(), Vec<AdsError>> {
    let wrong = mask.iter().filter_map(|path| match target(message, path) {
        Target::Wrong(error) if error.code.0 == "fieldMaskError" => Some(error.at(MASK)),
        Target::Wrong(error) => Some(error),
        _ => None,
    });
    let wrong: Vec<AdsError> = wrong.collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}
