//! Requests that reach no handler: an unknown path, a wrong method, or a malformed request. With a valid key they count
//! like any other, because the service did the work (D31).

use super::timeout::until_hard_deadline;
use super::{Answer, IncomingRequest, RequestInfo};
use crate::auth::{Authenticated, PresentedKey, authenticate};
use crate::envelope::{Reply, WebReply};
use crate::error::{Error, Kind};
use crate::routes::{self, Match};
use crate::store::Terms;
use http::Method;

/// Counts a request that would be answered with `error`, whatever the scopes of its key. Returns that error, or the
/// limit that the request exceeds, or the failure of the authentication.
pub(super) async fn count_unhandled(
    incoming: &IncomingRequest,
    key: &PresentedKey,
    error: Error,
    info: &mut RequestInfo,
) -> Error {
    let counts = !matches!(&incoming.matched, Match::Found(route, _) if !route.counts);
    match authenticate(&incoming.app.store, key, incoming.now, Terms { counts, slot_until: None }).await {
        Ok(Authenticated { account, key, allowance, rejection, slot: _ }) => {
            info.key = key.map(|key| key.id);
            (info.customer, info.allowance) = (Some(account.customer.id), Some(allowance));
            info.note_quota(&account);
            rejection.unwrap_or(error)
        }
        Err(failure) => failure,
    }
}

impl IncomingRequest {
    /// Whether a browser asks for the dashboard with a slash too many.
    pub fn is_dashboard_with_slash(&self) -> bool {
        let is_of_browser = matches!(*self.request.method(), Method::GET | Method::HEAD);
        is_of_browser && routes::is_dashboard_with_slash(self.request.uri().path())
    }

    /// Redirects to the dashboard.
    pub fn redirect_to_dashboard(self) -> Answer {
        let outcome = Ok(Reply::Web(WebReply::see_other(routes::DASHBOARD)));
        let response = self.render(&outcome, None);
        self.finish_unlogged(outcome, response)
    }

    /// Answers a request that has no endpoint in the function that received it: 404 or 405. A request with a valid key
    /// counts, and may be 429. A key on a public path or on the path of agents is not looked up. Older clients of
    /// agents request a stream there once.
    pub async fn reject_unrouted(self) -> Answer {
        let path = self.request.uri().path();
        match self.key() {
            Some(key) if !routes::is_public(path) && !routes::is_of_agents(path) => {
                self.context().scope(Box::pin(count_unrouted(self, key))).await
            }
            _ => self.reject_unlogged(),
        }
    }
}

/// The response to an unrouted request: 404 or 405 whatever the key is, unless its customer is over a limit or
/// disabled. A wrong key costs one failed update of the account.
async fn count_unrouted(incoming: IncomingRequest, key: PresentedKey) -> Answer {
    let mut info = RequestInfo::default();
    let counted = count_unhandled(&incoming, &key, incoming.route_error(), &mut info);
    let error = until_hard_deadline(&incoming, counted).await;
    match error {
        Some(error) if info.customer.is_some() => {
            let outcome = Err(error);
            let response = incoming.render(&outcome, info.allowance);
            incoming.finish(outcome, &info, response)
        }
        error => {
            if let Some(error) = error.filter(|error| error.kind != Kind::Unauthorized) {
                tracing::warn!(%error, source = error.source, "a request without an endpoint was not counted");
            }
            incoming.reject_unlogged()
        }
    }
}
