//! The addresses of endpoints.

/// The address of an endpoint, in the canonical spelling. `UrlPolicy` of the outbound calls has judged it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointUrl(String);

impl EndpointUrl {
    /// An address that was checked, now or before it was stored.
    pub fn of_checked(text: String) -> EndpointUrl {
        EndpointUrl(text)
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
