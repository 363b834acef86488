//! A process that does the work of maintenance minute by minute, with a clock that is ahead: an erasure waits for many minutes.

use crate::kill::join;
use jiff::SignedDuration;
use shared::clock::Clock;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread::JoinHandle;

/// The data folder, in the process of a worker.
pub(super) const FOLDER: &str = "ERASURE_FOLDER";
/// By how many minutes the clock of a worker is ahead at first.
const MINUTE: &str = "ERASURE_MINUTE";
/// What a worker prints before a minute's number.
const TOLD: &str = "minute ";

/// The worker, which is this test program once more. Dropping it kills the process.
pub(super) struct Worker {
    child: Child,
    reader: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts a worker that runs one test, which calls [`work`]. It goes on with the minutes where the last one was.
    pub(super) fn start(test: &str, folder: &Path, minute: &Arc<AtomicI64>) -> Worker {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", test, "--nocapture"]).env(FOLDER, folder);
        command.env(MINUTE, minute.load(Ordering::Relaxed).to_string());
        let streams = command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = streams.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let minute = Arc::clone(minute);
        let reader = std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if let Some((_, number)) = line.rsplit_once(TOLD) {
                    minute.store(number.parse().unwrap(), Ordering::Relaxed);
                }
            }
        });
        Worker { child, reader: Some(reader) }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The minutes that it has told are known then.
        let _ = self.reader.take().map(JoinHandle::join);
    }
}

/// The work of a worker, until it is killed, or the gateway whose table it uses.
pub(super) async fn work(folder: &Path) {
    let first = std::env::var(MINUTE).unwrap().parse().unwrap();
    let minute = Arc::new(AtomicI64::new(first));
    let ahead = Arc::clone(&minute);
    let now = move || Clock::system().now() + SignedDuration::from_mins(ahead.load(Ordering::Relaxed));
    let (_joined, app) = join(folder, Clock::from_fn(now)).await;
    loop {
        println!("{TOLD}{}", minute.fetch_add(1, Ordering::Relaxed) + 1);
        if maintenance::run(&app).await.is_err() {
            return;
        }
    }
}
