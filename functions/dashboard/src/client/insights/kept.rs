//! What was read stays in the memory of the process for some minutes, so that the next page has it at once. A reading goes
//! on when a page no longer waits for it, and the next page takes it up (D75 in docs/decisions.md).

use super::reading::{Reading, read};
use crate::client::api::Api;
use crate::client::session::SignedIn;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use jiff::{SignedDuration, Timestamp};
use shared::domain::{CustomerId, Days};
use shared::serve::WebRequest;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Until then a reading is shown without another one.
const FRESH: SignedDuration = SignedDuration::from_mins(5);
/// The same for one that has failed in part, and for a person who asks for another one.
const RETRY: SignedDuration = SignedDuration::from_secs(15);
/// A reading that takes longer, with those that it waits for, is lost: the process was frozen meanwhile.
const LOST: SignedDuration = SignedDuration::from_secs(90);
/// Until then a reading stands in for one that fails.
const OLDEST: SignedDuration = SignedDuration::from_hours(1);
/// Most readings of a process.
const MAX_KEPT: usize = 256;

static KEPT: LazyLock<Mutex<Memory>> = LazyLock::new(Mutex::default);

type Memory = HashMap<Question, Kept>;
type SharedReading = Shared<BoxFuture<'static, Arc<Reading>>>;

/// What is read: of a customer's accounts on a platform.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    pub(crate) customer: CustomerId,
    /// In the enveloped shape.
    pub(crate) platform: String,
    /// The connections and their states: other ones are another question.
    pub(crate) connections: Vec<(String, String)>,
    pub(crate) subject: Subject,
}

/// The subject of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    /// The numbers of each day.
    Days(Days),
    /// The numbers of all days together.
    Total(Days),
    /// The names of the campaigns.
    Names,
}

/// A reading that is under way or done.
#[derive(Clone)]
pub(crate) struct Kept {
    begun: Timestamp,
    reading: SharedReading,
    /// The last one in which every account has answered, and its time.
    good: Option<(Timestamp, Arc<Reading>)>,
}

impl Kept {
    /// Waits for the reading.
    pub(crate) async fn wait(&self) -> Arc<Reading> {
        self.reading.clone().await
    }

    /// The reading and its time, if it is done.
    pub(crate) fn done(&self) -> Option<(Timestamp, &Arc<Reading>)> {
        self.reading.peek().map(|reading| (self.begun, reading))
    }

    /// An older reading in which every account has answered, and its time.
    pub(crate) fn older(&self) -> Option<(Timestamp, &Arc<Reading>)> {
        self.good.as_ref().map(|(at, reading)| (*at, reading))
    }

    /// Whether it answers now without another reading.
    fn serves(&self, now: Timestamp, is_again: bool) -> bool {
        let age = now.duration_since(self.begun);
        match self.reading.peek() {
            Some(reading) if reading.is_good() && !is_again => age < FRESH,
            Some(_) => age < RETRY,
            None => age < LOST,
        }
    }

    /// What stands in for the next reading if that fails.
    fn into_good(self, now: Timestamp) -> Option<(Timestamp, Arc<Reading>)> {
        let done = self.reading.peek().filter(|reading| reading.is_good());
        let good = done.map(|reading| (self.begun, Arc::clone(reading))).or(self.good);
        good.filter(|(at, _)| now.duration_since(*at) < OLDEST)
    }
}

/// The answer to a question: the one that is kept, or a new reading. A new one begins after another one, because each
/// takes a slot of the customer, and not at all if that one was refused. `is_again` asks for a new one.
pub(crate) fn ask(
    request: &WebRequest,
    person: &SignedIn,
    question: &Question,
    after: Option<&Kept>,
    is_again: bool,
) -> Kept {
    let after = after.map(|kept| kept.reading.clone());
    let mut memory = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let begin = || begin(request.clone(), person.clone(), question.clone(), after);
    keep(&mut memory, question, request.now, is_again, begin)
}

/// The task goes on if nobody waits for it.
fn begin(request: WebRequest, person: SignedIn, question: Question, after: Option<SharedReading>) -> SharedReading {
    let task = tokio::spawn(async move {
        if let Some(after) = after {
            let earlier = after.await;
            if let Some(refusal) = earlier.refusal.clone() {
                return Arc::new(Reading { refusal: Some(refusal), ..Reading::default() });
            }
        }
        Arc::new(read(&Api::new(&request, &person), &question).await)
    });
    task.map(|read| read.unwrap_or_else(|_| Arc::new(Reading::lost()))).boxed().shared()
}

