//! The pages of a person who is signed in, and the forms on them.

pub(crate) mod activity;
pub(crate) mod agents;
pub(crate) mod approvals;
pub(crate) mod billing;
pub(crate) mod campaigns;
pub(crate) mod connections;
pub(crate) mod home;
pub(crate) mod insights;
pub(crate) mod keys;
pub(crate) mod settings;
pub(crate) mod usage;
pub(crate) mod webhooks;
