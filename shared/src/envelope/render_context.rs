//! The properties of a request that its response depends on.

use super::Shape;
use crate::domain::Allowance;
use jiff::Timestamp;
use uuid::Uuid;

/// The properties of a request that its response depends on.
#[derive(Clone, Copy, Debug)]
pub struct RenderContext {
    pub request_id: Uuid,
    pub shape: Shape,
    /// Whether the endpoint supports both shapes. If so, the response names its own.
    pub has_two_shapes: bool,
    /// Time of the request.
    pub now: Timestamp,
    /// Whether the caller used HTTPS.
    pub is_https: bool,
    /// Remaining rate and quota; `None` without a valid key.
    pub allowance: Option<Allowance>,
}
