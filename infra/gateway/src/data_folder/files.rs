//! Private files of the data folder: only their owner may read them, and they change as a whole.

use super::unusable;
use crate::error::StartError;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Opens a file for writing, created if absent with access for its owner only.
pub(crate) fn create_private(path: &Path) -> Result<File, StartError> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path);
    file.map_err(|source| unusable(path, source))
}

/// Denies others all access to a file.
pub(crate) fn make_private(path: &Path) -> Result<(), StartError> {
    set_mode(path, 0o600).map_err(|source| unusable(path, source))
}

pub(super) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
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
    rename(new, path)
}

/// Moves a finished file to its place.
pub(crate) fn publish(new: &Path, path: &Path) -> Result<(), StartError> {
    rename(new, path).map_err(|source| unusable(path, source))
}

fn rename(new: &Path, path: &Path) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
