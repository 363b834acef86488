//! The pages, one folder each.

pub(crate) mod activity;
pub(crate) mod agents;
pub(crate) mod approvals;
pub(crate) mod approve;
pub(crate) mod billing;
pub(crate) mod campaigns;
pub(crate) mod connect;
pub(crate) mod connections;
pub(crate) mod home;
pub(crate) mod insights;
pub(crate) mod kept_form;
pub(crate) mod keys;
pub(crate) mod layout;
pub(crate) mod months;
pub(crate) mod routes;
pub(crate) mod settings;
pub(crate) mod sign_in;
pub(crate) mod undo_in_activity;
pub(crate) mod usage;
pub(crate) mod users;
pub(crate) mod webhooks;

#[cfg(test)]
mod consistency_tests;
#[cfg(test)]
mod templates_tests;
