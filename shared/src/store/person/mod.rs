//! The people who use the dashboard.
//!
//! - A **person** leads from the issuer's name for a person to the customer, and a **person of a customer** is the entry
//!   in the customer's list.
//! - A **sign-in** is one in progress, bound to the browser that began it.
//! - An **invitation** of a person or of the operator lets one person join an existing customer. Its link contains the
//!   customer's id.
//! - A **session** is a browser in which a person has signed in. The cookie contains the customer's id, so a page costs
//!   one read of session and account, and one of the people, whose roles decide on every request.

mod invitations;
mod item;
mod sessions;
mod sign_ins;
mod team;

pub use invitations::{Acceptance, MAX_INVITATIONS, Offer};
pub use sessions::SignedInPerson;
pub use sign_ins::{InvitedTo, SignIn};
