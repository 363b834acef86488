//! The fingerprint of a request: its operation and its content.

use crate::domain::sha256_hex;
use crate::envelope::canonical_json;
use crate::envelope::query::value;
use crate::serve::ApiRequest;

impl ApiRequest {
    /// Identifies the request's content, to detect a key that is reused for another request. The spelling of the body
    /// does not matter, because a client may serialize it anew for a retry, except in one that is not JSON (D16).
    pub(super) fn fingerprint(&self) -> String {
        let method = self.route.method;
        let path = self.route.path;
        let parameter = &self.parameter;
        let text = String::from_utf8_lossy(&self.body);
        let content = canonical_json(&text).unwrap_or_else(|| text.into_owned());
        // A removal has no body, so its reference stands in the query.
        let reference = value(&self.query, "reference").map(|reference| format!("\n{reference}")).unwrap_or_default();
        sha256_hex(&format!("{method} {path} {parameter}\n{content}{reference}"))
    }
}
