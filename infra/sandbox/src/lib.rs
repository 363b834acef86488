//! A sandbox of the outside world on 127.0.0.1: six ad platforms, a payment provider and an OpenID Connect issuer, with
//! their consent, checkout and sign-in pages. It follows their published documentation, and refuses what they refuse.
//!
//! An ad platform's address keeps its real path under `/{platform}`:
//! `https://googleads.googleapis.com/v26/customers:listAccessibleCustomers` is
//! `/alpha_ads/v26/customers:listAccessibleCustomers`. The payment provider is at `/stripe`, the issuer at `/oidc`.
//! Tests and people control the sandbox at `/_sandbox/`.
//!
//! [`start`] serves it over HTTP and refuses control requests of web pages. [`InProcess`] is the same sandbox without a
//! socket, for tests with their own clock.
//!
//! The sandbox shares no code with the adapters that it tests, so a misread specification cannot hide on both sides.
//!
//! Modules depend on each other in one direction: `http`, `html`, `faults` and the other leaves; `service` and
//! `platform`, the traits; one folder per service; `registry`, all services; `state`, everything behind one lock;
//! `control`, `index`, `in_process`; `guard`, `server`. A new platform is one folder and its rows in `registry`.

mod account;
mod ads;
mod alpha;
mod beta;
mod control;
mod delivery;
mod delta;
mod disk;
mod epsilon;
mod error;
mod faults;
mod fields;
mod gamma;
mod guard;
mod html;
mod http;
mod in_process;
mod index;
mod money;
mod oauth;
mod oidc;
mod platform;
mod quirks;
mod registry;
mod request_log;
mod server;
mod service;
#[cfg(test)]
mod session;
mod state;
mod stripe;
mod webhook_worker;
mod zeta;

pub use disk::{LastWrite, file_error, no_room};
pub use error::StartError;
pub use in_process::InProcess;
pub use oauth::OAuthClient;
pub use oidc::{CLIENT as OIDC_CLIENT, DEFAULT_EMAIL as OIDC_EMAIL, subject as oidc_subject};
pub use registry::{PLATFORMS, client};
pub use server::{Options, Running, start};
pub use state::STATE_FILE;
pub use stripe::KEY as STRIPE_KEY;
