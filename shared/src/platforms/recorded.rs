//! For tests: the responses that were recorded live or that platforms publish, in each adapter's `fixtures/recorded`.

use crate::domain::Platform;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// Each body and its replay; each becomes a test.
macro_rules! replays {
    ($($file:literal => $module:ident::$replay:ident;)*) => {
        const REPLAYED: &[&str] = &[$($file),*];

        mod replay {
            $(#[tokio::test]
            async fn $replay() {
                super::$module::$replay(include_str!(concat!("../fixtures/recorded/", $file))).await;
            })*
        }
    };
}
pub(in crate::platforms) use replays;

fn folder(platform: Platform) -> PathBuf {
    let platforms = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/platforms");
    platforms.join(platform.prefix()).join("fixtures/recorded")
}

/// A recorded body.
pub(in crate::platforms) fn body(platform: Platform, name: &str) -> String {
    fs::read_to_string(folder(platform).join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Compares a platform's recorded bodies with the names that its tests replay, and with the README beside the bodies:
/// every body is replayed, and has a row with status, evidence, source and date.
pub(in crate::platforms) fn assert_all_replayed(platform: Platform, replayed: impl IntoIterator<Item = &'static str>) {
    let files = fs::read_dir(folder(platform)).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = files.filter(|name| name != "README.md").collect();
    let replayed: Vec<String> = replayed.into_iter().map(str::to_owned).collect();
    let distinct: BTreeSet<String> = replayed.iter().cloned().collect();
    assert_eq!((&distinct, replayed.len()), (&files, files.len()), "each body is replayed under its name, once");
    assert!(files.len() >= 8, "{platform} has {} recorded bodies", files.len());

    let readme = body(platform, "README.md");
    let rows = readme.lines().filter(|line| line.starts_with("| ")).map(cells);
    let rows: Vec<_> = rows.filter(|row| files.contains(row[0].trim_matches('`'))).collect();
    assert_eq!(rows.len(), files.len(), "the README has one row for each body");
    for row in rows {
        let [name, status, what, evidence, source, date] = row.as_slice() else { panic!("{row:?} has not six cells") };
        let has_year = date.split(['-', ' ']).any(|part| part.len() == 4 && part.parse::<u16>().is_ok());
        let has_status = status.get(..3).is_some_and(|number| number.parse::<u16>().is_ok());
        assert!(has_status && !what.is_empty(), "{name}: {status}, {what}");
        assert!(evidence.starts_with("live") || evidence.starts_with("published"), "{name}: {evidence}");
        assert!(!source.is_empty() && has_year, "{name}: {source}, {date}");
    }
}

fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}
