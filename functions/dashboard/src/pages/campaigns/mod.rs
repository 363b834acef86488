//! Campaigns: the merged list, one campaign, and forms that create, change and delete campaigns.

mod account_values;
mod active;
mod bulk;
mod change;
mod change_form;
mod change_preview;
mod create;
mod create_accounts;
mod create_checks;
mod create_fields;
mod create_form;
mod create_outcome;
mod dry_run;
mod filter;
mod list;
mod new;
mod one;
mod outcome;
mod pause_all;
mod preview;
mod wire;

pub(crate) use bulk::show as show_bulk;
pub(crate) use change::{change, delete};
pub(crate) use change_preview::{preview_change, show_change_preview};
pub(crate) use create::{create, moment};
pub(crate) use create_form::kept as kept_create;
pub(crate) use list::show;
pub(crate) use new::show as show_new;
pub(crate) use one::show as show_one;
pub(crate) use outcome::show as show_outcome;
pub(crate) use pause_all::{confirm as confirm_pause_all, pause_all};
pub(crate) use preview::{preview, show_preview};
