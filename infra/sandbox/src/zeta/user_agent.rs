//! Validation of user agents.
//!
//! Reddit Ads API v3 reference: "User agents". The platform rate-limits the default user agents of libraries
//! heavily; the sandbox rejects them always, so that the mistake shows at once.

use crate::http::Request;

/// Prefixes of the default user agents of libraries and tools, in lower case.
const DEFAULTS: &[&str] = &[
    "curl/",
    "wget/",
    "python-requests",
    "python-urllib",
    "python-httpx",
    "python/",
    "aiohttp",
    "reqwest",
    "hyper",
    "okhttp",
    "go-http-client",
    "java/",
    "java-http-client",
    "apache-httpclient",
    "axios",
    "node",
    "undici",
    "ruby",
    "libwww-perl",
    "postmanruntime",
    "mozilla/",
];

/// Whether the user agent describes the client.
pub(crate) fn is_descriptive(request: &Request) -> bool {
    let agent = request.header("user-agent").unwrap_or_default().trim().to_ascii_lowercase();
    !agent.is_empty() && agent != "java" && !DEFAULTS.iter().any(|default| agent.starts_with(default))
}
