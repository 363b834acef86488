//! A parsed request: what handlers read, with or without authentication.

use super::Confirmation;
use crate::app::App;
use crate::auth::CustomerToken;
use crate::domain::{ExternalRef, MAX_IDEMPOTENCY_KEY_LENGTH, Platform, is_idempotency_key, sha256_hex};
use crate::envelope::Shape;
use crate::envelope::query::read_dry_run;
use crate::error::{Error, Kind};
use crate::routes::Route;
use crate::store::table_keys::key_digest;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tokio::time::Instant;
use uuid::Uuid;

/// Largest accepted request body, in bytes. [`ApiRequest::json_body`] applies it.
pub const MAX_BODY_BYTES: usize = 256 * 1024;

/// A parsed request.
pub struct ApiRequest {
    /// The parts of the service.
    pub app: Arc<App>,
    pub route: &'static Route,
    /// The value of the path parameter; empty without one.
    pub parameter: String,
    /// Decoded query parameters, in order.
    pub query: Vec<(String, String)>,
    /// The shape of the request and its response.
    pub shape: Shape,
    pub request_id: Uuid,
    /// The time of arrival.
    pub now: Timestamp,
    /// The end of the time for platform calls.
    pub deadline: Instant,
    /// Verbatim; a repeated header is invalid.
    pub(super) idempotency_key: Option<String>,
    /// The user for whom the request acts: as it says, or as its key is bound.
    pub(super) user: Option<ExternalRef>,
    pub(super) host: Option<String>,
    pub(super) forwarded_proto: Option<String>,
    /// The preview that a change of an agent confirms.
    pub confirmation: Option<Confirmation>,
    pub(super) content_type: Option<String>,
    pub(super) content_encoding: Option<String>,
    pub(super) signature: Option<String>,
    /// The session cookie of the dashboard, unverified. A callback asks whether it returns to a page of the dashboard, and
    /// who completes a consent that was begun there.
    pub session: Option<CustomerToken>,
    pub(super) body: Vec<u8>,
}

impl ApiRequest {
    /// The JSON body, up to [`MAX_BODY_BYTES`]. A missing `Content-Type` counts as JSON.
    pub fn json_body(&self) -> Result<&[u8], Error> {
        check_json(self.body.len(), self.content_type.as_deref(), self.content_encoding.as_deref())?;
        Ok(&self.body)
    }

    /// The body as a form of at most so many bytes; `None` for one that is larger, compressed or of another type.
    pub fn form_body(&self, largest: usize) -> Option<&[u8]> {
        let essence = self.content_type.as_deref()?.split(';').next().unwrap_or_default().trim();
        let is_form = essence.eq_ignore_ascii_case("application/x-www-form-urlencoded");
        (is_form && self.content_encoding.is_none() && self.body.len() <= largest).then_some(&self.body)
    }

    /// Rejects a body on an endpoint without one. An empty object counts as no body.
    pub fn reject_body(&self) -> Result<(), Error> {
        match self.body.trim_ascii() {
            b"" | b"{}" => Ok(()),
            _ => Err(Error::field("body", "must be empty: this endpoint takes no body")),
        }
    }

    /// Whether a write is only to be checked: the query parameter `dry_run`.
    pub fn is_dry_run(&self) -> Result<bool, Error> {
        read_dry_run(&self.query)
    }

    /// The path parameter as a platform.
    pub fn platform(&self) -> Result<Platform, Error> {
        Platform::parse(&self.parameter).ok_or_else(|| {
            let requirement = Shape::Flat.platform_requirement(&self.parameter);
            let end = if requirement.ends_with('?') { "" } else { "." };
            Error::new(Kind::NotFound, format!("There is no such platform. The one in the path {requirement}{end}"))
        })
    }

    /// The payment provider's signature of the body; empty without the header.
    pub fn signature(&self) -> &str {
        self.signature.as_deref().unwrap_or_default()
    }

