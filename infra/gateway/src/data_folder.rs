//! The data folder: its lock, and the private files in it.

use crate::error::StartError;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
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
    "sandbox.json",
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

/// Opens a file for writing, created if absent with access for its owner only.
pub(crate) fn create_private(path: &Path) -> Result<File, StartError> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path);
    file.map_err(|source| unusable(path, source))
}

/// Denies others all access to a file.
pub(crate) fn make_private(path: &Path) -> Result<(), StartError> {
    set_mode(path, 0o600).map_err(|source| unusable(path, source))
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

fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Reads a file; `None` when there is none.
pub(crate) fn read(path: &Path) -> Result<Option<String>, StartError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(unusable(path, source)),
    }
}

/// Writes a file that only its owner may read. The change is atomic and durable: a reader finds the old text or the new
/// one, even after a crash.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), StartError> {
    let new = temporary_path(path);
    replace(path, &new, text).map_err(|source| {
        // Best effort: the failed write is the error to report.
        let _ = fs::remove_file(&new);
        unusable(path, source)
    })
}

/// Removes a file if it exists.
pub(crate) fn remove(path: &Path) -> Result<(), StartError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(unusable(path, source)),
        _ => Ok(()),
    }
}

fn replace(path: &Path, new: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(new, path)?;
    match path.parent() {
        // A rename is durable only after a sync of its folder.
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

/// The process id keeps a running gateway and `gateway admin` from writing the same temporary file.
fn temporary_path(path: &Path) -> PathBuf {
    path.with_extension(format!("new-{}", std::process::id()))
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
    fn a_private_file_is_readable_by_its_owner_only_and_leaves_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secrets.json");
        assert_eq!(read(&path).unwrap(), None);
        write(&path, "one").unwrap();
        write(&path, "two").unwrap();
        assert_eq!(read(&path).unwrap().as_deref(), Some("two"));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        remove(&path).unwrap();
        remove(&path).unwrap();
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
