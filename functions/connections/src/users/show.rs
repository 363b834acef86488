//! `getUser`, and the answer of every request about one user.

use super::{not_found, user_in_path};
use shared::changes::pause_progress;
use shared::domain::Connection;
use shared::domain::users::{User, UserPause};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, UserDetails, UsersReply};
use shared::error::Error;
use shared::serve::Call;

/// Most connections of an answer: `GET /v1/connections?external_ref=` has all.
const MAX_CONNECTIONS: usize = 100;

/// Reads a user.
pub(crate) async fn get(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let name = user_in_path(call)?;
    let known = call.store().known_user(call.customer.id, &name).await?;
    show(call, known.ok_or_else(not_found)?).await
}

/// The answer that shows a user.
pub(crate) async fn show(call: &Call, user: User) -> Result<Reply, Error> {
    Ok(Reply::Users(UsersReply::One(Box::new(details(call, user).await?))))
}

/// A user with its connections, what waits in them, and how far its pause is.
pub(crate) async fn details(call: &Call, user: User) -> Result<UserDetails, Error> {
    let (store, customer) = (call.store(), call.customer.id);
    let mut connections = connections(call, &user).await?;
    let progress = async {
        let Some(paused_at) = user.paused_at() else { return Ok(None) };
        let pause = UserPause { customer, user: user.external_ref.clone(), paused_at };
        pause_progress(store, &pause, call.request.now).await.map(Some)
    };
    let (waiting, pause) = tokio::join!(store.count_waiting(customer, &connections, call.request.now), progress);
    let (waiting, pause) = (waiting?, pause?);
    let connections_count = connections.len();
    connections.truncate(MAX_CONNECTIONS);
    Ok(UserDetails { user, pause, connections, connections_count, waiting })
}

/// The connections of a user.
pub(crate) async fn connections(call: &Call, user: &User) -> Result<Vec<Connection>, Error> {
    let name = &user.external_ref;
    let (_, read) = call.store().user_connections(call.customer.id, name, call.request.now).await?;
    Ok(call.visible(read.connections).filter(|one| one.external_ref.as_ref() == Some(name)).collect())
}
