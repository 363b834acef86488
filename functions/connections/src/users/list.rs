//! `listUsers`.

use shared::domain::ExternalRef;
use shared::envelope::{Reply, UserList, UsersReply, decode_log_cursor, encode_log_cursor, read_users};
use shared::error::Error;
use shared::serve::Call;
use shared::store::UserPage;

/// Lists the users, by name. A request for a user sees only this one.
pub(crate) async fn list(call: &Call) -> Result<Reply, Error> {
    let query = read_users(&call.request.query)?;
    let after = query.cursor.map(|text| decode_log_cursor(&text, &(), ExternalRef::parse)).transpose()?;
    if let Some(own) = call.user() {
        let found = call.store().known_user(call.customer.id, own).await?;
        let users = found.into_iter().filter(|_| after.is_none()).collect();
        return Ok(Reply::Users(UsersReply::Page(UserList { users, next_cursor: None })));
    }
    let limit = i32::try_from(query.limit).map_err(Error::internal)?;
    let UserPage { users, next } = call.store().users(call.customer.id, after.as_ref(), limit).await?;
    let next_cursor = next.map(|last| encode_log_cursor(&last, &())).transpose()?;
    Ok(Reply::Users(UsersReply::Page(UserList { users, next_cursor })))
}
