//! The first floor: text, money, tables, charts and fields of forms. It knows no request.

pub(crate) mod addresses;
pub(crate) mod amount;
pub(crate) mod assets;
pub(crate) mod campaign;
pub(crate) mod campaign_forms;
pub(crate) mod changes;
pub(crate) mod chart;
pub(crate) mod choice;
pub(crate) mod connections;
pub(crate) mod csv;
pub(crate) mod exact_request;
pub(crate) mod form_errors;
pub(crate) mod form_fields;
pub(crate) mod key_stop;
pub(crate) mod limit;
pub(crate) mod list_filter;
pub(crate) mod moment;
pub(crate) mod money;
pub(crate) mod month;
pub(crate) mod order;
pub(crate) mod people;
pub(crate) mod plans;
pub(crate) mod requester_choices;
pub(crate) mod text;
pub(crate) mod webhook_endpoint;
pub(crate) mod words;
