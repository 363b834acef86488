//! A request body with a time limit: without one, requests whose bodies never come hold all connections.

use axum::body::Body;
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Sleep, sleep};

/// A body that must end in time.
struct TimedBody {
    body: Incoming,
    end: Pin<Box<Sleep>>,
}

/// The body did not end in time.
#[derive(Debug)]
struct TooLate;

impl fmt::Display for TooLate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the body did not arrive in time")
    }
}

impl Error for TooLate {}

/// The body of a request, with an error at the end of the time.
pub(crate) fn of(body: Incoming, limit: Duration) -> Body {
    if body.is_end_stream() {
        return Body::empty();
    }
    Body::new(TimedBody { body, end: Box::pin(sleep(limit)) })
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        self.end.as_mut().poll(context).map(|()| Some(Err(TooLate.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
