//! What time it is. Everything that is compared with a time in the store asks here, so that a test can let years pass.

use jiff::Timestamp;
use std::fmt;
use std::sync::Arc;

/// A clock.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// The clock of the machine.
    pub fn system() -> Clock {
        Clock(Arc::new(Timestamp::now))
    }

    /// Another clock.
    pub fn reading(read: impl Fn() -> Timestamp + Send + Sync + 'static) -> Clock {
        Clock(Arc::new(read))
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}
