//! Readings of many days, which stay in the memory of the process, as sums. A reading continues when a page no
//! longer waits for it, and the next page uses it (D75).

use super::ask::{ListEnd, PlatformReader};
use super::freshness::{LOST, is_fresh};
use super::reading::{Reading, Sums};
use crate::client::all_pages::{Limits, READ_TIME};
use crate::client::api::{Api, OUR_FAULT, Refusal};
use crate::client::session::SignedIn;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use jiff::{SignedDuration, Timestamp};
use shared::domain::{
    CampaignId, ConnectionId, ConnectionStatus, CustomerId, Days, ExternalRef, Granularity, Platform,
};
use shared::serve::WebRequest;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// How long an answer replaces a later one that fails.
const OLDEST: SignedDuration = SignedDuration::from_hours(1);
/// Most answers of a process.
const MAX_CACHED: usize = 256;
const LIMITS: Limits = Limits { pages: 10, time: Some(READ_TIME) };

static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);

type Cache = HashMap<Question, CachedAnswer>;
type SharedAnswer = Shared<BoxFuture<'static, Arc<PlatformAnswer>>>;

/// What is asked of a customer's ad accounts on a platform.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    pub(crate) customer: CustomerId,
    /// The user whose ad accounts are asked; `None` for those of all.
    pub(crate) user: Option<ExternalRef>,
    pub(crate) platform: Platform,
    /// The connections and their states. With other ones it is another question.
    pub(crate) connections: Vec<(ConnectionId, ConnectionStatus)>,
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

/// What the ad accounts of a platform have answered.
#[derive(Debug, Default)]
pub(crate) struct PlatformAnswer {
    /// The sums of the accounts that were read. If rows of an account are missing, its sum is a lower bound.
    pub(crate) accounts: HashMap<ConnectionId, Sums>,
    pub(crate) names: BTreeMap<CampaignId, String>,
    pub(crate) end: ListEnd,
}

/// An answer that is on its way or there.
#[derive(Clone)]
pub(crate) struct CachedAnswer {
    begun: Timestamp,
    answer: SharedAnswer,
    /// The last one in which every account has answered, and its time.
    good: Option<(Timestamp, Arc<PlatformAnswer>)>,
}

impl PlatformAnswer {
    /// Whether every account has answered in full.
    pub(crate) fn is_good(&self) -> bool {
        let ListEnd { errors, refusal, is_cut } = &self.end;
        errors.is_empty() && refusal.is_none() && !is_cut
    }

    /// An answer that was refused.
    fn refused(refusal: Refusal) -> PlatformAnswer {
        PlatformAnswer { end: ListEnd { refusal: Some(refusal), ..ListEnd::default() }, ..PlatformAnswer::default() }
    }

    /// The answer of a task that has ended without one.
    fn lost() -> PlatformAnswer {
        let message = OUR_FAULT.to_owned();
        PlatformAnswer::refused(Refusal {
            status: 500,
            message,
            details: Vec::new(),
            reason: None,
            request_id: String::new(),
        })
    }

    /// The answer of a list that had these parts.
    #[cfg(test)]
    pub(crate) fn of(parts: Vec<Reading>, end: ListEnd) -> PlatformAnswer {
        let mut answer = PlatformAnswer::default();
        parts.iter().for_each(|part| answer.add(part));
        let asked: Vec<_> = answer.accounts.keys().map(|id| (id.clone(), ConnectionStatus::Active)).collect();
        let failed = end.errors.iter().map(|error| (error.connection.clone(), ConnectionStatus::Active));
        let asked: Vec<_> = asked.into_iter().chain(failed).collect();
        answer.ended(end, &asked)
    }

    fn add(&mut self, part: &Reading) {
        self.accounts.entry(part.connection.clone()).or_default().add(part.sums(part.days));
    }

    /// The answer of some connections, once the list has ended: others of the platform may have other days.
    fn ended(self, end: ListEnd, connections: &[(ConnectionId, ConnectionStatus)]) -> PlatformAnswer {
        let is_asked = |id: &ConnectionId| connections.iter().any(|(known, _)| known == id);
        let is_partial = |id: &ConnectionId| {
            end.is_cut || end.refusal.is_some() || end.errors.iter().any(|error| error.connection == *id)
        };
        let accounts = self.accounts.into_iter().filter(|(id, _)| is_asked(id));
        let bounded = accounts.map(|(id, sums)| if is_partial(&id) { (id, sums.lower_bound()) } else { (id, sums) });
        let accounts = bounded.collect();
        let errors = end.errors.into_iter().filter(|error| is_asked(&error.connection)).collect();
        PlatformAnswer { accounts, names: self.names, end: ListEnd { errors, ..end } }
    }
}

impl CachedAnswer {
    /// Waits for the answer.
    pub(crate) async fn wait(&self) -> Arc<PlatformAnswer> {
        self.answer.clone().await
    }

