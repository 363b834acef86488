//! Measurements, and their ratios.

use criterion::Criterion;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// All measurements so far.
pub(crate) struct Figures {
    criterion: Criterion,
    /// The fastest samples, for one time each.
    fastest: Vec<(String, Duration)>,
    notes: Vec<String>,
}

impl Figures {
    pub(crate) fn new(criterion: Criterion) -> Figures {
        Figures { criterion, fastest: Vec::new(), notes: Vec::new() }
    }

    /// Measures some work, if its name was requested.
    pub(crate) fn measure<T>(&mut self, name: &str, mut work: impl FnMut() -> T) {
        let mut fastest = None::<Duration>;
        self.criterion.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                let began = Instant::now();
                for _ in 0..times {
                    black_box(work());
                }
                let took = began.elapsed();
                let one = took / u32::try_from(times).expect("not so often");
                fastest = Some(fastest.map_or(one, |known| known.min(one)));
                took
            });
        });
        self.fastest.extend(fastest.map(|one| (name.to_owned(), one)));
    }

    /// The fastest time of some work; `None` when it was not measured.
    pub(crate) fn fastest(&self, name: &str) -> Option<Duration> {
        self.fastest.iter().find(|(known, _)| known == name).map(|(_, one)| *one)
    }

    /// Notes the ratio of two measurements, if both exist.
    pub(crate) fn share(&mut self, part: &str, whole: &str) {
        if let (Some(part_of), Some(all)) = (self.fastest(part), self.fastest(whole)) {
            self.note(format!("{part}: {} of {whole}", percent(part_of, all)));
        }
    }

    /// Adds a line to the final report.
    pub(crate) fn note(&mut self, line: String) {
        self.notes.push(line);
    }

    /// Prints the fastest sample of each measurement, and the notes.
    pub(crate) fn tell(&mut self) {
        self.criterion.final_summary();
        println!("\nfastest sample of each, in µs");
        for (name, one) in &self.fastest {
            println!("{:>10}.{:03}  {name}", one.as_micros(), one.as_nanos() % 1_000);
        }
        for note in &self.notes {
            println!("{note}");
        }
    }
}

/// `37.1 %`
pub(crate) fn percent(part: Duration, whole: Duration) -> String {
    let per_mille = part.as_nanos() * 1_000 / whole.as_nanos().max(1);
    format!("{}.{} %", per_mille / 10, per_mille % 10)
}
