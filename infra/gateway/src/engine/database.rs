//! The database file of a data folder. It is made as a whole, and a file that is not one of ours is never replaced.

use super::disk::disk_failure;
use super::schema;
use crate::data_folder;
use crate::error::StartError;
use dynoxide::{Database, DynoxideError};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Ends of the names of the files that SQLite keeps beside a database: its log, and the index of the log.
const LOG_SUFFIXES: [&str; 2] = ["-wal", "-shm"];

/// The remedy for a file that is not our database.
const REMEDY: &str = "Restore it from a backup, or move the whole folder away to start anew, or choose another folder \
                      with --data";

/// The database file of a folder.
pub(crate) fn file(folder: &Path) -> PathBuf {
    folder.join("dynamodb.sqlite")
}

/// Refuses a database file that holds no database of the gateway. Changes nothing. No file at all is fine: deleting it
/// is how people begin anew.
pub(crate) fn check(folder: &Path) -> Result<(), StartError> {
    let path = file(folder);
    let refused = |found: &str| StartError::Content { path: path.clone(), reason: format!("{found}. {REMEDY}") };
    match fs::metadata(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound && path.is_symlink() => {
            return Err(refused("is a link to a file that does not exist"));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(StartError::File { path, source }),
        Ok(found) if found.is_file() && found.len() == 0 => {
            return Err(refused("is empty, so the customers and connections that it had are lost"));
        }
        Ok(_) => {}
    }
    match is_ours(&path) {
        Ok(true) => Ok(()),
        Ok(false) => Err(refused("is a database of another program")),
        Err(error) => Err(match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => refused("is not a database"),
            Some(ErrorCode::DatabaseCorrupt) => refused("is damaged: a part of it is missing or was overwritten"),
            _ => refused(&format!("does not open as a database ({error})")),
        }),
    }
}

/// Whether a database has the engine's list of tables.
fn is_ours(path: &Path) -> rusqlite::Result<bool> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(path, flags)?;
    let count: i64 =
        database.query_row("SELECT count(*) FROM sqlite_master WHERE name = '_tables'", [], |row| row.get(0))?;
    Ok(count > 0)
}

/// Opens the database of a folder, made if there is none.
pub(super) fn open(folder: &Path) -> Result<Database, StartError> {
    let path = file(folder);
    if !path.exists() {
        create(folder, &path)?;
    }
    open_file(&path).map_err(|error| unusable(folder, &path, &error))
}

/// Makes the database beside its place and moves it there: a start that is killed, or meets a full disk, leaves no half
/// of one.
fn create(folder: &Path, path: &Path) -> Result<(), StartError> {
    let new = path.with_extension("sqlite-new");
    // The log of a database that is gone is nothing without it, and would be applied to the new one.
    remove_log(path)?;
    remove_unfinished(&new)?;
    // SQLite gives its other files the permissions of this one.
    data_folder::create_private(&new)?;
    let made = open_file(&new).map(drop).map_err(|error| unusable(folder, path, &error));
    made.and_then(|()| data_folder::publish(&new, path)).inspect_err(|_| {
        // Best effort: the error of the database is the one to report.
        let _ = remove_unfinished(&new);
    })
}

fn open_file(path: &Path) -> Result<Database, DynoxideError> {
    let not_utf8 = || DynoxideError::InternalServerError("its path is not valid UTF-8".to_owned());
    let database = Database::new(path.to_str().ok_or_else(not_utf8)?)?;
    schema::create_table(&database)?;
    Ok(database)
}

fn remove_unfinished(new: &Path) -> Result<(), StartError> {
    data_folder::remove(new)?;
    remove_log(new)
}

fn remove_log(path: &Path) -> Result<(), StartError> {
    LOG_SUFFIXES.iter().try_for_each(|suffix| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        data_folder::remove(Path::new(&name))
    })
}

fn unusable(folder: &Path, path: &Path, error: &DynoxideError) -> StartError {
    let reason = match disk_failure(error, folder) {
        Some(failure) => format!("cannot be written: {failure}"),
        None => format!("does not open as a database ({error}). {REMEDY}"),
    };
    StartError::Content { path: path.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_database_is_ours_and_alone() {
        let folder = tempfile::tempdir().unwrap();
        check(folder.path()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "a check changes nothing");
        drop(open(folder.path()).unwrap());
        check(folder.path()).unwrap();
        drop(open(folder.path()).unwrap());
        assert!(fs::read_dir(folder.path()).unwrap().all(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.starts_with("dynamodb.sqlite") && !name.contains("new")
        }));
    }

    #[test]
    fn a_folder_or_a_broken_link_in_place_of_the_database_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path());
        fs::create_dir(&path).unwrap();
        assert!(check(folder.path()).unwrap_err().to_string().contains("dynamodb.sqlite"));
        fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink(folder.path().join("not mounted"), &path).unwrap();
        assert!(check(folder.path()).unwrap_err().to_string().contains("does not exist"));
        assert!(path.is_symlink());
    }
}
