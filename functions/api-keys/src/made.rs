//! The end of a change of keys that its form has made before.

use shared::domain::{ApiKeyInfo, Reason};
use shared::error::{Error, Kind};

/// The reason why a change of keys is not made.
pub(crate) enum Stop {
    /// An earlier request of the same form has made this key.
    Made(ApiKeyInfo),
    Refused(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Refused(error)
    }
}

/// A person replaced a key after the page of another one showed it.
pub(crate) fn replaced_meanwhile() -> Error {
    let message = "This key was replaced meanwhile, and its new secret was shown there only. If nobody has it, replace \
                   the key again.";
    Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile)
}
