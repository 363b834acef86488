//! Base URLs on the command line.

/// Parses a base URL, without a trailing slash.
pub(crate) fn base_url(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    match host.map(|host| host.trim_end_matches('/')) {
        Some(host) if !host.is_empty() && !host.contains(['?', '#', ' ']) => Ok(text.trim_end_matches('/').to_owned()),
        _ => Err("not a base URL: expected one like http://127.0.0.1:8081".to_owned()),
    }
}
