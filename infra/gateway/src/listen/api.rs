//! `GET /v1/events` of the API.

use super::Failure;
use super::listed_event::ListedEvent;
use super::source::Source;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use serde::Deserialize;
use serde_json::{Map, Value};
use shared::clock::Clock;
use shared::outbound::{Outbound, OutboundRequest, OutboundResponse, retry_wait, secret_header};
use std::time::Duration;
use tokio::time::Instant;

/// The functions answer within 29 seconds.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The events of an API.
pub(super) struct Api {
    http: Outbound,
    url: String,
    key: HeaderValue,
    clock: Clock,
}

/// A page of events, newest first.
pub(super) struct Page {
    pub(super) events: Vec<ListedEvent>,
    /// Where the next page begins; `None` at the end.
    pub(super) next_cursor: Option<String>,
}

/// Why there is no page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReadError {
    /// It would be the same the next time.
    Final(String),
    /// It may work later, not before the time that the API asks for.
    Temporary { reason: String, retry_after: Option<Duration> },
}

#[derive(Deserialize)]
struct PageBody {
    events: Vec<Map<String, Value>>,
    pagination: Pagination,
}

#[derive(Deserialize)]
struct Pagination {
    next_cursor: Option<String>,
}

/// An error of the service has `error`, one of API Gateway `message`.
#[derive(Default, Deserialize)]
struct ErrorBody {
    #[serde(alias = "message")]
    error: String,
}

impl Api {
    pub(super) fn new(source: &Source) -> Result<Api, Failure> {
        let key = secret_header(source.key.reveal())?;
        Ok(Api { http: Outbound::new()?, url: source.url.clone(), key, clock: Clock::system() })
    }

    /// Reads a page.
    pub(super) async fn page(&self, limit: usize, cursor: Option<&str>) -> Result<Page, ReadError> {
        let cursor = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let request = OutboundRequest {
            method: Method::GET,
            url: format!("{}/v1/events?limit={limit}{cursor}", self.url),
            headers: HeaderMap::from_iter([(HeaderName::from_static("x-api-key"), self.key.clone())]),
            body: Bytes::new(),
        };
        match self.http.send(request, Instant::now() + TIME_LIMIT).await {
            Ok(response) => self.read(&response),
            Err(failure) => Err(ReadError::Temporary {
                reason: format!("{} does not answer: {failure}", self.url),
                retry_after: None,
            }),
        }
    }

    fn read(&self, response: &OutboundResponse) -> Result<Page, ReadError> {
        let (status, url) = (response.status, &self.url);
        if status == StatusCode::OK {
            return parse_page(&response.body)
                .ok_or_else(|| ReadError::Final(format!("{url} does not answer as this API does: check --api")));
        }
        let message = serde_json::from_slice::<ErrorBody>(&response.body).unwrap_or_default().error;
        let reason = format!("{url} answers {}: {message}", status.as_u16());
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
            let retry_after = response.header(header::RETRY_AFTER.as_str());
            let retry_after = retry_after.and_then(|text| retry_wait(text, self.clock.now()));
            return Err(ReadError::Temporary { reason, retry_after });
        }
        Err(ReadError::Final(match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => reason,
            _ => format!("{reason} (check --api)"),
        }))
    }
}

fn parse_page(body: &[u8]) -> Option<Page> {
    let PageBody { events, pagination } = serde_json::from_slice(body).ok()?;
    let events = events.into_iter().map(ListedEvent::parse).collect::<Option<_>>()?;
    Some(Page { events, next_cursor: pagination.next_cursor })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::auth::{ApiKey, Mode};
    use shared::domain::CustomerId;

    fn read(status: u16, retry_after: Option<&'static str>, body: &'static str) -> Result<Page, ReadError> {
        let key = ApiKey::generate(CustomerId(uuid::Uuid::nil()), Mode::Test).unwrap();
        let source = Source { url: "http://h".to_owned(), interval: Duration::ZERO, key };
        let headers = retry_after.map(|text| (header::RETRY_AFTER, HeaderValue::from_static(text)));
        let headers = HeaderMap::from_iter(headers);
        let status = StatusCode::from_u16(status).unwrap();
        Api::new(&source).unwrap().read(&OutboundResponse {
            status,
            headers,
            body: Bytes::from_static(body.as_bytes()),
        })
    }

    fn is_final(result: Result<Page, ReadError>, part: &str) -> bool {
        matches!(result, Err(ReadError::Final(reason)) if reason.contains(part))
    }

    #[test]
    fn a_refused_key_and_a_wrong_address_are_final() {
        assert!(is_final(read(401, None, r#"{"error":"the API key is not valid"}"#), "401: the API key is not valid"));
        assert!(is_final(read(403, None, r#"{"message":"Forbidden"}"#), "403: Forbidden"));
        assert!(is_final(read(404, None, "<html>"), "--api"));
        assert!(is_final(read(301, None, ""), "--api"));
        assert!(is_final(read(200, None, "<html>"), "--api"));
        assert!(is_final(read(200, None, r#"{"events":[{"id":"7"}],"pagination":{"next_cursor":null}}"#), "--api"));
    }

    #[test]
    fn a_limit_and_an_outage_are_temporary() {
        let wait = |result: Result<Page, ReadError>| match result {
            Err(ReadError::Temporary { retry_after, .. }) => retry_after,
            _ => panic!("not temporary"),
        };
        assert_eq!(wait(read(429, Some("7"), "{}")), Some(Duration::from_secs(7)));
        assert_eq!(wait(read(503, None, "")), None);
    }

    #[test]
    fn a_page_has_events_and_a_cursor() {
        let page = read(200, None, r#"{"events":[],"pagination":{"next_cursor":"c","has_more":true}}"#).unwrap();
        assert!(page.events.is_empty() && page.next_cursor.as_deref() == Some("c"));
    }
}
