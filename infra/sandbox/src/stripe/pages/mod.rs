//! Stripe's hosted pages, and the section on the sandbox's index page.

pub(crate) mod checkout;
pub(crate) mod overview;
pub(crate) mod portal;
