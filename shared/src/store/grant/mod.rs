//! The grants of a customer.
//!
//! - A **grant** has the sealed tokens of one OAuth consent, and the number of connections that use it. A **lease** lets
//!   one process at a time refresh it, and the lease's **fencing token** rejects late writes of earlier holders.
//! - **Remaining checks** name the grant at which maintenance continues a sync that had no time for all grants.

mod counts;
mod item;
mod leases;
mod remaining_checks;
mod schedule;

pub(super) use item::{grant_item, parse_grant};
pub use leases::{Lease, LeaseAttempt};
