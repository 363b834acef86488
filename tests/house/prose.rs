//! Words and sentences that a stranger reads once: the rules that a search can hold.

use super::architecture::{read, root, rust_files};
use std::path::{Path, PathBuf};

/// Longest name of a test.
const MAX_TEST_NAME: usize = 70;

/// Folders with sources and their tests.
const FOLDERS: [&str; 4] = ["functions", "infra", "shared", "tests"];

/// A comment that begins like this describes a thing with a name by a clause.
const CLAUSES: [&str; 6] = ["What ", "Who ", "Whom ", "Whose ", "Whoever ", "Whatever "];

/// A process, a request and a token are "it", and a caller, a customer and an operator have their names.
const PERSONS: [&str; 7] = ["nobody", "somebody", "everybody", "anybody", "he", "him", "his"];

/// This file names the words that it bans.
const THIS: &str = "tests/house/prose.rs";

fn sources() -> Vec<PathBuf> {
    FOLDERS.iter().flat_map(|folder| rust_files(&root().join(folder))).filter(|file| !file.ends_with(THIS)).collect()
}

/// The comment lines of a source, with their numbers.
fn comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let comment = |line: &'_ str| -> Option<usize> {
        let line = line.trim_start();
        ["//! ", "/// ", "// "].iter().find(|mark| line.starts_with(**mark)).map(|mark| mark.len())
    };
    text.lines()
        .enumerate()
        .filter_map(move |(index, line)| comment(line).map(|mark| (index + 1, &line.trim_start()[mark..])))
}

fn shown(file: &Path, line: usize, text: &str) -> String {
    let file = file.strip_prefix(root()).unwrap_or(file);
    format!("{}:{line}: {text}", file.display())
}

/// The comment lines that break a rule.
fn offences(is_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    let of = |file: &PathBuf| -> Vec<String> {
        let text = read(file);
        comments(&text).filter(|(_, text)| is_wrong(text)).map(|(line, text)| shown(file, line, text)).collect()
    };
    sources().iter().flat_map(of).collect()
}

#[test]
fn a_comment_begins_with_its_subject() {
    let wrong = offences(|text| CLAUSES.iter().any(|clause| text.starts_with(clause) && !text.ends_with('?')));
    assert!(wrong.is_empty(), "{} comments:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_comment_speaks_of_no_person_without_a_name() {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).map(str::to_ascii_lowercase).collect()
    };
    let wrong = offences(|text| words(text).iter().any(|word| PERSONS.contains(&word.as_str())));
    assert!(wrong.is_empty(), "{} comments:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_comment_names_an_operation_instead_of_a_section() {
    let wrong = offences(|text| text.contains("(spec ") || text.contains("spec 4"));
    assert!(wrong.is_empty(), "{} comments:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_test_name_fits_on_a_line() {
    let long = |file: &PathBuf| -> Vec<String> {
        let text = read(file);
        let lines: Vec<&str> = text.lines().collect();
        let names = lines.iter().enumerate().filter_map(|(index, line)| {
            let name = line.trim_start().trim_start_matches("async ").strip_prefix("fn ")?.split(['(', '<']).next()?;
            let above = lines[..index].iter().rev().take_while(|line| line.trim_start().starts_with("#["));
            let is_test = above.clone().any(|line| line.contains("test"));
            (is_test && name.len() > MAX_TEST_NAME).then(|| shown(file, index + 1, name))
        });
        names.collect()
    };
    let wrong: Vec<String> = sources().iter().flat_map(long).collect();
    assert!(wrong.is_empty(), "{} names:\n{}", wrong.len(), wrong.join("\n"));
}
