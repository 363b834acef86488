//! The export of a user: JSON lines, each with a type and its data as the endpoint of that type shows it. The last line of a
//! page says where the next one begins, so that a file that was cut off can be told from a whole one.

use super::changes::WireChange;
use super::connections::WireConnection;
use super::events::EventList;
use super::usage_logs::WireEntry;
use super::users::{UserDetails, body};
use super::{RenderContext, response};
use crate::domain::{Change, UsageEntry};
use http::{HeaderValue, Response, StatusCode, header};
use lambda_http::Body;
use serde::Serialize;

/// The media type of JSON lines: generators of clients know no other for text that is not one JSON document.
const JSON_LINES: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// A page of an export.
#[derive(Debug)]
pub struct UserExport {
    pub records: ExportedRecords,
    /// Opaque cursor; `None` on the last page.
    pub next_cursor: Option<String>,
}

/// The records of a page, all of one kind.
#[derive(Debug)]
pub enum ExportedRecords {
    /// The user, with all of its connections.
    User(Box<UserDetails>),
    Changes(Vec<Change>),
    Events(EventList),
    Requests(Vec<UsageEntry>),
}

#[derive(Serialize)]
struct Line<T: Serialize> {
    #[serde(rename = "type")]
    kind: &'static str,
    data: T,
}

#[derive(Serialize)]
struct EndOfPage<'a> {
    next_cursor: Option<&'a str>,
}

impl UserExport {
    pub(super) fn response(&self, context: &RenderContext) -> Response<Body> {
        let Ok(lines) = self.lines(context) else { return response::empty(StatusCode::INTERNAL_SERVER_ERROR) };
        let mut response = Response::new(Body::Text(lines));
        response.headers_mut().insert(header::CONTENT_TYPE, JSON_LINES);
        response
    }

    fn lines(&self, context: &RenderContext) -> Result<String, serde_json::Error> {
        let mut lines = String::new();
        match &self.records {
            ExportedRecords::User(details) => {
                add(&mut lines, "user", &body(details, context.now))?;
                for connection in &details.connections {
                    add(&mut lines, "connection", &WireConnection::from(connection))?;
                }
            }
            ExportedRecords::Changes(changes) => {
                for change in changes {
                    add(&mut lines, "change", &WireChange::new(change, context))?;
                }
            }
            ExportedRecords::Events(list) => {
                for event in list.as_values()? {
                    add(&mut lines, "event", &event)?;
                }
            }
            ExportedRecords::Requests(entries) => {
                for entry in entries {
                    add(&mut lines, "request", &WireEntry::from(entry))?;
                }
            }
        }
        add(&mut lines, "page", &EndOfPage { next_cursor: self.next_cursor.as_deref() })?;
        Ok(lines)
    }
}

fn add(lines: &mut String, kind: &'static str, data: &impl Serialize) -> Result<(), serde_json::Error> {
    lines.push_str(&serde_json::to_string(&Line { kind, data })?);
    lines.push('\n');
    Ok(())
}
