//! When each ad account was read last, and why it could not be since, as it is kept: no platform is asked for it.

use super::kept::KeptCampaigns;
use super::last_answer::of_account;
use super::overview::kept_overview;
use jiff::Timestamp;
use shared::domain::CustomerId;
use shared::serve::WebRequest;
use shared::store::{KeptOverview, KeptPart, OverviewPart};
use std::collections::BTreeMap;

/// The last readings of an ad account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LastRead {
    /// What could not be read the last time.
    pub(crate) failure: Option<ReadFailure>,
    /// When it answered last; `None` if it has not yet.
    pub(crate) answered_at: Option<Timestamp>,
    /// Its campaigns that were active when they were read; `None` if they are not known.
    pub(crate) active: Option<usize>,
}

/// A reading that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadFailure {
    /// Only the numbers are missing; the campaigns are read.
    pub(crate) is_of_numbers: bool,
    /// When the account answered last; `None` if it has not yet.
    pub(crate) since: Option<Timestamp>,
    pub(crate) tried_at: Timestamp,
    /// A sentence.
    pub(crate) message: String,
}

/// The last readings of the accounts, by the ids of their connections.
pub(crate) async fn last_reads(request: &WebRequest, customer: CustomerId) -> BTreeMap<String, LastRead> {
    of(kept_overview(request, customer).await, request.now)
}

fn of(kept: KeptOverview, now: Timestamp) -> BTreeMap<String, LastRead> {
    let mut known: BTreeMap<String, LastRead> = BTreeMap::new();
    let mut times: BTreeMap<String, [Option<Timestamp>; 2]> = BTreeMap::new();
    for part in kept.parts {
        let KeptPart { part, connection, tried_at, rows, problem } = part;
        let is_of_numbers = part == OverviewPart::Days;
        times.entry(connection.clone()).or_default()[usize::from(is_of_numbers)] = rows.as_ref().map(|(at, _)| *at);
        let last = known.entry(connection).or_default();
        if let Some(message) = problem
            && (!is_of_numbers || last.failure.is_none())
        {
            last.failure = Some(ReadFailure { is_of_numbers, since: None, tried_at, message });
        }
        if !is_of_numbers {
            last.active = rows.and_then(|(_, json)| active(&json, now));
        }
    }
    for (connection, last) in &mut known {
        let [campaigns, numbers] = times.get(connection).copied().unwrap_or_default();
        let lacks_only_numbers = last.failure.as_ref().is_some_and(|failure| failure.is_of_numbers);
        last.answered_at = of_account(campaigns, numbers, lacks_only_numbers);
        if let Some(failure) = &mut last.failure {
            failure.since = last.answered_at;
        }
    }
    known
}

fn active(json: &str, now: Timestamp) -> Option<usize> {
    Some(KeptCampaigns::read(json)?.rows.iter().filter(|campaign| campaign.is_active(now)).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(part: OverviewPart, problem: Option<&str>) -> KeptPart {
        let (at, tried_at) = ("2026-11-30T02:58:00Z".parse().unwrap(), "2026-11-30T03:02:00Z".parse().unwrap());
        let rows = Some((at, KeptCampaigns::write(std::iter::empty(), false)));
        KeptPart { part, connection: "conn_1".to_owned(), tried_at, rows, problem: problem.map(str::to_owned) }
    }

    #[test]
    fn the_campaigns_count_more_than_their_numbers() {
        let of = |parts: [KeptPart; 2]| {
            let kept = KeptOverview { parts: parts.to_vec(), changes: Vec::new() };
            let mut known = of(kept, "2026-11-30T03:03:00Z".parse().unwrap());
            known.remove("conn_1").unwrap()
        };
        let (campaigns, days) = (OverviewPart::Campaigns, OverviewPart::Days);
        let answered_at = Some("2026-11-30T02:58:00Z".parse().unwrap());
        let well = LastRead { failure: None, answered_at, active: Some(0) };
        assert_eq!(of([part(campaigns, None), part(days, None)]), well);
        for parts in [
            [part(campaigns, Some("No.")), part(days, Some("No numbers."))],
            [part(days, Some("No numbers.")), part(campaigns, Some("No."))],
        ] {
            let failure = of(parts).failure.unwrap();
            assert_eq!((failure.message.as_str(), failure.is_of_numbers), ("No.", false));
            assert_eq!(failure.since, Some("2026-11-30T02:58:00Z".parse().unwrap()));
        }
        assert!(of([part(campaigns, None), part(days, Some("No numbers."))]).failure.unwrap().is_of_numbers);
    }
    #[test]
    fn a_silence_has_the_time_of_the_last_answer_of_any_kind() {
        let later = (Some("2026-11-30T02:59:00Z".parse().unwrap()), part(OverviewPart::Days, Some("No.")));
        let (at, days) = later;
        let days = KeptPart { rows: days.rows.zip(at).map(|((_, rows), at)| (at, rows)), ..days };
        let kept = KeptOverview { parts: vec![part(OverviewPart::Campaigns, Some("No.")), days], changes: Vec::new() };
        let last = of(kept, "2026-11-30T03:03:00Z".parse().unwrap()).remove("conn_1").unwrap();
        assert_eq!((last.answered_at, last.failure.unwrap().since), (at, at));
    }
}
