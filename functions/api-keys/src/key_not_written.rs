//! Why a key is not written: an earlier request of the same form has written it, or it is refused.

use shared::domain::{ApiKeyInfo, Reason};
use shared::error::{Error, Kind};

/// Why a change of the keys ends before it writes anything.
pub(crate) enum KeyNotWritten {
    /// An earlier request of the same form has made this key.
    AlreadyMade(Box<ApiKeyInfo>),
    Refused(Error),
}

impl From<Error> for KeyNotWritten {
    fn from(error: Error) -> KeyNotWritten {
        KeyNotWritten::Refused(error)
    }
}

/// The error for a form whose key somebody else has replaced since its page was shown.
pub(crate) fn replaced_meanwhile() -> Error {
    let message = "This key was replaced meanwhile, and its new secret was shown there only. If nobody has it, replace \
                   the key again.";
    Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile)
}
