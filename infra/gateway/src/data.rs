//! The data folder: who may work on it, and the private files in it.

use crate::error::StartError;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long to wait for a folder in use: a moment's work of `gateway admin`, or a gateway that is just stopping.
const PATIENCE: Duration = Duration::from_secs(1);
pub(crate) const RETRY: Duration = Duration::from_millis(50);

/// The right to work on a folder; ends when it is dropped, and with the process, however that ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Takes a folder, made if absent, for this process alone.
pub(crate) async fn lock(folder: &Path) -> Result<Lock, StartError> {
    let end = Instant::now() + PATIENCE;
    loop {
        match try_lock(folder)? {
            Some(lock) => return Ok(lock),
            None if Instant::now() >= end => return Err(StartError::InUse { folder: folder.to_owned() }),
            None => sleep(RETRY).await,
        }
    }
}

/// The same without waiting: `None` when somebody else has it.
pub(crate) fn try_lock(folder: &Path) -> Result<Option<Lock>, StartError> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|source| failed(folder, source))?;
    let path = folder.join("lock");
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
    let file = file.map_err(|source| failed(&path, source))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock { _file: file })),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(failed(&path, source)),
    }
}

/// Reads a private file; `None` when it is not there.
pub(crate) fn read(path: &Path) -> Result<Option<String>, StartError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(failed(path, source)),
    }
}

/// Writes a file that only its owner may read. Whoever reads it finds the old text or the new one, even after a
/// crash in between.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), StartError> {
    let new = beside(path);
    replace(path, &new, text).map_err(|source| {
        // What is left of the attempt is of no use; that it could not be written is the error to report.
        let _ = fs::remove_file(&new);
        failed(path, source)
    })
}

/// Removes a file; one that is not there is as good as removed.
pub(crate) fn remove(path: &Path) -> Result<(), StartError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(failed(path, source)),
        _ => Ok(()),
    }
}

fn replace(path: &Path, new: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(new, path)?;
    match path.parent() {
        // The new name is lasting only when the folder is.
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

/// The running gateway and `gateway admin` may write the same file, hence the process in the name.
fn beside(path: &Path) -> PathBuf {
    path.with_extension(format!("new-{}", std::process::id()))
}

pub(crate) fn failed(path: &Path, source: io::Error) -> StartError {
    StartError::File { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_private_file_is_for_its_owner_alone_and_leaves_nothing_beside_it() {
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
    fn a_folder_has_one_user_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        let first = try_lock(&inner).unwrap();
        assert!(first.is_some());
        assert!(try_lock(&inner).unwrap().is_none());
        drop(first);
        assert!(try_lock(&inner).unwrap().is_some());
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write(&file, "").unwrap();
        let error = try_lock(&file.join("data")).unwrap_err().to_string();
        assert!(error.contains("file/data"), "{error}");
    }
}
