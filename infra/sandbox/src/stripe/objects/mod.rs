//! The objects of Stripe's API: their state, and their JSON.

pub(crate) mod checkout_session;
pub(crate) mod customer;
pub(crate) mod invoice;
pub(crate) mod plan;
pub(crate) mod portal_session;
pub(crate) mod subscription;
