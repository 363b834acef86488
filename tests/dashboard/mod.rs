//! The dashboard in one process: sign-in, sessions, and what other sites and other people must not be able to do.

mod actions;
mod activity;
mod agents;
mod agents_list;
mod approvals;
mod browser;
mod create;
mod csrf;
mod double_clicks;
mod invitations;
mod kept_forms;
mod keys_stop;
mod late;
mod later;
mod pages;
mod people;
mod sessions;
mod sign_in;
mod webhooks;
