//! Who has not answered, in words.

use super::overview::Overview;
use super::state::AccountState;
use crate::kit::campaign::campaign_count;
use crate::kit::missing::{age, progress};
use crate::kit::text::clock;
use jiff::Timestamp;

/// Accounts that are named before the others are counted.
const NAMED: usize = 2;

/// What went wrong in some ad accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The accounts for people.
    pub(crate) accounts: String,
    /// What happened.
    pub(crate) message: String,
    /// What is shown of them instead.
    pub(crate) shown: String,
}

impl Overview {
    /// The accounts that have not responded yet.
    pub(crate) fn pending_accounts(&self) -> Option<String> {
        let names: Vec<&str> = self.accounts.iter().filter(|account| account.is_waiting).map(name).collect();
        (!names.is_empty()).then(|| first_names(&names))
    }

    /// How far the reading is, where several ad accounts are read: `18 of 25 ad accounts have responded, 45 campaigns so far.`
    pub(crate) fn progress(&self) -> Option<String> {
        let (all, waiting) = (self.accounts.len(), self.accounts.iter().filter(|account| account.is_waiting));
        let is_first = waiting.clone().any(|account| account.read_at.is_none());
        let waiting = waiting.count();
        let campaigns = (is_first && !self.rows.is_empty()).then(|| campaign_count(self.rows.len()));
        (all > 1 && waiting > 0).then(|| progress(all - waiting, all, campaigns))
    }

    /// That newer rows are on their way, and how far they are: `Updating: 18 of 25 read`; `None` if none are.
    pub(crate) fn updating(&self) -> Option<String> {
        self.complete_path.as_ref()?;
        let (all, waiting) = (self.accounts.len(), self.accounts.iter().filter(|account| account.is_waiting).count());
        Some(if all > 1 { format!("Updating: {} of {all} read", all - waiting) } else { "Updating…".to_owned() })
    }

    /// What went wrong, each with the accounts of which it is true.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut found: Vec<(&str, String, Vec<&str>)> = Vec::new();
        for account in &self.accounts {
            let Some((message, shown)) = problem(account, self.now) else { continue };
            match found.iter_mut().find(|known| known.0 == message && known.1 == shown) {
                Some((_, _, names)) => names.push(&account.name),
                None => found.push((message, shown, vec![&account.name])),
            }
        }
        let problems = found.into_iter().map(|(message, shown, names)| Problem {
            accounts: first_names(&names),
            message: message.to_owned(),
            shown,
        });
        problems.collect()
    }

    /// The ad accounts that could not be read, in a few words: `TikTok: 2 ad accounts are out of date`.
    pub(crate) fn trouble(&self) -> Option<String> {
        let found: Vec<_> = self.accounts.iter().filter(|account| problem(account, self.now).is_some()).collect();
        let (first, others) = found.split_first()?;
        if others.is_empty() {
            return Some(format!("{} is {}", first.name, out_of_date(&found)));
        }
        let of_one = first.platform.filter(|platform| others.iter().all(|other| other.platform == Some(*platform)));
        let platform = of_one.map(|platform| format!("{}: ", platform.display_name())).unwrap_or_default();
        Some(format!("{platform}{} ad accounts are {}", found.len(), out_of_date(&found)))
    }

    /// Whether some account has more campaigns than are read.
    pub(crate) fn is_cut(&self) -> bool {
        self.accounts.iter().any(|account| account.is_cut)
    }
}

/// What ad accounts are that could not be read: `out of date`, or `missing` where nothing was read before.
fn out_of_date(failed: &[&AccountState]) -> &'static str {
    let known = failed.iter().filter(|account| account.read_at.is_some() && account.numbers_at.is_some()).count();
    out_of_date_words(known, failed.len())
}

/// The same of so many that are known from before, among all that failed.
pub(super) fn out_of_date_words(known: usize, all: usize) -> &'static str {
    match known {
        0 => "missing",
        known if known == all => "out of date",
        _ => "missing or out of date",
    }
}

/// What went wrong in an account, and what is shown of it.
fn problem(account: &AccountState, now: Timestamp) -> Option<(&str, String)> {
    match (&account.problem, &account.numbers_problem, account.answered_at()) {
        (Some(problem), _, Some(at)) => Some((problem, format!("Last updated {}.", age(at, now)))),
        (Some(problem), _, None) => Some((problem, "Its campaigns are missing.".to_owned())),
        (None, Some(problem), Some(at)) => Some((problem, format!("Its numbers are from {}.", clock(at, now)))),
        (None, Some(problem), None) => Some((problem, "Its numbers are missing.".to_owned())),
        (None, None, _) => None,
    }
}

