//! The plan's limits of connected ad accounts (D33) and of PENDING connections (D22).

use jiff::{SignedDuration, Timestamp};
use shared::domain::{
    AdAccount, Connection, ConnectionStatus, CustomerConnections, Plan, PlanStatement, Platform, Reason,
};
use shared::error::{Error, Kind};
use std::time::Duration;

/// The largest number of PENDING connections on any plan.
pub(crate) const MAX_PENDING: usize = 100;
/// The shortest `Retry-After` of a rejected authorization.
const MIN_WAIT: Duration = Duration::from_secs(1);

/// The number of ad accounts that can still be connected; `None` if the plan has no limit.
fn remaining(plan: Plan, used: usize) -> Option<usize> {
    plan.limits().connections.map(|most| most.saturating_sub(used))
}

/// Whether the plan's limit is reached.
pub(crate) fn is_full(plan: Plan, used: usize) -> bool {
    remaining(plan, used) == Some(0)
}

/// Rejects an authorization if the plan's limit is reached. A REVOKED or ERROR connection of the platform allows one:
/// it counts already.
pub(crate) fn check(plan: Plan, connections: &[Connection], platform: Platform) -> Result<(), Error> {
    let broken = [ConnectionStatus::Revoked, ConnectionStatus::Error];
    let used = connections.iter().filter(|connection| connection.account.is_some()).count();
    let mut of_platform = connections.iter().filter(|connection| connection.platform == platform);
    let is_repair = of_platform.any(|connection| broken.contains(&connection.status));
    if is_full(plan, used) && !is_repair { Err(limit_reached(plan)) } else { Ok(()) }
}

/// Splits ad accounts into those within the plan's limit and those beyond it. Connected accounts stay within; new ones
/// follow in the order of their ids.
pub(crate) fn split_by_limit(
    plan: Plan,
    used: usize,
    connected: &CustomerConnections,
    platform: Platform,
    accounts: Vec<AdAccount>,
) -> (Vec<AdAccount>, Vec<AdAccount>) {
    let Some(remaining) = remaining(plan, used) else { return (accounts, Vec::new()) };
    let is_new = |account: &&AdAccount| find(connected, platform, &account.id).is_none();
    let mut new: Vec<String> = accounts.iter().filter(is_new).map(|account| account.id.clone()).collect();
    new.sort_unstable();
    let beyond = new.split_off(remaining.min(new.len()));
    accounts.into_iter().partition(|account| !beyond.contains(&account.id))
}

/// The connection of an ad account, of any status.
pub(crate) fn find<'a>(
    connected: &'a CustomerConnections,
    platform: Platform,
    account_id: &str,
) -> Option<&'a Connection> {
    let mut of_platform = connected.connections.iter().filter(|connection| connection.platform == platform);
    of_platform.find(|connection| connection.account.is_some() && connection.account_id() == account_id)
}

/// The largest number of PENDING connections: as many as the plan has connections.
fn max_pending(plan: Plan) -> usize {
    plan.limits().connections.map_or(MAX_PENDING, |most| most.min(MAX_PENDING))
}

/// Rejects an authorization if the customer has as many PENDING connections as the plan allows.
pub(crate) fn check_pending(
    plan: Plan,
    pending: &[Connection],
    now: Timestamp,
    lifetime: SignedDuration,
) -> Result<(), Error> {
    let most = max_pending(plan);
    if pending.len() < most {
        return Ok(());
    }
    let first_end = pending.iter().map(|known| known.created_at + lifetime).min().unwrap_or(now);
    let wait = Duration::try_from(first_end.duration_since(now)).unwrap_or_default();
    Err(Error::new(Kind::RateLimited, PlanStatement::Authorizations { plan, most })
        .because(Reason::LimitReached)
        .retryable()
        .retry_after(wait.max(MIN_WAIT)))
}

/// The error for an ad account beyond the plan's limit.
pub(crate) fn limit_reached(plan: Plan) -> Error {
    let most = plan.limits().connections.unwrap_or_default();
    let larger = Plan::smallest_with(|limits| limits.connections.is_none_or(|other| other > most));
    Error::new(Kind::Forbidden, PlanStatement::Connections { plan, most, larger }).because(Reason::PlanLimit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::{ConnectionId, Currency};

    fn account(id: &str) -> AdAccount {
        let currency = Currency::from_code("USD").unwrap();
        AdAccount { id: id.into(), name: id.into(), currency, time_zone: "UTC".into(), manager_id: None }
    }

    fn connected(platform: Platform, accounts: &[(&str, ConnectionStatus)]) -> CustomerConnections {
        let connection = |(id, status): &(&str, ConnectionStatus)| Connection {
            id: ConnectionId::generate(),
            platform,
            status: *status,
            reason: None,
            label: None,
            external_ref: None,
            campaign_defaults: None,
            account: (*status != ConnectionStatus::Pending).then(|| account(id)),
            grant_id: None,
            created_at: jiff::Timestamp::UNIX_EPOCH,
            last_synced_at: None,
            paused_until: None,
        };
        CustomerConnections { connections: accounts.iter().map(connection).collect(), grants: Vec::new() }
    }

    fn ids(accounts: &[AdAccount]) -> Vec<&str> {
        accounts.iter().map(|account| account.id.as_str()).collect()
    }

    #[test]
    fn connected_accounts_stay_and_new_ones_follow_by_id() {
        use ConnectionStatus::{Active, Pending, Revoked};
        let before = connected(Platform::Alpha, &[("9", Active), ("8", Revoked), ("", Pending)]);
        let accounts = ["7", "9", "5", "6"].map(account).to_vec();
        let (within, beyond) = split_by_limit(Plan::Starter, 2, &before, Platform::Alpha, accounts.clone());
        assert_eq!((ids(&within), ids(&beyond)), (vec!["9", "5"], vec!["7", "6"]));
        let (within, beyond) = split_by_limit(Plan::Starter, 2, &before, Platform::Beta, accounts.clone());
        assert_eq!((ids(&within), beyond.len()), (vec!["5"], 3), "the same id on another platform is another account");
        let (within, beyond) = split_by_limit(Plan::Enterprise, 2, &before, Platform::Alpha, accounts);
        assert_eq!((within.len(), beyond.len()), (4, 0));
    }

    #[test]
    fn at_the_limit_only_a_broken_connection_can_be_authorized_again() {
        use ConnectionStatus::{Active, Error, Pending, Revoked};
        for (statuses, is_allowed) in [
            ([Active, Active, Pending], true),
            ([Active, Active, Active], false),
            ([Active, Active, Revoked], true),
            ([Active, Error, Active], true),
        ] {
            let connected = connected(Platform::Alpha, &statuses.map(|status| ("1", status)));
            assert_eq!(
                check(Plan::Starter, &connected.connections, Platform::Alpha).is_ok(),
                is_allowed,
                "{statuses:?}"
            );
        }
        let elsewhere = connected(Platform::Alpha, &[("1", Active), ("2", Active), ("3", Revoked)]);
        let refusal = check(Plan::Starter, &elsewhere.connections, Platform::Beta).unwrap_err().message;
        assert!(refusal.contains("starter") && refusal.contains("plan pro") && refusal.contains("DELETE"), "{refusal}");
        assert!(limit_reached(Plan::Pro).message.contains("plan enterprise"));
    }
}
