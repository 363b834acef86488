//! Campaigns: the list, a campaign's page, and the forms that create, change and delete campaigns. Each page has its
//! folder; the files beside the folders serve several of them.

mod bulk;
mod bulk_edit;
mod create;
mod dry_runs;
mod filter;
mod form_page;
mod list;
mod one;
mod outcome;
mod pause_all;
mod saved_notice;
mod undo;
mod views;

pub(crate) use bulk::{show as show_bulk, undo_bulk};
pub(crate) use bulk_edit::{apply as apply_bulk_edit, confirm as confirm_bulk_edit};
pub(crate) use create::{create, preview, show as show_new, show_preview};
#[cfg(test)]
pub(crate) use list::tests as list_tests;
pub(crate) use list::{download, show};
pub(crate) use one::{change, delete, preview_change, show as show_one, show_change_preview};
pub(crate) use outcome::show as show_outcome;
pub(crate) use pause_all::{confirm as confirm_pause_all, pause_all};
pub(crate) use undo::{made, undo, undone};
pub(crate) use views::save as save_view;
