//! Requests of a dry run.

/// A request that a dry run shows, without its headers and secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRequest {
    pub method: String,
    pub url: String,
    /// Body, as it would be sent.
    pub body: String,
}
