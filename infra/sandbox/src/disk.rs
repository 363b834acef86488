//! A disk that takes no more data.

use std::io::{Error, ErrorKind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Why a disk takes no more data; `None` for an error of another kind.
#[must_use]
pub fn no_room(error: &Error) -> Option<&'static str> {
    match error.kind() {
        ErrorKind::StorageFull => Some("the disk is full"),
        ErrorKind::QuotaExceeded => Some("the disk takes no more data, because the quota is used up"),
        ErrorKind::FileTooLarge => Some("the disk takes no more data, because a limit of the size of files is reached"),
        _ => None,
    }
}

/// The error of a file, and the remedy for a disk without room.
#[must_use]
pub fn file_error(path: &Path, error: &Error) -> String {
    let path = path.display();
    match no_room(error) {
        Some(reason) => format!("cannot write {path}: {reason} ({error}). Free some space, then try again"),
        None => format!("cannot use {path}: {error}"),
    }
}

/// The outcome of the last write: clones share it.
#[derive(Clone, Debug, Default)]
pub struct LastWrite(Arc<Mutex<Option<String>>>);

impl LastWrite {
    /// Why the last write failed; `None` after a successful one.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records a write. Returns whether it is the first failure after a success.
    pub fn record(&self, failure: Option<String>) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = failure.is_some() && last.is_none();
        *last = failure;
        is_first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_a_full_disk_says_so_and_what_to_do() {
        let path = Path::new("/data/sandbox.json");
        for (kind, says) in [
            (ErrorKind::StorageFull, "the disk is full"),
            (ErrorKind::QuotaExceeded, "quota"),
            (ErrorKind::FileTooLarge, "limit of the size"),
        ] {
            let text = file_error(path, &Error::from(kind));
            assert!(text.contains(says) && text.contains("Free some space") && text.contains("/data/sandbox.json"));
        }
        assert!(!file_error(path, &Error::from(ErrorKind::PermissionDenied)).contains("disk"));
    }

    #[test]
    fn only_the_first_failure_after_a_success_is_new() {
        let last = LastWrite::default();
        let failure = || Some("full".to_owned());
        assert_eq!([last.record(failure()), last.record(failure())], [true, false]);
        assert_eq!(last.clone().failure(), failure());
        assert!(!last.record(None) && last.failure().is_none() && last.record(failure()));
    }
}
