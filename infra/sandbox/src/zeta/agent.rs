//! User agents: a client has to describe itself.
//!
//! Reddit Ads API v3 reference: "User agents". What libraries send by themselves is limited
//! drastically there; here it is never let in, so that it shows at once.

use crate::http::Request;

/// Beginnings of what libraries and tools send when nothing is set, in lower case.
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

/// Whether the client says who it is.
pub(crate) fn is_descriptive(request: &Request) -> bool {
    let agent = request.header("user-agent").unwrap_or_default().trim().to_ascii_lowercase();
    !agent.is_empty() && agent != "java" && !DEFAULTS.iter().any(|default| agent.starts_with(default))
}