    /// The answer and its time, if it is there.
    pub(crate) fn finished(&self) -> Option<(Timestamp, &Arc<PlatformAnswer>)> {
        self.answer.peek().map(|answer| (self.begun, answer))
    }

    /// An older answer in which every account has answered, and its time.
    pub(crate) fn fallback(&self) -> Option<(Timestamp, &Arc<PlatformAnswer>)> {
        self.good.as_ref().map(|(at, answer)| (*at, answer))
    }

    /// Whether it serves now without another reading.
    fn serves(&self, now: Timestamp, asks_for_newer: bool) -> bool {
        let age = now.duration_since(self.begun);
        match self.answer.peek() {
            Some(answer) => is_fresh(age, !answer.is_good(), asks_for_newer),
            None => age < LOST,
        }
    }

    /// The answer that replaces the next one if that fails.
    fn into_good(self, now: Timestamp) -> Option<(Timestamp, Arc<PlatformAnswer>)> {
        let done = self.answer.peek().filter(|answer| answer.is_good());
        let good = done.map(|answer| (self.begun, Arc::clone(answer))).or(self.good);
        good.filter(|(at, _)| now.duration_since(*at) < OLDEST)
    }
}

/// The answer to a question: the one that is kept, or a new one. Questions run one after another, because each takes a
/// slot of the customer. If the one before (`after`) is refused, the next is not started.
pub(crate) fn ask(
    request: &WebRequest,
    person: &SignedIn,
    question: &Question,
    after: Option<&CachedAnswer>,
    asks_for_newer: bool,
) -> CachedAnswer {
    let after = after.map(|kept| kept.answer.clone());
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let begin = || begin(request.clone(), person.clone(), question.clone(), after);
    keep(&mut cache, question, request.now, asks_for_newer, begin)
}

/// The task continues if nobody waits for it.
fn begin(request: WebRequest, person: SignedIn, question: Question, after: Option<SharedAnswer>) -> SharedAnswer {
    let task = tokio::spawn(async move {
        if let Some(after) = after {
            let earlier = after.await;
            if let Some(refusal) = earlier.end.refusal.clone() {
                return Arc::new(PlatformAnswer::refused(refusal));
            }
        }
        let api = Api::new(&request, &person).acting_for(question.user.as_ref());
        Arc::new(read(&api, &question).await)
    });
    task.map(|answer| answer.unwrap_or_else(|_| Arc::new(PlatformAnswer::lost()))).boxed().shared()
}

/// Reads what a question asks for, as much as there is time for. Each page becomes sums at once: they take less memory than
/// its rows.
async fn read(api: &Api<'_>, question: &Question) -> PlatformAnswer {
    let Question { customer: _, user: _, platform, connections, subject } = question;
    let reader = PlatformReader { api, turns: None, platform: *platform, limits: LIMITS };
    let mut answer = PlatformAnswer::default();
    let end = match *subject {
        Subject::Days(days) => reader.insights(days, Granularity::Day, |part| answer.add(&part)).await,
        Subject::Total(days) => reader.insights(days, Granularity::Total, |part| answer.add(&part)).await,
        Subject::Names => reader.campaigns(|campaign| drop(answer.names.insert(campaign.id, campaign.name))).await,
    };
    answer.ended(end, connections)
}

fn keep(
    all: &mut Cache,
    question: &Question,
    now: Timestamp,
    asks_for_newer: bool,
    begin: impl FnOnce() -> SharedAnswer,
) -> CachedAnswer {
    if let Some(kept) = all.get(question).filter(|kept| kept.serves(now, asks_for_newer)) {
        return kept.clone();
    }
    let good = all.remove(question).and_then(|earlier| earlier.into_good(now));
    make_room(all, now);
    let kept = CachedAnswer { begun: now, answer: begin(), good };
    all.insert(question.clone(), kept.clone());
    kept
}

