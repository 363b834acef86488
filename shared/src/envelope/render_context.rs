//! The properties of a request that its response depends on.

use super::Shape;
use crate::domain::Allowance;
use jiff::Timestamp;
use uuid::Uuid;

/// The properties of a request that its response depends on.
#[derive(Clone, Debug)]
pub struct RenderContext {
    pub request_id: Uuid,
    pub shape: Shape,
    /// Whether the endpoint supports both shapes. If so, the response names its own.
    pub has_two_shapes: bool,
    /// Time of the request.
    pub now: Timestamp,
    /// Whether the caller used HTTPS.
    pub is_https: bool,
    /// Public address of the service, without a path; `None` if it is not known.
    pub public_base: Option<String>,
    /// Remaining rate and quota; `None` without a valid key.
    pub allowance: Option<Allowance>,
}

impl RenderContext {
    /// The public address of a path, if it is known.
    pub fn public_url(&self, path: &str) -> Option<String> {
        self.public_base.as_ref().map(|base| format!("{base}{path}"))
    }
}
