//! Checks many grants, several at a time, for as long as there is time.

use super::{ConnectionCheck, PlatformContext};
use crate::domain::{ConnectionStatus, CustomerConnections, Grant, GrantId};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::Instant;

/// Grants that are checked at the same time. More would exhaust the sockets of a function.
const CONCURRENT_CHECKS: usize = 16;

/// The result of checking a customer's grants.
#[derive(Clone, Debug)]
pub struct GrantChecks<'a> {
    /// The connections of the checked grants.
    pub checks: Vec<ConnectionCheck>,
    /// The grants for which there was no time, in the order of their ids.
    pub remaining: Vec<&'a Grant>,
}

impl<'a> PlatformContext<'a> {
    /// Checks the grants from `first` on in the order of their ids, and starts none after `until`.
    pub async fn check_grants(&self, first: Option<&GrantId>, until: Instant) -> GrantChecks<'a> {
        let mut waiting = checkable(self.connected, first).into_iter();
        let mut checks = Vec::new();
        let mut in_flight = FuturesUnordered::new();
        loop {
            while in_flight.len() < CONCURRENT_CHECKS && Instant::now() < until {
                let Some(grant) = waiting.next() else { break };
                in_flight.push(self.check_connections(grant));
            }
            let Some(checked) = in_flight.next().await else { break };
            checks.extend(checked);
        }
        GrantChecks { checks, remaining: waiting.collect() }
    }
}

/// The grants from `first` on whose check can change a connection, in the order of their ids. A check changes no
/// REVOKED connection.
fn checkable<'a>(connected: &'a CustomerConnections, first: Option<&GrantId>) -> Vec<&'a Grant> {
    let is_checkable = |grant: &&Grant| {
        let mut connections = connected.using_grant(&grant.id);
        !grant.ended
            && first.is_none_or(|first| grant.id.0 >= first.0)
            && connections.any(|known| known.status != ConnectionStatus::Revoked)
    };
    let mut grants: Vec<&Grant> = connected.grants.iter().filter(is_checkable).collect();
    grants.sort_by(|a, b| a.id.0.cmp(&b.id.0));
    grants
}
