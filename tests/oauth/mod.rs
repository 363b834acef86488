//! OAuth: the callback, token refresh, sync, maintenance, and the key ring that seals tokens.

pub(crate) mod callback;
mod key_ring;
mod maintenance;
mod sync;