    /// The OAuth redirect URI for a platform.
    pub fn callback_url(&self, platform: Platform) -> Result<String, Error> {
        self.public_url(&format!("/v1/oauth/callback/{platform}"))
    }

    /// The public URL of a path of this service.
    pub fn public_url(&self, path: &str) -> Result<String, Error> {
        self.app.public_url(self.host.as_deref(), path)
    }

    /// The `Idempotency-Key`, if present.
    pub fn idempotency_key(&self) -> Result<Option<&str>, Error> {
        let Some(key) = &self.idempotency_key else { return Ok(None) };
        let message = format!("must be sent once, with 1 to {MAX_IDEMPOTENCY_KEY_LENGTH} visible ASCII characters");
        if is_idempotency_key(key) { Ok(Some(key)) } else { Err(Error::field("Idempotency-Key", message)) }
    }

    /// The `Idempotency-Key` as it is claimed, if present: each user has keys of its own, so that none gets the response to
    /// a request for another. A space, which no key has, stands after the user; the key follows as its digest, so that a
    /// digest is enough to find it.
    pub fn scoped_idempotency_key(&self) -> Result<Option<String>, Error> {
        let scoped = |key: &str| self.user().map_or_else(|| key.to_owned(), |user| in_user(user, &sha256_hex(key)));
        Ok(self.idempotency_key()?.map(scoped))
    }

    /// What stands for an `Idempotency-Key` of this request's user in changes and in the usage log, by the key's own digest.
    pub fn scoped_key_digest(&self, digest: String) -> String {
        scoped_key_digest(self.user(), digest)
    }

    /// The user for whom the request acts, if it acts for one: as it says, or as its key is bound.
    pub fn user(&self) -> Option<&ExternalRef> {
        self.user.as_ref()
    }

    /// Whether the request carries an `Idempotency-Key`.
    pub fn is_keyed(&self) -> bool {
        self.idempotency_key.is_some()
    }

    /// The wall-clock time of the deadline, for other processes.
    pub fn ends_at(&self) -> Result<Timestamp, Error> {
        let remaining = self.deadline.saturating_duration_since(Instant::now());
        Ok(self.app.clock.now() + SignedDuration::try_from(remaining).map_err(Error::internal)?)
    }
}

/// Refuses a body that is too large, compressed, or of another type than JSON. A missing `Content-Type` counts as JSON.
pub(super) fn check_json(size: usize, content_type: Option<&str>, encoding: Option<&str>) -> Result<(), Error> {
    if size > MAX_BODY_BYTES {
        return Err(payload_too_large());
    }
    let essence = content_type.map(|value| value.split(';').next().unwrap_or_default().trim());
    if essence.is_some_and(|essence| !essence.eq_ignore_ascii_case("application/json")) {
        let message = "The body must be JSON. Send it with Content-Type: application/json.";
        return Err(Error::new(Kind::UnsupportedMediaType, message));
    }
    if encoding.is_some_and(|encoding| !encoding.trim().eq_ignore_ascii_case("identity")) {
        let message =
            "The body has a Content-Encoding, which is not read here. Send it uncompressed, without that header.";
        return Err(Error::new(Kind::UnsupportedMediaType, message));
    }
    Ok(())
}

/// An `Idempotency-Key` of a user, by the digest of the key itself.
fn in_user(user: &ExternalRef, digest: &str) -> String {
    format!("{user} {digest}")
}

/// The digest of [`ApiRequest::scoped_idempotency_key`], by that of the key itself.
pub(super) fn scoped_key_digest(user: Option<&ExternalRef>, digest: String) -> String {
    match user {
        Some(user) => key_digest(&in_user(user, &digest)),
        None => digest,
    }
}

/// The body exceeds [`MAX_BODY_BYTES`].
pub fn payload_too_large() -> Error {
    Error::new(Kind::PayloadTooLarge, format!("The body is larger than {} KiB.", MAX_BODY_BYTES / 1024))
}
