//! One scenario, run against every platform of the sandbox.

mod quirks;
pub(crate) mod scenario;
