//! The disk below the engine: an error of a write that it did not take names it.

use super::operations::{self, EngineResponse};
use dynoxide::{Database, DynoxideError};
use sandbox::LastWrite;
use std::path::{Path, PathBuf};

/// SQLite's texts for writes that the disk did not take. The engine keeps only the text of an error.
const DISK_ERRORS: [(&str, &str); 2] =
    [("database or disk is full", "the disk is full"), ("disk I/O error", "the disk takes no more data, or fails")];

/// The disk of a data folder, or without one the memory.
pub(super) struct Disk {
    pub(super) folder: Option<PathBuf>,
    pub(super) last_write: LastWrite,
}

impl Disk {
    /// The response to an operation. That to a write which the disk did not take names the disk.
    pub(super) fn respond(&self, database: &Database, operation: &str, request: &[u8]) -> EngineResponse {
        match operations::call(database, operation, request) {
            Ok(response) => {
                if is_write(operation) {
                    self.last_write.record(None);
                }
                (200, response)
            }
            Err(error) => operations::failed(&self.named(error)),
        }
    }

    /// The error with the disk's name, if the disk is its cause. The first one is logged.
    fn named(&self, error: DynoxideError) -> DynoxideError {
        let Some(text) = self.folder.as_ref().and_then(|folder| disk_failure(&error, folder)) else { return error };
        if self.last_write.record(Some(text.clone())) {
            tracing::error!(error = text, "the store cannot write");
        }
        DynoxideError::InternalServerError(text)
    }
}

/// The failure of a folder's disk, and the remedy; `None` for an error of another kind.
pub(super) fn disk_failure(error: &DynoxideError, folder: &Path) -> Option<String> {
    let text = error.to_string();
    let (cause, reason) = DISK_ERRORS.iter().find(|(cause, _)| text.contains(cause))?;
    Some(format!("{reason} ({cause}). Free some space on the disk of {}, then try again", folder.display()))
}

fn is_write(operation: &str) -> bool {
    ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"].contains(&operation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynoxide::BackendError;

    /// SQLite's error when a database may not grow.
    fn full() -> rusqlite::Error {
        let database = rusqlite::Connection::open_in_memory().unwrap();
        database.execute_batch("CREATE TABLE t (x BLOB); PRAGMA max_page_count = 2").unwrap();
        database.execute("INSERT INTO t VALUES (zeroblob(100000))", []).unwrap_err()
    }

    #[test]
    fn a_full_disk_is_named_in_both_forms_of_the_engines_errors() {
        let backend = BackendError::Other(full().to_string());
        for error in [DynoxideError::from(full()), DynoxideError::from(backend)] {
            let text = disk_failure(&error, Path::new("/data")).unwrap();
            assert!(text.starts_with("the disk is full") && text.contains("/data"), "{text}");
        }
        let failed = DynoxideError::ValidationException("disk".to_owned());
        assert_eq!(disk_failure(&failed, Path::new("/data")), None);
    }

    #[test]
    fn a_write_that_succeeds_ends_the_failure() {
        let database = Database::memory().unwrap();
        crate::engine::create_table(&database).unwrap();
        let disk = Disk { folder: Some("/data".into()), last_write: LastWrite::default() };
        disk.named(full().into());
        assert!(disk.last_write.failure().is_some());
        let table = crate::engine::TABLE;
        let read = format!(r#"{{"TableName":"{table}"}}"#);
        assert_eq!(disk.respond(&database, "Scan", read.as_bytes()).0, 200);
        assert!(disk.last_write.failure().is_some(), "a full disk can be read");
        let put = format!(r#"{{"TableName":"{table}","Item":{{"pk":{{"S":"p"}},"sk":{{"S":"s"}}}}}}"#);
        assert_eq!(disk.respond(&database, "PutItem", put.as_bytes()).0, 200);
        assert_eq!(disk.last_write.failure(), None);
    }
}
