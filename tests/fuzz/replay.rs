//! Replays the seeds, and some thousand mutations of them, without libFuzzer: so the seeds keep the meaning of their
//! names, and the targets keep their properties.
//!
//! A target has a folder of seeds, or one with a folder for each platform. An adapter's fixtures are seeds too.

use crate::random::Random;
use crate::sample::Sample;
use fuzz::TARGETS;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Mutations of each folder of seeds; `FUZZ_MUTATIONS` for another number.
const MUTATIONS: u64 = 5_000;
/// Bytes that parsers often mishandle.
const TOKENS: [&str; 16] = [
    "0",
    "-1",
    "9223372036854775808",
    "1e999",
    "0.0000000000000000000000000001",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\\u0000",
    "\\ud800",
    "é",
    "\u{1e}",
    "\n\n",
    "%00",
];

/// The inputs in a folder, and the target that reads them.
struct Seeds {
    target: &'static str,
    inputs: BTreeMap<PathBuf, Vec<u8>>,
}

/// The entries of a folder that are files, or those that are folders.
fn entries(folder: &Path, are_files: bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file() == are_files).collect()
}

/// The files of a folder with their content.
fn read(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    entries(folder, true).into_iter().map(|path| (path.clone(), fs::read(&path).expect("a seed"))).collect()
}

/// The seeds of all targets, folder by folder.
fn all_seeds() -> Vec<Seeds> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let of_target = |target: &'static str| {
        let folders = entries(&folder.join(target), false);
        let mut all: Vec<_> = folders.iter().map(|folder| Seeds { target, inputs: of_platform(folder) }).collect();
        if all.is_empty() {
            all.push(Seeds { target, inputs: read(&folder.join(target)) });
        }
        all
    };
    TARGETS.into_iter().flat_map(|(target, _)| of_target(target)).collect()
}

/// The seeds of a platform, and its adapter's fixtures below the first line of a seed.
fn of_platform(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut inputs = read(folder);
    let first = inputs.values().next().expect("a seed");
    let line = &first[..=first.iter().position(|byte| *byte == b'\n').expect("a first line")];
    let adapters = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/src/platforms");
    let fixtures = adapters.join(folder.file_name().expect("a name")).join("fixtures");
    let fixtures = [read(&fixtures.join("errors")), read(&fixtures)].into_iter().flatten();
    let fixtures: Vec<_> = fixtures.map(|(path, fixture)| (path, [line, &fixture].concat())).collect();
    inputs.extend(fixtures);
    inputs
}

/// Names the input when the target panics.
struct PanicReport<'a>(&'a str, &'a [u8]);

impl Drop for PanicReport<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("target {}, input {:?}", self.0, String::from_utf8_lossy(self.1));
        }
    }
}

fn play(target: &str, input: &[u8]) -> bool {
    let _teller = PanicReport(target, input);
    fuzz::play(target, input)
}

#[test]
fn seeds_are_accepted_or_refused_as_their_names_say() {
    for Seeds { target, inputs } in all_seeds() {
        assert!(inputs.len() >= 3, "{target} has {} seeds", inputs.len());
        for (path, input) in &inputs {
            let name = path.file_name().expect("a name").to_string_lossy();
            let is_taken = play(target, input);
            assert!(is_taken || !name.starts_with("taken"), "{} is refused", path.display());
            assert!(!is_taken || !name.starts_with("refused"), "{} is taken", path.display());
        }
        assert!(inputs.keys().any(|path| path.to_string_lossy().contains("/taken")), "{target} takes nothing");
    }
}

#[test]
fn no_mutation_of_a_seed_fails_a_target() {
    let mutations = std::env::var("FUZZ_MUTATIONS").map_or(MUTATIONS, |text| text.parse().expect("a number"));
    std::thread::scope(|scope| {
        for Seeds { target, inputs } in all_seeds() {
            scope.spawn(move || {
                let seeds: Vec<Vec<u8>> = inputs.into_values().collect();
                let mut random = Random::new(mutations + Sample::of_run().first_seed());
                for _ in 0..mutations {
                    play(target, &mutated(&seeds, &mut random));
                }
            });
        }
    });
}

/// A seed with one to four changes.
fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut input = pick(seeds, random).clone();
    for _ in 0..=random.below(4) {
        let from = place(input.len(), random);
        let length = place(16, random);
        let to = (from + length).min(input.len());
        match random.below(6) {
            0 => drop(input.splice(from..to, [])),
            1 => drop(input.splice(from..to, pick(&TOKENS, random).bytes())),
            2 => drop(input.splice(from..from, pick(&TOKENS, random).bytes())),
            3 => {
                let copy = input[from..to].to_vec();
                drop(input.splice(from..from, copy));
            }
            4 => {
                let other = pick(seeds, random);
                input.truncate(from);
                input.extend_from_slice(&other[place(other.len(), random)..]);
            }
            _ => input[from..to].iter_mut().take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
        }
    }
    input
}

fn pick<'a, T>(from: &'a [T], random: &mut Random) -> &'a T {
    &from[place(from.len() - 1, random)]
}

/// A place from the beginning to the end.
fn place(end: usize, random: &mut Random) -> usize {
    usize::try_from(random.below(end as u64 + 1)).expect("a place")
}
