//! Replays of the bodies in `fixtures/recorded`, through the adapter's own calls and its fault table.
//!
//! The README beside the bodies names the source of each. Several of them are answers of `searchStream`: an array of
//! pages, which the adapter never asks for. The array as it is must be an error, and each page of it is an answer of
//! `search`.

mod errors;
mod pages;
mod tokens;
mod writes;

use crate::domain::{AdAccount, Currency};
use crate::platforms::fake::Answered;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// Every body that a test of this module replays.
const REPLAYED: [&[&str]; 4] = [errors::REPLAYED, pages::REPLAYED, tokens::REPLAYED, writes::REPLAYED];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/platforms/alpha/fixtures/recorded")
}

fn body(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The body as an answer of success.
fn good(name: &str) -> Answered {
    (200, body(name))
}

/// The one page of an answer of `searchStream`.
fn page(name: &str) -> Value {
    let pages: Vec<Value> = serde_json::from_str(&body(name)).unwrap();
    let [page] = pages.as_slice() else { panic!("{name} has {} pages", pages.len()) };
    page.clone()
}

fn account(id: &str) -> AdAccount {
    AdAccount {
        id: id.into(),
        name: String::new(),
        currency: Currency::from_code("EUR").unwrap(),
        time_zone: "Europe/Berlin".into(),
        manager_id: None,
    }
}

#[test]
fn every_recorded_body_is_replayed_and_has_a_source() {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = files.filter(|name| name != "README.md").collect();
    let replayed: Vec<String> = REPLAYED.concat().iter().map(|name| (*name).to_owned()).collect();
    let distinct: BTreeSet<String> = replayed.iter().cloned().collect();
    assert_eq!((&distinct, replayed.len()), (&files, files.len()), "each body is in exactly one replay table");
    let readme = body("README.md");
    let rows: Vec<Vec<&str>> = readme.lines().filter(|line| line.starts_with("| `")).map(cells).collect();
    let described: BTreeSet<String> = rows.iter().map(|row| row[0].trim_matches('`').to_owned()).collect();
    assert_eq!((&described, rows.len()), (&files, files.len()), "the README has one row for each body");
    for row in rows {
        let [name, status, _, evidence, source, date] = row.as_slice() else { panic!("{row:?} has not six cells") };
        let has_year = date.split(['-', ' ']).any(|part| part.len() == 4 && part.parse::<u16>().is_ok());
        assert!(status[..3].parse::<u16>().is_ok() && ["live", "published"].contains(evidence), "{name}");
        assert!(source.contains('/') && has_year, "{name}: {source}, {date}");
        assert!(readme.contains(&format!("\n- {name}: ")), "{name}: the README says what a parser must make of it");
    }
}

fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}
