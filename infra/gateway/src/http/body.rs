//! Request and response bodies, between the HTTP server and the functions.

use axum::body::Body as ServerBody;
use axum::response::Response as ServerResponse;
use http::Response;
use http_body_util::BodyExt;
use lambda_http::Body;
use shared::serve::MAX_BODY_BYTES;

/// A body over the limit is read and discarded up to this size: a caller that is still sending does not read the
/// response.
const MAX_DISCARDED_BYTES: usize = 10 * 1024 * 1024;

/// A request body after reading.
#[derive(Debug)]
pub(super) enum Incoming {
    /// The body, cut off one byte over the limit.
    Complete(Body),
    /// Longer than [`MAX_DISCARDED_BYTES`].
    TooLong,
    /// The connection failed before the end, or the body did not end in time.
    Interrupted,
}

/// Reads a request body.
pub(super) async fn read(mut body: ServerBody) -> Incoming {
    let mut kept = Vec::new();
    let mut received = 0_usize;
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return Incoming::Interrupted };
        // A frame without data holds trailers, which no function uses.
        let Ok(data) = frame.into_data() else { continue };
        received = received.saturating_add(data.len());
        if received > MAX_DISCARDED_BYTES {
            return Incoming::TooLong;
        }
        // One byte over the limit is enough for the function to reject the body.
        let room = (MAX_BODY_BYTES + 1).saturating_sub(kept.len()).min(data.len());
        kept.extend_from_slice(&data[..room]);
    }
    Incoming::Complete(text_or_binary(kept))
}

/// As API Gateway does: valid UTF-8 becomes text.
fn text_or_binary(bytes: Vec<u8>) -> Body {
    if bytes.is_empty() {
        return Body::Empty;
    }
    String::from_utf8(bytes).map_or_else(|error| Body::Binary(error.into_bytes()), Body::Text)
}

/// Converts a function's response for the HTTP server.
pub(super) fn server_response(response: Response<Body>) -> ServerResponse {
    response.map(|body| match body {
        Body::Text(text) => ServerBody::from(text),
        other => ServerBody::from(other.to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read_bytes(length: usize) -> Incoming {
        read(ServerBody::from(vec![b'x'; length])).await
    }

    #[test]
    fn valid_utf8_is_text_and_other_bytes_are_binary() {
        assert!(matches!(text_or_binary(Vec::new()), Body::Empty));
        assert!(matches!(text_or_binary("ü".into()), Body::Text(text) if text == "ü"));
        assert!(matches!(text_or_binary(vec![0xff]), Body::Binary(bytes) if bytes == [0xff]));
    }

    #[tokio::test]
    async fn a_body_is_kept_up_to_one_byte_over_the_limit() {
        for (sent, kept) in [
            (MAX_BODY_BYTES, MAX_BODY_BYTES),
            (MAX_BODY_BYTES + 1, MAX_BODY_BYTES + 1),
            (2 * MAX_BODY_BYTES, MAX_BODY_BYTES + 1),
        ] {
            let body = read_bytes(sent).await;
            assert!(matches!(body, Incoming::Complete(Body::Text(text)) if text.len() == kept), "{sent}");
        }
        assert!(matches!(read_bytes(MAX_DISCARDED_BYTES + 1).await, Incoming::TooLong));
    }
}
