//! OAuth clients.

/// The only OAuth client that a platform knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OAuthClient {
    pub id: &'static str,
    pub secret: &'static str,
}

impl OAuthClient {
    /// True if the credentials are this client's.
    pub(crate) fn authenticates(&self, id: &str, secret: &str) -> bool {
        id == self.id && secret == self.secret
    }
}
