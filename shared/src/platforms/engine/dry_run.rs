//! Dry runs: everything that a write does but the write itself. Its request is recorded, shown without secrets, and
//! checked: by the platform where it has a flag for that, otherwise by reading the ad account.

use super::call::{AccountSession, CallContext, Client};
use super::facts::Facts;
use crate::domain::{AdAccount, ConnectionStatement, Platform, Reason, ShownRequest};
use crate::error::{Error, Kind};
use crate::outbound::{OutboundRequest, WriteRecorder};
use crate::platforms::errors;
use crate::platforms::rows::RawObject;
use serde_json::Value;

/// Parameters of addresses that are secret.
const SECRET_PARAMETERS: [&str; 2] = ["access_token", "appsecret_proof"];
/// Stands in place of a secret.
const MASK: &str = "[secret]";

/// The result of a dry run.
#[derive(Debug)]
pub struct DryRun {
    /// The writes that would be sent, in their order.
    pub requests: Vec<ShownRequest>,
    /// True if the platform itself checked the writes.
    pub is_checked_by_platform: bool,
    /// The reason why the writes would fail.
    pub outcome: Result<(), Error>,
}

impl DryRun {
    /// The result for writes that the platform did not check.
    pub fn new(requests: Vec<ShownRequest>, outcome: Result<(), Error>) -> DryRun {
        DryRun { requests, is_checked_by_platform: false, outcome }
    }

    /// The writes would fail. An inconclusive error is returned instead, and so is a refused access token, which the
    /// caller refreshes before it tries again.
    pub(super) fn failed(requests: Vec<ShownRequest>, error: Error) -> Result<DryRun, Error> {
        match error.kind {
            kind if kind == Kind::TokenExpired || kind.is_inconclusive() => Err(error),
            _ => Ok(DryRun::new(requests, Err(error))),
        }
    }

    /// The same result, by a check of the platform.
    pub(super) fn by_platform(self) -> DryRun {
        DryRun { is_checked_by_platform: true, ..self }
    }
}

/// A session that records writes in place of sending them.
pub(super) struct DryRunSession {
    pub(super) session: AccountSession,
    recorder: WriteRecorder,
}

impl DryRunSession {
    pub(super) fn of(session: &AccountSession, facts: &Facts) -> DryRunSession {
        let recorder = WriteRecorder::new(facts.assumed_response);
        let outbound = session.call.outbound.with_write_recorder(&recorder);
        let call = CallContext { outbound, ..session.call.clone() };
        DryRunSession { session: AccountSession { call, ..session.clone() }, recorder }
    }

    /// The writes of work in the session, or the failure before its last write.
    pub(super) fn writes<T>(&self, outcome: Result<T, Error>) -> Result<Vec<OutboundRequest>, Error> {
        self.recorder.writes(outcome)
    }
}

/// A write as a caller may see it.
pub(super) fn shown(client: &Client<'_>, write: &OutboundRequest) -> ShownRequest {
    let text = |text: &str| client.masked(text, MASK);
    ShownRequest {
        method: write.method.to_string(),
        url: text(&masked_parameters(&write.url)),
        body: text(&String::from_utf8_lossy(&write.body)),
    }
}

/// The address with the values of secret parameters replaced. All other bytes stay.
fn masked_parameters(url: &str) -> String {
    let Some((path, query)) = url.split_once('?') else { return url.to_owned() };
    let masked = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if SECRET_PARAMETERS.contains(&name) => format!("{name}={MASK}"),
        _ => pair.to_owned(),
    });
    format!("{path}?{}", masked.collect::<Vec<_>>().join("&"))
}

/// The same write with a flag among the fields of its JSON body. Every other value stays as it is written.
pub(in crate::platforms) fn with_flag(write: &OutboundRequest, flag: &Value) -> Result<OutboundRequest, Error> {
    let body = std::str::from_utf8(&write.body).map_err(Error::internal)?;
    let mut body = RawObject::parse(body).map_err(Error::internal)?;
    body.set(flag).map_err(Error::internal)?;
    let body = body.to_text().map_err(Error::internal)?.into();
    Ok(OutboundRequest { body, ..write.clone() })
}

/// Checks that the ad account can still be used, in the same currency.
pub(super) fn check(session: &AccountSession, platform: Platform, found: Option<&AdAccount>) -> Result<(), Error> {
    let Some(account) = found else {
        return Err(Error::new(Kind::Forbidden, errors::not_shown(platform))
            .because(Reason::PlatformAccessDenied)
            .on(platform));
    };
    if account.currency != session.account.currency {
        let message = ConnectionStatement::CurrencyChanged { account: account.id.clone(), currency: account.currency };
        return Err(Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile).on(platform));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_parameters_are_masked_and_nothing_else_changes() {
        assert_eq!(
            masked_parameters("https://graph.test/v1/act_1/campaigns?a=%2B1&appsecret_proof=00ff&b"),
            "https://graph.test/v1/act_1/campaigns?a=%2B1&appsecret_proof=[secret]&b"
        );
        assert_eq!(masked_parameters("https://api.test/x"), "https://api.test/x");
    }
}
