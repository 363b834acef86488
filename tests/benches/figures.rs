//! What was measured, and how it stands to something else that was.

use criterion::Criterion;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Everything that was measured until now.
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

    /// Measures some work, and answers how long it takes at its fastest; `None` when it was not asked for.
    pub(crate) fn measure<T>(&mut self, name: &str, mut work: impl FnMut() -> T) -> Option<Duration> {
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
        fastest
    }

    /// Adds a line to what is told at the end.
    pub(crate) fn note(&mut self, line: String) {
        self.notes.push(line);
    }

    /// Prints the fastest sample of each, and what was noted.
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

/// `37 %`
pub(crate) fn percent(part: Duration, whole: Duration) -> String {
    format!("{} %", part.as_nanos() * 100 / whole.as_nanos().max(1))
}
