//! Campaigns: the merged list, one campaign, and forms that create, change and delete campaigns.

mod amount;
mod change;
mod create;
mod create_form;
mod filter;
mod list;
mod one;
mod outcome;
mod wire;

pub(crate) use change::{change, delete};
pub(crate) use create::create;
pub(crate) use list::show;
pub(crate) use one::show as show_one;
