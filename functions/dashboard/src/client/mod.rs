//! Calls of the API for a page, the session, and cached readings.

pub(crate) mod accounts;
pub(crate) mod all_pages;
pub(crate) mod api;
pub(crate) mod approvals;
pub(crate) mod billing;
pub(crate) mod campaigns;
pub(crate) mod changes;
pub(crate) mod connect_request;
pub(crate) mod connections;
pub(crate) mod cookie_values;
pub(crate) mod key_stops;
pub(crate) mod keys;
pub(crate) mod limit_form;
pub(crate) mod new_key;
pub(crate) mod notice;
pub(crate) mod one_time_secret;
pub(crate) mod paused_all;
pub(crate) mod people;
pub(crate) mod preview_form;
pub(crate) mod readings;
pub(crate) mod redirect_uris;
pub(crate) mod replay;
pub(crate) mod session;
pub(crate) mod usage;
pub(crate) mod users;
pub(crate) mod webhooks;
