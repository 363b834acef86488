//! The endpoints of users: put, read, list, pause, resume, erase, export. A user exists as soon as a connection or a PUT names it (D157).
//! They read and write the table only: maintenance pauses the campaigns of a user.

mod erase;
mod export;
mod list;
mod pause;
mod put;
mod show;

pub(crate) use erase::erase;
pub(crate) use export::export;
pub(crate) use list::list;
pub(crate) use pause::{pause, resume};
pub(crate) use put::put;
pub(crate) use show::get;

use shared::domain::{ExternalRef, Reason};
use shared::error::{Error, Kind};
use shared::serve::Call;

/// The user in the path. A request for a user sees no other one.
fn user_in_path(call: &Call) -> Result<ExternalRef, Error> {
    named(call).filter(|named| call.user().is_none_or(|own| own == named)).ok_or_else(not_found)
}

/// The name in the path. No character of a name needs an escape there, but many clients escape these two.
fn named(call: &Call) -> Option<ExternalRef> {
    let unescaped = call.request.parameter.replace("%40", "@").replace("%3A", ":").replace("%3a", ":");
    ExternalRef::parse(&unescaped)
}

fn not_found() -> Error {
    Error::not_found("user")
}

/// Refuses a key that is bound to the user: it works under the limit and the pause of that user, and changes neither.
fn require_other_key(call: &Call, what: &str) -> Result<(), Error> {
    let is_bound = call.current_key(&call.keys)?.is_some_and(|key| key.external_ref.is_some());
    if !is_bound {
        return Ok(());
    }
    let message = format!("An API key that acts for one user does not {what}. Use another key.");
    Err(Error::new(Kind::Forbidden, message).because(Reason::NotPermitted))
}
