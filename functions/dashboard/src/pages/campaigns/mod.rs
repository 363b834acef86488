//! Campaigns: the merged list, one campaign, and forms that create, change and delete campaigns.

mod active;
mod bulk;
mod change;
mod change_form;
mod change_preview;
mod create;
mod create_form;
mod dry_run;
mod export;
mod filter;
mod list;
mod many;
mod one;
mod outcome;
mod pause_all;
mod preview;
mod saved;
mod sent;
mod undo;
mod wire;

pub(crate) use bulk::show as show_bulk;
pub(crate) use change::{change, delete};
pub(crate) use change_preview::{preview_change, show_change_preview};
pub(crate) use create::{create, moment};
pub(crate) use export::download;
pub(crate) use list::show;
pub(crate) use many::{apply as apply_many, confirm as confirm_many};
pub(crate) use one::show as show_one;
pub(crate) use pause_all::{confirm as confirm_pause_all, pause_all};
pub(crate) use preview::{preview, show_preview};
pub(crate) use undo::undo;
pub(crate) use wire::Campaign;
