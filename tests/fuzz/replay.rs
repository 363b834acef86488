//! Replays the seeds, and some thousand mutations of them, without libFuzzer: so the seeds keep the meaning of their
//! names, and the targets keep their properties.

use super::TARGETS;
use crate::random::Random;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Mutations of each target's seeds; `FUZZ_MUTATIONS` for another number.
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

/// The inputs of a target by name: its own seeds, and an adapter's fixtures.
fn seeds(target: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fixtures = here.join("../shared/src/platforms").join(target).join("fixtures");
    let folders = [here.join("fuzz/seeds").join(target), fixtures.join("errors"), fixtures];
    let files = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let paths = files.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file());
    paths.map(|path| (path.clone(), fs::read(&path).expect("a seed"))).collect()
}

/// Names the input when the target panics.
struct Teller<'a>(&'a str, &'a [u8]);

impl Drop for Teller<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("target {}, input {:?}", self.0, String::from_utf8_lossy(self.1));
        }
    }
}

fn play(target: &str, input: &[u8]) -> bool {
    let _teller = Teller(target, input);
    super::play(target, input)
}

#[test]
fn seeds_are_taken_and_refused_as_they_are_called() {
    for (target, _) in TARGETS {
        let seeds = seeds(target);
        assert!(seeds.len() >= 3, "{target} has {} seeds", seeds.len());
        for (path, input) in &seeds {
            let (name, is_taken) = (path.file_name().expect("a name").to_string_lossy(), play(target, input));
            assert!(is_taken || !name.starts_with("taken"), "{} is refused", path.display());
            assert!(!is_taken || !name.starts_with("refused"), "{} is taken", path.display());
        }
        assert!(seeds.keys().any(|path| path.to_string_lossy().contains("/taken")), "{target} takes nothing");
    }
}

#[test]
fn no_mutation_of_a_seed_trips_a_target() {
    let mutations = std::env::var("FUZZ_MUTATIONS").map_or(MUTATIONS, |text| text.parse().expect("a number"));
    std::thread::scope(|scope| {
        for (target, _) in TARGETS {
            scope.spawn(move || {
                let seeds: Vec<Vec<u8>> = seeds(target).into_values().collect();
                let mut random = Random::new(mutations);
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
        let (from, length) = (place(input.len(), random), place(16, random));
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
