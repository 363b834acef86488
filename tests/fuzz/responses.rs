//! A transport that gives the responses in the input, and a clock that advances meanwhile.

use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::{Builder, Runtime};

/// Separates two responses: JSON never contains it.
pub(super) const SEPARATOR: u8 = 0x1e;
/// The statuses of a response, `a` for the first; `u` is not sent, `v` is a timeout, any other letter breaks off.
pub(super) const STATUSES: [u16; 20] =
    [200, 201, 202, 204, 207, 302, 400, 401, 403, 404, 408, 409, 410, 422, 429, 500, 501, 502, 503, 504];

thread_local! {
    /// Its clock stands still until every task sleeps, so that no retry takes time.
    static RUNTIME: Runtime =
        Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
}

/// Runs a future to its end.
pub(super) fn run<T>(work: impl Future<Output = T>) -> T {
    RUNTIME.with(|runtime| runtime.block_on(work))
}

/// Gives the responses in order. After the last one the connection breaks.
#[derive(Debug)]
pub(super) struct Script {
    /// Every request must be sent to this address, whatever a response says.
    base: String,
    responses: Mutex<VecDeque<Result<OutboundResponse, Failure>>>,
    /// All requests so far, in one text.
    sent: Mutex<String>,
}

impl Script {
    /// The responses as written: a letter for the status, lines of headers, an empty line, a body.
    pub(super) fn read<'a>(base: impl Into<String>, responses: impl Iterator<Item = &'a [u8]>) -> Arc<Script> {
        Script::of(base, responses.map(response).collect())
    }

    /// These responses.
    pub(super) fn of(base: impl Into<String>, responses: VecDeque<Result<OutboundResponse, Failure>>) -> Arc<Script> {
        Arc::new(Script { base: base.into(), responses: Mutex::new(responses), sent: Mutex::default() })
    }

    /// The secrets among these that were sent: only those can be repeated.
    pub(super) fn sent(&self, secrets: &[&'static str]) -> Vec<&'static str> {
        let sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.iter().copied().filter(|secret| sent.contains(secret)).collect()
    }

    /// The headers of the next response.
    pub(super) fn next_headers(&self) -> HeaderMap {
        let responses = self.responses.lock().unwrap_or_else(PoisonError::into_inner);
        responses.front().and_then(|response| Some(response.as_ref().ok()?.headers.clone())).unwrap_or_default()
    }
}

#[async_trait]
impl Transport for Script {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        assert!(request.url.starts_with(&self.base), "{} is not where the peer is", request.url);
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        request.headers.values().for_each(|value| sent.push_str(value.to_str().unwrap_or_default()));
        sent.push_str(&request.url);
        sent.push_str(&String::from_utf8_lossy(&request.body));
        drop(sent);
        let next = self.responses.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        next.unwrap_or(Err(Failure::Broken))
    }

    fn random(&self) -> u64 {
        0
    }
}

/// A response with a whole body and no headers.
pub(super) fn plain(status: StatusCode, body: &[u8]) -> Result<OutboundResponse, Failure> {
    Ok(OutboundResponse { status, headers: HeaderMap::new(), body: Bytes::copy_from_slice(body) })
}

fn response(text: &[u8]) -> Result<OutboundResponse, Failure> {
    let (letter, rest) = text.split_first().ok_or(Failure::Broken)?;
    let status = match letter {
        b'u' => return Err(Failure::NotSent),
        b'v' => return Err(Failure::TimedOut),
        letter => STATUSES.get(usize::from(letter.wrapping_sub(b'a'))).copied().ok_or(Failure::Broken)?,
    };
    let gap = rest.windows(2).position(|two| two == b"\n\n");
    let (head, body) = gap.map_or((&rest[..0], rest), |gap| (&rest[..gap], &rest[gap + 2..]));
    let answered = plain(StatusCode::from_u16(status).expect("a status"), body)?;
    Ok(OutboundResponse { headers: headers(head), ..answered })
}

fn headers(head: &[u8]) -> HeaderMap {
    let pair = |line: &[u8]| {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let name = HeaderName::from_bytes(&line[..colon]).ok()?;
        Some((name, HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?))
    };
    head.split(|byte| *byte == b'\n').filter_map(pair).collect()
}