fn keep(
    all: &mut Memory,
    question: &Question,
    now: Timestamp,
    is_again: bool,
    begin: impl FnOnce() -> SharedReading,
) -> Kept {
    if let Some(kept) = all.get(question).filter(|kept| kept.serves(now, is_again)) {
        return kept.clone();
    }
    let good = all.remove(question).and_then(|earlier| earlier.into_good(now));
    make_room(all, now);
    let kept = Kept { begun: now, reading: begin(), good };
    all.insert(question.clone(), kept.clone());
    kept
}

fn make_room(all: &mut Memory, now: Timestamp) {
    all.retain(|_, kept| now.duration_since(kept.begun) < OLDEST);
    if all.len() >= MAX_KEPT {
        let oldest = all.iter().min_by_key(|(_, kept)| kept.begun).map(|(question, _)| question.clone());
        oldest.and_then(|question| all.remove(&question));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::future::{pending, ready};
    use uuid::Uuid;

    fn question() -> Question {
        let (customer, platform) = (CustomerId(Uuid::new_v4()), "ALPHA".to_owned());
        Question { customer, platform, connections: Vec::new(), subject: Subject::Names }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    fn done(reading: Reading) -> SharedReading {
        let reading = ready(Arc::new(reading)).boxed().shared();
        reading.clone().now_or_never();
        reading
    }

    /// Asks at these seconds; returns those at which a reading began.
    fn begun(asked: &[(i64, bool)], reading: impl Fn() -> SharedReading) -> Vec<i64> {
        let (mut memory, question) = (Memory::new(), question());
        let mut began = |&(second, is_again): &(i64, bool)| {
            let has_begun = Cell::new(false);
            keep(&mut memory, &question, at(second), is_again, || {
                has_begun.set(true);
                reading()
            });
            has_begun.get().then_some(second)
        };
        asked.iter().filter_map(&mut began).collect()
    }

    #[test]
    fn a_reading_serves_for_minutes_and_a_failed_one_for_seconds() {
        let at = [(0, false), (14, true), (16, true), (20, false), (315, false), (317, false)];
        assert_eq!(begun(&at, || done(Reading::default())), [0, 16, 317]);
        let failed = [(0, false), (14, false), (16, false)];
        assert_eq!(begun(&failed, || done(Reading::lost())), [0, 16]);
    }

    #[test]
    fn a_reading_under_way_is_shared_until_it_is_lost() {
        let under_way = || pending::<Arc<Reading>>().boxed().shared();
        assert_eq!(begun(&[(0, false), (89, true), (91, false)], under_way), [0, 91]);
    }

    #[test]
    fn the_last_good_reading_stands_in_for_an_hour() {
        let (mut memory, question) = (Memory::new(), question());
        let good = keep(&mut memory, &question, at(0), false, || done(Reading::default()));
        assert!(good.older().is_none() && good.done().is_some());
        for (second, is_there) in [(400, true), (800, true), (3_599, true), (3_700, false)] {
            let failed = keep(&mut memory, &question, at(second), false, || done(Reading::lost()));
            assert_eq!(failed.older().map(|(time, _)| time), is_there.then(|| at(0)), "{second}");
        }
    }

    #[test]
    fn customers_and_connections_have_their_own() {
        let (mut memory, one) = (Memory::new(), question());
        let other = Question { customer: CustomerId(Uuid::new_v4()), ..one.clone() };
        let connected = Question { connections: vec![("c".to_owned(), "ACTIVE".to_owned())], ..one.clone() };
        keep(&mut memory, &one, at(0), false, || done(Reading::default()));
        for another in [other, connected] {
            let kept = keep(&mut memory, &another, at(0), false, || done(Reading::lost()));
            assert!(!kept.done().unwrap().1.is_good());
        }
    }

    #[test]
    fn a_process_keeps_a_bounded_number() {
        let mut all = Memory::new();
        for second in 0..300 {
            make_room(&mut all, at(second));
            let kept = Kept { begun: at(second), reading: done(Reading::default()), good: None };
            all.insert(question(), kept);
        }
        assert_eq!(all.len(), MAX_KEPT);
        assert!(all.values().all(|kept| kept.begun >= at(300 - 256)));
    }
}
