//! Campaigns: typed calls of the API, one for each endpoint that pages use.

mod bulk;
mod create;
mod dry_run;
mod edit;
mod paths;
mod read;
mod refused;

pub(crate) use bulk::{Begun, BudgetEdit, Chosen, bulk_status, set_budgets, set_statuses, undo_many};
pub(crate) use create::{CreateOutcome, CreateResult, KeyState, create};
pub(crate) use dry_run::{dry_run_create, dry_run_update};
pub(crate) use edit::{CampaignEdit, EditOutcome, MONTHLY, delete, update};
pub(crate) use paths::path;
pub(crate) use read::{one, page};
pub(crate) use refused::wrong_fields;
