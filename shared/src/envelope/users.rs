//! Users of a customer (D157). They use the flat shape only.

use super::RenderContext;
use super::connections::WireConnection;
use super::fields::Fields;
use super::query::{QueryReader, cursor, reject_unknown_params, value};
use super::response::{json_response, ok};
use super::spending_limits::{WireLimit, WireLimits, limits_of, read_user_limit};
use super::user_export::UserExport;
use super::wire::{iso_millis, pagination};
use crate::domain::users::{PauseProgress, User, UserUpdate};
use crate::domain::{ChangeId, Connection, Erasure, MAX_NAME_CHARS};
use crate::error::{Error, FieldError};
use http::{Response, StatusCode};
use jiff::Timestamp;
use lambda_http::Body;
use serde::Serialize;
use serde_json::Value;

/// Why a request without `erase=true` does nothing.
const NOT_ERASED: &str = "must be true: this pauses what runs for the user, removes its connections, and erases everything \
                          that is stored of it, for good. To stop what runs only, send POST \
                          /v1/users/{external_ref}/pause";

/// A user with what belongs to it.
#[derive(Debug)]
pub struct UserDetails {
    pub user: User,
    /// How far its pause is, if it is paused.
    pub pause: Option<PauseProgress>,
    /// Its connections, of very many the first ones.
    pub connections: Vec<Connection>,
    pub connections_count: usize,
    /// Changes of its campaigns that wait for their time, and those that wait for a person.
    pub waiting: (usize, usize),
}

/// A page of users.
#[derive(Debug)]
pub struct UserList {
    pub users: Vec<User>,
    pub next_cursor: Option<String>,
}

/// What the endpoints of users answer.
#[derive(Debug)]
pub enum UsersReply {
    One(Box<UserDetails>),
    /// A user whose erasure goes on.
    Erasing(Box<UserDetails>),
    Export(UserExport),
    Page(UserList),
}

/// The parameters of `listUsers`. The cursor is not decoded yet.
#[derive(Debug)]
pub struct UsersQuery {
    /// Page size, 1 to 100.
    pub limit: usize,
    /// Encoded cursor.
    pub cursor: Option<String>,
}

/// Reads the query of `listUsers`.
pub fn read_users(pairs: &[(String, String)]) -> Result<UsersQuery, Error> {
    reject_unknown_params(pairs, &["limit", "cursor"])?;
    let mut reader = QueryReader::new(pairs);
    let limit = reader.limit();
    reader.finish(UsersQuery { limit, cursor: cursor(pairs) })
}

/// Reads the body of `putUser`. What is absent stays as it is; null removes it.
pub fn read_user_update(body: &[u8]) -> Result<UserUpdate, Error> {
    let mut fields = Fields::parse(body)?;
    let has_label = fields.has("label");
    let label = fields.nullable_string("label");
    if let Some(label) = &label {
        fields.check_text("label", label, MAX_NAME_CHARS);
    }
    let spending_limit = read_user_limit(&mut fields);
    fields.finish()?;
    Ok(UserUpdate { label: has_label.then_some(label), spending_limit })
}

/// Reads the query of `eraseUser`: whether what runs is left running.
pub fn read_erasure(pairs: &[(String, String)]) -> Result<bool, Error> {
    reject_unknown_params(pairs, &["erase", "leave_running"])?;
    let mut errors = Vec::new();
    let mut is_true = |name: &'static str| match value(pairs, name) {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => {
            errors.push(FieldError::new(name, "must be true or false"));
            false
        }
    };
    let (erases, leave_running) = (is_true("erase"), is_true("leave_running"));
    if !erases && errors.is_empty() {
        errors.push(FieldError::new("erase", NOT_ERASED));
    }
    if errors.is_empty() { Ok(leave_running) } else { Err(Error::fields(errors)) }
}

#[derive(Serialize)]
struct WireUser<'a> {
    external_ref: &'a str,
    label: Option<&'a str>,
    is_paused: bool,
    spending_limit: Option<WireLimit<'a>>,
    erasure: Option<WireErasure>,
}

/// How far the erasure of a user is.
#[derive(Serialize)]
struct WireErasure {
    state: &'static str,
    requested_at: String,
    leave_running: bool,
    waits_for: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct WireUserDetails<'a> {
    #[serde(flatten)]
    user: WireUser<'a>,
    pause: Option<WirePause>,
    limits: WireLimits<'a>,
    waiting: WireWaiting,
    connections: Vec<WireConnection<'a>>,
    connections_count: usize,
}

#[derive(Serialize)]
struct WirePause {
    paused_at: String,
    changes: Vec<String>,
    done: bool,
}

