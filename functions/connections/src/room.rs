//! The plan's limit of connected ad accounts (D33 in docs/decisions.md). PENDING connections do not count.

use shared::domain::{AdAccount, ConnectionStatus, CustomerConnections, Plan, Platform};
use shared::error::{Error, Kind};

/// How many more accounts may be connected; `None` for as many as there are.
fn room(plan: Plan, connected: &CustomerConnections) -> Option<usize> {
    let taken = connected.connections.iter().filter(|connection| connection.account.is_some()).count();
    plan.limits().connections.map(|most| most.saturating_sub(taken))
}

/// Refuses an authorization for which there is no room. A connection that needs a new consent makes one possible all
/// the same: it has its place already.
pub(crate) fn check(plan: Plan, connected: &CustomerConnections, platform: Platform) -> Result<(), Error> {
    let broken = [ConnectionStatus::Revoked, ConnectionStatus::Error];
    let mut of_platform = connected.connections.iter().filter(|connection| connection.platform == platform);
    let is_repair = of_platform.any(|connection| broken.contains(&connection.status));
    if room(plan, connected) == Some(0) && !is_repair { Err(full(plan)) } else { Ok(()) }
}

/// The accounts that may be connected and those that there is no room for. What is connected keeps its place; of the
/// others the first by id get in.
pub(crate) fn divide(
    plan: Plan,
    connected: &CustomerConnections,
    platform: Platform,
    accounts: Vec<AdAccount>,
) -> (Vec<AdAccount>, Vec<AdAccount>) {
    let Some(room) = room(plan, connected) else { return (accounts, Vec::new()) };
    let is_new = |account: &&AdAccount| !is_connected(connected, platform, &account.id);
    let mut new: Vec<String> = accounts.iter().filter(is_new).map(|account| account.id.clone()).collect();
    new.sort_unstable();
    let left_out = new.split_off(room.min(new.len()));
    accounts.into_iter().partition(|account| !left_out.contains(&account.id))
}

/// Whether an ad account is connected, in whatever state.
pub(crate) fn is_connected(connected: &CustomerConnections, platform: Platform, account_id: &str) -> bool {
    let mut of_platform = connected.connections.iter().filter(|connection| connection.platform == platform);
    of_platform.any(|connection| connection.account_id() == account_id)
}

/// The refusal of an account that there is no room for.
pub(crate) fn full(plan: Plan) -> Error {
    let most = plan.limits().connections.unwrap_or_default();
    let larger = Plan::smallest_with(|limits| limits.connections.is_none_or(|other| other > most));
    let message = format!(
        "Plan {} has room for {most} connections, and they are taken: remove one with DELETE /v1/connections/{{id}}, or \
         change to plan {}.",
        plan.as_str(),
        larger.as_str()
    );
    Error::new(Kind::Forbidden, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::{Connection, ConnectionId, Currency};

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
    fn the_first_by_id_get_in_and_what_is_connected_keeps_its_place() {
        use ConnectionStatus::{Active, Pending, Revoked};
        let before = connected(Platform::Alpha, &[("9", Active), ("8", Revoked), ("", Pending)]);
        let brought = ["7", "9", "5", "6"].map(account).to_vec();
        let (fit, left_out) = divide(Plan::Starter, &before, Platform::Alpha, brought.clone());
        assert_eq!((ids(&fit), ids(&left_out)), (vec!["9", "5"], vec!["7", "6"]));
        let (fit, left_out) = divide(Plan::Starter, &before, Platform::Beta, brought.clone());
        assert_eq!((ids(&fit), left_out.len()), (vec!["5"], 3), "the same id on another platform is another account");
        let (fit, left_out) = divide(Plan::Enterprise, &before, Platform::Alpha, brought);
        assert_eq!((fit.len(), left_out.len()), (4, 0));
    }

    #[test]
    fn at_the_cap_only_a_broken_connection_of_the_platform_can_be_authorized_again() {
        use ConnectionStatus::{Active, Error, Pending, Revoked};
        for (statuses, is_allowed) in [
            ([Active, Active, Pending], true),
            ([Active, Active, Active], false),
            ([Active, Active, Revoked], true),
            ([Active, Error, Active], true),
        ] {
            let connected = connected(Platform::Alpha, &statuses.map(|status| ("1", status)));
            assert_eq!(check(Plan::Starter, &connected, Platform::Alpha).is_ok(), is_allowed, "{statuses:?}");
        }
        let elsewhere = connected(Platform::Alpha, &[("1", Active), ("2", Active), ("3", Revoked)]);
        let refusal = check(Plan::Starter, &elsewhere, Platform::Beta).unwrap_err().message;
        assert!(refusal.contains("starter") && refusal.contains("plan pro") && refusal.contains("DELETE"), "{refusal}");
        assert!(full(Plan::Pro).message.contains("plan enterprise"));
    }
}
