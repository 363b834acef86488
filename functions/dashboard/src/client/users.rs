//! Users of the account: typed calls of the API, and the user that the address of a page names.

use crate::client::api::{Api, Refusal, json};
use crate::client::session::SignedIn;
use crate::kit::addresses::OF_USER;
use crate::kit::limit::NewLimit;
use crate::kit::text::path_segment;
use futures_util::future::join_all;
use serde::Serialize;
use shared::domain::{ExternalRef, User};
use shared::envelope::query::value;
use shared::envelope::{Reply, UserDetails, UserList, UsersReply};
use shared::error::{Error, Kind};
use shared::serve::WebRequest;

/// The list of users in the API.
pub(crate) const USERS: &str = "/v1/users";

/// The body of `putUser`.
#[derive(Serialize)]
struct LimitUpdate<'a> {
    spending_limit: Option<NewLimit<'a>>,
}

/// The user that an address or a form names, if it names one. A list must not show everything for a name that no user can
/// have, so that is an error.
pub(crate) fn named(values: &[(String, String)]) -> Result<Option<ExternalRef>, Error> {
    let name = value(values, OF_USER).map(str::trim).filter(|name| !name.is_empty());
    name.map(|name| ExternalRef::parse(name).ok_or_else(no_such_user)).transpose()
}

/// The user that the address or the form of a page about one user names.
pub(crate) fn required(values: &[(String, String)]) -> Result<ExternalRef, Error> {
    named(values)?.ok_or_else(no_such_user)
}

fn no_such_user() -> Error {
    Error::new(Kind::NotFound, "This user does not exist. End users lists all users.")
}

/// `listUsers`; `target` has the query.
pub(crate) async fn list(api: &Api<'_>, target: &str) -> Result<UserList, Refusal> {
    match api.ask_for(target).await? {
        Reply::Users(UsersReply::Page(list)) => Ok(list),
        other => Err(api.unexpected(&other)),
    }
}

/// `getUser`
pub(crate) async fn one(api: &Api<'_>, user: &ExternalRef) -> Result<UserDetails, Refusal> {
    details(api, api.ask_for(&target(user)).await?)
}

/// `putUser` with another limit, or without one.
pub(crate) async fn set_limit(
    api: &Api<'_>,
    user: &ExternalRef,
    limit: Option<NewLimit<'_>>,
) -> Result<UserDetails, Refusal> {
    details(api, api.ask_to("PUT", &target(user), json(&LimitUpdate { spending_limit: limit })).await?)
}

/// `pauseUser`
pub(crate) async fn pause(api: &Api<'_>, user: &ExternalRef) -> Result<UserDetails, Refusal> {
    details(api, api.ask_to("POST", &format!("{}/pause", target(user)), None).await?)
}

/// `resumeUser`
pub(crate) async fn resume(api: &Api<'_>, user: &ExternalRef) -> Result<UserDetails, Refusal> {
    details(api, api.ask_to("POST", &format!("{}/resume", target(user)), None).await?)
}

/// `eraseUser`. What runs is paused first, unless it is left running.
pub(crate) async fn erase(api: &Api<'_>, user: &ExternalRef, leave_running: bool) -> Result<UserDetails, Refusal> {
    let leaving = if leave_running { "&leave_running=true" } else { "" };
    details(api, api.ask_to("DELETE", &format!("{}?erase=true{leaving}", target(user)), None).await?)
}

/// The numbers of connected ad accounts of some users, in their order. `listUsers` has none, so the store is read: a query
/// for each user of a page.
pub(crate) async fn account_counts(
    request: &WebRequest,
    person: &SignedIn,
    users: &[User],
) -> Result<Vec<usize>, Error> {
    let (store, customer) = (&request.app.store, person.customer());
    let reads = users.iter().map(|user| store.connection_ids_of_user(customer, &user.external_ref));
    join_all(reads).await.into_iter().map(|own| Ok(own?.connections.len())).collect()
}

fn details(api: &Api<'_>, reply: Reply) -> Result<UserDetails, Refusal> {
    match reply {
        Reply::Users(UsersReply::One(details) | UsersReply::Erasing(details)) => Ok(*details),
        other => Err(api.unexpected(&other)),
    }
}

fn target(user: &ExternalRef) -> String {
    format!("{USERS}/{}", path_segment(user.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::envelope::query::pairs;

    #[test]
    fn a_name_that_no_user_can_have_is_never_a_list_of_all() {
        let named = |query: &str| named(&pairs(Some(query))).map(|user| user.map(|user| user.to_string()));
        assert_eq!(named("external_ref=shop42&cursor=c").unwrap().as_deref(), Some("shop42"));
        assert_eq!(named("external_ref=+shop42+").unwrap().as_deref(), Some("shop42"));
        for empty in ["", "external_ref=", "external_ref=+"] {
            assert_eq!(named(empty).unwrap(), None, "{empty}");
        }
        for wrong in ["external_ref=a%20b", "external_ref=%3Cb%3E", "external_ref=a%2Fb"] {
            assert_eq!(named(wrong).unwrap_err().kind, Kind::NotFound, "{wrong}");
        }
        assert_eq!(required(&pairs(Some(""))).unwrap_err().kind, Kind::NotFound);
    }
}
