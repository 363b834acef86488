//! The OAuth client that a platform knows.

/// The one OAuth client that a platform has registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OAuthClient {
    /// `client_id` of the platform's OAuth addresses.
    pub id: &'static str,
    /// `client_secret` of the token address.
    pub secret: &'static str,
}
