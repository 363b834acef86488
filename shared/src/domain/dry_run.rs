//! Requests of a dry run.

/// A request that a dry run shows, without its headers and secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRequest {
    /// Method.
    pub method: String,
    /// Address.
    pub url: String,
    /// Body, as it would be sent.
    pub body: String,
}
