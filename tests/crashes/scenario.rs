//! What happened in a run: as a number by which two runs are compared, and in words when they are asked for.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};
use tokio::time::Instant;

/// Handle to the story of a run.
#[derive(Clone)]
pub(super) struct Story(Arc<Mutex<Told>>);

struct Told {
    began: Instant,
    trace: DefaultHasher,
    words: Option<Vec<String>>,
}

impl Story {
    pub(super) fn new(in_words: bool) -> Story {
        let (began, trace) = (Instant::now(), DefaultHasher::new());
        Story(Arc::new(Mutex::new(Told { began, trace, words: in_words.then(Vec::new) })))
    }

    /// Adds a line.
    pub(super) fn note(&self, what: impl FnOnce() -> String) {
        let mut told = self.0.lock().expect("the story");
        let (at, what) = (told.began.elapsed(), what());
        (at.as_millis(), &what).hash(&mut told.trace);
        if let Some(words) = &mut told.words {
            words.push(format!("{:>9.3} s  {what}", at.as_secs_f64()));
        }
    }

    /// What two runs are compared by.
    pub(super) fn trace(&self) -> u64 {
        self.0.lock().expect("the story").trace.finish()
    }

    pub(super) fn words(&self) -> Vec<String> {
        self.0.lock().expect("the story").words.clone().unwrap_or_default()
    }
}