fn name(account: &AccountState) -> &str {
    &account.name
}

/// The first names, and the number of the others.
fn first_names(names: &[&str]) -> String {
    let shown = names[..names.len().min(NAMED)].join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::CampaignRow;
    use crate::kit::campaign::tests::campaign;
    use shared::domain::{CampaignStatus, Platform};

    fn account(name: &str, problem: Option<&str>, read_at: Option<Timestamp>) -> AccountState {
        let (name, problem) = (name.to_owned(), problem.map(str::to_owned));
        AccountState { name, problem, read_at, numbers_at: read_at, ..AccountState::default() }
    }

    #[test]
    fn accounts_with_the_same_problem_are_told_once_and_say_what_is_shown() {
        let at = |minute: i64| Timestamp::from_second(minute * 60).unwrap();
        let mut accounts = vec![account("Meta: A", Some("Meta is throttling."), Some(at(1)))];
        accounts.push(account("Meta: B", Some("Meta is throttling."), Some(at(1))));
        accounts.push(account("Reddit: C", Some("Reddit did not answer."), None));
        accounts.push(account("Google Ads: D", None, Some(at(5))));
        let overview = Overview { accounts, now: at(7), ..Overview::default() };
        let told: Vec<String> = overview
            .problems()
            .into_iter()
            .map(|Problem { accounts, message, shown }| format!("{accounts}: {message} {shown}"))
            .collect();
        assert_eq!(
            told,
            [
                "Meta: A, Meta: B: Meta is throttling. Last updated 6 minutes ago.",
                "Reddit: C: Reddit did not answer. Its campaigns are missing."
            ]
        );
        assert_eq!(overview.trouble().as_deref(), Some("3 ad accounts are missing or out of date"));
        let of_meta = |mut overview: Overview, most: usize| {
            overview.accounts.truncate(most);
            overview.accounts.iter_mut().for_each(|account| account.platform = Some(Platform::Beta));
            overview.trouble()
        };
        assert_eq!(
            of_meta(Overview { accounts: overview.accounts.clone(), ..Overview::default() }, 1).as_deref(),
            Some("Meta: A is out of date")
        );
        assert_eq!(of_meta(overview, 2).as_deref(), Some("Meta: 2 ad accounts are out of date"));
    }

    #[test]
    fn a_reading_with_several_accounts_says_how_far_it_is() {
        let waits = |is_waiting, read_at| AccountState { is_waiting, read_at, ..AccountState::default() };
        let rows = vec![CampaignRow::without_numbers(campaign("beta_1_1", CampaignStatus::Paused))];
        let told = |accounts| Overview { accounts, rows: rows.clone(), ..Overview::default() }.progress();
        let (done, first) = (waits(false, Some(Timestamp::UNIX_EPOCH)), waits(true, None));
        let again = waits(true, Some(Timestamp::UNIX_EPOCH));
        assert_eq!(
            told(vec![done.clone(), first.clone()]).as_deref(),
            Some("1 of 2 ad accounts have responded, 1 campaign so far.")
        );
        assert_eq!(told(vec![done.clone(), again]).as_deref(), Some("1 of 2 ad accounts have responded."));
        assert_eq!((told(vec![first]), told(vec![done.clone(), done])), (None, None));
    }

    #[test]
    fn a_page_that_is_being_updated_says_how_far_it_is() {
        let waits = |is_waiting| AccountState { is_waiting, ..AccountState::default() };
        let told = |accounts: Vec<AccountState>, complete_path: Option<&str>| {
            Overview { accounts, complete_path: complete_path.map(str::to_owned), ..Overview::default() }.updating()
        };
        let (both, next) = (|| vec![waits(true), waits(false)], Some("/dashboard?read=all"));
        assert_eq!(told(both(), next).as_deref(), Some("Updating: 1 of 2 read"), "also below the outcome of a form");
        assert_eq!(told(vec![waits(true)], next).as_deref(), Some("Updating…"));
        assert_eq!(told(both(), None), None);
    }

    #[test]
    fn many_names_are_counted() {
        assert_eq!(first_names(&["a"; 2]), "a, a");
        assert_eq!(first_names(&["a"; 7]), "a, a and 5 more");
    }
}