#[derive(Serialize)]
struct WireWaiting {
    scheduled: usize,
    awaiting_approval: usize,
}

#[derive(Serialize)]
struct WireUserList<'a> {
    users: Vec<WireUser<'a>>,
    pagination: Value,
}

/// The response of the endpoints of users.
pub(super) fn response(reply: &UsersReply, context: &RenderContext) -> Response<Body> {
    let now = context.now;
    match reply {
        UsersReply::One(details) => ok(&body(details, now)),
        UsersReply::Erasing(details) => json_response(StatusCode::ACCEPTED, &body(details, now)),
        UsersReply::Export(export) => export.response(context),
        UsersReply::Page(list) => ok(&list_body(list)),
    }
}

/// The body of `listUsers`.
fn list_body(list: &UserList) -> WireUserList<'_> {
    let users = list.users.iter().map(WireUser::from).collect();
    WireUserList { users, pagination: pagination(list.next_cursor.as_deref()) }
}

/// The body of a user.
pub(super) fn body(details: &UserDetails, now: Timestamp) -> WireUserDetails<'_> {
    let UserDetails { user, pause, connections, connections_count, waiting: (scheduled, awaiting_approval) } = details;
    let pause = user.paused_at().zip(pause.as_ref()).map(|(paused_at, progress)| WirePause {
        paused_at: iso_millis(paused_at),
        changes: progress.changes.iter().map(ChangeId::to_string).collect(),
        done: progress.is_done,
    });
    WireUserDetails {
        user: user.into(),
        pause,
        limits: limits_of(user.spending.as_ref(), now),
        waiting: WireWaiting { scheduled: *scheduled, awaiting_approval: *awaiting_approval },
        connections: connections.iter().map(WireConnection::from).collect(),
        connections_count: *connections_count,
    }
}

impl<'a> From<&'a User> for WireUser<'a> {
    fn from(user: &'a User) -> WireUser<'a> {
        WireUser {
            external_ref: user.external_ref.as_str(),
            label: user.label.as_deref(),
            is_paused: user.paused_at().is_some(),
            spending_limit: user.limit().map(WireLimit::of_user),
            erasure: user.erasure.as_ref().map(WireErasure::from),
        }
    }
}

impl From<&Erasure> for WireErasure {
    fn from(erasure: &Erasure) -> WireErasure {
        WireErasure {
            state: erasure.step.as_str(),
            requested_at: iso_millis(erasure.requested_at),
            leave_running: erasure.leave_running,
            waits_for: erasure.open.iter().map(ChangeId::to_string).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields_of(body: &str) -> Vec<String> {
        read_user_update(body.as_bytes()).unwrap_err().details.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn what_is_absent_stays_and_null_removes() {
        let read = |body: &str| read_user_update(body.as_bytes()).unwrap();
        assert_eq!(read("{}"), UserUpdate::default());
        assert_eq!(
            read(r#"{"label":null,"spending_limit":null}"#),
            UserUpdate { label: Some(None), spending_limit: Some(None) }
        );
        let limit = read(r#"{"spending_limit":{"amounts":[{"currency":"USD","daily":5}]}}"#).spending_limit;
        assert!(limit.unwrap().unwrap().connections.is_empty());
    }

    #[test]
    fn an_erasure_is_asked_for_by_name() {
        let read = |query: &str| {
            let read = read_erasure(&super::super::query::pairs(Some(query)));
            read.map_err(|error| error.details.into_iter().map(|error| error.field).collect::<Vec<_>>())
        };
        assert_eq!((read("erase=true"), read("erase=true&leave_running=true")), (Ok(false), Ok(true)));
        for (query, field) in [
            ("", "erase"),
            ("erase=false", "erase"),
            ("erase=yes", "erase"),
            ("leave_running=true", "erase"),
            ("erase=true&leave_running=1", "leave_running"),
            ("erase=true&force=true", "force"),
        ] {
            assert_eq!(read(query), Err(vec![field.to_owned()]), "{query}");
        }
    }

    #[test]
    fn the_limit_of_a_user_names_no_connections() {
        let limit = r#"{"spending_limit":{"connections":["conn_1"],"amounts":[{"currency":"USD","daily":5}]}}"#;
        assert_eq!(fields_of(limit), ["spending_limit.connections"]);
        assert_eq!(fields_of(r#"{"spending_limit":{}}"#), ["spending_limit.amounts"]);
        assert_eq!(fields_of(r#"{"label":""}"#), ["label"]);
        assert_eq!(fields_of(r#"{"name":"x"}"#), ["name"]);
    }
}
