//! The cost of the parts of a request, in this process and without a socket: `cargo bench -p tests`. A word after it
//! selects the benches whose name contains it: `cargo bench -p tests -- rendering`.
//!
//! Absolute figures are this machine's. The ratios at the end compare the fastest sample of each.

#![expect(clippy::expect_used, reason = "a bench that cannot go on says so by panicking")]

mod authentication;
mod figures;
#[path = "../in_process/mod.rs"]
mod in_process;
mod path;
mod recorded;
mod rendering;
mod translation;

use criterion::Criterion;
use figures::Figures;
use std::time::Duration;

fn main() {
    let criterion = Criterion::default().sample_size(20);
    let criterion = criterion.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    let mut figures = Figures::new(criterion.configure_from_args());
    // One thread, as in a function.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    translation::bench(&mut figures, &runtime);
    rendering::bench(&mut figures, &runtime);
    authentication::bench(&mut figures, &runtime);
    path::bench(&mut figures, &runtime);
    figures.tell();
}