fn make_room(all: &mut Cache, now: Timestamp) {
    all.retain(|_, kept| now.duration_since(kept.begun) < OLDEST);
    if all.len() >= MAX_CACHED {
        let oldest = all.iter().min_by_key(|(_, kept)| kept.begun).map(|(question, _)| question.clone());
        oldest.and_then(|question| all.remove(&question));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::accounts::ConnectionError;
    use crate::client::readings::reading::tests::{days, insights, row};
    use shared::error::{Error, Kind};
    use std::cell::Cell;
    use std::future::{pending, ready};
    use uuid::Uuid;

    fn question() -> Question {
        let (customer, platform) = (CustomerId(Uuid::new_v4()), Platform::Alpha);
        Question { customer, user: None, platform, connections: Vec::new(), subject: Subject::Names }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    fn done(answer: PlatformAnswer) -> SharedAnswer {
        let answer = ready(Arc::new(answer)).boxed().shared();
        answer.clone().now_or_never();
        answer
    }

    /// Asks at these seconds; returns those at which a reading began.
    fn begun(asked: &[(i64, bool)], answer: impl Fn() -> SharedAnswer) -> Vec<i64> {
        let (mut cache, question) = (Cache::new(), question());
        let mut began = |&(second, asks_for_newer): &(i64, bool)| {
            let has_begun = Cell::new(false);
            keep(&mut cache, &question, at(second), asks_for_newer, || {
                has_begun.set(true);
                answer()
            });
            has_begun.get().then_some(second)
        };
        asked.iter().filter_map(&mut began).collect()
    }

    #[test]
    fn a_reading_is_fresh_for_three_minutes_and_a_failed_one_for_one() {
        let at = [(0, false), (9, true), (11, true), (20, false), (190, false), (191, false)];
        assert_eq!(begun(&at, || done(PlatformAnswer::default())), [0, 11, 191]);
        let failed = [(0, false), (59, false), (60, false), (69, true), (70, true)];
        assert_eq!(begun(&failed, || done(PlatformAnswer::lost())), [0, 60, 70]);
    }

    #[test]
    fn a_reading_under_way_is_shared_until_it_is_lost() {
        let under_way = || pending::<Arc<PlatformAnswer>>().boxed().shared();
        assert_eq!(begun(&[(0, false), (89, true), (91, false)], under_way), [0, 91]);
    }

    #[test]
    fn the_last_good_reading_stands_in_for_an_hour() {
        let (mut cache, question) = (Cache::new(), question());
        let good = keep(&mut cache, &question, at(0), false, || done(PlatformAnswer::default()));
        assert!(good.fallback().is_none() && good.finished().is_some());
        for (second, is_there) in [(400, true), (800, true), (3_599, true), (3_700, false)] {
            let failed = keep(&mut cache, &question, at(second), false, || done(PlatformAnswer::lost()));
            assert_eq!(failed.fallback().map(|(time, _)| time), is_there.then(|| at(0)), "{second}");
        }
    }

    #[test]
    fn customers_users_and_connections_have_their_own() {
        let (mut cache, one) = (Cache::new(), question());
        let other = Question { customer: CustomerId(Uuid::new_v4()), ..one.clone() };
        let connected = Question {
            connections: vec![(ConnectionId("conn_1".to_owned()), ConnectionStatus::Active)],
            ..one.clone()
        };
        let of_user = Question { user: ExternalRef::parse("shop42"), ..one.clone() };
        keep(&mut cache, &one, at(0), false, || done(PlatformAnswer::default()));
        for another in [other, connected, of_user] {
            let kept = keep(&mut cache, &another, at(0), false, || done(PlatformAnswer::lost()));
            assert!(!kept.finished().unwrap().1.is_good());
        }
    }

    #[test]
    fn a_process_keeps_a_bounded_number() {
        let mut all = Cache::new();
        for second in 0..300 {
            make_room(&mut all, at(second));
            let kept = CachedAnswer { begun: at(second), answer: done(PlatformAnswer::default()), good: None };
            all.insert(question(), kept);
        }
        assert_eq!(all.len(), MAX_CACHED);
        assert!(all.values().all(|kept| kept.begun >= at(300 - 256)));
    }

    #[test]
    fn an_answer_has_the_asked_accounts_and_names_those_with_missing_rows() {
        let week = days("2026-11-16", "2026-11-22");
        let asked = ["1", "2"].map(|id| (ConnectionId(format!("conn_{id}")), ConnectionStatus::Active));
        let ended = |end: ListEnd| {
            let mut answer = PlatformAnswer::default();
            for id in ["1", "2", "3", "1"] {
                answer.add(&Reading::of(insights(id, vec![row("beta_1_a", "2026-11-22", Some(100))]), week));
            }
            let answer = answer.ended(end, &asked);
            let text = |(id, _): &(ConnectionId, _)| answer.accounts[id].total.spend.text(|sum| sum.to_string());
            (asked.each_ref().map(text), answer.accounts.len(), answer.is_good())
        };
        let shown = |one: &str, other: &str| [one.to_owned(), other.to_owned()];
        assert_eq!(ended(ListEnd::default()), (shown("2.00", "1.00"), 2, true));
        let error = |id: &str| {
            let connection = ConnectionId(format!("conn_{id}"));
            ConnectionError::new(Platform::Beta, connection, &Error::new(Kind::PlatformFailed, "No."))
        };
        let failed = |id: &str| ListEnd { errors: vec![error(id)], ..ListEnd::default() };
        assert_eq!(ended(failed("2")), (shown("2.00", "at least 1.00"), 2, false), "it has failed on a later page");
        assert_eq!(ended(failed("3")), (shown("2.00", "1.00"), 2, true), "nobody has asked it");
        let bounds = shown("at least 2.00", "at least 1.00");
        assert_eq!(ended(ListEnd { is_cut: true, ..ListEnd::default() }), (bounds.clone(), 2, false));
        assert_eq!(ended(PlatformAnswer::lost().end), (bounds, 2, false), "a later page was refused");
    }
}
