//! The data folder: its lock, and the private files in it.

mod files;

pub(crate) use files::{create_private, make_private, publish, read, remove, write};

use crate::error::StartError;
use files::set_mode;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Longest wait for a folder in use: `gateway admin` holds it for a moment, a stopping gateway a little longer.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// The files that the gateway, the sandbox and SQLite keep in a folder. Others in it are none of ours.
const FILES: [&str; 10] = [
    "container-token",
    "demo-key",
    "dynamodb.sqlite",
    "dynamodb.sqlite-shm",
    "dynamodb.sqlite-wal",
    "engine.json",
    "env.json",
    "lock",
    sandbox::STATE_FILE,
    "secrets.json",
];

/// The mode bit of folders such as `/tmp`, in which all users have files.
const STICKY: u32 = 0o1000;

pub(crate) const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// Exclusive access to a folder. The operating system releases the lock even if the process is killed.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: File,
}

/// Locks a folder, created if absent, for this process.
pub(crate) async fn lock(folder: &Path) -> Result<FolderLock, StartError> {
    let deadline = Instant::now() + LOCK_TIMEOUT;
    loop {
        match try_lock(folder)? {
            Some(lock) => return Ok(lock),
            None if Instant::now() >= deadline => return Err(StartError::InUse { folder: folder.to_owned() }),
            None => sleep(RETRY_INTERVAL).await,
        }
    }
}

/// Locks a folder without waiting; `None` when another process holds the lock.
pub(crate) fn try_lock(folder: &Path) -> Result<Option<FolderLock>, StartError> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|source| unusable(folder, source))?;
    let path = folder.join("lock");
    let file = create_private(&path)?;
    match file.try_lock() {
        Ok(()) => {
            restrict(folder)?;
            Ok(Some(FolderLock { _file: file }))
        }
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(unusable(&path, source)),
    }
}

/// Denies others all access to a folder and to our files in it, whatever their permissions were.
fn restrict(folder: &Path) -> Result<(), StartError> {
    let mode = fs::metadata(folder).map_err(|source| unusable(folder, source))?.permissions().mode();
    if mode & STICKY != 0 {
        let reason = "is a folder for files of all users: choose one of your own with --data".to_owned();
        return Err(StartError::Content { path: folder.to_owned(), reason });
    }
    set_mode(folder, 0o700).map_err(|source| unusable(folder, source))?;
    let existing = FILES.iter().map(|name| folder.join(name)).filter(|path| path.exists());
    existing.into_iter().try_for_each(|path| make_private(&path))
}

fn unusable(path: &Path, source: io::Error) -> StartError {
    StartError::File { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_for_files_of_all_users_is_refused_and_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        set_mode(folder.path(), 0o1777).unwrap();
        let error = try_lock(folder.path()).unwrap_err().to_string();
        assert!(error.contains("--data"), "{error}");
        assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o7777, 0o1777);
    }

    #[test]
    fn files_that_are_not_ours_keep_their_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let modes = || ["notes", "demo-key"].map(|name| fs::metadata(folder.path().join(name)).unwrap().permissions());
        for name in ["notes", "demo-key"] {
            fs::write(folder.path().join(name), "").unwrap();
            set_mode(&folder.path().join(name), 0o644).unwrap();
        }
        let _lock = try_lock(folder.path()).unwrap();
        assert_eq!(modes().map(|permissions| permissions.mode() & 0o777), [0o644, 0o600]);
    }

    #[test]
    fn a_folder_is_locked_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        let first = try_lock(&inner).unwrap();
        assert!(first.is_some());
        assert!(try_lock(&inner).unwrap().is_none());
        drop(first);
        assert!(try_lock(&inner).unwrap().is_some());
    }

    #[test]
    fn the_error_for_a_folder_that_cannot_be_created_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write(&file, "").unwrap();
        let error = try_lock(&file.join("data")).unwrap_err().to_string();
        assert!(error.contains("file/data"), "{error}");
    }
}
