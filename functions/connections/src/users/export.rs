//! `exportUser`.

use super::show::{connections, details};
use super::{not_found, user_in_path};
use shared::domain::{
    ChangeFilters, ChangeId, EventFilters, EventId, ExternalRef, Reason, UsageFilters, UsagePosition,
};
use shared::envelope::{
    EventList, ExportedRecords, Reply, UserExport, UsersReply, decode_log_cursor, encode_log_cursor, read_users,
};
use shared::error::{Error, Kind};
use shared::serve::Call;
use std::fmt;

/// Entries of the usage log that one page reads: the customer's, of which the user's are kept.
const USAGE_SCAN: i32 = 500;

/// Where a page begins.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Position {
    User,
    Changes(Option<ChangeId>),
    Events(Option<EventId>),
    Requests(Option<UsagePosition>),
}

/// Reads a page of what is stored of a user: the user and its connections, then its changes, its events, and its requests.
pub(crate) async fn export(call: &Call) -> Result<Reply, Error> {
    let query = read_users(&call.request.query)?;
    let name = user_in_path(call)?;
    if !call.sees_all_it_asks_for() {
        let message = "An API key with a spending limit sees a part of what is stored. Use another key.";
        return Err(Error::new(Kind::Forbidden, message).because(Reason::NotPermitted));
    }
    let user = call.store().known_user(call.customer.id, &name).await?.ok_or_else(not_found)?;
    let position = query.cursor.map(|text| decode_log_cursor(&text, &name.as_str(), Position::parse)).transpose()?;
    let limit = i32::try_from(query.limit).map_err(Error::internal)?;
    let (records, next) = match position.unwrap_or(Position::User) {
        Position::User => {
            let mut details = details(call, user).await?;
            details.connections = connections(call, &details.user).await?;
            (ExportedRecords::User(Box::new(details)), Some(Position::Changes(None)))
        }
        Position::Changes(after) => changes(call, name.clone(), after, limit).await?,
        Position::Events(after) => events(call, name.clone(), after, limit).await?,
        Position::Requests(after) => requests(call, name.clone(), after).await?,
    };
    let next_cursor = next.map(|next| encode_log_cursor(&next, &name.as_str())).transpose()?;
    Ok(Reply::Users(UsersReply::Export(UserExport { records, next_cursor })))
}

type Page = (ExportedRecords, Option<Position>);

async fn changes(call: &Call, user: ExternalRef, after: Option<ChangeId>, limit: i32) -> Result<Page, Error> {
    let filters = ChangeFilters { external_ref: Some(user), ..ChangeFilters::default() };
    let page = call.store().history(call.customer.id, &filters, after, limit, call.request.now).await?;
    let next = page.next.map_or(Position::Events(None), |next| Position::Changes(Some(next)));
    Ok((ExportedRecords::Changes(call.visible(page.changes).collect()), Some(next)))
}

async fn events(call: &Call, user: ExternalRef, after: Option<EventId>, limit: i32) -> Result<Page, Error> {
    let filters = EventFilters { external_ref: Some(user), ..EventFilters::default() };
    let page = call.store().events(call.customer.id, &filters, after, limit, call.request.now).await?;
    let next = page.next.map_or(Position::Requests(None), |next| Position::Events(Some(next)));
    let list = EventList::new(&page.events, None, None, call.request.app.public_base_url.as_deref())?;
    Ok((ExportedRecords::Events(list), Some(next)))
}

async fn requests(call: &Call, user: ExternalRef, after: Option<UsagePosition>) -> Result<Page, Error> {
    let filters = UsageFilters { external_ref: Some(user), ..UsageFilters::default() };
    let (customer, now) = (call.customer.id, call.request.now);
    let page = call.store().usage(customer, &filters, after.as_ref(), USAGE_SCAN, now).await?;
    let next = page.next.map(|next| Position::Requests(Some(next)));
    Ok((ExportedRecords::Requests(page.entries), next))
}

impl Position {
    fn parse(text: &str) -> Option<Position> {
        let (part, after) = text.split_once(':')?;
        let is_first = after.is_empty();
        match part {
            "changes" if is_first => Some(Position::Changes(None)),
            "changes" => ChangeId::parse(after).map(|id| Position::Changes(Some(id))),
            "events" if is_first => Some(Position::Events(None)),
            "events" => EventId::parse(after).map(|id| Position::Events(Some(id))),
            "requests" if is_first => Some(Position::Requests(None)),
            "requests" => UsagePosition::parse(after).map(|at| Position::Requests(Some(at))),
            _ => None,
        }
    }
}

/// The position in a cursor. The first page has none.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::User => f.write_str("user:"),
            Position::Changes(id) => write!(f, "changes:{}", text(id.as_ref())),
            Position::Events(id) => write!(f, "events:{}", text(id.as_ref())),
            Position::Requests(at) => write!(f, "requests:{}", text(at.as_ref())),
        }
    }
}

fn text(after: Option<&impl ToString>) -> String {
    after.map(ToString::to_string).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_survives_a_round_trip() {
        let at = jiff::Timestamp::constant(1_790_000_000, 0);
        for position in [
            Position::Changes(None),
            Position::Changes(Some(ChangeId::first_at(at))),
            Position::Events(None),
            Position::Events(Some(EventId::first_at(at))),
            Position::Requests(None),
        ] {
            assert_eq!(Position::parse(&position.to_string()), Some(position));
        }
        for text in ["", "user:", "changes", "changes:x", "events:chg_1", "requests:x", "others:"] {
            assert_eq!(Position::parse(text), None, "{text}");
        }
    }
}
