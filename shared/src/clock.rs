//! The one source of the wall-clock time. A test substitutes its own clock and lets years pass.

use jiff::Timestamp;
use std::fmt;
use std::sync::Arc;

/// A clock.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// The system clock.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the system clock")]
    pub fn system() -> Clock {
        Clock(Arc::new(Timestamp::now))
    }

    /// A clock that reads the time from a function.
    pub fn from_fn(read: impl Fn() -> Timestamp + Send + Sync + 'static) -> Clock {
        Clock(Arc::new(read))
    }

    /// The current time.
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}
